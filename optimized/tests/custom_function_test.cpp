// Custom functions: what their marks and their results come to.
#include "optimized/autograd/custom_function.h"

#include <gtest/gtest.h>

#include "optimized/autograd/variable.h"
#include "optimized/tensor/pool.h"
#include "optimized/tests/values.h"

namespace plumbline::optimized::custom_function_test {
namespace {

using testing::error_of;
using testing::leaf;
using testing::Numbers;
using testing::numbers;
using testing::vector;

Tensors doubled(FunctionContext&, const Tensors& gradients) { return {mul(gradients.at(0), vector({2}))}; }

/// A function of one input, whose backward doubles.
Tensors apply(const Tensor& x, const std::function<Tensors(FunctionContext&)>& forward) {
  return apply_function({forward, doubled}, {x});
}
Tensor apply_double(const Tensor& x) {
  return apply(x, [&](FunctionContext&) { return Tensors{mul(x, vector({2}))}; }).at(0);
}
Tensors apply_in_place(const Tensor& x) {
  return apply(x, [&](FunctionContext& context) {
    context.mark_dirty({x});
    mul_(x, vector({2}));
    return Tensors{x};
  });
}
Tensor apply_identity(const Tensor& x) {
  return apply(x, [&](FunctionContext&) { return Tensors{x}; }).at(0);
}

TEST(CustomFunction, its_backward_gives_the_gradient) {
  const Tensor x = leaf({1, 1});
  backward(sum(apply_double(x)));
  EXPECT_EQ(numbers(grad_of(x)), (Numbers{2, 2}));
}
TEST(CustomFunction, AUT_42_its_forward_is_not_recorded) {
  const Tensor x = leaf({1});
  bool recorded = true;
  apply(x, [&](FunctionContext&) {
    recorded = requires_grad(mul(x, x));
    return Tensors{zeros({1})};
  });
  EXPECT_FALSE(recorded);
}
TEST(CustomFunction, AUT_43_an_input_that_is_returned_comes_out_as_a_view) {
  const Tensor x = leaf({1});
  EXPECT_TRUE(is_view(apply_identity(x)));
}
TEST(CustomFunction, AUT_43_a_dirty_input_comes_out_as_itself) {
  const Tensor x = vector({1});
  EXPECT_TRUE(apply_in_place(x).at(0).is_same(x));
}
TEST(CustomFunction, AUT_44_a_view_that_comes_out_is_not_written_while_recorded) {
  const Tensor y = apply_identity(leaf({1}));
  EXPECT_EQ(error_of([&] { zero_(y); }), ErrorClass::view_custom_function);
}
TEST(CustomFunction, AUT_45_a_dirty_input_counts_a_version_more) {
  const Tensor x = vector({1});
  apply_in_place(x);
  EXPECT_EQ(version_of(x), 2U);
}
TEST(CustomFunction, AUT_45_a_leaf_that_requires_grad_cannot_be_dirty) {
  const Tensor x = leaf({1});
  EXPECT_EQ(error_of([&] { apply_in_place(x); }), ErrorClass::leaf_inplace);
}
TEST(CustomFunction, AUT_52_a_view_of_a_leaf_cannot_be_dirty) {
  const Tensor x = leaf({1});
  const Tensor v = view(x, {1});
  EXPECT_EQ(error_of([&] { apply_in_place(v); }), ErrorClass::view_of_leaf_inplace);
}
TEST(CustomFunction, a_dirty_tensor_is_returned) {
  const Tensor x = vector({1});
  const auto forget = [&](FunctionContext& context) {
    context.mark_dirty({x});
    return Tensors{zeros({1})};
  };
  EXPECT_EQ(error_of([&] { apply(x, forget); }), ErrorClass::custom_function);
}
TEST(CustomFunction, AUT_46_what_is_marked_so_does_not_require_grad) {
  const Tensor x = leaf({1});
  const Tensors results = apply(x, [&](FunctionContext& context) {
    Tensor y = mul(x, x);
    context.mark_non_differentiable({y});
    return Tensors{y};
  });
  EXPECT_FALSE(requires_grad(results.at(0)));
}
TEST(CustomFunction, AUT_47_a_gradient_too_few_is_refused) {
  const Tensor x = leaf({1});
  const auto none = [](FunctionContext&, const Tensors&) { return Tensors{}; };
  const auto forward = [&](FunctionContext&) { return Tensors{mul(x, x)}; };
  const Tensor y = apply_function({forward, none}, {x}).at(0);
  EXPECT_EQ(error_of([&] { backward(y); }), ErrorClass::custom_function);
}
TEST(CustomFunction, AUT_47_none_too_many_is_taken) {
  const Tensor x = leaf({1});
  const auto more = [](FunctionContext&, const Tensors& gradients) { return Tensors{gradients.at(0), {}}; };
  const auto forward = [&](FunctionContext&) { return Tensors{mul(x, x)}; };
  backward(apply_function({forward, more}, {x}).at(0));
  EXPECT_EQ(numbers(grad_of(x)), (Numbers{1}));
}
TEST(CustomFunction, AUT_49_an_inference_tensor_is_not_saved) {
  Tensor w;
  {
    const InferenceMode mode;
    w = vector({1});
  }
  const Tensor x = leaf({1});
  const auto forward = [&](FunctionContext& context) {
    context.save_for_backward({w});
    return Tensors{mul(x, x)};
  };
  EXPECT_EQ(error_of([&] { apply(x, forward); }), ErrorClass::inference_saved);
}
TEST(CustomFunction, AUT_27_what_it_saved_is_freed) {
  const Tensor x = leaf({3});
  const auto forward = [&](FunctionContext& context) {
    context.save_for_backward({x});
    return Tensors{mul(x, x)};
  };
  const auto back = [](FunctionContext& context, const Tensors& gradients) {
    return Tensors{mul(gradients.at(0), context.saved().at(0))};
  };
  const Tensor y = apply_function({forward, back}, {x}).at(0);
  backward(y);
  EXPECT_EQ(numbers(grad_of(x)), (Numbers{3}));
  EXPECT_EQ(error_of([&] { backward(y); }), ErrorClass::backward_twice);
}
/// The bytes that stay in use when a function has been applied that saves what `saves` picks of its input and result.
std::int64_t kept_by(const std::function<Tensors(const Tensor& x, const Tensor& y)>& saves) {
  const std::int64_t before = pool_figures().live;
  {
    const Tensor x = leaf({3});
    const Tensor y = apply(x, [&](FunctionContext& context) {
                       const Tensor made = mul(x, x);
                       context.save_for_backward(saves(x, made));
                       return Tensors{made};
                     }).at(0);
    EXPECT_TRUE(requires_grad(y));
  }
  return pool_figures().live - before;
}
TEST(CustomFunction, what_it_saves_ends_with_it) {
  EXPECT_EQ(kept_by([](const Tensor& x, const Tensor&) { return Tensors{x}; }), 0);
  EXPECT_EQ(kept_by([](const Tensor&, const Tensor& y) { return Tensors{y}; }), 0);
  EXPECT_EQ(kept_by([](const Tensor& x, const Tensor& y) { return Tensors{y, x, y}; }), 0);
}
TEST(CustomFunction, a_saved_dirty_input_ends_with_it) {
  const std::int64_t before = pool_figures().live;
  {
    const Tensor x = mul(leaf({3}), vector({2}));
    apply(x, [&](FunctionContext& context) {
      context.mark_dirty({x});
      mul_(x, vector({2}));
      context.save_for_backward({x});
      return Tensors{x};
    });
  }
  EXPECT_EQ(pool_figures().live, before);
}
TEST(CustomFunction, a_gradient_that_nothing_reached_is_zeros) {
  const Tensor x = leaf({1});
  Numbers second;
  const auto forward = [&](FunctionContext&) { return Tensors{mul(x, x), mul(x, x)}; };
  const auto back = [&](FunctionContext&, const Tensors& gradients) {
    second = numbers(gradients.at(1));
    return Tensors{gradients.at(0)};
  };
  backward(apply_function({forward, back}, {x}).at(0));
  EXPECT_EQ(second, (Numbers{0}));
}

}  // namespace
}  // namespace plumbline::optimized::custom_function_test
