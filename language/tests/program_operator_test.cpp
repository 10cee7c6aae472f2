// Programs that define operators: what they are lowered to, and what is refused.
#include <gtest/gtest.h>

#include "language/lower.h"
#include "language/parse.h"
#include "language/tests/program_show.h"
#include "spec/vocabulary/schema.h"

namespace plumbline::program {
namespace {

constexpr std::string_view kBegin =
    "import torch\n"
    "\n"
    "\n"
    "def double(x):\n"
    "    y = torch.mul(x, 2)\n"
    "    return y\n"
    "\n"
    "\n"
    "def test_a(device):\n"
    "    lib = torch.library.Library(\"mine\", \"FRAGMENT\")\n"
    "    lib.define(\"f(Tensor x) -> Tensor\")\n"
    "    x = torch.ones([2], device=device)\n";

Script script_of(const std::string& lines) { return lower(parse(std::string(kBegin) + lines, "a.py")).at(0).script; }

TEST(Operators, a_call_of_one_is_an_invoke) {
  const Script script = script_of("    lib.impl(\"f\", double, \"CPU\")\n    y = torch.ops.mine.f(x)\n");
  const auto& invoke = std::get<Invoke>(script.statements.back().kind);
  EXPECT_EQ(script.operators.at(static_cast<std::size_t>(invoke.op)).name, "mine::f");
  EXPECT_EQ(script.names.at(static_cast<std::size_t>(invoke.results.at(0))), "y");
}

TEST(Operators, a_kernel_has_its_own_statements) {
  const Script script = script_of("    lib.impl(\"f\", double, \"CPU\")\n");
  const CustomKernel& kernel = script.kernels.at(0);
  EXPECT_EQ(kernel.name, "double");
  EXPECT_EQ(kernel.statements.size(), 1U);
  EXPECT_EQ(script.names.at(static_cast<std::size_t>(kernel.returned.at(0))), "double_y");
}

TEST(Operators, one_gets_a_kernel_after_a_call_of_it) {
  const Script script = script_of("    torch.ops.mine.f(x)\n    lib.impl(\"f\", double, \"CPU\")\n");
  EXPECT_TRUE(std::holds_alternative<AddKernel>(script.statements.back().kind));
}

TEST(Operators, a_second_definition_with_the_same_schema_is_one_of_the_same_operator) {
  const Script script = script_of("    lib.define(\"f(Tensor x) -> Tensor\")\n");
  EXPECT_EQ(all_of_kind<DefineOperator>(script).size(), 2U);
  EXPECT_EQ(script.operators.size(), 1U);
}

TEST(Operators, a_function_that_is_registered_twice_is_one_kernel) {
  const Script script = script_of("    lib.impl(\"f\", double, \"CPU\")\n    lib.impl(\"f\", double, \"Autograd\")\n");
  EXPECT_EQ(all_of_kind<AddKernel>(script).size(), 2U);
  EXPECT_EQ(script.kernels.size(), 1U);
}

TEST(Operators, a_function_that_also_takes_its_key_set_is_another_kernel) {
  const Script script = script_of(
      "\n    def k(x, y):\n        return y\n\n    lib.define(\"g(Tensor x, Tensor y) -> Tensor\")\n"
      "    lib.impl(\"g\", k, \"CPU\")\n    lib.impl(\"f\", k, \"CPU\", with_keyset=True)\n");
  EXPECT_EQ(script.kernels.size(), 2U);
}

TEST(Operators, a_fallthrough_is_no_kernel) {
  const Script script = script_of("    lib.impl(\"f\", torch.library.fallthrough_kernel, \"Autograd\")\n");
  EXPECT_EQ(all_of_kind<AddKernel>(script).at(0).kernel, std::nullopt);
  EXPECT_TRUE(script.kernels.empty());
}

TEST(Operators, a_kernel_in_the_test_sees_the_device) {
  const Script script = script_of(
      "\n    def k(x):\n        y = torch.zeros([2], device=device)\n        return y\n\n"
      "    lib.impl(\"f\", k, \"CPU\")\n");
  EXPECT_EQ(script.kernels.at(0).statements.size(), 1U);
}

TEST(Operators, the_overload_default_is_the_operator) {
  EXPECT_NO_THROW(script_of("    torch.ops.mine.f.default(x)\n"));
}

/// A kernel in the test that takes its key set, with this line in it.
std::string with_keys(const std::string& line) {
  return "\n    def k(ks, x):\n        " + line +
         "\n        return y\n\n    lib.impl(\"f\", k, \"Autograd\", with_keyset=True)\n";
}
/// The same line's redispatch with this key set.
std::string redispatch(const std::string& keys) {
  return with_keys("y = torch.ops.mine.f.default.redispatch(" + keys + ", x)");
}

TEST(Operators, a_kernel_redispatches_with_steps_from_its_key_set) {
  const Script script =
      script_of(redispatch("(ks & torch._C._after_autograd_keyset | torch._C.DispatchKeySet(torch._C.DispatchKey.CPU))"
                           ".remove(torch._C.DispatchKey.ADInplaceOrView)"));
  const CustomKernel& kernel = script.kernels.at(0);
  EXPECT_TRUE(kernel.with_keyset);
  EXPECT_EQ(kernel.parameters.size(), 1U);
  using Kind = KeyStep::Kind;
  const std::vector<KeyStep> steps{{Kind::after_autograd, ""}, {Kind::add, "CPU"}, {Kind::remove, "ADInplaceOrView"}};
  EXPECT_EQ(std::get<Invoke>(kernel.statements.at(0).kind).redispatch, steps);
}

/// Lines below `x = …`, and the error without "a.py:".
struct Refused {
  std::string lines, error;
};
std::ostream& operator<<(std::ostream& os, const Refused& r) { return os << r.error; }

class OperatorRefused : public testing::TestWithParam<Refused> {};

TEST_P(OperatorRefused, says_why) {
  try {
    script_of(GetParam().lines);
    ADD_FAILURE() << "not refused: " << GetParam().lines;
  } catch (const ProgramError& error) {
    EXPECT_EQ(error.what(), "a.py:" + GetParam().error);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Operators, OperatorRefused,
    testing::Values(
        Refused{"    l = torch.library.Library(\"mine\")\n",
                "13:23: torch.library.Library does not take these arguments. Write `lib = "
                "torch.library.Library(\"mine\", \"FRAGMENT\")`."},
        Refused{"    l = torch.library.Library(\"aten\", \"FRAGMENT\")\n",
                "13:31: the namespace is \"aten\". A program defines operators in a namespace of its own."},
        Refused{"    lib.define(\"g(int[] n) -> Tensor\")\n",
                "13:9: lib.define is given a schema that programs do not have. An argument is one of Tensor, Tensor?, "
                "Tensor[], int, float, bool, without a default, and a return is Tensor; Tensor may be Tensor(a) or "
                "Tensor(a!), as in `lib.define(\"add_one_(Tensor(a!) x) -> Tensor(a!)\")`."},
        Refused{"    lib.define(\"f(Tensor x) -> ()\")\n",
                "13:9: mine::f is defined with another schema above. Give this operator another name."},
        Refused{"    lib.impl(\"f\", triple, \"CPU\")\n",
                "13:19: 'triple' is not a function of this file. Define the kernel with `def`, and write only its "
                "name."},
        Refused{"    lib.define(\"g(Tensor x, Tensor y) -> Tensor\")\n    lib.impl(\"g\", double, \"CPU\")\n",
                "4:1: the kernel double takes 1 arguments, but mine::g has 2. The schema is g(Tensor x, Tensor y) -> "
                "Tensor."},
        Refused{"    lib.define(\"g(Tensor x) -> ()\")\n    lib.impl(\"g\", double, \"CPU\")\n",
                "4:1: the kernel double returns 1 tensors, but mine::g returns 0. The schema is g(Tensor x) -> ()."},
        Refused{"    y, z = torch.ops.mine.f(x)\n",
                "13:5: mine::f returns 1 tensors, but 2 names are assigned. The schema is f(Tensor x) -> Tensor."},
        Refused{"    torch.ops.mine.f(x, x)\n",
                "13:20: mine::f is not given 1 arguments. The schema is f(Tensor x) -> Tensor."},
        Refused{"    torch.ops.mine.g(x)\n", "13:20: there is no operator mine::g here. Did you mean mine::f?"},
        Refused{"\n    def k(y):\n        z = torch.mul(y, x)\n        return z\n\n    lib.impl(\"f\", k, \"CPU\")\n",
                "15:26: the name 'x' is not defined here. Did you mean y?"},
        Refused{
            "\n    def k(y):\n        assert y._version == 0\n        return y\n\n    lib.impl(\"f\", k, \"CPU\")\n",
            "15:1: a kernel contains something other than calls, guards, custom functions, `log.append(…)` and "
            "`raise`. "
            "A kernel has no observations and no asserts: check what the operator did after its call."},
        Refused{
            redispatch("x"),
            "15:49: a redispatch is not given a key set. Write torch._C.DispatchKeySet(torch._C.DispatchKey.CPU), or "
            "in a kernel that is registered with_keyset=True its first parameter, as in `.redispatch(ks & "
            "torch._C._after_autograd_keyset, x)`."},
        Refused{redispatch("ks & torch._C.DispatchKeySet(torch._C.DispatchKey.CPUU)"),
                "15:99: torch._C.DispatchKey has no runtime key CPUU. Did you mean CPU or HPU or IPU?"},
        Refused{redispatch("ks & ks"),
                "15:54: this is not the set of one key. Write torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)."},
        Refused{with_keys("y = torch.ops.mine.f.default.redispatch(ks)"),
                "15:38: mine::f is not given a key set and 1 arguments. The schema is f(Tensor x) -> Tensor."},
        Refused{with_keys("y = torch.mul(ks, 2)"),
                "15:23: 'ks' is not a value. An argument is a number, True, False, None, a list of ints or tensors, a "
                "dtype, `device` or the name of a tensor."},
        Refused{
            "    y = torch.ops.mine.f.default.redispatch(ks, x)\n",
            "13:45: a redispatch is not given a key set. Write torch._C.DispatchKeySet(torch._C.DispatchKey.CPU), or "
            "in a kernel that is registered with_keyset=True its first parameter, as in `.redispatch(ks & "
            "torch._C._after_autograd_keyset, x)`."},
        Refused{"    lib.impl(\"f\", double, \"CPU\", with_keyset=True)\n",
                "4:1: the kernel double takes 1 arguments, but mine::f has 1, and its key set comes before them. The "
                "schema is f(Tensor x) -> Tensor."},
        Refused{"    lib.impl(\"f\", double, \"CPU\", with_keyset=x)\n",
                "13:9: lib.impl does not take these arguments. Write `lib.impl(\"f\", kernel, \"CPU\")`, for a kernel "
                "that takes its key set with_keyset=True."},
        Refused{"    lib.fallback(double)\n",
                "13:9: lib.fallback does not take these arguments. Write `lib.fallback(kernel, \"CPU\")`, for a kernel "
                "that takes its key set with_keyset=True."},
        Refused{"    lib.remove(\"f\")\n",
                "13:9: a library has no 'remove' in programs. It has lib.define(\"f(Tensor x) -> Tensor\"), "
                "lib.impl(\"f\", kernel, \"CPU\"), lib.fallback(kernel, \"CPU\") and lib._destroy()."},
        Refused{"    lib._destroy(1)\n", "13:9: lib._destroy takes no arguments. Write `lib._destroy()`."},
        Refused{"    lib._destroy()\n    lib.impl(\"f\", double, \"CPU\")\n",
                "14:9: the library lib has ended. Make another one, with another name."},
        Refused{"    lib._destroy()\n    torch.library.impl(\"mine::f\", \"CPU\", double, lib=lib)\n",
                "14:54: the library lib has ended. Make another one, with another name."}));

TEST(Schema, what_is_written_is_read) {
  for (const std::string text :
       {"f(Tensor x) -> Tensor", "f_(Tensor(a!) x, Tensor y) -> Tensor(a!)", "f(Tensor(a) x) -> (Tensor(a), Tensor)",
        "f(Tensor(a!) x) -> ()", "f() -> Tensor", "f(Tensor? x, Tensor[] ys) -> ()",
        "f(int n, float a, bool b) -> Tensor", "f(Tensor(a!)? x) -> Tensor(a!)"}) {
    const auto op = schema_of(text);
    ASSERT_TRUE(op) << text;
    EXPECT_EQ(schema_text(*op), text);
  }
}

TEST(Schema, others_are_none) {
  for (const std::string text :
       {"", "f", "f(Tensor) -> Tensor", "f(Tensor x)", "f(Tensor x) -> Tensor y", "f(Tensor x) -> Tensor?",
        "f(Tensor x) -> Tensor[]", "f(Tensor x) -> int", "f(int n=1) -> ()", "f(int[] n) -> ()", "f(int? n) -> ()",
        "f(Tensor[2] x) -> ()", "f(str s) -> ()", "f(int(a) n) -> ()", "f(Tensor(a x) -> Tensor",
        "f(Tensor x) -> Tensor, Tensor", "1f(Tensor x) -> Tensor"})
    EXPECT_FALSE(schema_of(text)) << text;
}

}  // namespace
}  // namespace plumbline::program
