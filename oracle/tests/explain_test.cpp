// Explaining: the rules that decide a statement, its dispatch keys, and what explains a difference.
#include <gtest/gtest.h>

#include <algorithm>

#include "adapters/reference/reference.h"
#include "language/lower.h"
#include "language/parse.h"
#include "oracle/explain/departures.h"
#include "oracle/explain/steps.h"
#include "oracle/reading_text.h"
#include "spec/rules/catalogue.h"
#include "spec/rules/dsp.h"
#include "spec/rules/inf.h"
#include "spec/rules/tls.h"

namespace plumbline::explain::explain_test {
namespace {

program::Test test_of(const std::string& body) {
  const std::string source = "import pytest\nimport torch\n\n\ndef test_it(device):\n" + body;
  return program::lower(program::parse(source, "a test")).at(0);
}

/// The one statement of a line; line 6 is the first of the body.
Step step_at(const Explanation& explanation, int line) {
  const auto found = std::ranges::find(explanation.steps, line, &Step::line);
  return found == explanation.steps.end() ? Step{} : *found;
}

Weight weight_of(const Step& step, const Rule& rule) {
  const auto found = std::ranges::find(step.rulings, &rule, &Ruling::rule);
  return found == step.rulings.end() ? Weight::agreed : found->weight;
}

const std::string kViewInside =
    "    x = torch.zeros([2, 3], device=device)\n"
    "    with torch.inference_mode():\n"
    "        y = x.view([6])\n";

// INF-03: the view keeps its base's inference bit; the misreading takes the mode's.
TEST(Explain, a_view_in_inference_mode_is_decided_by_its_base) {
  const Explanation explained = explain(test_of(kViewInside).script, Profile::sound);
  EXPECT_EQ(weight_of(step_at(explained, 8), INF_03), Weight::decided);
}

// Outside the mode, base and mode agree.
TEST(Explain, outside_the_mode_that_rule_is_consulted_and_agrees) {
  const Explanation explained =
      explain(test_of("    x = torch.zeros([2], device=device)\n    y = x.view([2, 1])\n").script, Profile::sound);
  const Step step = step_at(explained, 7);
  EXPECT_NE(std::ranges::find(step.rulings, &INF_03, &Ruling::rule), step.rulings.end());
  EXPECT_EQ(weight_of(step, INF_03), Weight::agreed);
}

TEST(Explain, nothing_decides_in_the_everyday_program) {
  const std::string source = "import torch\n\n\n" + std::string(everyday_program());
  const Explanation explained =
      explain(program::lower(program::parse(source, "everyday")).at(0).script, Profile::sound);
  ASSERT_FALSE(explained.steps.empty());
  for (const Step& step : explained.steps)
    for (const Ruling& ruling : step.rulings) EXPECT_NE(ruling.weight, Weight::decided) << ruling.rule->id();
}

// KEY-06 and TLS-02: the Autograd key of x is excluded, so its kernel does not run.
TEST(Explain, a_call_shows_its_key_sets_and_its_kernels) {
  const Step step = step_at(explain(test_of(kViewInside).script, Profile::sound), 8);
  ASSERT_EQ(step.calls.size(), 1U);
  const auto has = [](std::uint64_t word, const std::string& name) {
    const std::vector<std::string> names = names_of_keys(word);
    return std::ranges::find(names, name) != names.end();
  };
  EXPECT_TRUE(has(step.calls[0].arguments, "AutogradCPU"));
  EXPECT_TRUE(has(step.calls[0].excluded, "AutogradFunctionality"));
  EXPECT_FALSE(has(step.calls[0].included, "ADInplaceOrView"));
  EXPECT_FALSE(has(step.calls[0].effective, "AutogradCPU"));
  EXPECT_TRUE(has(step.calls[0].effective, "ADInplaceOrView"));
  EXPECT_EQ(kernels_text(step.outcome.kernels, " -> "), "ADInplaceOrView -> CPU");
}

// KEY-08: a functional op has no ADInplaceOrView kernel.
TEST(Explain, a_fallthrough_is_marked) {
  const Step step = step_at(
      explain(test_of("    x = torch.zeros([2], device=device)\n    y = x.add(x)\n").script, Profile::sound), 7);
  EXPECT_EQ(kernels_text(step.outcome.kernels, " -> "), "Autograd -> ADInplaceOrView(fallthrough) -> CPU");
}

const std::string kRefused =
    "    with torch.inference_mode():\n"
    "        a = torch.ones([2], device=device)\n"
    "    with pytest.raises(RuntimeError):\n"
    "        a.add_(1)\n";

TEST(Explain, an_error_names_the_rule_that_raises_it) {
  const Step step = step_at(explain(test_of(kRefused).script, Profile::sound), 9);
  EXPECT_EQ(step.outcome.failure.error, ErrorClass::inference_inplace);
  EXPECT_EQ(weight_of(step, INF_05), Weight::decided);
  EXPECT_EQ(weight_of(step, INF_06), Weight::decided) << "its misreading would have written before the error";
}

// TLS-07: an error leaves the guards between it and its handler.
TEST(Explain, an_error_leaves_guards_and_shows_the_rule_for_that) {
  const program::Test test = test_of(
      "    x = torch.zeros([2], device=device)\n"
      "    with pytest.raises(RuntimeError):\n"
      "        with torch.no_grad():\n"
      "            x.view([3])\n");
  const Step step = step_at(explain(test.script, Profile::sound), 9);
  EXPECT_NE(step.outcome.failure.error, ErrorClass::none);
  EXPECT_EQ(weight_of(step, TLS_07), Weight::decided);
}

/// The script as `plumbline explain` runs it.
Script observed(const program::Test& test) {
  Script script = test.script;
  script.statements.push_back({Snapshot{}, 0});
  return script;
}

// Variant of INF-06: in PyTorch 2.13 a refused in-place op has already written.
TEST(Departures, a_profile_explains_its_own_differences_by_rule) {
  ReferenceAdapter shipped(Profile::torch_2_13);
  Waivers none({});
  const Held held = hold(observed(test_of(kRefused)), "test.py::test_it", "shipped", shipped, Profile::sound, none);
  EXPECT_EQ(held.comparison.verdict, Verdict::divergent);
  ASSERT_EQ(held.departures.size(), 1U);
  EXPECT_EQ(held.departures[0].difference.field, Field::values);
  EXPECT_EQ(held.departures[0].rules, std::vector<const Rule*>{&INF_06});
  EXPECT_EQ(held.unexplained(), 0U);
}

TEST(Departures, an_implementation_does_not_differ_from_its_own_profile) {
  ReferenceAdapter shipped(Profile::torch_2_13);
  Waivers none({});
  const Held held =
      hold(observed(test_of(kRefused)), "test.py::test_it", "shipped", shipped, Profile::torch_2_13, none);
  EXPECT_EQ(held.comparison.verdict, Verdict::pass) << held.comparison.message;
  EXPECT_TRUE(held.departures.empty());
}

TEST(Departures, a_misreading_is_not_explained) {
  ReferenceAdapter wrong(Profile::torch_2_13, &INF_03);
  Waivers none({});
  const Held held = hold(observed(test_of(kViewInside)), "test.py::test_it", "wrong", wrong, Profile::sound, none);
  EXPECT_EQ(held.comparison.verdict, Verdict::divergent);
  ASSERT_FALSE(held.departures.empty());
  EXPECT_GT(held.unexplained(), 0U);
}

/// HIP has a kernel of its own, so AutogradHIP is Autograd's.
const std::string kTables =
    "    log = []\n"
    "    cpu = torch.zeros([1])\n"
    "    def own(*args):\n"
    "        log.append(\"own\")\n"
    "    def implicit(*args):\n"
    "        log.append(\"implicit\")\n"
    "    def autograd(*args):\n"
    "        log.append(\"autograd\")\n"
    "    lib = torch.library.Library(\"probe\", \"DEF\")\n"
    "    lib.define(\"f(Tensor x) -> ()\")\n"
    "    lib.impl(\"f\", own, \"HIP\")\n"
    "    lib.impl(\"f\", implicit, \"CompositeImplicitAutograd\")\n"
    "    lib.impl(\"f\", autograd, \"Autograd\")\n"
    "    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradHIP), cpu)\n"
    "    assert log == [\"autograd\"]\n";
constexpr int kOwn = 16, kCall = 19, kLog = 20;  // lines

// DSP-08 is asked where kernels are registered, and shows where an operator is called.
TEST(Explain, a_rule_of_the_tables_decides_where_it_shows) {
  const Explanation explained = explain(test_of(kTables).script, Profile::sound);
  EXPECT_EQ(weight_of(step_at(explained, kLog), DSP_08), Weight::decided);
  EXPECT_NE(weight_of(step_at(explained, kOwn), DSP_08), Weight::decided);
}

TEST(Explain, a_rule_of_a_call_decides_where_it_is_asked) {
  const Explanation explained = explain(test_of(kTables).script, Profile::sound);
  EXPECT_EQ(weight_of(step_at(explained, kCall), DSP_15), Weight::decided);
}

}  // namespace
}  // namespace plumbline::explain::explain_test
