// Kernels that take any arguments, fallbacks, and redispatches: what they are lowered to, and what is refused.
#include <gtest/gtest.h>

#include "language/print.h"
#include "language/tests/program_malformed.h"
#include "language/tests/program_show.h"

namespace plumbline::program {
namespace {

const std::string kKernelTest =
    "import pytest\nimport torch\n\n\ndef test_a(device):\n    log = []\n"
    "    lib = torch.library.Library(\"mine\", \"DEF\")\n    lib.define(\"f(Tensor x) -> Tensor\")\n"
    "    x = torch.ones([2], device=device)\n";

Script script_of_kernels(const std::string& lines) { return lower(parse(kKernelTest + lines, "a.py")).at(0).script; }

const Invoke& invoke_in(const std::vector<Statement>& statements, std::size_t at) {
  return std::get<Invoke>(statements.at(at).kind);
}

using StepKind = KeyStep::Kind;

TEST(Kernels, one_that_takes_any_arguments_passes_them_on) {
  const Script script = script_of_kernels(
      "    def k(*args):\n        return torch.ops.mine.f(*args)\n    lib.impl(\"f\", k, \"Autograd\")\n");
  const CustomKernel& kernel = script.kernels.at(0);
  EXPECT_TRUE(kernel.any_arguments);
  EXPECT_TRUE(kernel.returns_passed);
  EXPECT_TRUE(kernel.parameters.empty());
  EXPECT_TRUE(kernel.returned.empty());
  const Invoke& invoke = invoke_in(kernel.statements, 0);
  EXPECT_TRUE(invoke.passes_arguments);
  EXPECT_TRUE(invoke.inputs.empty());
  EXPECT_TRUE(invoke.results.empty());
}

TEST(Kernels, one_that_takes_any_arguments_may_return_tensors_that_it_made) {
  const Script script = script_of_kernels(
      "    def k(*args):\n        torch.ops.mine.f(*args)\n        y = torch.zeros([2], device=device)\n"
      "        return y\n    lib.impl(\"f\", k, \"CPU\")\n");
  EXPECT_FALSE(script.kernels.at(0).returns_passed);
  EXPECT_EQ(script.kernels.at(0).returned.size(), 1U);
}

TEST(Kernels, one_returns_what_was_passed_from_inside_a_guard) {
  const Script script = script_of_kernels(
      "    def k(ks, *args):\n        with torch._C._AutoDispatchBelowAutograd():\n"
      "            return torch.ops.mine.f.default.redispatch(ks & torch._C._after_autograd_keyset, *args)\n"
      "    lib.impl(\"f\", k, \"Autograd\", with_keyset=True)\n");
  const CustomKernel& kernel = script.kernels.at(0);
  EXPECT_TRUE(kernel.returns_passed);
  EXPECT_EQ(kernel.statements.size(), 3U);
  EXPECT_EQ(invoke_in(kernel.statements, 1).redispatch, (std::vector<KeyStep>{{StepKind::after_autograd, ""}}));
}

TEST(Kernels, one_that_takes_any_arguments_serves_operators_with_other_numbers_of_arguments) {
  const Script script = script_of_kernels(
      "    def k(*args):\n        log.append(\"k\")\n    lib.define(\"g(Tensor x) -> ()\")\n"
      "    lib.define(\"h(Tensor x, Tensor y) -> ()\")\n    lib.impl(\"g\", k, \"CPU\")\n"
      "    lib.impl(\"h\", k, \"CPU\")\n");
  EXPECT_EQ(script.kernels.size(), 1U);
  EXPECT_EQ(all_of_kind<AddKernel>(script).size(), 2U);
}

TEST(Kernels, one_that_ends_with_an_error_needs_no_return) {
  const Script script =
      script_of_kernels("    def k(y):\n        raise RuntimeError(\"no\")\n    lib.impl(\"f\", k, \"CPU\")\n");
  const CustomKernel& kernel = script.kernels.at(0);
  EXPECT_EQ(std::get<RaiseError>(kernel.statements.at(0).kind).message, "no");
  EXPECT_EQ(kernel.returned, kernel.parameters);
}

TEST(Kernels, a_fallback_is_given_the_operator) {
  const Script script = script_of_kernels(
      "    def k(ks, op, *args):\n        return op.redispatch(ks.remove(torch._C.DispatchKey.CUDA), *args)\n"
      "    everything = torch.library.Library(\"_\", \"IMPL\")\n"
      "    everything.fallback(k, \"CUDA\", with_keyset=True)\n");
  const auto added = all_of_kind<AddFallback>(script).at(0);
  EXPECT_EQ(added.library + " " + added.key, "everything CUDA");
  EXPECT_EQ(added.kernel, 0);
  const CustomKernel& kernel = script.kernels.at(0);
  EXPECT_TRUE(kernel.with_keyset && kernel.any_arguments && kernel.returns_passed);
  const Invoke& invoke = invoke_in(kernel.statements, 0);
  EXPECT_EQ(invoke.op, kCalledOperator);
  EXPECT_EQ(invoke.redispatch, (std::vector<KeyStep>{{StepKind::remove, "CUDA"}}));
}

TEST(Kernels, a_fallback_calls_the_operator_by_the_name_of_its_parameter) {
  const Script script = script_of_kernels(
      "    def k(called, *args):\n        return called(*args)\n    lib.fallback(k, \"no key\")\n"
      "    lib.fallback(torch.library.fallthrough_kernel, \"CPU\")\n");
  EXPECT_EQ(invoke_in(script.kernels.at(0).statements, 0).op, kCalledOperator);
  EXPECT_EQ(all_of_kind<AddFallback>(script).at(1).kernel, std::nullopt);
}

TEST(Kernels, a_fallback_fits_every_operator_of_the_test) {
  const std::string error =
      error_of(kKernelTest + "    def k(op, *args):\n        op(*args)\n    lib.fallback(k, \"CPU\")\n");
  EXPECT_TRUE(error.starts_with("a.py:12:1: the fallback k does not fit the operator mine::f")) << error;
}

TEST(Kernels, a_test_redispatches_with_sets_of_one_key) {
  const std::string set = "torch._C.DispatchKeySet(torch._C.DispatchKey.";
  const Script script =
      script_of_kernels("    y = torch.ops.mine.f.default.redispatch(" + set + "CPU) | " + set + "AutogradCPU), x)\n");
  EXPECT_EQ(invoke_in(script.statements, 3).redispatch,
            (std::vector<KeyStep>{{StepKind::only, "CPU"}, {StepKind::add, "AutogradCPU"}}));
  const Script empty = script_of_kernels("    torch.ops.mine.f.default.redispatch(" + set + "Undefined), x)\n");
  EXPECT_EQ(invoke_in(empty.statements, 3).redispatch, (std::vector<KeyStep>{{StepKind::only, "Undefined"}}));
  EXPECT_TRUE(invoke_in(empty.statements, 3).results.empty());
}

TEST(Kernels, one_is_registered_before_its_operator_is_defined) {
  const Script script = script_of_kernels(
      "    def k(y):\n        return y\n    lib.impl(\"g\", k, \"CPU\")\n    lib.define(\"g(Tensor x) -> Tensor\")\n"
      "    torch.ops.mine.g(x)\n");
  ASSERT_EQ(script.operators.size(), 2U);
  EXPECT_EQ(script.operators[1].arguments.size(), 1U);
  EXPECT_EQ(all_of_kind<DefineOperator>(script).at(1).op, 1);
}

TEST(Kernels, an_operator_that_is_never_defined_has_no_schema) {
  const Script script = script_of_kernels("    def k(*args):\n        pass\n    lib.impl(\"g\", k, \"no such key\")\n");
  EXPECT_EQ(script.operators.at(1).name, "mine::g");
  EXPECT_TRUE(script.operators.at(1).arguments.empty());
  EXPECT_EQ(all_of_kind<AddKernel>(script).at(0).key, "no such key");
}

TEST(Kernels, a_raised_program_is_the_one_that_was_lowered) {
  const std::string text = kKernelTest +
                           R"PY(    def k(ks, *args):
        log.append("k")
        log.append(repr(ks))
        with torch._C._IncludeDispatchKeyGuard(torch._C.DispatchKey.CUDA):
            return torch.ops.mine.f.default.redispatch(ks & torch._C._after_autograd_keyset, *args)
    lib.impl("f", k, "Autograd", with_keyset=True)
    everything = torch.library.Library("_", "IMPL")
    def to_cpu(op, *args):
        log.append("to_cpu")
        return op(*args)
    everything.fallback(to_cpu, "CUDA")
    everything.fallback(torch.library.fallthrough_kernel, "no key")
    def failing(y):
        raise RuntimeError("failing raised")
    lib.impl("f", failing, "CPU")
    with pytest.raises(RuntimeError, match="failing raised"):
        z = torch.ops.mine.f(x)
    assert log == ["k", "DispatchKeySet(CPU, AutogradCPU)"]
    log.clear()
    torch.ops.mine.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.CUDA), x)
    everything._destroy()
)PY";
  EXPECT_EQ(print(raise(lower(parse(text, "a.py")).at(0))), text);
}

