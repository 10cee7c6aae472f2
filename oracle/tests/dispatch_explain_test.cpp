// Explaining programs about the dispatcher: the rules that decide, and the misreadings that give a trace.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "oracle/dispatcher/explain.h"
#include "spec/rules/catalogue.h"

namespace plumbline::dispatcher {
namespace {

constexpr const char* kProgram = R"py(
import torch


def test_a(device):  # DSP-08
    log = []
    cpu = torch.zeros([1])

    def autograd(*args):
        log.append("autograd")

    def implicit(*args):
        log.append("implicit")

    def backend(*args):
        log.append("backend")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", backend, "HIP")
    lib.impl("f", implicit, "CompositeImplicitAutograd")
    lib.impl("f", autograd, "Autograd")
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradHIP), cpu)
    assert log == ["autograd"]
    log.clear()
)py";
constexpr std::size_t kRedispatch = 5;

DispatchTest program() { return read_program(kProgram, "test_a.py").front(); }

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
  EXPECT_TRUE(misreadings_of(script, Profile::sound, reference::run({Profile::sound}, script)).empty());
}

TEST(DispatchExplain, a_misread_rule_is_among_those_that_give_its_trace) {
  const DispatchScript script = program().script;
  const auto rules = misreadings_of(script, Profile::sound, reference::run({Profile::sound, rule("DSP-08")}, script));
  EXPECT_NE(std::ranges::find(rules, rule("DSP-08")), rules.end());
  EXPECT_EQ(std::ranges::find(rules, rule("DSP-15")), rules.end());
}

TEST(DispatchExplain, a_text_has_the_lines_of_the_program_and_what_they_show) {
  const DispatchTest test = program();
  std::vector<std::string> source(30, "");
  source[22] = "    torch.ops.probe.f.default.redispatch(…)";
  const std::string all = text(explain(test.script, Profile::sound), "test_a.py", test, source, 23);
  EXPECT_NE(all.find("    23      torch.ops.probe.f.default.redispatch(…)\n        shows    kernels autograd\n"),
            std::string::npos)
      << all;
  EXPECT_EQ(all.find("    18 "), std::string::npos) << "only line 23 is asked for";
}

}  // namespace
}  // namespace plumbline::dispatcher
