// The campaign: its result does not depend on the number of workers, it finds faults, and it reports problems.
#include "fuzz/campaign.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "adapters/protocol/cursor.h"
#include "adapters/protocol/names.h"
#include "adapters/protocol/protocol.h"
#include "fuzz/builder.h"
#include "fuzz/faults.h"
#include "fuzz/judge_adapter.h"
#include "fuzz/report.h"
#include "fuzz/selftest.h"
#include "oracle/reading_text.h"
#include "spec/rules/catalogue.h"
#include "spec/rules/fun.h"
#include "spec/rules/ver.h"

namespace plumbline::fuzz::campaign_test {

namespace {

Subject reference_against_itself() {
  return {[] { return std::make_unique<JudgeAdapter>(reference::Judge()); }, {}, {}};
}

CampaignOptions options_for(std::uint64_t programs, unsigned jobs = 1) {
  CampaignOptions options;
  options.programs = programs;
  options.jobs = jobs;
  return options;
}

std::string json_of(const Subject& subject, const CampaignOptions& options) {
  const Report report = run_campaign(subject, options);
  std::vector<Case> cases;
  for (const Finding& finding : report.findings) cases.push_back({finding, {}, 0, true, ""});
  return to_json(report, cases, {}, options.seed).dump();
}

TEST(Campaign, the_reference_agrees_with_itself) {
  const Report report = run_campaign(reference_against_itself(), options_for(1000));
  EXPECT_EQ(report.programs, 1000U);
  EXPECT_EQ(report.tally.divergent, 0U);
  EXPECT_EQ(report.tally.total(), 1000U);
  EXPECT_GT(report.tally.passed, 900U);
  EXPECT_LE(report.unspecified * 50, report.compared) << "at most 2 % of the statements";
}

Subject functionalized(const reference::Judge& judge) {
  Subject subject{[judge] { return std::make_unique<JudgeAdapter>(judge); }, {}, {}};
  subject.generated.functionalize = true;
  return subject;
}

// FUN-34 leaves versions free, and nothing else; such a program passes.
TEST(Campaign, free_versions_are_counted_by_field_and_pass) {
  const Report report = run_campaign(functionalized({}), options_for(500));
  const auto count = [&](Field field) { return report.readings.fields[static_cast<std::size_t>(field)]; };
  EXPECT_GT(count(Field::version).free, 100U);
  EXPECT_LT(count(Field::version).free, count(Field::version).compared);
  for (const Field field : {Field::dtype, Field::sizes, Field::strides, Field::offset, Field::storage, Field::keys}) {
    EXPECT_EQ(count(field).free, 0U) << name_of(field);
    EXPECT_GT(count(field).compared, 1000U) << name_of(field);
  }
  EXPECT_GT(report.readings.errors.compared, 500U);
  EXPECT_GT(report.readings.thread.compared, 500U);
  EXPECT_GT(report.unspecified, 100U);
  EXPECT_LT(report.tally.unspecified * 10, report.tally.total()) << "of the programs";
  EXPECT_GT(report.tally.passed * 10, report.tally.total() * 8);
  const nlohmann::ordered_json json = to_json(report, {}, {}, 1);
  EXPECT_EQ(json["readings"]["version"]["free"], count(Field::version).free);
  EXPECT_EQ(json["readings"]["all"]["compared"], report.readings.sum().compared);
  EXPECT_EQ(json["unspecified_statements"], report.unspecified);
  EXPECT_GT(json["unspecified_percent"].get<double>(), 0.0);
  const std::string text = to_text(report);
  EXPECT_NE(text.find(fmt::format("{} version ({} free)", count(Field::version).compared, count(Field::version).free)),
            std::string::npos)
      << text;
}

/// The reference, which counts programs.
class Counting final : public Adapter {
 public:
  const Description& describe() const override { return adapter_.describe(); }
  RunResult run(const Script& script) override {
    ++counts_["programs run"];
    return adapter_.run(script);
  }
  Counts counts() const override { return counts_; }

