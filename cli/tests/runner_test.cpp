// Running tests on implementations: the second, observed run counts, and unspecified values are counted.
#include "cli/runner.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "adapters/reference/reference.h"
#include "language/parse.h"

namespace plumbline::cli::runner_test {
namespace {

std::size_t snapshots(const Script& script) {
  return static_cast<std::size_t>(std::ranges::count_if(
      script.statements, [](const Statement& s) { return std::holds_alternative<Snapshot>(s.kind); }));
}

/// A reference that breaks down in the observed run.
class BreaksWhenWatched : public ReferenceAdapter {
 public:
  BreaksWhenWatched(Profile profile, std::optional<Breakdown> how)
      : ReferenceAdapter(profile, nullptr, "planted"), how_(std::move(how)) {}
  RunResult run(const Script& script) override {
    if (how_ && snapshots(script) > 1) return *how_;
    return ReferenceAdapter::run(script);
  }

 private:
  std::optional<Breakdown> how_;
};

RunReport report_of(const std::string& body, const std::optional<Breakdown>& how, Profile profile = Profile::sound,
                    unsigned jobs = 1) {
  std::vector<LoadedTest> tests;
  for (program::Test& test : program::lower(
           program::parse("import pytest\nimport torch\n\n\ndef test_it(device):  # INF-06\n" + body, "test_a.py")))
    tests.push_back({"test_a.py", std::move(test)});
  Plan plan;
  plan.on = {"planted"};
  plan.jobs = jobs;
  plan.make = [=](const std::string&, const AdapterOptions&) {
    return std::make_unique<BreaksWhenWatched>(profile, how);
  };
  return run_tests(tests, plan);
}
TestResult result_of(const std::string& body, const std::optional<Breakdown>& how, Profile profile = Profile::sound) {
  return report_of(body, how, profile).results.at(0);
}

constexpr const char* kGood = "    x = torch.zeros([2], device=device)\n    x.add_(1)\n    assert x._version == 1\n";

TEST(Runner, a_program_that_holds_passes) {
  const TestResult result = result_of(kGood, {});
  EXPECT_TRUE(result.ran);
  EXPECT_EQ(result.verdict, Verdict::pass) << result.message;
  EXPECT_EQ(result.rules, std::vector<std::string>{"INF-06"});
  EXPECT_GT(result.statements, 0U);
  EXPECT_EQ(result.unspecified, 0U);
}

TEST(Runner, a_breakdown_in_only_the_observed_run_is_not_a_pass) {
  using Kind = Breakdown::Kind;
  for (const Kind kind : {Kind::crash, Kind::exit, Kind::hang, Kind::garbage}) {
    const TestResult result = result_of(kGood, Breakdown{kind, "it went away"});
    EXPECT_EQ(result.verdict, Verdict::divergent) << name_of(kind);
    ASSERT_EQ(result.findings.size(), 1U);
    EXPECT_EQ(result.findings[0].against, "the monitors");
    EXPECT_EQ(result.findings[0].difference.signature, "run/" + std::string(name_of(kind)));
    EXPECT_NE(result.message.find("it went away"), std::string::npos);
  }
  EXPECT_EQ(result_of(kGood, Breakdown{Kind::unsupported, "no snapshots"}).verdict, Verdict::unsupported);
}

TEST(Runner, breaches_in_the_observed_run_are_kept) {
  const TestResult result = result_of(
      "    with torch.inference_mode():\n        x = torch.zeros([2], device=device)\n"
      "    with pytest.raises(RuntimeError):\n        x.add_(1)\n",
      {}, Profile::torch_2_13);  // it writes before it raises (INF-06)
  ASSERT_FALSE(result.breaches.empty()) << result.message;
  EXPECT_EQ(result.breaches[0].against, "the invariants (monitors)");
  EXPECT_EQ(result.breaches[0].occurrence.op, "add_.Tensor");
}

TEST(Runner, statements_with_unspecified_values_are_counted) {
  const TestResult result = result_of(
      "    x = torch.empty([2], device=device)\n    assert x.size() == (2,)\n    y = torch.zeros([2], device=device)\n",
      {});
  EXPECT_EQ(result.verdict, Verdict::unspecified) << result.message;
  EXPECT_EQ(result.unspecified, 1U) << "the snapshot at the end";
}

TEST(Runner, an_assertion_that_fails_is_a_divergence_with_its_line) {
  const TestResult result = result_of("    x = torch.zeros([2], device=device)\n    assert x._version == 7\n", {});
  EXPECT_EQ(result.verdict, Verdict::divergent);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].difference.line, 7);
  EXPECT_EQ(result.findings[0].against, "the program's expectations");
}

TEST(Runner, a_difference_from_the_reference_is_a_divergence_even_if_no_assertion_fails) {
  std::vector<LoadedTest> tests;
  for (program::Test& test : program::lower(program::parse(
           "import torch\n\n\ndef test_it(device):\n    x = torch.zeros([2], device=device)\n    y = x.view([2])\n"
           "    y.add_(1)\n",
           "a.py")))
    tests.push_back({"a.py", std::move(test)});
  Plan plan;
  plan.on = {"planted"};
  plan.make = [](const std::string&, const AdapterOptions&) {
    return std::make_unique<ReferenceAdapter>(Profile::sound, rule_or_throw("VER-04"));
  };
  const TestResult result = run_tests(tests, plan).results.at(0);
  EXPECT_EQ(result.verdict, Verdict::divergent);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].against, "the reference (sound)");
}

}  // namespace
}  // namespace plumbline::cli::runner_test
