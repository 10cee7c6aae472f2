// Hooks of saved tensors: what they get, what backward uses, and where they are in effect.
#include "optimized/autograd/saved_hooks.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>

#include "optimized/autograd/variable.h"
#include "optimized/tests/values.h"

namespace plumbline::optimized::saved_hooks_test {
namespace {

using testing::error_of;
using testing::leaf;
using testing::Numbers;
using testing::numbers;
using testing::vector;

Numbers grad(const Tensor& tensor) { return numbers(grad_of(tensor)); }
Tensor keep(const Tensor& tensor) { return detach(tensor); }
Tensor twice(const Tensor& tensor) { return mul(tensor, vector({2})); }

TEST(SavedHooks, SAV_01_SAV_02_backward_uses_what_they_make) {
  const Tensor x = leaf({1}), w = vector({3});
  Tensor packs, unpacks;
  {
    const SavedTensorsHooks hooks(twice, keep);
    packs = mul(x, w);
  }
  {
    const SavedTensorsHooks hooks(keep, twice);
    unpacks = mul(x, w);
  }
  backward(sum(packs));
  EXPECT_EQ(grad(x), (Numbers{6}));
  backward(sum(unpacks));
  EXPECT_EQ(grad(x), (Numbers{12}));
}
TEST(SavedHooks, SAV_03_pack_gets_the_tensor_itself) {
  const Tensor x = leaf({1}), w = vector({3});
  const SavedTensorsHooks hooks(
      [&](const Tensor& tensor) {
        EXPECT_TRUE(tensor.is_same(w));
        return keep(tensor);
      },
      keep);
  mul(x, w);
}
TEST(SavedHooks, SAV_04_versions_are_not_compared) {
  const Tensor x = leaf({1}), w = vector({3});
  Tensor y;
  {
    const SavedTensorsHooks hooks(keep, keep);
    y = mul(x, w);
  }
  mul_(w, vector({2}));
  backward(sum(y));
  EXPECT_EQ(grad(x), (Numbers{6}));
}
TEST(SavedHooks, SAV_05_pack_may_not_write_what_it_gets) {
  const Tensor x = leaf({1}), w = vector({3});
  const SavedTensorsHooks hooks([](const Tensor& tensor) { return mul_(tensor, vector({2})); }, keep);
  EXPECT_EQ(error_of([&] { mul(x, w); }), ErrorClass::pack_writes);
}
TEST(SavedHooks, SAV_06_the_innermost_pair_is_used) {
  const Tensor x = leaf({1}), w = vector({3});
  const SavedTensorsHooks outer(twice, keep);
  Tensor y;
  {
    const SavedTensorsHooks inner(keep, keep);
    y = mul(x, w);
  }
  backward(sum(y));
  EXPECT_EQ(grad(x), (Numbers{3}));
}
TEST(SavedHooks, SAV_07_pack_runs_with_grad_mode_off) {
  const Tensor x = leaf({1}), w = vector({3});
  const SavedTensorsHooks hooks(
      [&](const Tensor& tensor) {
        EXPECT_FALSE(requires_grad(mul(x, tensor)));
        return keep(tensor);
      },
      keep);
  EXPECT_TRUE(requires_grad(mul(x, w)));
}
TEST(SavedHooks, SAV_08_another_thread_has_none) {
  const Tensor x = leaf({1}), w = vector({3});
  const SavedTensorsHooks hooks(twice, keep);
  std::thread([&] { backward(sum(mul(x, w))); }).join();
  EXPECT_EQ(grad(x), (Numbers{3}));
}

TEST(SavedHooks, what_pack_returns_does_not_keep_its_own_graph) {
  const Tensor x = leaf({1});
  const auto ended = std::make_shared<int>();
  {
    const SavedTensorsHooks hooks([&, ended](const Tensor& tensor) { return tensor; }, keep);
    exp(x);
  }
  EXPECT_EQ(ended.use_count(), 1) << "the graph of exp() has ended, and with it the hooks that it holds";
}

}  // namespace
}  // namespace plumbline::optimized::saved_hooks_test