/// Scripts that no program can express.
TEST(Kernels, a_kernel_of_an_operator_cannot_be_a_fallback_too) {
  program::Test test;
  test.name = "test_a";
  test.script.operators = {{"mine::f", {{"x"}}, {}}};
  test.script.kernels = {CustomKernel{.name = "k", .any_arguments = true}};
  const auto add = [&](StatementKind kind) { test.script.statements.push_back({std::move(kind), 0}); };
  add(MakeLibrary{"lib", "mine", MakeLibrary::Kind::DEF});
  add(DefineOperator{"lib", 0});
  add(AddKernel{"lib", 0, "CPU", 0});
  EXPECT_NO_THROW(raise(test));
  add(AddFallback{"lib", "CPU", 0});
  EXPECT_THROW(raise(test), std::invalid_argument);
}

/// The lines of a test below `x = …`, and the error without "a.py:".
class KernelRefused : public testing::TestWithParam<Malformed> {};

TEST_P(KernelRefused, says_why) { EXPECT_EQ(error_of(kKernelTest + GetParam().body), "a.py:" + GetParam().error); }

const std::string kParameters =
    "; only a kernel that is registered with_keyset=True gets `ks`, and only a fallback gets `op`.";

INSTANTIATE_TEST_SUITE_P(
    Kernels, KernelRefused,
    testing::Values(
        Malformed{"    def k(y, *args):\n        pass\n    lib.impl(\"f\", k, \"CPU\")\n",
                  "10:5: the kernel k has the parameters (y, *args). Write `def k(*args):`" + kParameters},
        Malformed{"    def k(*args):\n        pass\n    lib.impl(\"f\", k, \"CPU\", with_keyset=True)\n",
                  "10:5: the kernel k has the parameters (*args). Write `def k(ks, *args):`" + kParameters},
        Malformed{"    def k(*args):\n        pass\n    lib.fallback(k, \"CPU\")\n",
                  "10:5: the fallback k has the parameters (*args). Write `def k(op, *args):`" + kParameters},
        Malformed{"    def k(op, y):\n        pass\n    lib.fallback(k, \"CPU\", with_keyset=True)\n",
                  "10:5: the fallback k has the parameters (op, y). Write `def k(ks, op, *args):`" + kParameters},
        Malformed{
            "    def k(op, *args):\n        pass\n    lib.fallback(k, \"CPU\")\n"
            "    lib.impl(\"f\", k, \"CPU\", with_keyset=True)\n",
            "13:9: the function k is a kernel of an operator and a fallback. Write two functions: only a fallback "
            "has `op` before `*args`."},
        Malformed{"    def k(*args):\n        y = torch.ops.mine.f(*args)\n    lib.impl(\"f\", k, \"CPU\")\n",
                  "11:9: what a call with `*args` returns is assigned to a name. Write the call alone, or `return` "
                  "before it as the kernel's last statement."},
        Malformed{"    def k(*args):\n        torch.ops.mine.f(x, *args)\n    lib.impl(\"f\", k, \"CPU\")\n",
                  "11:24: a kernel passes on other arguments beside its own. Write `(*args)`."},
        Malformed{"    def k(op, *args):\n        op()\n    lib.fallback(k, \"CPU\")\n",
                  "11:9: the operator op is not given the fallback's arguments. Write `op(*args)` or "
                  "`op.redispatch(KEYS, *args)`."},
        Malformed{"    def k(*args):\n        torch.add(*args)\n    lib.impl(\"f\", k, \"CPU\")\n",
                  "11:19: found *args as an argument. An argument is a number, True, False, None, a list of ints or "
                  "tensors, a dtype, `device` or the name of a tensor."},
        Malformed{"    def k(*args):\n        pass\n    k(x)\n",
                  "12:5: the function k takes *args. Only kernels take any arguments: write its parameters out."},
        Malformed{"    def k(*args):\n        pass\n    x.register_hook(k)\n",
                  "12:21: the hook k takes 1 arguments. Define it as `def k(grad):`."},
        Malformed{"    def k(*args):\n        pass\n    lib.impl(\"f\", k, \"CPU\")\n",
                  "10:5: the kernel k returns 0 tensors, but mine::f returns 1. The schema is f(Tensor x) -> Tensor."},
        Malformed{
            "    def k(*args):\n        return torch.ops.mine.f(*args)\n"
            "    lib.define(\"g(Tensor x, Tensor y) -> Tensor\")\n    lib.impl(\"g\", k, \"CPU\")\n",
            "10:5: the kernel k passes its arguments on to mine::f, which takes 1, but mine::g has 2. The schema is "
            "g(Tensor x, Tensor y) -> Tensor."},
        Malformed{"    def k(*args):\n        return torch.ops.mine.f(*args)\n    lib.define(\"g(Tensor x) -> ()\")\n"
                  "    lib.impl(\"g\", k, \"CPU\")\n",
                  "10:5: the kernel k returns 1 tensors, but mine::g returns 0. The schema is g(Tensor x) -> ()."},
        Malformed{"    lib.impl(\"f\", torch.library.fallthrough_kernel, \"\")\n",
                  "10:53: a kernel is registered for the key \"\". Write a key's name, as in \"CPU\" or \"Autograd\"."},
        Malformed{"    a = torch.library.Library(\"_\", \"DEF\")\n",
                  "10:31: the namespace is \"_\". A program defines operators in a namespace of its own, and fallbacks "
                  "in a library of the kind \"IMPL\"."},
        Malformed{"    def k(*args):\n        pass\n    lib.impl(\"g\", k, \"CPU\")\n    torch.ops.mine.g(x)\n",
                  "13:20: there is no operator mine::g here. Did you mean mine::f?"},
        Malformed{"    def k(y, z):\n        return y\n    lib.impl(\"g\", k, \"CPU\")\n"
                  "    lib.define(\"g(Tensor x) -> Tensor\")\n",
                  "10:5: the kernel k takes 2 arguments, but mine::g has 1. The schema is g(Tensor x) -> Tensor."}));

}  // namespace
}  // namespace plumbline::program
