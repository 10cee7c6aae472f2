// Operators that a caller defines: which kernel a call runs, and what Autograd's fallback does.
#include "optimized/autograd/custom_operators.h"

#include <gtest/gtest.h>

#include "optimized/autograd/history.h"
#include "optimized/autograd/variable.h"
#include "optimized/tests/values.h"

namespace plumbline::optimized::custom_operators_test {
namespace {

using testing::error_of;
using testing::leaf;
using testing::Numbers;
using testing::numbers;
using testing::vector;
using Tensors = CustomOperators::Tensors;

const Tensor& first(const Stack& arguments) { return std::get<Tensor>(arguments.at(0)); }

Tensors doubled(const Stack& inputs, KeySet) { return {mul(first(inputs), vector({2}))}; }
/// The same, which autograd does not see.
Tensors doubled_below(const Stack& inputs, KeySet keys) {
  const AutoDispatchBelowAutograd guard;
  return doubled(inputs, keys);
}

/// An operator mine::f of one tensor, with a kernel for the CPU.
struct OneOperator {
  explicit OneOperator(const CustomOperators::Kernel& kernel, bool written = false) {
    library->define("mine::f", {written});
    library->impl("mine::f", "CPU", kernel);
  }
  Tensor operator()(const Tensor& x) { return all.call("mine::f", {x}).at(0); }
  CustomOperators all;
  std::unique_ptr<CustomLibrary> library = all.library(Library::Kind::FRAGMENT, "mine");
};

TEST(CustomOperators, a_call_runs_the_kernel_of_its_backend) {
  EXPECT_EQ(numbers(OneOperator(doubled)(vector({1, 2}))), (Numbers{2, 4}));
}
TEST(CustomOperators, AUT_62_a_recorded_result_requires_grad) {
  EXPECT_TRUE(requires_grad(OneOperator(doubled_below)(leaf({1}))));
  EXPECT_FALSE(requires_grad(OneOperator(doubled_below)(vector({1}))));
}
TEST(CustomOperators, AUT_62_without_grad_mode_nothing_is_recorded) {
  const GradMode off(false);
  EXPECT_FALSE(requires_grad(OneOperator(doubled_below)(leaf({1}))));
}
TEST(CustomOperators, AUT_63_a_written_result_gets_no_history) {
  EXPECT_FALSE(requires_grad(OneOperator(doubled_below, true)(leaf({1}))));
}
TEST(CustomOperators, AUT_64_a_result_that_requires_grad_keeps_its_history) {
  const Tensor x = leaf({1});
  backward(sum(OneOperator(doubled)(x)));
  EXPECT_EQ(numbers(grad_of(x)), (Numbers{2}));
}
TEST(CustomOperators, AUT_65_backward_through_the_fallback_gives_no_gradient) {
  const Tensor x = leaf({1});
  backward(sum(OneOperator(doubled_below)(x)));
  EXPECT_FALSE(grad_of(x).defined());
}
TEST(CustomOperators, a_kernel_for_autograd_runs_instead_of_the_fallback) {
  OneOperator f(doubled);
  f.library->impl("mine::f", "Autograd", [](const Stack& inputs, KeySet) { return Tensors{first(inputs)}; });
  EXPECT_EQ(numbers(f(leaf({3}))), (Numbers{3}));
}
TEST(CustomOperators, a_kernel_redispatches_with_a_part_of_its_keys) {
  OneOperator f(doubled);
  f.library->impl("mine::f", "Autograd", [&](const Stack& inputs, KeySet keys) {
    return f.all.redispatch("mine::f", keys & kAfterAutograd, inputs);
  });
  EXPECT_EQ(numbers(f(leaf({3}))), (Numbers{6}));
}
TEST(CustomOperators, a_key_that_falls_through_has_no_fallback) {
  OneOperator f(doubled_below);
  f.library->impl("mine::f", "Autograd", {});
  EXPECT_FALSE(requires_grad(f(leaf({1}))));
}
/// mine::f of one tensor, without a kernel.
struct Defined {
  Defined() { library->define("mine::f", {false}); }
  ErrorClass called() {
    return error_of([&] { all.call("mine::f", {vector({1})}); });
  }
  CustomOperators all;
  std::unique_ptr<CustomLibrary> library = all.library(Library::Kind::FRAGMENT, "mine");
};

TEST(CustomOperators, without_a_kernel_a_call_raises) { EXPECT_EQ(Defined().called(), ErrorClass::no_kernel); }
TEST(CustomOperators, a_library_ends_with_its_kernels) {
  Defined f;
  auto kernels = f.all.library(Library::Kind::IMPL, "mine");
  kernels->impl("mine::f", "CPU", doubled);
  EXPECT_EQ(f.called(), ErrorClass::none);
  kernels.reset();
  EXPECT_EQ(f.called(), ErrorClass::no_kernel);
}
TEST(CustomOperators, a_library_ends_with_its_operators) {
  Defined f;
  f.library.reset();
  EXPECT_EQ(f.called(), ErrorClass::unknown_operator);
}
TEST(CustomOperators, an_operator_is_defined_once) {
  Defined f;
  EXPECT_EQ(error_of([&] { f.library->define("mine::f", {false}); }), ErrorClass::defined_twice);
}
TEST(CustomOperators, a_namespace_has_one_library_of_the_kind_DEF) {
  CustomOperators all;
  const auto first = all.library(Library::Kind::DEF, "mine");
  EXPECT_EQ(error_of([&] { all.library(Library::Kind::DEF, "mine"); }), ErrorClass::defined_twice);
}
TEST(CustomOperators, a_library_of_the_kind_IMPL_defines_nothing) {
  CustomOperators all;
  const auto library = all.library(Library::Kind::IMPL, "mine");
  EXPECT_EQ(error_of([&] { library->define("mine::f", {false}); }), ErrorClass::library_kind);
}
TEST(CustomOperators, two_registries_may_have_one_name) {
  OneOperator f(doubled);
  OneOperator g([](const Stack& inputs, KeySet) { return Tensors{first(inputs)}; });
  EXPECT_EQ(numbers(f(vector({1}))), (Numbers{2}));
  EXPECT_EQ(numbers(g(vector({1}))), (Numbers{1}));
}
TEST(CustomOperators, an_unknown_key_is_refused) {
  Defined f;
  EXPECT_EQ(error_of([&] { f.library->impl("mine::f", "CPUU", doubled); }), ErrorClass::unknown_key);
}

}  // namespace
}  // namespace plumbline::optimized::custom_operators_test
