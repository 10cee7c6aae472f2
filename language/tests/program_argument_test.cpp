// Operators that take more than tensors, numbers in kernels, and meta tensors: what they are lowered to, and what is
// refused.
#include <gtest/gtest.h>

#include <variant>

#include "language/print.h"
#include "language/tests/program_malformed.h"
#include "language/tests/program_show.h"

namespace plumbline::program {
namespace {

const std::string kArgumentTest =
    "import torch\n\n\ndef test_a(device):\n    lib = torch.library.Library(\"mine\", \"DEF\")\n"
    "    lib.define(\"f(Tensor x, int n) -> Tensor\")\n    x = torch.ones([2], device=device)\n"
    "    m = torch.empty([2], device=\"meta\")\n";

/// The slots of `x` and `m`, and the first one after them.
constexpr Slot kX{0}, kM{1}, kNext{2};

Script script_of_arguments(const std::string& lines) {
  return lower(parse(kArgumentTest + lines, "a.py")).at(0).script;
}

TEST(Arguments, a_call_has_a_value_for_each_argument_of_the_schema) {
  const Script script = script_of_arguments(
      "    lib.define(\"g(Tensor x, Tensor? y, Tensor[] zs, int n, float a, bool b) -> ()\")\n"
      "    torch.ops.mine.g(x, None, [x, m], 2, 0.5, True)\n    torch.ops.mine.g(m, x, [], -1, b=False, a=2)\n");
  const std::vector<Invoke> calls = all_of_kind<Invoke>(script);
  ASSERT_EQ(calls.size(), 2U);
  EXPECT_EQ(calls[0].inputs, (std::vector<Value>{kX, None{}, std::vector<Slot>{kX, kM}, std::int64_t{2}, 0.5, true}));
  EXPECT_EQ(calls[1].inputs, (std::vector<Value>{kM, kX, std::vector<Slot>{}, std::int64_t{-1}, 2.0, false}));
}

TEST(Arguments, a_name_may_stand_for_a_number_or_an_empty_list) {
  const Script script = script_of_arguments(
      "    two = 2\n    none = []\n    torch.ops.mine.f(x, two)\n    lib.define(\"g(Tensor[] xs) -> ()\")\n"
      "    torch.ops.mine.g(none)\n");
  const std::vector<Invoke> calls = all_of_kind<Invoke>(script);
  EXPECT_EQ(calls.at(0).inputs.at(1), Value(std::int64_t{2}));
  EXPECT_EQ(calls.at(1).inputs.at(0), Value(std::vector<Slot>{}));
}

TEST(Arguments, a_scalar_may_be_a_complex_number_and_a_float_may_not) {
  const Script script = script_of_arguments(
      "    z = complex(1, -2.5)\n    y = torch.mul(x, z)\n    w = torch.ops.aten.mul.Scalar(x, complex(0.0, 1.0))\n"
      "    y = torch.add(x, x, alpha=z)\n");
  const std::vector<Call> calls = all_of_kind<Call>(script);
  ASSERT_EQ(calls.size(), 4U);  // the first one makes x
  EXPECT_EQ(calls[1].arguments.at(1), Value(Complex{1, -2.5}));
  EXPECT_EQ(calls[2].arguments.at(1), Value(Complex{0, 1}));
  EXPECT_EQ(calls[3].arguments.at(2), Value(Complex{1, -2.5}));
}

TEST(Arguments, a_text_is_taken_where_the_schema_says_str) {
  const Script script = script_of_arguments("    y = torch.ops.aten.div.Tensor_mode(x, x, rounding_mode=\"floor\")\n");
  EXPECT_EQ(all_of_kind<Call>(script).back().arguments.at(2), Value(std::string("floor")));
}

TEST(Arguments, a_text_is_refused_elsewhere) {
  EXPECT_NE(error_of(kArgumentTest + "    y = torch.sum(x, \"floor\")\n").find("a text"), std::string::npos);
}

TEST(Arguments, a_complex_number_is_refused_where_the_schema_says_no_scalar) {
  for (const std::string line : {"    y = torch.sum(x, complex(1.0, 2.0))\n", "    y = x.view(complex(6.0, 0.0))\n",
                                 "    torch.ops.mine.f(x, complex(1.0, 2.0))\n"}) {
    const std::string error = error_of(kArgumentTest + line);
    EXPECT_NE(error.find("a complex number"), std::string::npos) << line << error;
  }
}

TEST(Arguments, a_kernel_reads_its_numbers) {
  const Script script = script_of_arguments(
      "    lib.define(\"g(Tensor x, float a, bool b) -> ()\")\n"
      "    lib.define(\"h(Tensor y, int n, float a, bool b) -> Tensor\")\n"
      "    def k(y, n, a, b):\n        z = torch.mul(y, n)\n        z.add_(a)\n        torch.ops.mine.g(z, n, b)\n"
      "        return z\n    lib.impl(\"h\", k, \"CPU\")\n");
  const CustomKernel& kernel = script.kernels.at(0);
  ASSERT_EQ(kernel.parameters, (std::vector<Slot>{kNext, Slot{3}, Slot{4}, Slot{5}}));
  const NumberOf n{kernel.parameters[1]}, a{kernel.parameters[2]}, b{kernel.parameters[3]};
  const Slot z = kernel.returned.at(0);
  EXPECT_EQ(std::get<Call>(kernel.statements.at(0).kind).arguments.at(1), Value(n));
  EXPECT_EQ(std::get<Call>(kernel.statements.at(1).kind).arguments.at(1), Value(a));
  EXPECT_EQ(std::get<Invoke>(kernel.statements.at(2).kind).inputs, (std::vector<Value>{z, n, b}));
}

TEST(Arguments, a_function_that_a_kernel_calls_gets_its_numbers) {
  const Script script = lower(parse("import torch\n\n\ndef scaled(x, n):\n    return torch.mul(x, n)\n\n\n"
                                    "def test_a(device):\n    lib = torch.library.Library(\"mine\", \"DEF\")\n"
                                    "    lib.define(\"f(Tensor x, int n) -> Tensor\")\n    def k(x, n):\n"
                                    "        y = scaled(x, n)\n        return y\n    lib.impl(\"f\", k, \"CPU\")\n",
                                    "a.py"))
                            .at(0)
                            .script;
  const CustomKernel& kernel = script.kernels.at(0);
  EXPECT_EQ(std::get<Call>(kernel.statements.at(0).kind).arguments.at(1), Value(NumberOf{kernel.parameters.at(1)}));
}

TEST(Arguments, a_tensor_that_may_be_missing_is_a_tensor_in_a_kernel) {
  const Script script = script_of_arguments(
      "    lib.define(\"g(Tensor? y) -> Tensor\")\n    lib.define(\"h(Tensor y) -> Tensor\")\n"
      "    def k(y):\n        z = torch.mul(y, 2)\n        return z\n    lib.impl(\"g\", k, \"CPU\")\n"
      "    lib.impl(\"h\", k, \"CPU\")\n");
  EXPECT_EQ(script.kernels.size(), 1U);
}

TEST(Arguments, a_kernel_without_tensors_that_always_raises_returns_none) {
  const Script script = script_of_arguments(
      "    lib.define(\"g(int n) -> Tensor\")\n    def k(n):\n        raise RuntimeError(\"no\")\n"
      "    lib.impl(\"g\", k, \"CPU\")\n");
  EXPECT_TRUE(script.kernels.at(0).returned.empty());
}

TEST(Arguments, a_factory_makes_a_meta_tensor) {
  const Script script = script_of_arguments(
      "    y = torch.zeros([2, 3], dtype=torch.int64, device=\"meta\")\n    z = torch.ones(4, device=\"meta\")\n"
      "    w = torch.empty((), device=\"meta\")\n");
  std::vector<std::string> made;
  for (const Statement& statement : script.statements)
    if (std::holds_alternative<MakeMetaTensor>(statement.kind)) made.push_back(show(statement));
  EXPECT_EQ(made, (std::vector<std::string>{"%1 = meta tensor(float32, [2])", "%2 = meta tensor(int64, [2, 3])",
                                            "%3 = meta tensor(float32, [4])", "%4 = meta tensor(float32, [])"}));
}

TEST(Arguments, a_meta_tensor_is_observed) {
  EXPECT_NO_THROW(
      script_of_arguments("    assert list(m.shape) == [2]\n    assert m.dtype is torch.float32\n"
                          "    assert m.is_inference() is False\n    assert m._version == 0\n"
                          "    assert torch._C._is_alias_of(m, m) is True\n"));
}

TEST(Arguments, a_name_of_a_meta_tensor_may_stand_for_another_tensor_later) {
  EXPECT_NO_THROW(script_of_arguments("    m = torch.ones([2], device=device)\n    y = m.add(x)\n"));
}

TEST(Arguments, a_raised_program_is_the_one_that_was_lowered) {
  const std::string text = kArgumentTest + R"PY(    w = torch.empty([2, 3], dtype=torch.int64, device="meta")
    lib.define("g(Tensor x, float a, bool b) -> ()")
    lib.define("h(Tensor? y, Tensor[] zs, int n, float a, bool b) -> Tensor")
    def k(y, zs, n, a, b):
        z = y.mul(n)
        torch.ops.mine.g(z, n, b)
        return z
    lib.impl("h", k, "CPU")
    v = torch.ops.mine.h(None, [x, w], 2, 0.5, True)
    torch.ops.mine.h(m, [], -1, 2.0, False)
    torch.ops.mine.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.CPU), m, 3)
)PY";
  EXPECT_EQ(print(raise(lower(parse(text, "a.py")).at(0))), text);
}

