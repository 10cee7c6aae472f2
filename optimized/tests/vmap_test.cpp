// Mapped bodies of the optimized runtime: what stays when they end, and when they raise.
#include "optimized/transforms/vmap.h"

#include <gtest/gtest.h>

#include "optimized/autograd/variable.h"
#include "optimized/dispatcher/thread_state.h"
#include "optimized/functionalize/functionalize.h"
#include "optimized/ops.h"
#include "optimized/tensor/error.h"
#include "optimized/tests/values.h"
#include "optimized/transforms/batched.h"

namespace plumbline::optimized {
namespace {

using Tensors = std::vector<Tensor>;

Tensor mapped(const std::function<Tensor(const Tensor&)>& body, const Tensor& x) {
  return vmap([&](const Tensors& given) { return Tensors{body(given.at(0))}; }, {{0}}, {0}, {x}).at(0);
}

TEST(Vmap, the_body_sees_one_example) {
  mapped(
      [](const Tensor& a) {
        EXPECT_EQ(a.dim(), 1);
        EXPECT_EQ(a.size(0), 3);
        EXPECT_EQ(mapped_levels().size(), 1U);
        return a;
      },
      ones(std::vector<std::int64_t>{2, 3}));
}

TEST(Vmap, no_call_is_mapped_after_an_error) {
  const auto failing = [](const Tensor&) -> Tensor { throw std::runtime_error("stop"); };
  EXPECT_THROW(mapped(failing, ones(std::vector<std::int64_t>{2, 3})), std::runtime_error);
  EXPECT_TRUE(mapped_levels().empty());
  EXPECT_FALSE(thread_state().included.has_any(Functionality::FuncTorchBatched));
}

TEST(Vmap, a_tensor_that_leaves_its_body_keeps_its_memory) {
  Tensor kept;
  {
    const Tensor x = ones(std::vector<std::int64_t>{2, 3});
    mapped([&](const Tensor& a) { return kept = mul(a, a); }, x);
  }
  ASSERT_NE(batched(kept), nullptr);
  EXPECT_EQ(batched(kept)->value.numel(), 6);
}

TEST(Vmap, a_pointwise_op_is_one_call_for_all_examples) {
  const Tensor x = ones(std::vector<std::int64_t>{100, 3});
  mapped([](const Tensor& a) { return add_(a, a); }, x);
  EXPECT_EQ(x.impl().version(), 1U);
}

/// What a functionalized body inside a mapped one makes of an example.
Tensor functionalized(const std::function<Tensor(const Tensor&)>& body, const Tensor& example) {
  return functionalize([&](const Tensors& given) { return Tensors{body(given.at(0))}; }, Remove::mutations, {example})
      .at(0);
}

TEST(Vmap, TRF_29_memory_that_a_functionalized_body_made_gets_examples) {
  const Tensor x = ones(std::vector<std::int64_t>{2, 3});
  const Tensor y = mapped(
      [](const Tensor& a) {
        return functionalized(
            [](const Tensor& b) {
              const Tensor made = zeros(std::vector<std::int64_t>{3});
              const Tensor seen = view(made, std::vector<std::int64_t>{3});
              add_(made, b);
              EXPECT_EQ(batched(seen), nullptr);  // until it is used
              EXPECT_NE(batched(mul_(seen, b)), nullptr);
              return made;
            },
            a);
      },
      x);
  ASSERT_EQ(y.numel(), 6);
  for (std::int64_t i = 0; i < 6; ++i) EXPECT_EQ(y.data<float>()[i], 1.0F) << i;
}
TEST(Vmap, TRF_03_memory_that_was_given_to_a_functionalized_body_gets_none) {
  const Tensor x = ones(std::vector<std::int64_t>{2, 3}), y = zeros(std::vector<std::int64_t>{3});
  const auto body = [&](const Tensor& a) {
    return functionalize([&](const Tensors& in) { return Tensors{add_(in.at(1), in.at(0))}; }, Remove::mutations,
                         {a, y})
        .at(0);
  };
  EXPECT_EQ(testing::error_of([&] { mapped(body, x); }), ErrorClass::mapped_write);
}

}  // namespace
}  // namespace plumbline::optimized
