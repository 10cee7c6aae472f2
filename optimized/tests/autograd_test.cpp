// What autograd records: histories, leaves, what is saved and what is refused.
#include <gtest/gtest.h>

#include "optimized/autograd/arguments.h"
#include "optimized/autograd/variable.h"
#include "optimized/tests/values.h"
#include "spec/ops/ops.h"

namespace plumbline::optimized::autograd_test {
namespace {

using testing::error_of;
using testing::inference_vector;
using testing::leaf;
using testing::vector;

TEST(Autograd, which_arguments_have_a_derivative_is_what_the_table_says) {
  for_each_op([]<class Op>() {
    const auto arguments = plumbline::op(Op::id).arguments;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const bool tensor = arguments[i].type == ArgType::Tensor || arguments[i].type == ArgType::TensorList;
      EXPECT_EQ(Flow<Op>::to.at(i), tensor && has_derivative_by(arguments[i])) << plumbline::op(Op::id).schema;
    }
  });
}
TEST(Autograd, AUT_01_nothing_is_recorded_in_no_grad_mode) {
  const Tensor x = leaf({1, 2});
  const GradMode off(false);
  EXPECT_FALSE(requires_grad(mul(x, x)));
}
TEST(Autograd, AUT_02_nothing_is_recorded_of_what_requires_no_grad) {
  EXPECT_FALSE(has_grad_fn(mul(vector({1, 2}), vector({3, 4}))));
}
TEST(Autograd, AUT_13_a_recorded_result_requires_grad) { EXPECT_TRUE(requires_grad(mul(leaf({1}), vector({2})))); }
TEST(Autograd, AUT_39_a_result_that_is_not_differentiable_is_not_recorded) {
  EXPECT_FALSE(requires_grad(gt(leaf({1}), vector({2}))));
}
TEST(Autograd, AUT_39_the_indices_of_max_are_not_recorded) {
  const auto [values, indices] = max(leaf({1, 2}), 0);
  EXPECT_TRUE(requires_grad(values) && !requires_grad(indices));
}
TEST(Autograd, AUT_04_a_leaf_that_requires_grad_is_not_written) {
  const Tensor x = leaf({1, 2});
  EXPECT_EQ(error_of([&] { zero_(x); }), ErrorClass::leaf_inplace);
}
TEST(Autograd, AUT_05_a_view_of_a_leaf_that_requires_grad_is_not_written) {
  const Tensor v = view(leaf({1, 2}), {2, 1});
  EXPECT_EQ(error_of([&] { zero_(v); }), ErrorClass::view_of_leaf_inplace);
}
TEST(Autograd, AUT_06_a_view_requires_grad_with_its_base) {
  const Tensor x = vector({1, 2});
  const Tensor v = view(x, {2, 1});
  set_requires_grad(x, true);
  EXPECT_TRUE(requires_grad(v));
}
TEST(Autograd, AUT_08_a_recorded_write_through_a_view_gives_its_base_a_history) {
  const Tensor x = vector({1, 2});
  add_(select(x, 0, 0), sum(leaf({3})));
  EXPECT_TRUE(has_grad_fn(x));
}
TEST(Autograd, VIEW_12_the_history_of_another_view_follows) {
  const Tensor x = vector({1, 2});
  const Tensor other = select(x, 0, 1);
  mul_(x, leaf({3, 4}));
  EXPECT_TRUE(has_grad_fn(other));
}
TEST(Autograd, VIEW_11_a_view_made_in_no_grad_mode_has_no_history_to_follow) {
  const Tensor x = vector({1, 2});
  Tensor v;
  {
    const GradMode off(false);
    v = view(x, {2});
  }
  mul_(x, leaf({3, 4}));
  EXPECT_EQ(error_of([&] { has_grad_fn(v); }), ErrorClass::stale_view_no_grad);
}
TEST(Autograd, VIEW_08_a_recorded_write_through_one_of_several_views_is_refused) {
  const auto parts = split(clone(leaf({1, 2})), 1);
  EXPECT_EQ(error_of([&] { zero_(parts.at(0)); }), ErrorClass::view_multi_output);
}
TEST(Autograd, AUT_11_an_inference_tensor_that_no_gradient_needs_is_not_saved) {
  const Tensor x = inference_vector({1, 2});
  EXPECT_TRUE(requires_grad(add(leaf({1, 2}), x)));
}
TEST(Autograd, INF_07_an_inference_tensor_is_not_saved) {
  const Tensor x = inference_vector({1, 2});
  EXPECT_EQ(error_of([&] { mul(leaf({1, 2}), x); }), ErrorClass::inference_saved);
}
TEST(Autograd, AUT_18_a_recorded_sum_of_integers_is_refused) {
  EXPECT_EQ(error_of([] { sum(leaf({1, 2}), Dtype::int64); }), ErrorClass::grad_dtype);
}
TEST(Autograd, AUT_19_a_copy_into_integers_is_not_recorded) {
  const Tensor x = vector({0, 0}, Dtype::int64);
  copy_(x, leaf({1, 2}));
  EXPECT_FALSE(requires_grad(x));
}
TEST(Autograd, AUT_36_an_out_op_of_what_requires_grad_is_refused) {
  EXPECT_EQ(error_of([] { neg_out(leaf({1}), vector({0})); }), ErrorClass::out_requires_grad);
}
TEST(Autograd, AUT_37_what_requires_grad_is_not_resized_in_no_grad_mode_either) {
  const Tensor x = leaf({1, 2});
  const GradMode off(false);
  EXPECT_EQ(error_of([&] { resize_(x, {1}); }), ErrorClass::resize_requires_grad);
}
TEST(Autograd, AUT_34_a_view_is_not_detached_in_place) {
  EXPECT_EQ(error_of([] { detach_(view(vector({1, 2}), {2, 1})); }), ErrorClass::detach_view);
}
TEST(Autograd, AUT_35_detach_takes_the_history_away) {
  const Tensor y = mul(leaf({1}), vector({2}));
  detach_(y);
  EXPECT_FALSE(requires_grad(y));
}
TEST(Autograd, AUT_09_requires_grad_of_what_is_no_leaf_is_not_set) {
  EXPECT_EQ(error_of([] { set_requires_grad(mul(leaf({1}), vector({2})), true); }), ErrorClass::not_a_leaf);
}
TEST(Autograd, AUT_12_integers_do_not_require_grad) {
  EXPECT_EQ(error_of([] { set_requires_grad(vector({1}, Dtype::int64), true); }), ErrorClass::grad_dtype);
}
TEST(Autograd, INF_08_an_inference_tensor_does_not_come_to_require_grad_outside_the_mode) {
  const Tensor x = inference_vector({1, 2});
  EXPECT_EQ(error_of([&] { set_requires_grad(x, true); }), ErrorClass::inference_requires_grad);
}
TEST(Autograd, AUT_26_a_write_that_is_not_counted_leaves_the_view_its_history) {
  const Tensor x = vector({1, 2});
  const Tensor v = view(x, {2});
  const ExcludeKeys guard{KeySet(Functionality::ADInplaceOrView)};
  mul_(v, leaf({3, 4}));
  EXPECT_TRUE(has_grad_fn(x) && !has_grad_fn(v));
}
TEST(Autograd, a_chain_of_a_million_nodes_ends_without_recursion) {
  Tensor y = leaf({1});
  const Tensor one = vector({1});
  for (int i = 0; i < 1000000; ++i) y = add(y, one);
  y = {};
  SUCCEED();
}

}  // namespace
}  // namespace plumbline::optimized::autograd_test