/// The lines of the test below `m = …`, and the error without "a.py:".
class ArgumentRefused : public testing::TestWithParam<Malformed> {};

TEST_P(ArgumentRefused, says_why) { EXPECT_EQ(error_of(kArgumentTest + GetParam().body), "a.py:" + GetParam().error); }

const std::string kSchema = " The schema is f(Tensor x, int n) -> Tensor.";

INSTANTIATE_TEST_SUITE_P(
    Schema, ArgumentRefused,
    testing::Values(Malformed{"    torch.ops.mine.f(x, 0.5)\n",
                              "9:25: the argument 'n' of mine::f is an int, not a float." + kSchema},
                    Malformed{"    torch.ops.mine.f(x, True)\n",
                              "9:25: the argument 'n' of mine::f is an int, not a bool." + kSchema},
                    Malformed{"    torch.ops.mine.f(None, 1)\n",
                              "9:22: the argument 'x' of mine::f is a tensor, not None." + kSchema},
                    Malformed{"    torch.ops.mine.f([x], 1)\n",
                              "9:22: the argument 'x' of mine::f is a tensor, not a list of tensors." + kSchema},
                    Malformed{"    torch.ops.mine.f(x)\n", "9:20: mine::f is not given 2 arguments." + kSchema},
                    Malformed{"    torch.ops.mine.f(x, m=2)\n",
                              "9:27: mine::f has no argument 'm', or has it already." + kSchema},
                    Malformed{"    torch.ops.mine.f(x, 2, n=3)\n",
                              "9:30: mine::f has no argument 'n', or has it already." + kSchema}));

