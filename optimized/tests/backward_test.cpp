// Backward: the gradients it leaves, in what order, and that one which raises has changed nothing.
#include <gtest/gtest.h>

#include <thread>

#include "optimized/autograd/custom_function.h"
#include "optimized/autograd/variable.h"
#include "optimized/tests/values.h"

namespace plumbline::optimized::backward_test {
namespace {

using testing::error_of;
using testing::leaf;
using testing::Numbers;
using testing::numbers;
using testing::vector;

Numbers grad(const Tensor& tensor) { return numbers(grad_of(tensor)); }

TEST(Backward, of_a_product) {
  const Tensor x = leaf({2, 3});
  const Tensor y = leaf({5, 7});
  backward(sum(mul(x, y)));
  EXPECT_EQ(grad(x), (Numbers{5, 7}));
  EXPECT_EQ(grad(y), (Numbers{2, 3}));
}
TEST(Backward, AUT_48_what_broadcasting_repeated_is_summed) {
  const Tensor x = leaf({2});
  backward(sum(mul(x, vector({3, 4, 5}))));
  EXPECT_EQ(grad(x), (Numbers{12}));
}
TEST(Backward, a_gradient_has_its_tensor_s_dtype) {
  const Tensor x = leaf({2});
  backward(sum(mul(x, vector({3}, Dtype::float64))));
  EXPECT_EQ(grad_of(x).dtype(), Dtype::float32);
}
TEST(Backward, AUT_25_a_second_one_adds_to_the_same_tensor) {
  const Tensor x = leaf({2, 3});
  backward(sum(x));
  const Tensor first = grad_of(x);
  backward(sum(mul(x, vector({3, 4}))));
  EXPECT_TRUE(first.is_same(grad_of(x)));
  EXPECT_EQ(numbers(first), (Numbers{4, 5}));
}
TEST(Backward, AUT_27_a_second_one_through_what_was_freed_is_refused) {
  const Tensor x = leaf({2, 3});
  const Tensor y = sum(mul(x, x));
  backward(y);
  EXPECT_EQ(error_of([&] { backward(y); }), ErrorClass::backward_twice);
}
TEST(Backward, AUT_27_what_is_retained_can_be_used_again) {
  const Tensor x = leaf({2, 3});
  const Tensor y = sum(mul(x, x));
  backward(y, {}, true);
  backward(y);
  EXPECT_EQ(grad(x), (Numbers{8, 12}));
}
TEST(Backward, AUT_88_several_roots_are_one_backward) {
  const Tensor x = leaf({2, 3});
  const Tensor y = mul(x, x);
  const Tensors roots{sum(y), sum(mul(y, vector({1, 10}))), sum(y)};
  backward(roots, Tensors(3));
  EXPECT_EQ(grad(x), (Numbers{12, 72}));
  EXPECT_EQ(error_of([&] { backward(roots, Tensors(3)); }), ErrorClass::backward_twice);
}
TEST(Backward, AUT_88_grad_adds_up_the_gradients_of_several_roots) {
  const Tensor x = leaf({2, 3});
  const Tensors roots{mul(x, vector({1, 10})), sum(x)};
  const Tensors found = gradients(roots, Tensors{x}, Tensors{vector({1, 2}), {}});
  EXPECT_EQ(numbers(found.at(0)), (Numbers{2, 21}));
  EXPECT_FALSE(grad_of(x).defined());
}
TEST(Backward, AUT_24_each_of_several_roots_must_require_grad) {
  const Tensor x = leaf({2});
  EXPECT_EQ(error_of([&] { backward(Tensors{sum(x), vector({1})}, Tensors(2)); }), ErrorClass::no_graph);
  EXPECT_FALSE(grad_of(x).defined());
}
TEST(Backward, VER_15_a_saved_tensor_must_not_be_written) {
  const Tensor w = vector({2, 3});
  const Tensor y = sum(mul(leaf({1, 1}), w));
  zero_(w);
  EXPECT_EQ(error_of([&] { backward(y); }), ErrorClass::saved_modified);
}
TEST(Backward, AUT_28_one_that_raises_leaves_every_gradient) {
  const Tensor a = leaf({1, 1});
  const Tensor c = clone(leaf({1, 1}));
  const Tensor y = sum(add(a, mul(c, c)));
  zero_(c);
  error_of([&] { backward(y); });
  EXPECT_FALSE(grad_of(a).defined());
}
TEST(Backward, AUT_28_one_that_raises_leaves_the_graph) {
  const Tensor a = leaf({2, 3});
  const Tensor b = leaf({1, 1});
  const Tensor squares = mul(a, a);
  const Tensor c = clone(b);
  const Tensor bad = sum(add(squares, mul(c, c)));
  zero_(c);
  error_of([&] { backward(bad); });
  backward(sum(squares));
  EXPECT_EQ(grad(a), (Numbers{4, 6}));
}
TEST(Backward, AUT_28_a_gradient_that_cannot_be_added_is_found_before_anything_is_written) {
  const Tensor a = leaf({1, 1});
  const Tensor b = leaf({1, 1});
  backward(sum(a));
  {
    const InferenceMode mode;
    set_grad(b, vector({1, 1}));
  }
  EXPECT_EQ(error_of([&] { backward(sum(add(a, b))); }), ErrorClass::inference_inplace);
  EXPECT_EQ(grad(a), (Numbers{1, 1}));
}
TEST(Backward, AUT_29_without_a_gradient_it_needs_one_element) {
  EXPECT_EQ(error_of([] { backward(leaf({1, 2})); }), ErrorClass::grad_not_scalar);
}
TEST(Backward, AUT_30_a_gradient_has_its_tensor_s_sizes) {
  EXPECT_EQ(error_of([] { backward(leaf({1, 2}), vector({1})); }), ErrorClass::grad_shape);
}
TEST(Backward, AUT_24_from_what_requires_no_grad_is_refused) {
  EXPECT_EQ(error_of([] { backward(vector({1})); }), ErrorClass::no_graph);
}
TEST(Backward, AUT_31_a_tensor_that_is_no_leaf_gets_a_gradient_where_it_retains_it) {
  const Tensor x = leaf({1, 2});
  const Tensor y = mul(x, vector({2, 2}));
  retain_grad(y);
  backward(sum(mul(y, vector({3, 4}))));
  EXPECT_EQ(grad(y), (Numbers{3, 4}));
}
TEST(Backward, AUT_32_what_is_retained_goes_with_the_tensor) {
  const Tensor y = clone(leaf({1, 2}));
  retain_grad(y);
  mul_(y, vector({2, 2}));
  backward(sum(y));
  EXPECT_EQ(grad(y), (Numbers{1, 1}));
}
TEST(Backward, AUT_40_a_leaf_that_requires_grad_no_more_gets_none) {
  const Tensor x = leaf({1, 2});
  const Tensor y = sum(x);
  set_requires_grad(x, false);
  backward(y);
  EXPECT_FALSE(grad_of(x).defined());
}
TEST(Backward, AUT_41_a_leaf_that_was_given_a_history_is_refused) {
  const Tensor x = leaf({1, 2});
  const Tensor y = sum(x);
  set_requires_grad(x, false);
  mul_(x, leaf({2, 2}));
  EXPECT_EQ(error_of([&] { backward(y); }), ErrorClass::leaf_moved);
}
TEST(Backward, AUT_50_two_gradients_share_no_memory) {
  const Tensor x = leaf({1, 2});
  const Tensor y = leaf({3, 4});
  backward(sum(add(x, y)));
  EXPECT_NE(grad_of(x).storage(), grad_of(y).storage());
}
TEST(Backward, AUT_50_a_gradient_that_is_given_is_copied) {
  const Tensor x = leaf({1, 2});
  const Tensor given = vector({5, 6});
  backward(x, given);
  EXPECT_NE(grad_of(x).storage(), given.storage());
}
TEST(Backward, AUT_55_a_saved_tensor_that_was_detached_is_refused) {
  const Tensor x = clone(leaf({1, 2}));
  const Tensor y = sum(mul(x, x));
  detach_(x);
  EXPECT_EQ(error_of([&] { backward(y); }), ErrorClass::saved_detached);
}
TEST(Backward, a_write_through_a_view_takes_the_place_of_what_it_wrote) {
  const Tensor x = leaf({1, 2});
  const Tensor p = leaf({5});
  const Tensor y = clone(x);
  copy_(slice(y, 0, 0, 1), p);
  backward(sum(mul(y, vector({3, 4}))));
  EXPECT_EQ(grad(x), (Numbers{0, 4}));
  EXPECT_EQ(grad(p), (Numbers{3}));
}
TEST(Backward, an_in_place_view_op_on_a_view_leaves_the_gradient_of_its_base) {
  const Tensor x = leaf({2, 2}, {1, 1, 1, 1});
  const Tensor y = clone(x);
  const Tensor v = view(y, {2, 2});
  transpose_(v, 0, 1);
  backward(sum(mul(y, testing::tensor({2, 2}, {1, 2, 4, 5}))));
  EXPECT_EQ(grad(x), (Numbers{1, 2, 4, 5}));
}
TEST(Backward, GEO_51_equal_maxima_share) {
  const Tensor x = leaf({2, 1, 2});
  backward(max(x));
  EXPECT_EQ(grad(x), (Numbers{0.5, 0, 0.5}));
}
TEST(Backward, windows_that_overlap_add_up) {
  const Tensor x = leaf({1, 2, 3});
  backward(sum(unfold(x, 0, 2, 1)));
  EXPECT_EQ(grad(x), (Numbers{1, 2, 1}));
}
TEST(Backward, elements_that_as_strided_sees_twice_add_up) {
  const Tensor x = leaf({1, 2});
  backward(sum(as_strided(x, {2, 2}, {0, 1})));
  EXPECT_EQ(grad(x), (Numbers{2, 2}));
}
TEST(Backward, an_index_that_is_named_twice_adds_up) {
  const Tensor x = leaf({1, 2});
  backward(sum(index_select(x, 0, vector({1, 1}, Dtype::int64))));
  EXPECT_EQ(grad(x), (Numbers{0, 2}));
}
TEST(Backward, threads_may_share_a_leaf) {
  const Tensor x = leaf({1, 1});
  const auto work = [&] {
    for (int i = 0; i < 200; ++i) backward(sum(mul(x, vector({1, 2}))));
  };
  std::thread other(work);
  work();
  other.join();
  EXPECT_EQ(grad(x), (Numbers{400, 800}));
}
TEST(Backward, AUT_32_a_retained_gradient_follows_its_tensor_to_another_place_among_results) {
  const Tensor x = leaf({2, 2}, {1, 2, 3, 4});
  const Tensor second = unbind_copy(x).at(1);
  retain_grad(second);
  mul_(second, vector({5, 5}));
  backward(sum(mul(second, vector({1, 10}))));
  EXPECT_EQ(grad(second), (Numbers{1, 10}));
  EXPECT_EQ(grad(x), (Numbers{0, 0, 5, 50}));
}
TEST(Backward, AUT_70_what_leads_to_no_chosen_tensor_keeps_what_it_saved) {
  const Tensor a = leaf({1, 2});
  const Tensor b = leaf({1, 2});
  const Tensor squares = mul(b, b);
  const Tensor y = sum(add(mul(a, a), squares));
  EXPECT_EQ(numbers(gradients(y, {{a}}).at(0)), (Numbers{2, 4}));
  backward(sum(squares));
  EXPECT_EQ(grad(b), (Numbers{2, 4}));
  EXPECT_FALSE(grad_of(a).defined());
}
TEST(Backward, AUT_70_a_long_chain_is_marked_without_recursion) {
  const Tensor x = leaf({1});
  Tensor y = x;
  for (int i = 0; i < 200'000; ++i) y = neg(y);
  EXPECT_EQ(numbers(gradients(y, {{x}}).at(0)), (Numbers{1}));
}
TEST(Backward, AUT_71_that_an_input_is_unused_is_found_before_anything_is_freed) {
  const Tensor x = leaf({2});
  const Tensor y = mul(x, x);
  retain_grad(y);
  const Tensor unused = leaf({2});
  EXPECT_EQ(error_of([&] { gradients(y, {{x, unused}}); }), ErrorClass::input_unused);
  EXPECT_FALSE(grad_of(y).defined());
  EXPECT_EQ(numbers(gradients(y, {{x}}).at(0)), (Numbers{4}));
}
TEST(Backward, AUT_28_one_that_raises_makes_no_input_retain_its_gradient) {
  const Tensor x = leaf({2});
  const Tensor y = mul(x, x);
  const Tensor z = mul(y, y);
  const Tensor no_grad = vector({1});
  EXPECT_EQ(error_of([&] { backward(z, {}, true, {{y, no_grad}}); }), ErrorClass::retain_grad);
  backward(z);
  EXPECT_FALSE(grad_of(y).defined());
  EXPECT_EQ(grad(x), (Numbers{32}));
}
TEST(Backward, AUT_73_an_input_that_is_no_leaf_retains_its_gradient) {
  const Tensor x = leaf({2});
  const Tensor y = mul(x, x);
  backward(mul(y, vector({5})), {}, false, {{y}});
  EXPECT_EQ(grad(y), (Numbers{5}));
  EXPECT_FALSE(grad_of(x).defined());
}
TEST(Backward, AUT_32_a_retained_gradient_follows_a_dirty_input_that_becomes_a_second_result) {
  const Tensor x = leaf({1, 1});
  const Tensor t = mul(x, vector({1, 1}));
  retain_grad(t);
  const auto forward = [&](FunctionContext& context) {
    const Tensor tripled = mul(t, vector({3, 3}));
    context.mark_dirty({t});
    mul_(t, vector({2, 2}));
    return Tensors{tripled, t};
  };
  const auto back = [](FunctionContext&, const Tensors& gradients) {
    return Tensors{add(mul(gradients.at(0), vector({3, 3})), mul(gradients.at(1), vector({2, 2})))};
  };
  const Tensor tripled = apply_function({forward, back}, {t}).at(0);
  backward(sum(add(mul(tripled, vector({5, 5})), mul(t, vector({7, 7})))));
  EXPECT_EQ(grad(t), (Numbers{7, 7}));
  EXPECT_EQ(grad(x), (Numbers{29, 29}));
}

}  // namespace
}  // namespace plumbline::optimized::backward_test
