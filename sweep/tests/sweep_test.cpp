// The sweep of an honest implementation is silent; one that breaks a law is reported under that law and no other.
#include "sweep/sweep.h"

#include <gtest/gtest.h>

#include <set>

#include "sweep/changes.h"
#include "sweep/tests/fake.h"

namespace plumbline::sweep {
namespace {

constexpr std::array<std::string_view, fake::kLies> kLieNames{
    "none",
    "writes_its_input_01",
    "counts_its_input_01",
    "returns_its_input_02",
    "shares_memory_02",
    "returns_a_copy_03",
    "does_not_count_04",
    "writes_inference_tensors_05",
    "writes_before_it_refuses_06",
    "other_values_in_no_grad_07",
    "other_values_in_inference_08",
    "raises_in_inference_08",
    "results_are_normal_09",
    "views_are_inference_tensors_09",
    "views_are_not_tracked_10",
    "views_have_another_base_10",
    "writes_before_it_raises_11",
    "other_sizes_on_meta_12",
    "other_dtype_on_meta_12",
    "raises_on_meta_12",
    "in_place_computes_another_13",
    "out_has_other_sizes_13",
    "values_change_14",
    "reads_by_memory_15",
    "writes_shared_elements_16",
    "loses_writes_when_functionalized_17",
    "raises_when_functionalized_17",
    "other_gradients_18",
    "one_example_for_all_19",
    "copies_another_element_20",
    "keys_of_inference_tensors_21",
    "other_sizes_when_fake_22",
    "copies_for_a_view_23",
};

SweepReport swept(fake::Lie lie, unsigned jobs = 1) {
  SweepOptions options;
  options.jobs = jobs;
  return sweep([lie] { return std::make_unique<fake::FakeCaller>(lie); }, options, [](std::size_t, std::size_t) {},
               [] { return false; });
}

std::set<std::string> broken_laws(const SweepReport& report) {
  std::set<std::string> broken;
  for (const Finding& finding : report.findings) broken.insert(finding.law);
  return broken;
}

TEST(Sweep, an_honest_implementation_breaks_no_law_and_each_law_has_cases) {
  const SweepReport report = swept(fake::Lie::none);
  EXPECT_EQ(report.known, fake::operators().size());
  EXPECT_EQ(report.called, fake::operators().size());
  EXPECT_TRUE(report.findings.empty()) << report.findings.front().law << " " << report.findings.front().detail;
  for (std::size_t i = 0; i < laws().size(); ++i) EXPECT_GT(report.laws[i].cases, 0U) << laws()[i].id();
}

TEST(Sweep, an_honest_implementation_tells_each_law_from_its_misreading) {
  const SweepReport report = swept(fake::Lie::none);
  for (std::size_t i = 0; i < laws().size(); ++i) EXPECT_GT(report.laws[i].told, 0U) << laws()[i].text().misreading;
}

class Lies : public testing::TestWithParam<std::size_t> {};

TEST_P(Lies, are_reported_under_the_law_that_they_break) {
  const std::string name(kLieNames.at(GetParam()));
  const std::string law = "OP-" + name.substr(name.size() - 2);
  const SweepReport report = swept(static_cast<fake::Lie>(GetParam()));
  EXPECT_EQ(broken_laws(report), std::set<std::string>{law});
  for (std::size_t i = 0; i < laws().size(); ++i)
    EXPECT_EQ(report.laws[i].broken > 0, laws()[i].id() == law) << laws()[i].id();
}

INSTANTIATE_TEST_SUITE_P(Sweep, Lies, testing::Range(std::size_t{1}, fake::kLies),
                         [](const auto& info) { return std::string(kLieNames.at(info.param)); });

TEST(Sweep, a_report_does_not_depend_on_the_number_of_workers) {
  const SweepOptions options;
  EXPECT_EQ(to_json(swept(fake::Lie::does_not_count_04, 1), options, "fake").dump(),
            to_json(swept(fake::Lie::does_not_count_04, 3), options, "fake").dump());
}

TEST(SweepChanges, of_two_releases_name_what_is_new_and_what_is_gone) {
  const SweepReport before = swept(fake::Lie::does_not_count_04), after = swept(fake::Lie::shares_memory_02);
  const Changes all = changes(before, after);
  EXPECT_EQ(all.both, fake::operators().size());
  std::set<std::string> appeared, gone;
  for (const Change& one : all.changes) (one.is_new ? appeared : gone).insert(one.law + " " + one.op);
  EXPECT_TRUE(appeared.contains("OP-02 fake::twice"));
  EXPECT_EQ(gone, (std::set<std::string>{"OP-04 fake::twice.out", "OP-04 fake::twice_", "OP-04 fake::zero_"}));
  EXPECT_TRUE(changes(before, before).changes.empty());
}

TEST(SweepChanges, an_operator_of_one_release_is_added_or_removed_and_has_no_change) {
  SweepReport before = swept(fake::Lie::none);
  const SweepReport after = swept(fake::Lie::shares_memory_02);
  std::erase_if(before.operators, [](const Operator& op) { return op.full_name() == "fake::twice"; });
  const Changes all = changes(before, after);
  EXPECT_EQ(all.added, std::vector<std::string>{"fake::twice"});
  EXPECT_TRUE(std::ranges::none_of(all.changes, [](const Change& one) { return one.op == "fake::twice"; }));
}

TEST(Sweep, globs_choose_operators) {
  SweepOptions options;
  options.operators = {"fake::twice*"};
  const SweepReport report = sweep([] { return std::make_unique<fake::FakeCaller>(fake::Lie::none); }, options,
                                   [](std::size_t, std::size_t) {}, [] { return false; });
  EXPECT_EQ(report.known, 3U);
}

TEST(Sweep, an_interrupt_leaves_a_report_that_says_so) {
  const SweepReport report = sweep([] { return std::make_unique<fake::FakeCaller>(fake::Lie::none); }, {},
                                   [](std::size_t, std::size_t) {}, [] { return true; });
  EXPECT_TRUE(report.interrupted);
  EXPECT_NE(to_text(report, "fake", false).find("interrupted"), std::string::npos);
}

/// Dies on one operator.
class Dying final : public Caller {
 public:
  Registered registered() override { return inner_.registered(); }
  std::variant<Observation, Broken> call(const Experiment& experiment) override {
    if (experiment.op == "fake::part") return Broken{Broken::Kind::crash, "killed by signal 11 (Segmentation fault)"};
    return inner_.call(experiment);
  }

