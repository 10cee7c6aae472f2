// Custom functions: lowering the classes of a program.
#include <gtest/gtest.h>

#include "language/parse.h"
#include "language/print.h"
#include "language/tests/program_malformed.h"
#include "language/tests/program_show.h"

namespace plumbline::program {
namespace {

/// A program that also runs under pytest.
constexpr const char* kProgram = R"PY(import torch


class Scale(torch.autograd.Function):  # x -> n·x
    @staticmethod
    def forward(ctx, x, n, device):
        ctx.save_for_backward(x)
        ctx.n = n
        ctx.device = device
        y = x.mul(n)
        one = torch.ones([1], device=device)
        return y.mul(one)

    # The inverse.
    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        with torch.no_grad():
            one = torch.ones([1], device=ctx.device)
        h = g.mul(ctx.n)
        return h.mul(one), None, None
    # The end of the class.


def test_scale(device):
    x = torch.tensor([1.0, 2.0], device=device, requires_grad=True)
    y = Scale.apply(x, 3, device)
    s = y.sum()
    s.backward()
    assert x.grad.tolist() == [3.0, 3.0]
)PY";

TEST(CustomFunction, canonical_text_is_printed_as_it_is) { EXPECT_EQ(print(parse(kProgram, "a.py")), kProgram); }

TEST(CustomFunction, an_apply_becomes_its_inlined_forward_and_a_backward) {
  const program::Test test = lower(parse(kProgram, "a.py")).at(0);
  EXPECT_EQ(show(test.script),
            "%0 = tensor(float32, [2], [1.0, 2.0]) requires_grad\n"
            "enter forward 0 (%0)\n"
            "save_for_backward(%0)\n"
            "%1 = mul.Tensor(%0, 3)\n"
            "%2 = ones([1], None, None, None, None)\n"
            "%3 = mul.Tensor(%1, %2)\n"
            "leave forward %3 -> %4\n"
            "%10 = sum(%4, None)\n"
            "%10.backward\n"
            "read %0 1\n"
            "read %0 15\n"
            "backward of Scale (%5)\n"
            "  %6 = saved\n"
            "  enter 1 false\n"
            "  %7 = ones([1], None, None, None, None)\n"
            "  exit\n"
            "  %8 = mul.Tensor(%5, 3)\n"
            "  %9 = mul.Tensor(%8, %7)\n"
            "  return %9\n");
}

std::string lowered(const std::string& forward, const std::string& backward, const std::string& test) {
  return "import pytest\nimport torch\n\nclass F(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x, "
         "n):\n" +
         forward + "    @staticmethod\n    def backward(ctx, g):\n" + backward +
         "\ndef test_a(device):\n    x = torch.ones(2)\n" + test;
}
std::string shown(const std::string& forward, const std::string& backward, const std::string& test) {
  return show(lower(parse(lowered(forward, backward, test), "a.py")).at(0).script);
}

TEST(CustomFunction, each_apply_has_a_backward_of_its_own) {
  EXPECT_EQ(shown("        return x\n", "        return g, None\n", "    x = F.apply(x, 1)\n    F.apply(x, None)\n"),
            "%0 = ones([2], None, None, None, None)\n"
            "enter forward 0 (%0)\nleave forward %0 -> %0\n"
            "enter forward 1 (%0)\nleave forward %0 -> %2\n"
            "backward of F (%1)\n  return %1\n"
            "backward of F (%3)\n  return %3\n");
}

TEST(CustomFunction, assigning_a_parameter_keeps_the_callers_tensor) {
  EXPECT_EQ(shown("        x = x.mul(n)\n        return x\n", "        g = g.mul(2)\n        return g, None\n",
                  "    y = F.apply(x, 2.5)\n"),
            "%0 = ones([2], None, None, None, None)\n"
            "enter forward 0 (%0)\n%1 = mul.Tensor(%0, 2.5)\nleave forward %1 -> %2\n"
            "backward of F (%3)\n  %3 = mul.Tensor(%3, 2)\n  return %3\n");
}

TEST(CustomFunction, returned_calls_fill_slots_of_their_own) {
  const std::string text =
      "import torch\n\nclass F(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n"
      "        return x.mul(2), x.mul(3)\n\n    @staticmethod\n    def backward(ctx, g, h):\n        return "
      "g.add(h)\n\n"
      "def test_a(device):\n    x = torch.ones(2)\n    a, b = F.apply(x)\n";
  EXPECT_EQ(show(lower(parse(text, "a.py")).at(0).script),
            "%0 = ones([2], None, None, None, None)\n"
            "enter forward 0 (%0)\n%1 = mul.Tensor(%0, 2)\n%2 = mul.Tensor(%0, 3)\nleave forward %1, %2 -> %3, %4\n"
            "backward of F (%5, %6)\n  %7 = add.Tensor(%5, %6, 1)\n  return %7\n");
}

TEST(CustomFunction, a_second_tensor_has_a_gradient_or_none) {
  EXPECT_EQ(shown("        ctx.mark_dirty(x)\n        x.add_(n)\n        return x, n\n", "        return None, None\n",
                  "    n = torch.ones(2)\n    x.t()\n")
                .find("enter forward"),
            std::string::npos)
      << "a class that is never applied is not checked";
  const std::string text =
      "import torch\n\nclass F(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x, y):\n"
      "        ctx.mark_dirty(x)\n        ctx.mark_non_differentiable(y)\n        return x, y\n\n    @staticmethod\n"
      "    def backward(ctx, g, h):\n        return h, None\n\n"
      "def test_a(device):\n    x = torch.ones(2)\n    a, b = F.apply(x, x)\n    v = a.view(2)\n    assert v._base is "
      "a\n";
  const program::Test test = lower(parse(text, "a.py")).at(0);
  EXPECT_EQ(show(test.script),
            "%0 = ones([2], None, None, None, None)\n"
            "enter forward 0 (%0, %0)\nmark_dirty(%0)\nmark_non_differentiable(%0)\nleave forward %0, %0 -> %1, %2\n"
            "%5 = view(%1, [2])\nread %5 13\n"
            "backward of F (%3, %4)\n  return %4 None\n");
  EXPECT_EQ(show(test.expectations), "6: 0\n") << "a dirty input is itself returned";
}

struct BadFunction {
  std::string forward, backward, test, error;
};
std::ostream& operator<<(std::ostream& os, const BadFunction& b) { return os << b.error; }

class FunctionRefused : public testing::TestWithParam<BadFunction> {};

/// forward's first line is line 7; the test's statement is four lines below backward's first line.
TEST_P(FunctionRefused, says_why) {
  const BadFunction& b = GetParam();
  EXPECT_EQ(error_of(lowered(b.forward, b.backward, "    " + b.test + "\n")), "a.py:" + b.error);
}

INSTANTIATE_TEST_SUITE_P(
    Functions, FunctionRefused,
    testing::Values(
        BadFunction{"        return x\n", "        return g\n", "y = F.apply(x, 1)",
                    "9:5: F.backward returns 1 gradients, but its forward takes 2 arguments. Return one for each of "
                    "forward's arguments after ctx, and None for an argument that is not a tensor."},
        BadFunction{
            "        return x\n", "        return g, g\n", "y = F.apply(x, 1)",
            "10:19: F.backward returns a gradient for forward's argument 2, which is not a tensor. Return None for "
            "it."},
        BadFunction{"        return x, x\n", "        return g, None\n", "y, z = F.apply(x, 1)",
                    "9:5: F.backward takes 1 gradients, but its forward returns 2. Give it one parameter after ctx for "
                    "each tensor that forward returns."},
        BadFunction{"        return x, x\n", "        return g, None\n", "y = F.apply(x, 1)",
                    "14:5: F.forward returns a tuple of 2, but 1 name is assigned. Write one name for each value to "
                    "the left of '=', with commas between them."},
        BadFunction{"        x.t()\n", "        return g, None\n", "y = F.apply(x, 1)",
                    "6:5: F.forward returns no tensor. End it with `return` and a tensor."},
        BadFunction{"        return x, n\n", "        return g, None\n", "y = F.apply(x, 1)",
                    "7:19: F.forward returns n. Return tensors, or None."},
        BadFunction{
            "        return x\n", "        return g, None\n", "y = F.apply(x)",
            "14:11: F.apply is given 1 arguments, but its forward takes 2. It is defined as forward(ctx, x, n)."},
        BadFunction{"        return x\n", "        return g, None\n", "y = F.apply(x, n=1)",
                    "14:11: F.apply is given n=. It takes no keyword arguments: write only the value."},
        BadFunction{
            "        return x\n", "        return g, None\n", "y = F.forward(x, 1)",
            "14:9: F.forward is not something that programs can call. Call an op as torch.NAME(…), x.NAME(…) or "
            "torch.ops.aten.NAME(…)."},
        BadFunction{"        return x\n", "        return g, None\n", "y = Other.apply(x, 1)",
                    "14:9: the name 'Other' is not defined here. Assign to it first."},
        BadFunction{"        return x\n", "        x, = ctx.saved_tensors\n        return g, None\n",
                    "y = F.apply(x, 1)",
                    "10:9: F.forward saved 0 tensors, but 1 name is assigned. Write one name for each tensor, as in "
                    "`x, y = ctx.saved_tensors`; for a single one `x, = ctx.saved_tensors`."},
        BadFunction{"        x, = ctx.saved_tensors\n        return x\n", "        return g, None\n",
                    "y = F.apply(x, 1)", "7:18: ctx.saved_tensors is read in a forward. Read it in backward."},
        BadFunction{"        ctx.y = x\n        return x\n", "        return g, None\n", "y = F.apply(x, 1)",
                    "7:17: ctx.y is set to a tensor. Save tensors with ctx.save_for_backward(…)."},
        BadFunction{"        return x\n", "        return 1, None\n", "y = F.apply(x, 1)",
                    "10:16: F.backward returns 1. Return tensors, or None."},
        BadFunction{"        return x\n", "        h = g.mul(ctx.n)\n        return h, None\n", "y = F.apply(x, 1)",
                    "10:23: ctx.n is not set. ctx has save_for_backward, mark_dirty, mark_non_differentiable, "
                    "saved_tensors, and attributes of your own."},
        BadFunction{"        ctx.save(x)\n        return x\n", "        return g, None\n", "y = F.apply(x, 1)",
                    "7:13: ctx has no method 'save' in programs. ctx has save_for_backward, mark_dirty, "
                    "mark_non_differentiable, saved_tensors, and attributes of your own."},
        BadFunction{"        return x\n", "        ctx.mark_dirty(g)\n        return g, None\n", "y = F.apply(x, 1)",
                    "10:13: ctx.mark_dirty is called in a backward. Call it in forward."},
        BadFunction{"        return x\n", "        assert g.requires_grad is True\n        return g, None\n",
                    "y = F.apply(x, 1)",
                    "10:1: a backward contains something other than op calls, guards, `log.append(…)` and `raise`. It "
                    "has no observations and no asserts: check the gradients after y.backward()."},
        BadFunction{"        return x\n",
                    "        with pytest.raises(RuntimeError):\n            g.t()\n        return g, None\n",
                    "y = F.apply(x, 1)",
                    "10:14: pytest.raises is used in a backward. Put pytest.raises around y.backward()."},
        BadFunction{"        return x\n", "        h = F.apply(g, 1)\n        return h, None\n", "y = F.apply(x, 1)",
                    "10:15: F.apply is called in a backward. A backward contains op calls and guards only."},
        BadFunction{"        y = F.apply(x, n)\n        return y\n", "        return g, None\n", "y = F.apply(x, 1)",
                    "7:15: F.forward calls itself. Programs have no recursion: write the statements out."},
        BadFunction{"        return x\n", "        return g, None\n", "F = x.t()",
                    "14:5: the name 'F' is taken. Assign to another name."}));

std::string error_of_class(const std::string& lines) {
  return error_of("import torch\n\n" + lines + "\ndef test_a(device):\n    x = torch.ones(2)\n    y = F.apply(x)\n");
}

TEST(CustomFunction, the_form_of_a_class_is_checked) {
  EXPECT_EQ(error_of_class("class F(object):\n    pass\n"),
            "a.py:3:8: the class F has a base class that programs cannot use. Write `class "
            "F(torch.autograd.Function):`.");
  EXPECT_EQ(error_of_class("class F(torch.autograd.Function):\n    pass\n"),
            "a.py:4:5: found something other than a static method in a class. A class contains `@staticmethod` and "
            "`def forward(ctx, …):`, then `@staticmethod` and `def backward(ctx, …):`.");
  EXPECT_EQ(error_of_class("class F(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n"
                           "        return x\n"),
            "a.py:3:1: the class F has no method backward. Define `@staticmethod` and `def backward(ctx, …):` in it.");
  EXPECT_EQ(error_of_class("class F(torch.autograd.Function):\n    @staticmethod\n    def setup_context(ctx, x):\n"
                           "        return x\n"),
            "a.py:5:5: the class F has a method 'setup_context'. A class has the two methods forward and backward.");
  EXPECT_EQ(error_of_class("class F(torch.autograd.Function):\n    @staticmethod\n    def forward():\n"
                           "        return x\n"),
            "a.py:5:5: F.forward has no parameter `ctx`. Define it as `def forward(ctx, …):`.");
}

}  // namespace
}  // namespace plumbline::program
