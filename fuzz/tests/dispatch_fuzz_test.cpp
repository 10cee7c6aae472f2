// Generated programs about the dispatcher: they can be printed, sent and shortened, and they notice misread rules.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "adapters/protocol/dispatch.h"
#include "fuzz/dispatcher/campaign.h"
#include "fuzz/dispatcher/minimise.h"
#include "fuzz/hits.h"
#include "language/dispatcher/program.h"
#include "oracle/dispatcher/check_programs.h"
#include "spec/rules/catalogue.h"

namespace plumbline::fuzz::dispatch_fuzz_test {
namespace {

constexpr std::array kSound{Profile::sound};

DispatchScript any_script() { return build_dispatch(*any_genes(), reference::Judge{}, kSound); }

RC_GTEST_PROP(DispatchFuzz, what_is_generated_is_executed_by_the_reference, ()) {
  const DispatchScript script = any_script();
  RC_ASSERT(reference::run(reference::Judge{}, script).size() == script.statements.size());
}

RC_GTEST_PROP(DispatchFuzz, what_is_sent_comes_back, ()) {
  const DispatchScript script = any_script();
  RC_ASSERT(std::get<DispatchRequest>(decode_request(encode_dispatch(1, script))).script == script);
}

RC_GTEST_PROP(DispatchFuzz, what_is_printed_can_be_read, ()) {
  dispatcher::DispatchTest test;
  test.name = "test_it";
  test.script = any_script();
  const DispatchTrace trace = reference::run(reference::Judge{}, test.script);
  for (std::size_t i = 0; i < trace.size(); ++i)
    if (trace[i].error != DispatchError::none) test.raises.push_back({i, "Exception", "", 0});
  const auto back = dispatcher::read_program(dispatcher::print_program({test}, {}), "test_it.py");
  RC_ASSERT(back.size() == 1U);
  const DispatchTrace again = reference::run(reference::Judge{}, back.front().script);
  RC_ASSERT(!dispatcher::compare(test.script, trace, again).has_value());
}

DispatchCampaignReport held(const Rule& misread, unsigned jobs) {
  reference::Judge wrong;
  wrong.flipped = &misread;
  DispatchCampaign campaign;
  campaign.make_runner = [wrong] { return dispatcher::reference_runner(wrong); };
  campaign.programs = 500;
  campaign.jobs = jobs;
  return run_campaign(campaign);
}

TEST(DispatchCampaign, a_reference_agrees_with_itself) {
  DispatchCampaign campaign;
  campaign.make_runner = [] { return dispatcher::reference_runner(reference::Judge{}); };
  campaign.programs = 500;
  EXPECT_EQ(run_campaign(campaign).passed, 500U);
}

TEST(DispatchCampaign, a_misread_rule_is_found) { EXPECT_GT(held(DSP_30, 1).divergent, 0U); }

TEST(DispatchCampaign, does_not_depend_on_the_number_of_jobs) {
  const DispatchCampaignReport one = held(DSP_10, 1);
  const DispatchCampaignReport two = held(DSP_10, 2);
  ASSERT_EQ(one.findings.size(), two.findings.size());
  for (std::size_t i = 0; i < one.findings.size(); ++i) {
    EXPECT_EQ(one.findings[i].index, two.findings[i].index);
    EXPECT_EQ(one.findings[i].times, two.findings[i].times);
  }
}

TEST(DispatchHits, each_rule_of_the_dispatcher_is_hit) {
  for (const Hits& hits : measure_dispatch_hits({4000, 1, Profile::sound})) {
    if (hits.rule->family != Family::DSP) continue;
    EXPECT_EQ(hits.hit > 0, out_of_reach(*hits.rule).empty())
        << hits.rule->id() << ": " << hits.hit << " hits; " << out_of_reach(*hits.rule);
  }
}

TEST(DispatchMinimiser, keeps_what_is_needed_and_nothing_else) {
  reference::Judge wrong;
  wrong.flipped = &DSP_14;
  const auto runner = dispatcher::reference_runner(wrong);
  const DispatchCampaignReport report = held(DSP_14, 1);
  ASSERT_FALSE(report.findings.empty());
  const DispatchFinding& finding = report.findings.front();
  const DispatchScript small = minimised(finding.script, [&](const DispatchScript& script) {
    const auto wrong_here = difference(runner, reference::Judge{}, script);
    return wrong_here && wrong_here->signature == finding.signature;
  });
  // A library, an operator, two kernels for one key, and a statement that shows which is used.
  EXPECT_LE(small.statements.size(), 5U);
}

TEST(DispatchPrograms, hold_on_the_reference) {
  for (const auto& one : dispatcher::load_dispatch_programs("fuzz/corpus/dispatcher"))
    EXPECT_EQ(dispatcher::failures_on_reference(one.test, reference::Judge{}), std::vector<std::string>{})
        << one.file << "::" << one.test.name;
}

/// Its misreading is about Functionalize, whose fallback no rule describes: LibTorch's tables show it.
constexpr const Rule* kInTablesAlone = &DSP_07;

TEST(DispatchPrograms, each_rule_misread_turns_a_program_that_names_it_red) {
  const auto programs = dispatcher::load_dispatch_programs("fuzz/corpus/dispatcher");
  for (const Rule* rule : kDispatchRules)
    EXPECT_NE(rule == kInTablesAlone,
              std::ranges::any_of(programs,
                                  [&](const auto& one) {
                                    return std::ranges::find(one.test.rules, rule->id()) != one.test.rules.end() &&
                                           !dispatcher::failures_on_reference(one.test, {.flipped = rule}).empty();
                                  }))
        << rule->id() << ": " << rule->text().misreading;
}

}  // namespace
}  // namespace plumbline::fuzz::dispatch_fuzz_test
