// Hooks: lowering `h = x.register_hook(hook)` and `h.remove()`, and refusing what programs cannot say.
#include <gtest/gtest.h>

#include "language/parse.h"
#include "language/print.h"
#include "language/tests/program_malformed.h"
#include "language/tests/program_show.h"

namespace plumbline::program {
namespace {

const std::string kHead = "import pytest\nimport torch\n\n\ndef double(grad):\n    return grad.mul(2)\n\n\n";

std::string shown(const std::string& body) {
  return show(lower(parse(kHead + "def test_a(device):\n    x = torch.ones(2)\n" + body, "a.py")).at(0).script);
}

TEST(Hooks, a_function_of_the_file_is_a_hook) {
  EXPECT_TRUE(shown("    x.register_hook(double)\n")
                  .ends_with("hook 0 of %0\nbackward of double (%1)\n"
                             "  %2 = mul.Tensor(%1, 2)\n  return %2\n"))
      << shown("    x.register_hook(double)\n");
}

TEST(Hooks, each_registration_has_its_own_body) {
  const std::string twice = shown("    x.register_hook(double)\n    x.register_hook(double)\n");
  EXPECT_NE(twice.find("hook 0 of %0\nhook 1 of %0\n"), std::string::npos) << twice;
}

TEST(Hooks, a_hook_without_return_returns_none) {
  const std::string script = shown("    def seen(grad):\n        x.add_(grad)\n    x.register_hook(seen)\n");
  EXPECT_TRUE(script.ends_with("  return None\n")) << script;
}

TEST(Hooks, a_hook_uses_the_names_around_it) {
  const std::string script = shown("    def masked(grad):\n        return grad.mul(x)\n    x.register_hook(masked)\n");
  EXPECT_NE(script.find("%2 = mul.Tensor(%1, %0)"), std::string::npos) << script;
}

TEST(Hooks, a_handle_removes_its_hook) {
  const std::string script = shown("    h = x.register_hook(double)\n    g = h\n    g.remove()\n");
  EXPECT_NE(script.find("hook 0 of %0\nremove hook 0\n"), std::string::npos) << script;
}

TEST(Hooks, raised_programs_say_the_same) {
  const std::string body =
      "    y = x.mul(3)\n    def masked(grad):\n        y.zero_()\n        return grad.mul(y)\n"
      "    h = y.register_hook(masked)\n    x.register_hook(double)\n    h.remove()\n";
  const program::Test test = lower(parse(kHead + "def test_a(device):\n    x = torch.ones(2)\n" + body, "a.py")).at(0);
  const std::string written = print(raise(test));
  EXPECT_EQ(show(lower(parse(written, "b.py")).at(0).script), show(test.script)) << written;
}

TEST(Hooks, one_after_accumulation_uses_the_grad_of_its_leaf) {
  const std::string script = shown(
      "    def clear(p):\n        g = p.grad\n        p.sub_(g)\n        p.grad = "
      "None\n    x.register_post_accumulate_grad_hook(clear)\n");
  EXPECT_NE(script.find("hook 0 after accumulation in %0\n"), std::string::npos) << script;
  EXPECT_NE(script.find("%2 = %1.grad\n"), std::string::npos) << script;
  EXPECT_NE(script.find("%1.grad = None\n"), std::string::npos) << script;
}

TEST(Hooks, saved_tensors_have_a_pair_of_them) {
  const std::string body =
      "    def copy(t):\n        return torch.clone(t)\n"
      "    with torch.autograd.graph.saved_tensors_hooks(copy, double):\n        y = x.mul(3)\n";
  const program::Test test = lower(parse(kHead + "def test_a(device):\n    x = torch.ones(2)\n" + body, "a.py")).at(0);
  const std::string script = show(test.script);
  EXPECT_NE(script.find("saved tensors hooks 0 1\n%5 = mul.Tensor(%0, 3)\nexit\n"), std::string::npos) << script;
  const std::string written = print(raise(test));
  EXPECT_EQ(show(lower(parse(written, "b.py")).at(0).script), script) << written;
}

class HookRefused : public testing::TestWithParam<Malformed> {};

TEST_P(HookRefused, says_why) { EXPECT_EQ(error_of(GetParam()), "a.py:" + GetParam().error); }

INSTANTIATE_TEST_SUITE_P(
    Hooks, HookRefused,
    testing::Values(
        Malformed{"x.register_hook()",
                  "6:7: register_hook does not take these arguments. Write x.register_hook(hook)."},
        Malformed{
            "x.register_hook(x)",
            "6:21: 'x' is not a function of this file. Define it with `def hook(grad):`, and write only its name."},
        Malformed{"def f(a, b):\n    return a\nx.register_hook(f)",
                  "8:21: the hook f takes 2 arguments. Define it as `def f(grad):`."},
        Malformed{
            "def f(g):\n    return g, g\nx.register_hook(f)",
            "7:16: the hook f returns a tuple. Return the gradient that takes the place of the one that it got, or "
            "nothing."},
        Malformed{"def f(g):\n    return g\nx.register_post_accumulate_grad_hook(f)",
                  "7:16: the hook f returns a tensor. A hook after accumulation returns nothing: it may write its "
                  "argument, or the argument's `.grad`."},
        Malformed{"x.register_post_accumulate_grad_hook(x)",
                  "6:42: 'x' is not a function of this file. Define it with `def hook(x):`, and write only its name."},
        Malformed{"def f(g):\n    g.grad = None\nx.register_hook(f)",
                  "7:1: a hook contains something other than op calls, guards, `log.append(…)` and `raise`. It has no "
                  "observations and no asserts: check the gradients after y.backward()."},
        Malformed{"with torch.autograd.graph.saved_tensors_hooks(double):\n    y = x.mul(2)",
                  "6:31: torch.autograd.graph.saved_tensors_hooks does not take these arguments. Write `with "
                  "torch.autograd.graph.saved_tensors_hooks(pack, unpack):`."},
        Malformed{"def f(g):\n    g.mul(2)\nwith torch.autograd.graph.saved_tensors_hooks(f, f):\n    y = x.mul(2)",
                  "8:51: the hook f returns nothing. Return a tensor: programs pack tensors as tensors."},
        Malformed{"def f(g):\n    return 3\nx.register_hook(f)", "7:16: f returns 3. Return tensors, or None."},
        Malformed{"def f(g):\n    assert g.is_inference() is False\nx.register_hook(f)",
                  "7:1: a hook contains something other than op calls, guards, `log.append(…)` and `raise`. It has no "
                  "observations and no asserts: check the gradients after y.backward()."},
        Malformed{
            "def f(g):\n    x.register_hook(f)\nx.register_hook(f)",
            "7:11: register_hook is called in a method of a class, a kernel, a hook or the body of a transform. Call "
            "it in tests and in functions."},
        Malformed{"def f(g):\n    return g\nh = x.register_hook(f)\nh.add(1)",
                  "9:7: the handle of a hook has only h.remove(), which returns nothing. Write h.remove()."},
        Malformed{"def f(g):\n    return g\nh = x.register_hook(f)\ny = x.add(h)",
                  "9:15: 'h' is not a value. An argument is a number, True, False, None, a list of ints or tensors, a "
                  "dtype, `device` or the name of a tensor."},
        Malformed{
            "y = x.mul(2)\nz = y\ndef f(g):\n    return y\nx.register_hook(f)\ny = x.mul(3)\nx.backward()",
            "12:7: the hook f uses 'y', which stands for another tensor now. Assign to another name after the hook "
            "is registered."}));

}  // namespace
}  // namespace plumbline::program
