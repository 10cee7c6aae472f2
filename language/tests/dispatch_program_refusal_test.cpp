// Malformed programs about the dispatcher: each is refused with its place, what was found, and what to do.
#include <gtest/gtest.h>

#include "language/dispatcher/program.h"
#include "language/parse.h"
#include "language/tests/dispatch_program.h"

namespace plumbline::dispatcher {
namespace {

std::string refusal(const std::string& text) {
  try {
    read_program(text, "a.py");
  } catch (const program::ProgramError& error) {
    return error.what();
  }
  return "not refused";
}

struct Refused {
  std::string body;
  std::string error;
};
class Body : public testing::TestWithParam<Refused> {};
TEST_P(Body, IsRefused) { EXPECT_EQ(refusal(program_with(GetParam().body)), "a.py:" + GetParam().error); }

INSTANTIATE_TEST_SUITE_P(
    DispatchProgram, Body,
    testing::Values(
        Refused{"lib.impl(\"f\", k3, \"CPU\")", "15:19: there is no kernel k3. Did you mean k1?"},
        Refused{"lib.impl(\"f\", k1, \"CPU\")", "15:5: the kernel k1 takes `ks`. Register it with_keyset=True."},
        Refused{"lib.define(\"f(Tensor y) -> ()\")",
                "15:16: probe operators cannot have the schema \"f(Tensor y) -> ()\". Write a name, then one of "
                "(Tensor x) -> (), (Tensor x, Tensor y) -> (), (Tensor x, Tensor? y) -> (), (Tensor[] xs) -> (), "
                "(int n) -> (), (Tensr x) -> ()."},
        Refused{"torch.ops.probe.f(cpu, cpu)",
                "15:5: probe::f does not take these arguments. Its schema is f(Tensor x) -> ()."},
        Refused{"torch.ops.probe.f([cpu])",
                "15:5: probe::f does not take these arguments. Its schema is f(Tensor x) -> ()."},
        Refused{"torch.ops.probe.f(1)",
                "15:5: probe::f does not take these arguments. Its schema is f(Tensor x) -> ()."},
        Refused{
            "torch.ops.probe.f(meta)",
            "15:23: the tensor meta is not defined. Write `meta = torch.zeros([1], device=\"meta\")` at the top of the "
            "test."},
        Refused{"torch.ops.probe.f(x)",
                "15:23: x is not a tensor that a call can take. Calls take cpu, requires_grad, inference, meta, "
                "and None for a tensor that is left out."},
        Refused{"meta = torch.zeros([1], device=\"meta\")",
                "15:5: the tensor meta is made after other statements. Make tensors at the top of the test."},
        Refused{"lob.define(\"f(Tensor x) -> ()\")", "15:5: found a call of lob.define. Did you mean lib?"},
        Refused{"lib.remove(\"f\")",
                "15:5: a library has no method remove here. Its methods are define, impl, fallback and _destroy."},
        Refused{"b = torch.library.Library(\"probe\", \"USE\")",
                "15:40: a library has the kind USE. Write \"DEF\", \"IMPL\" or \"FRAGMENT\"."},
        Refused{"lib.fallback(k1, \"CPU\", with_keyset=True)",
                "15:5: the fallback kernel k1 does not take `op`. A fallback gets the operator: write `op` before "
                "`*args`."},
        Refused{"torch.ops.probe.f(cpu)\ntorch.ops.probe.f(cpu)\nassert log == []",
                "17:5: the log is compared 2 calls after it was cleared. Write `log.clear()` after each call, "
                "and compare the log of one call."},
        Refused{"with torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKeySet(torch._C.DispatchKey.CPUU)):\n    pass",
                "15:89: torch._C.DispatchKey has no runtime key CPUU. Did you mean CPU or HPU or IPU?"},
        Refused{"with torch.no_grad():\n    pass",
                "15:5: programs about the dispatcher cannot use this guard. The guards are torch.inference_mode(), "
                "those of torch._C, and pytest.raises."},
        Refused{"with pytest.raises(RuntimeError):\n    torch.ops.probe.f(cpu)\n    torch.ops.probe.f(cpu)",
                "15:5: pytest.raises does not contain exactly one statement that can raise. Put one call, registration "
                "or reading into it; put guards around it."},
        Refused{"def k1(*args):\n    log.append(\"k1\")", "15:5: the name k1 is taken. Use another name."},
        Refused{
            "def k2(x, *args):\n    log.append(\"k2\")",
            "15:5: the kernel k2 cannot have the parameters (x, *args). A kernel takes (*args), or with a key set (ks, "
            "*args); a fallback takes (op, *args) or (ks, op, *args)."},
        Refused{"def k2(*args):\n    log.append(\"k1\")",
                "16:9: the kernel k2 lacks a log line. Write `log.append(\"k2\")` here."},
        Refused{"def k2(*args):\n    log.append(\"k2\")\n    raise RuntimeError(\"no\")",
                "17:9: a kernel does not raise its own error. Write `raise RuntimeError(\"k2 raised\")`."},
        Refused{"def k2(*args):\n    log.append(\"k2\")\n    torch.ops.probe.f(cpu)",
                "17:9: a kernel does not pass on its arguments. Write `*args` as the last argument."},
        Refused{"def k2(*args, y):\n    pass", "15:19: a parameter follows the starred one. Put `*args` last."},
        Refused{"y = cpu & cpu",
                "15:13: found the operator '&'. Programs have no arithmetic: call an op, as in `z = torch.add(x, y)`."},
        Refused{"torch.ops.probe.f(cpu | cpu)",
                "15:27: found the operator '|'. Programs have no arithmetic: call an op, as in `z = torch.add(x, y)`."},
        Refused{"torch.ops.probe.f(*args)", "15:23: found a starred argument. Write each argument out."},
        Refused{
            "raise RuntimeError(\"no\")",
            "15:5: programs about the dispatcher cannot contain this statement. A program about the dispatcher makes "
            "and destroys libraries, defines operators, registers kernels, enters guards, calls operators and reads "
            "tables."}));

TEST(DispatchProgram, RefusesWordsAfterDefThatAreNotRules) {
  EXPECT_EQ(refusal("import torch\n\n\ndef test_a(device):  # DSP-01 waived\n    pass\n"),
            "a.py:4:1: 'waived' after `def` is not a rule. Write rule ids, as in `# DSP-34 DSP-35`; put other comments "
            "above `def`.");
}

TEST(DispatchProgram, RefusesTwoTestsWithTheSameName) {
  const std::string test = "\n\ndef test_a(device):\n    pass\n";
  EXPECT_EQ(refusal("import torch\n" + test + test), "a.py:8:1: there are two tests called test_a. Rename one.");
}

TEST(DispatchProgram, RefusesAFunctionThatIsNotATest) {
  EXPECT_EQ(refusal("import torch\n\n\ndef k1():\n    pass\n"),
            "a.py:4:1: the function k1 is not a test. Put a kernel into the test that registers it.");
}

/// Masks of key sets, and the arguments of a kernel, are written only where they mean something.
TEST(DispatchProgram, TheSyntaxOfKernelsIsRefusedElsewhere) {
  const auto refused = [](const std::string& line) -> std::string {
    try {
      program::parse("def test_a():\n    " + line + "\n", "a.py");
    } catch (const program::ProgramError& error) {
      return error.problem;
    }
    return "not refused";
  };
  EXPECT_EQ(refused("f.call(a & b, x)"), "found the operator '&'");
  EXPECT_EQ(refused("f.redispatch(a, b | c)"), "found the operator '|'");
  EXPECT_EQ(refused("f(*args)"), "found a starred argument");
  EXPECT_EQ(refused("log.append(str(ks))"), "found a call inside another expression");
}

}  // namespace
}  // namespace plumbline::dispatcher
