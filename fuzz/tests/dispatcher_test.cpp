// Generated programs about the dispatcher: they are sent and printed, and they notice misread rules.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "adapters/protocol/protocol.h"
#include "fuzz/campaign.h"
#include "fuzz/hits.h"
#include "fuzz/judge_adapter.h"
#include "fuzz/reproducer_test.h"
#include "fuzz/shrink.h"
#include "language/lower.h"
#include "language/parse.h"
#include "language/print.h"
#include "spec/rules/dsp.h"
#include "spec/rules/dsp_calls.h"

namespace plumbline::fuzz::dispatcher_test {
namespace {

Recipe about_the_dispatcher() {
  Recipe recipe;
  recipe.dispatching = Dispatching::only;
  return recipe;
}

/// The reference that misreads `rule`, compared with itself; null: it misreads nothing.
Subject misreading(const Rule* rule) {
  const reference::Judge judge{.flipped = rule};
  return {[judge] { return std::make_unique<JudgeAdapter>(judge); }, about_the_dispatcher(), {}};
}

Report held(const Rule* rule, unsigned jobs) {
  CampaignOptions options;
  options.programs = 500;
  options.jobs = jobs;
  return run_campaign(misreading(rule), options);
}

RC_GTEST_PROP(DispatcherPrograms, what_is_sent_comes_back, ()) {
  const std::string sent = encode(build(*any_genes(), about_the_dispatcher()));
  RC_ASSERT(encode(decode_script(sent)) == sent);
}

RC_GTEST_PROP(DispatcherPrograms, what_is_printed_says_the_same, ()) {
  const Script script = build(*any_genes(), about_the_dispatcher());
  const Trace trace = reference::run({}, script);
  program::Test test = whole_test(script, trace);
  test.name = "test_it";
  const auto back = program::lower(program::parse(program::print(program::raise(test)), "test_it.py"));
  RC_ASSERT(back.size() == 1U);
  RC_ASSERT(
      check_expectations(back.front(), reference::run({}, back.front().script), JudgeAdapter({}).describe()).verdict ==
      Verdict::pass);
}

TEST(DispatcherCampaign, a_reference_agrees_with_itself) { EXPECT_EQ(held(nullptr, 1).tally.passed, 500U); }

TEST(DispatcherCampaign, a_misread_rule_is_found) { EXPECT_GT(held(&DSP_30, 1).tally.divergent, 0U); }

TEST(DispatcherCampaign, does_not_depend_on_the_number_of_jobs) {
  const Report one = held(&DSP_10, 1);
  const Report two = held(&DSP_10, 2);
  ASSERT_FALSE(one.findings.empty());
  ASSERT_EQ(one.findings.size(), two.findings.size());
  for (std::size_t i = 0; i < one.findings.size(); ++i) {
    EXPECT_EQ(one.findings[i].index, two.findings[i].index);
    EXPECT_EQ(one.findings[i].times, two.findings[i].times);
  }
}

TEST(DispatcherHits, each_rule_of_the_dispatcher_is_hit) {
  for (const Hits& hits : measure_hits({4000, 1, Profile::sound, true})) {
    if (hits.rule->family != Family::DSP) continue;
    EXPECT_EQ(hits.hit > 0, out_of_reach(*hits.rule).empty())
        << hits.rule->id() << ": " << hits.hit << " hits; " << out_of_reach(*hits.rule);
  }
}

TEST(DispatcherShrinking, keeps_what_is_needed_and_nothing_else) {
  const Subject subject = misreading(&DSP_14);
  const Report report = held(&DSP_14, 1);
  ASSERT_FALSE(report.findings.empty());
  const Finding& finding = report.findings.front();
  const auto adapter = subject.make_adapter();
  const Shrunk small = shrink(
      genes_at(1, finding.index), subject.generated, finding.signature,
      [&](const Script& script) { return signature_on(*adapter, subject.expected, script); }, 2000);
  // A library, an operator, two kernels for one key, a tensor, a call, and the log that shows which kernel ran.
  EXPECT_LE(small.script.statements.size(), 8U);
}

}  // namespace
}  // namespace plumbline::fuzz::dispatcher_test