 private:
  fake::FakeCaller inner_{fake::Lie::none};
};

TEST(Sweep, a_crash_costs_one_operator) {
  const SweepReport report =
      sweep([] { return std::make_unique<Dying>(); }, {}, [](std::size_t, std::size_t) {}, [] { return false; });
  EXPECT_EQ(report.called, fake::operators().size() - 1);
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].law, "crash");
  ASSERT_EQ(report.left.size(), 1U);
  EXPECT_EQ(report.left[0].op, "fake::part");
}

TEST(Sweep, an_operator_that_takes_nothing_is_listed_with_the_last_error) {
  SweepOptions options;
  options.operators = {"fake::part"};
  options.tries = 1;  // the first candidate for it is of bools
  std::uint64_t seed = 0;
  while (candidate(fake::operator_named("fake::part"), ++seed, 0).tensors.front().dtype != "bool") continue;
  options.seed = seed;
  const SweepReport report = sweep([] { return std::make_unique<fake::FakeCaller>(fake::Lie::none); }, options,
                                   [](std::size_t, std::size_t) {}, [] { return false; });
  EXPECT_EQ(report.called, 0U);
  ASSERT_EQ(report.left.size(), 1U);
  EXPECT_NE(report.left[0].why.find("the last error: not implemented for bool"), std::string::npos);
}

}  // namespace
}  // namespace plumbline::sweep
