// Explaining programs about the dispatcher: the rules that decide, and the misreadings that give a trace.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "oracle/dispatcher/check_programs.h"
#include "oracle/dispatcher/explain.h"
#include "spec/rules/catalogue.h"

namespace plumbline::dispatcher {
namespace {

constexpr std::size_t kRedispatch = 5;

/// A curated program: with a kernel for HIP and one for CompositeImplicitAutograd, AutogradHIP's is that of Autograd.
DispatchTest program() {
  for (const CuratedDispatchTest& one : load_dispatch_programs(PLUMBLINE_CORPUS "/dispatcher"))
    if (one.test.name == "test_an_autograd_key_leaves_implicit_to_hips_kernel") return one.test;
  throw std::runtime_error("the corpus has no such program");
}

const Rule* rule(const char* id) { return find_rule(id); }

TEST(DispatchExplain, names_the_rules_that_decide_a_statement) {
  const ExplainedProgram explained = explain(program().script, Profile::sound);
  const auto& decisions = explained.decisions.at(kRedispatch);
  const auto found = std::ranges::find(decisions, rule("DSP-08"), &Decision::rule);
  ASSERT_NE(found, decisions.end());
  EXPECT_EQ(found->otherwise, "kernels implicit");
  EXPECT_EQ(std::ranges::find(decisions, rule("INF-03"), &Decision::rule), decisions.end());
}

TEST(DispatchExplain, no_misreading_gives_what_the_rules_say) {
  const DispatchScript script = program().script;
  EXPECT_TRUE(
      misreadings_of(explain(script, Profile::sound), script, reference::run({Profile::sound}, script)).empty());
}

TEST(DispatchExplain, a_misread_rule_is_among_those_that_give_its_trace) {
  const DispatchScript script = program().script;
  const auto rules =
      misreadings_of(explain(script, Profile::sound), script, reference::run({Profile::sound, rule("DSP-08")}, script));
  EXPECT_NE(std::ranges::find(rules, rule("DSP-08")), rules.end());
  EXPECT_EQ(std::ranges::find(rules, rule("DSP-15")), rules.end());
}

TEST(DispatchExplain, a_text_has_the_lines_of_the_program_and_what_they_show) {
  const DispatchTest test = program();
  const int line = test.script.lines.at(kRedispatch);
  std::vector<std::string> source(static_cast<std::size_t>(line), "");
  source.back() = "    torch.ops.probe.f.default.redispatch(…)";
  const std::string all = text(explain(test.script, Profile::sound), "test_a.py", test, source, line);
  EXPECT_NE(all.find(fmt::format("{:>6}      torch.ops.probe.f.default.redispatch(…)\n"
                                 "        shows    kernels autograd\n",
                                 line)),
            std::string::npos)
      << all;
  EXPECT_EQ(all.find(fmt::format("{:>6} ", line - 1)), std::string::npos) << "only one line is asked for";
}

}  // namespace
}  // namespace plumbline::dispatcher