const std::string kGivenNumber =
    ": 'n' is a number that the kernel is given. It stands only as an argument of an op or an operator, as in "
    "`torch.mul(x, n)`.";

INSTANTIATE_TEST_SUITE_P(
    Kernels, ArgumentRefused,
    testing::Values(
        Malformed{"    def k(y, n):\n        z = y.view([n])\n        return z\n    lib.impl(\"f\", k, \"CPU\")\n",
                  "10:21" + kGivenNumber},
        Malformed{"    def k(y, n):\n        return n\n    lib.impl(\"f\", k, \"CPU\")\n", "10:16" + kGivenNumber},
        Malformed{"    lib.define(\"g(Tensor[] xs) -> ()\")\n    def k(xs):\n        torch.ops.mine.g(xs)\n"
                  "    lib.impl(\"g\", k, \"CPU\")\n",
                  "11:26: 'xs' is a list of tensors that the kernel is given. Pass the list on with `*args`: define "
                  "the kernel as `def k(*args):`, and write `torch.ops.mine.f(*args)`."},
        Malformed{"    lib.define(\"g(Tensor y, float a) -> ()\")\n    def k(y, a):\n        torch.ops.mine.f(y, a)\n"
                  "    lib.impl(\"g\", k, \"CPU\")\n",
                  "11:29: the argument 'n' of mine::f is an int, not a float that the kernel is given." + kSchema},
        Malformed{"    def k(y, n):\n        return y\n    lib.impl(\"g\", k, \"CPU\")\n"
                  "    lib.define(\"g(Tensor x, int n) -> Tensor\")\n",
                  "9:5: the kernel k is registered before mine::g is defined, so its parameters are tensors. Define "
                  "the operator first. The schema is g(Tensor x, int n) -> Tensor."},
        Malformed{"    def k(y, n):\n        return y\n    lib.impl(\"f\", k, \"CPU\")\n"
                  "    lib.define(\"g(Tensor x, Tensor n) -> Tensor\")\n    lib.impl(\"g\", k, \"CPU\")\n",
                  "9:5: the kernel k takes (Tensor, int), as the operator says for which it is registered first, but "
                  "mine::g takes (Tensor, Tensor). Write another function for this operator. The schema is g(Tensor "
                  "x, Tensor n) -> Tensor."},
        Malformed{"    lib.define(\"g(Tensor x, float a) -> Tensor\")\n    def k(*args):\n"
                  "        return torch.ops.mine.f(*args)\n    lib.impl(\"g\", k, \"CPU\")\n",
                  "10:5: the kernel k passes its arguments on to mine::f, which takes (Tensor, int), but mine::g "
                  "takes (Tensor, float). The schema is g(Tensor x, float a) -> Tensor."}));

