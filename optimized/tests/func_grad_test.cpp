// Differentiated bodies of the optimized runtime: what stays when they end, and when they raise.
#include "optimized/transforms/func_grad.h"

#include <gtest/gtest.h>

#include "optimized/autograd/variable.h"
#include "optimized/dispatcher/thread_state.h"
#include "optimized/ops.h"
#include "optimized/tensor/error.h"
#include "optimized/transforms/vmap.h"

namespace plumbline::optimized {
namespace {

using Tensors = std::vector<Tensor>;
const std::vector<std::int64_t> kThree{3};

Tensor gradient(const std::function<Tensor(const Tensor&)>& body, const Tensor& x) {
  return func_grad([&](const Tensors& given) { return Tensors{body(given.at(0))}; }, {{0}}, {x}).at(0);
}
Tensor squares(const Tensor& a) { return sum(mul(a, a)); }

TEST(FuncGrad, the_gradient_has_no_history) {
  const Tensor g = gradient(squares, ones(kThree));
  EXPECT_FALSE(requires_grad(g));
  EXPECT_FALSE(has_grad_fn(g));
}

TEST(FuncGrad, the_gradient_leads_to_an_input_that_requires_grad) {
  const Tensor x = ones(kThree);
  set_requires_grad(x, true);
  EXPECT_TRUE(requires_grad(gradient(squares, x)));
}

TEST(FuncGrad, no_call_is_checked_after_an_error) {
  const auto failing = [](const Tensor&) -> Tensor { throw std::runtime_error("stop"); };
  EXPECT_THROW(gradient(failing, ones(kThree)), std::runtime_error);
  EXPECT_FALSE(innermost_is_grad());
  EXPECT_FALSE(thread_state().included.has_any(Functionality::FuncTorchGradWrapper));
}

TEST(FuncGrad, a_captured_tensor_is_not_written) {
  const Tensor captured = ones(kThree);
  EXPECT_THROW(gradient([&](const Tensor& a) { return sum(add_(captured, a)); }, ones(kThree)), Error);
  EXPECT_EQ(captured.impl().version(), 0U);
}

TEST(FuncGrad, what_a_body_made_belongs_to_no_later_body) {
  Tensor made;
  gradient([&](const Tensor& a) { return sum(made = mul(a, a)); }, ones(kThree));
  const Tensor kept = gradient(squares, ones(kThree));
  EXPECT_THROW(gradient([&](const Tensor& a) { return sum(add_(kept, a)); }, ones(kThree)), Error);
}

TEST(FuncGrad, a_written_input_counts_and_has_no_history) {
  const Tensor y = ones(kThree);
  const auto body = [](const Tensors& given) { return Tensors{sum(add_(given.at(1), given.at(0)))}; };
  func_grad(body, {{0}}, {ones(kThree), y});
  EXPECT_EQ(y.impl().version(), 1U);
  EXPECT_FALSE(has_grad_fn(y));
}

TEST(FuncGrad, each_example_has_its_own_gradient) {
  const Tensor x = ones(std::vector<std::int64_t>{2, 3});
  const auto each = [](const Tensors& given) { return Tensors{gradient(squares, given.at(0))}; };
  EXPECT_EQ(vmap(each, {{0}}, {0}, {x}).at(0).dim(), 2);
}

}  // namespace
}  // namespace plumbline::optimized