 private:
  JudgeAdapter adapter_{reference::Judge()};
  Counts counts_;
};

TEST(Campaign, what_an_implementation_counts_is_summed_over_workers_and_batches) {
  const Subject subject{[] { return std::make_unique<Counting>(); }, {}, {}};
  const Report report = run_campaign(subject, options_for(500, 2));
  EXPECT_EQ(report.counts, (Counts{{"programs run", 500}}));
  EXPECT_EQ(to_json(report, {}, {}, 1)["counts"]["programs run"], 500);
  EXPECT_NE(to_text(report).find("500 programs run"), std::string::npos);
}

/// What the first program of a batch calls and the last does not.
std::string only_in_the_first(std::span<const Script> scripts) {
  const auto calls = [](const Script& script, const std::string& name) {
    return std::ranges::any_of(script.statements, [&](const Statement& s) { return statement_name(s) == name; });
  };
  for (const Statement& statement : scripts.front().statements)
    if (const std::string name = statement_name(statement); !calls(scripts.back(), name)) return name;
  throw std::logic_error("the last program calls all that the first calls");
}

/// The reference, but the first program damages the process, so that the last one of the batch dies.
class Damaged final : public Adapter {
 public:
  explicit Damaged(std::string& cause) : cause_(cause) {}
  const Description& describe() const override { return adapter_.describe(); }
  RunResult run(const Script& script) override { return adapter_.run(script); }
  std::vector<RunResult> run_all(std::span<const Script> scripts) override {
    cause_ = only_in_the_first(scripts);
    std::vector<RunResult> results = adapter_.run_all(scripts);
    results.back() = Breakdown{Breakdown::Kind::crash, "killed", {scripts.front()}};
    return results;
  }

 private:
  JudgeAdapter adapter_{reference::Judge()};
  std::string& cause_;
};

TEST(Campaign, a_death_that_a_program_before_it_may_have_caused_is_excused_by_that_programs_waiver) {
  std::string cause;
  const auto divergent = [&cause](std::vector<Waiver> waivers) {
    Subject subject{[&cause] { return std::make_unique<Damaged>(cause); }, {}, {}};
    subject.waivers = std::make_shared<Waivers>(std::move(waivers));
    return run_campaign(subject, options_for(20)).tally.divergent;
  };
  const auto waiver = [](const std::string& op) {
    return Waiver{"W-1", {}, {"VER-04"}, "reference", {op}, {}, true, {"run/crash"}, {}, "", "", "", 1};
  };
  EXPECT_EQ(divergent({}), 1U);
  EXPECT_EQ(divergent({waiver("no_such_op")}), 1U);
  EXPECT_EQ(divergent({waiver(cause)}), 0U);
}

/// The reference under a judge; if only one variant is followed, the layer does not say how views are tracked.
class WithoutBases final : public Adapter {
 public:
  explicit WithoutBases(const reference::Judge& judge) : adapter_(judge), description_(adapter_.describe()) {
    for (const Field field : {Field::base, Field::is_view, Field::creation_meta})
      description_.fields[static_cast<std::size_t>(field)] = Strictness::ignore;
    description_.kernels = false;
  }
  const Description& describe() const override { return description_; }
  RunResult run(const Script& script) override { return adapter_.run(script); }