const std::string kIsMeta =
    ": 'm' is a meta tensor. Only the program's own operators take a meta tensor, as in `torch.ops.mine.f(x)`.";
const std::string kNotObserved = ": 'm' is a meta tensor. Its elements and its `.grad` are not observed.";
const std::string kForm = " Write `x = torch.empty([2], dtype=torch.float32, device=\"meta\")`.";

INSTANTIATE_TEST_SUITE_P(
    MetaTensors, ArgumentRefused,
    testing::Values(
        Malformed{"    y = m.add(x)\n", "9:9" + kIsMeta}, Malformed{"    y = x.add(m)\n", "9:11" + kIsMeta},
        Malformed{"    y = torch.cat([x, m])\n", "9:15" + kIsMeta}, Malformed{"    y = m.data\n", "9:9" + kIsMeta},
        Malformed{"    m.requires_grad = True\n", "9:5" + kIsMeta}, Malformed{"    m.backward()\n", "9:5" + kIsMeta},
        Malformed{"    assert m.tolist() == [1.0]\n", "9:12" + kNotObserved},
        Malformed{"    assert m.grad is None\n", "9:12" + kNotObserved},
        Malformed{"    y = torch.zeros([2], device=\"meta\", requires_grad=True)\n",
                  "9:55: a meta tensor is given requires_grad=True." + kForm},
        Malformed{"    torch.zeros([2], device=\"meta\")\n", "9:11: the tensor is not assigned to a name." + kForm},
        Malformed{"    y = torch.empty([-1], device=\"meta\")\n", "9:21: a size is -1. Sizes are 0 or more."},
        Malformed{"    def k(y, n):\n        z = torch.empty([1], device=\"meta\")\n        return z\n"
                  "    lib.impl(\"f\", k, \"CPU\")\n",
                  "10:19: a meta tensor is made in a kernel, a method, a hook or the body of a transform. Make it in "
                  "the test."}));

}  // namespace
}  // namespace plumbline::program
