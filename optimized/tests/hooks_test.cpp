// Hooks of tensors: which gradient they get, what they may leave of it, and when they end.
#include "optimized/autograd/hooks.h"

#include <gtest/gtest.h>

#include "optimized/autograd/variable.h"
#include "optimized/tests/values.h"

namespace plumbline::optimized::hooks_test {
namespace {

using testing::error_of;
using testing::leaf;
using testing::Numbers;
using testing::numbers;
using testing::vector;

Numbers grad(const Tensor& tensor) { return numbers(grad_of(tensor)); }
Tensor add_ten(const Tensor& gradient) { return add(gradient, vector({10})); }
Tensor twice(const Tensor& gradient) { return mul(gradient, vector({2})); }

TEST(Hooks, AUT_75_need_a_tensor_that_requires_grad) {
  EXPECT_EQ(error_of([] { register_hook(vector({1}), twice); }), ErrorClass::hook_requires_no_grad);
}
TEST(Hooks, AUT_76_of_a_leaf_come_before_its_grad_is_filled) {
  const Tensor x = leaf({2});
  register_hook(x, [&](const Tensor& gradient) {
    EXPECT_FALSE(grad_of(x).defined());
    return twice(gradient);
  });
  backward(sum(x));
  EXPECT_EQ(grad(x), (Numbers{2}));
}
TEST(Hooks, AUT_77_that_return_nothing_leave_the_gradient) {
  const Tensor x = leaf({2});
  register_hook(x, [](const Tensor&) { return Tensor(); });
  backward(sum(x));
  EXPECT_EQ(grad(x), (Numbers{1}));
}
TEST(Hooks, AUT_78_run_in_the_order_of_their_registration) {
  const Tensor x = leaf({2});
  register_hook(x, twice);
  register_hook(x, add_ten);
  backward(sum(x));
  EXPECT_EQ(grad(x), (Numbers{12}));
}
TEST(Hooks, AUT_79_come_before_retain_grad) {
  const Tensor x = leaf({2});
  const Tensor y = mul(x, vector({3}));
  retain_grad(y);
  register_hook(y, twice);
  backward(sum(y));
  EXPECT_EQ(grad(y), (Numbers{2}));
  EXPECT_EQ(grad(x), (Numbers{6}));
}
TEST(Hooks, AUT_80_AUT_81_belong_to_the_value_at_their_registration) {
  const Tensor x = leaf({2});
  const Tensor y = mul(x, vector({1}));
  register_hook(y, twice);
  mul_(y, vector({3}));
  register_hook(y, add_ten);
  backward(sum(y));
  EXPECT_EQ(grad(x), (Numbers{66}));
}
TEST(Hooks, AUT_82_may_not_change_the_sizes) {
  const Tensor x = leaf({2, 3});
  register_hook(x, [](const Tensor& gradient) { return sum(gradient); });
  EXPECT_EQ(error_of([&] { backward(sum(x)); }), ErrorClass::hook_result);
  EXPECT_FALSE(grad_of(x).defined());
}
TEST(Hooks, AUT_82_may_not_change_the_dtype) {
  const Tensor x = leaf({2});
  register_hook(x, [](const Tensor&) { return vector({1}, Dtype::float64); });
  EXPECT_EQ(error_of([&] { backward(sum(x)); }), ErrorClass::hook_result);
}
TEST(Hooks, AUT_83_change_what_grad_returns) {
  const Tensor x = leaf({2});
  register_hook(x, add_ten);
  EXPECT_EQ(numbers(gradients(sum(x), {{x}}).at(0)), (Numbers{11}));
}
TEST(Hooks, AUT_84_come_after_what_grad_returns_on_the_way) {
  const Tensor x = leaf({2});
  const Tensor y = mul(x, vector({3}));
  register_hook(y, add_ten);
  const auto both = gradients(sum(y), {{y, x}});
  EXPECT_EQ(numbers(both.at(0)), (Numbers{1}));
  EXPECT_EQ(numbers(both.at(1)), (Numbers{33}));
}
TEST(Hooks, AUT_85_end_when_they_are_removed) {
  const Tensor x = leaf({2});
  const Tensor y = mul(x, vector({1}));
  const Ref<Hook> hook = register_hook(y, twice);
  mul_(y, vector({3}));
  hook->remove();
  hook->remove();
  backward(sum(y));
  EXPECT_EQ(grad(x), (Numbers{3}));
}
TEST(Hooks, AUT_86_of_a_leaf_that_requires_no_grad_any_more_run) {
  const Tensor x = leaf({2});
  int calls = 0;
  register_hook(x, [&](const Tensor&) {
    ++calls;
    return Tensor();
  });
  const Tensor y = sum(x);
  set_requires_grad(x, false);
  backward(y);
  EXPECT_EQ(calls, 1);
  EXPECT_FALSE(grad_of(x).defined());
}
TEST(Hooks, outlive_the_tensor_that_they_were_registered_on) {
  const Tensor x = leaf({2});
  Tensor y = mul(x, vector({3}));
  register_hook(y, twice);
  y = sum(y);
  backward(y);
  EXPECT_EQ(grad(x), (Numbers{6}));
}
TEST(Hooks, may_register_and_remove_hooks) {
  const Tensor x = leaf({2});
  Ref<Hook> first;
  first = register_hook(x, [&](const Tensor& gradient) {
    first->remove();
    register_hook(x, add_ten);
    return twice(gradient);
  });
  const Tensor y = sum(x);
  backward(y, {}, true);
  EXPECT_EQ(grad(x), (Numbers{2}));
  backward(y);
  EXPECT_EQ(grad(x), (Numbers{13}));
}

TEST(HooksAfter, AUT_94_are_of_leaves_that_require_grad) {
  EXPECT_EQ(error_of([] { register_hook_after(vector({1}), twice); }), ErrorClass::hook_requires_no_grad);
  EXPECT_EQ(error_of([] { register_hook_after(mul(leaf({2}), vector({3})), twice); }), ErrorClass::hook_not_leaf);
}
TEST(HooksAfter, AUT_95_find_the_gradient_in_grad) {
  const Tensor x = leaf({2});
  register_hook_after(x, [](const Tensor& of) {
    EXPECT_EQ(grad(of), (Numbers{1}));
    mul_(grad_of(of), vector({5}));
    return Tensor();
  });
  backward(sum(x));
  EXPECT_EQ(grad(x), (Numbers{5}));
}
TEST(HooksAfter, AUT_95_may_write_the_leaf_and_let_its_grad_go) {
  const Tensor x = leaf({2});
  register_hook_after(x, [](const Tensor& of) {
    add_(of, grad_of(of));
    set_grad(of, {});
    return Tensor();
  });
  backward(sum(x));
  EXPECT_EQ(numbers(x), (Numbers{3}));
  EXPECT_FALSE(grad_of(x).defined());
}
TEST(HooksAfter, AUT_96_are_not_called_by_grad) {
  const Tensor x = leaf({2});
  int calls = 0;
  register_hook_after(x, [&](const Tensor&) { return ++calls, Tensor(); });
  gradients(sum(x), std::vector{x});
  EXPECT_EQ(calls, 0);
}
TEST(HooksAfter, AUT_97_run_in_the_order_of_their_registration) {
  const Tensor x = leaf({2});
  std::vector<int> calls;
  register_hook_after(x, [&](const Tensor&) { return calls.push_back(1), Tensor(); });
  register_hook_after(x, [&](const Tensor&) { return calls.push_back(2), Tensor(); });
  backward(sum(x));
  EXPECT_EQ(calls, (std::vector<int>{1, 2}));
}
TEST(HooksAfter, AUT_98_are_not_called_where_nothing_is_accumulated) {
  const Tensor x = leaf({2});
  int calls = 0;
  register_hook_after(x, [&](const Tensor&) { return ++calls, Tensor(); });
  const Tensor y = sum(mul(x, leaf({3})));
  set_requires_grad(x, false);
  backward(y);
  EXPECT_EQ(calls, 0);
}
TEST(HooksAfter, AUT_85_end_with_remove) {
  const Tensor x = leaf({2});
  int calls = 0;
  register_hook_after(x, [&](const Tensor&) { return ++calls, Tensor(); })->remove();
  backward(sum(x));
  EXPECT_EQ(calls, 0);
}
TEST(HooksAfter, AUT_95_stay_when_other_hooks_are_registered) {
  const Tensor x = leaf({2});
  int calls = 0;
  register_hook_after(x, [&](const Tensor&) { return ++calls, Tensor(); });
  register_hook(x, twice);
  register_hook_after(x, [&](const Tensor&) { return calls += 10, Tensor(); });
  backward(sum(x));
  EXPECT_EQ(calls, 11);
}

}  // namespace
}  // namespace plumbline::optimized::hooks_test