 private:
  JudgeAdapter adapter_;
  Description description_;
};

TEST(Campaign, readings_of_fields_that_an_implementation_need_not_keep_are_counted) {
  const Report report =
      run_campaign({[] { return std::make_unique<WithoutBases>(reference::Judge()); }, {}, {}}, options_for(100));
  const ReadingCount& base = report.readings.fields[static_cast<std::size_t>(Field::base)];
  EXPECT_EQ(base.compared, 0U);
  EXPECT_GT(base.left_out, 100U);
  EXPECT_EQ(report.readings.fields[static_cast<std::size_t>(Field::dtype)].left_out, 0U);
  EXPECT_NE(to_text(report).find(fmt::format("{} base", base.left_out)), std::string::npos);
}

// The layer with all departures off except FUN-36, which only nested bodies show; and detach_ checks for views.
TEST(Campaign, functionalization_with_every_departure_off_is_the_specification) {
  const reference::Judge alone{.profile = Profile::torch_2_13, .only_variant = &FUN_36};
  Subject subject = functionalized({});
  subject.make_adapter = [alone] { return std::make_unique<WithoutBases>(alone); };
  CampaignOptions options = options_for(4000);
  options.max_failures = 1000;
  const Report report = run_campaign(subject, options);
  for (const Finding& finding : report.findings)
    EXPECT_TRUE(finding.verdict == Verdict::unknown || finding.signature.find("not_functional") != std::string::npos ||
                finding.signature.find("detach_view") != std::string::npos)
        << finding.index << ": " << finding.message;
  EXPECT_GT(report.tally.passed, 3500U);
}

Stage stage(const std::string& name, const Rule* misread) {
  reference::Judge judge;
  judge.flipped = misread;
  return {name, [judge] { return std::make_unique<JudgeAdapter>(judge); }};
}

TEST(Campaign, a_finding_names_the_first_stage_that_differs_too) {
  Subject subject = reference_against_itself();
  subject.make_adapter = stage("it", &VER_03).make_adapter;
  subject.stages = {stage("sound", nullptr), stage("sick", &VER_03), stage("sick too", &VER_03)};
  const Report report = run_campaign(subject, options_for(300));
  ASSERT_FALSE(report.findings.empty());
  for (const Finding& finding : report.findings) EXPECT_EQ(finding.stage, "sick") << finding.signature;
  EXPECT_EQ(title_of(report.findings.front()), report.findings.front().signature + ", as on sick");
}

TEST(Campaign, a_finding_of_no_stage_says_nothing_of_stages) {
  Subject subject = reference_against_itself();
  subject.make_adapter = stage("it", &VER_03).make_adapter;
  subject.stages = {stage("sound", nullptr)};
  const Report report = run_campaign(subject, options_for(300));
  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(title_of(report.findings.front()), report.findings.front().signature);
}

TEST(Campaign, jobs_do_not_change_the_result) {
  EXPECT_EQ(json_of(reference_against_itself(), options_for(1500, 1)),
            json_of(reference_against_itself(), options_for(1500, 2)));
}

TEST(Campaign, jobs_do_not_change_the_result_where_it_stops_early) {
  Subject flipped = reference_against_itself();
  flipped.expected.flipped = &VER_03;
  CampaignOptions one = options_for(3000, 1), three = options_for(3000, 3);
  one.max_failures = three.max_failures = 3;
  EXPECT_EQ(json_of(flipped, one), json_of(flipped, three));
  EXPECT_TRUE(run_campaign(flipped, one).stopped_early);
}

TEST(Campaign, the_seed_changes_the_programs) {
  CampaignOptions other = options_for(500);
  other.seed = 2;
  EXPECT_NE(json_of(reference_against_itself(), options_for(500)), json_of(reference_against_itself(), other));
}

TEST(Campaign, a_time_limit_ends_it) {
  CampaignOptions options = options_for(UINT64_MAX);
  options.seconds = 0.2;
  const Report report = run_campaign(reference_against_itself(), options);
  EXPECT_GT(report.programs, 0U);
  EXPECT_LT(report.timing.wall, 10.0);
}

TEST(Campaign, implementations_of_two_profiles_get_the_same_programs) {
  reference::Judge newer, earlier;
  newer.profile = Profile::torch_2_13;
  earlier.profile = Profile::torch_1_13;
  const Subject second{[=] { return std::make_unique<JudgeAdapter>(earlier); }, Recipe(newer), earlier};
  std::size_t own = 0;
  for (std::uint64_t index = 0; index < 300; ++index)
    own += recipe_for(genes_at(1, index).value(), second).judge.profile == Profile::torch_1_13 ? 1 : 0;
  EXPECT_LE(own, 30U) << "every program can run under the other profile, but for those with halves and few others";
  const Report report = run_campaign(second, options_for(300));
  EXPECT_EQ(report.tally.harness_errors, 0U);
  EXPECT_TRUE(report.findings.empty()) << report.findings.front().signature;
  std::uint64_t breaches = 0;  // released PyTorch breaks immutability (INF-06), here without its waivers
  for (const Sighting& sighting : report.sightings) breaches += sighting.times;
  EXPECT_LE(report.tally.divergent, breaches);
}

TEST(Campaign, no_program_reads_more_under_the_other_profile_than_an_answer_holds) {
  Recipe bodies;
  bodies.judge.profile = Profile::torch_2_13;
  bodies.functionalize = true;
  const Subject sound{[] { return std::make_unique<JudgeAdapter>(reference::Judge()); }, bodies, reference::Judge()};
  const auto may_be_large = [](const Gene& gene) { return Choices(gene).extent() == Extent::million; };
  std::size_t large = 0;
  for (std::uint64_t index = 89717; large < 6; ++index) {  // 2.13 resizes a tensor of the first before it raises
    const Genes genes = genes_at(65, index).value();
    if (std::ranges::none_of(genes, may_be_large)) continue;
    ++large;
    const Script script = build(genes, recipe_for(genes, sound));
    EXPECT_NO_THROW(protocol::parsed(encode(reference::run(reference::Judge(), script)))) << index;
  }
}

/// A campaign against a reference that misreads VER-03, with this waiver of what differs.
Report misread_under(Waiver waiver) {
  Subject flipped = reference_against_itself();
  flipped.expected.flipped = &VER_03;
  flipped.waivers = std::make_shared<Waivers>(std::vector<Waiver>{std::move(waiver)});
  CampaignOptions options = options_for(300);
  options.max_failures = 1000;
  return run_campaign(flipped, options);
}

TEST(Campaign, a_waiver_of_generated_programs_excuses_what_differs) {
  Waiver waiver;
  waiver.id = "W-1";
  waiver.ops = {"*"};
  waiver.signatures = {"*/version*"};
  waiver.within = 10;
  waiver.implementation = "reference";
  const Report report = misread_under(waiver);
  EXPECT_GT(report.tally.waived, 0U);
  ASSERT_FALSE(report.known.empty());
  for (const Finding& known : report.known) EXPECT_EQ(known.waiver, "W-1") << known.signature;
  for (const Finding& finding : report.findings) EXPECT_EQ(finding.signature.find("/version"), std::string::npos);
  waiver.within = 0;
  waiver.tests = {"test_a.py::test_b"};
  const Report curated = misread_under(waiver);
  EXPECT_EQ(curated.tally.waived, 0U) << "it is for a curated test alone";
  EXPECT_TRUE(curated.known.empty());
  EXPECT_EQ(curated.tally.divergent, report.tally.divergent + report.tally.waived);
}

TEST(Campaign, an_adapter_that_cannot_be_made_is_an_error) {
  const Subject none{[]() -> std::unique_ptr<Adapter> { throw std::runtime_error("it is not built"); }, {}, {}};
  EXPECT_THROW(run_campaign(none, options_for(10, 2)), std::runtime_error);
}

class Planted : public testing::TestWithParam<std::size_t> {};

TEST_P(Planted, is_caught_and_shrunk) {
  const Fault fault = planted_faults()[GetParam()];
  const Caught caught = catch_fault(fault, reference_against_itself(), options_for(5000));
  EXPECT_TRUE(caught.caught) << fault.sentence;
  EXPECT_LE(caught.statements, 14U) << caught.text;
}

INSTANTIATE_TEST_SUITE_P(Faults, Planted, testing::Range<std::size_t>(0, planted_faults().size()),
                         [](const auto& info) {
                           std::string name(planted_faults()[info.param].name);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace

}  // namespace plumbline::fuzz::campaign_test
