// Ops that a backend lacks run on the CPU: with the results, layouts, views and errors that a kernel of its own would
// have.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "optimized/lazy/graph.h"
#include "optimized/ops/cpu_fallback.h"
#include "optimized/removal/backend.h"
#include "optimized/tensor/warning.h"
#include "optimized/tests/on_device.h"
#include "optimized/tests/values.h"
#include "optimized/without_views/whole_buffers.h"

namespace plumbline::optimized {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the helpers of tests

constexpr Backend kLacksAll = Backend::VE;
constexpr Backend kLacksSome = Backend::MAIA;

std::vector<std::string> warned;

class Fallback : public ::testing::Test {
 protected:
  Fallback() : before_(set_warning_handler([](const std::string& message) { warned.push_back(message); })) {
    static const bool once = [] {
      const auto all = all_that_may_fall_back();
      constexpr Abilities kNothing{.views = false, .strides = false, .mutation = false};
      BufferBackend<kLacksAll>::register_with(
          std::make_unique<WholeBuffers>(kNothing, std::vector<OpId>(all.begin(), all.end())));
      BufferBackend<kLacksSome>::register_with(
          std::make_unique<lazy::WaitingGraph>(std::vector<OpId>{OpId::relu, OpId::add__Tensor, OpId::select_int}));
      return true;
    }();
    static_cast<void>(once);
    forget_fallbacks();
    warned.clear();
  }
  ~Fallback() override { set_warning_handler(before_); }

 private:
  WarningHandler before_;
};

TEST_F(Fallback, an_op_that_the_backend_lacks_runs_on_the_cpu_and_warns_once) {
  const Tensor x = on_device(tensor({3}, {-1, 0, 2}), kLacksSome);
  for (int i = 0; i < 3; ++i) {
    const Tensor y = relu(add(x, x));
    EXPECT_EQ(y.device(), kLacksSome);
    EXPECT_EQ(numbers(to_cpu(y)), (Numbers{0, 0, 4}));
  }
  EXPECT_EQ(fallbacks_done(), (std::map<std::string, std::uint64_t>{{"aten::relu", 3}}));
  ASSERT_EQ(warned.size(), 1U);
  EXPECT_EQ(warned[0],
            "The operator 'aten::relu' is not currently supported on the MAIA backend and will fall back to run on the "
            "CPU. This may have performance implications.");
}

/// Results, sizes and strides of ops of each kind.
std::vector<std::vector<Numbers>> seen_on(Backend device) {
  const Tensor base = on_device(counting({4, 4}), device);
  const Tensor other = on_device(counting({4, 4}), device);
  std::vector<Tensor> all{base, other};
  const auto keep = [&](const Tensor& one) { all.push_back(one); };
  keep(transpose(base, 0, 1));
  keep(add(all.back(), other));
  add_(slice(base, 1, 1, 3), scalar(10));
  mul_(transpose(base, 0, 1), other);
  keep(select(base, 1, 0));
  copy_(all.back(), select(other, 0, 1));
  masked_fill_(base, gt(other, scalar(2)), -1);
  keep(std::get<1>(max(base, 1, false)));
  keep(cat(std::vector<Tensor>{select(base, 0, 1), select(base, 1, 2)}, 0));
  keep(expand(select(base, 0, 2), {2, 4}));
  keep(softmax(base, 0, std::nullopt));
  fill_(as_strided(base, {2, 3}, {1, 1}, 4), 7);
  const Tensor out = on_device(counting({1}), device);
  add_out(base, other, 1, out);
  keep(out);
  const Tensor turned = on_device(counting({2, 3}), device);
  transpose_(turned, 0, 1);
  keep(turned);
  resize_(turned, {4, 5}, std::nullopt);
  fill_(turned, 2);
  std::vector<std::vector<Numbers>> seen;
  for (const Tensor& one : all) {
    EXPECT_EQ(one.device(), device);
    const Sizes sizes_of = sizes(one);
    const Sizes strides_of = strides(one);
    seen.push_back({numbers(to_cpu(one)), {sizes_of.begin(), sizes_of.end()}, {strides_of.begin(), strides_of.end()}});
  }
  return seen;
}

TEST_F(Fallback, ops_of_each_kind_give_what_the_cpu_gives_with_the_same_layouts) {
  const auto expected = seen_on(Backend::CPU);
  EXPECT_EQ(seen_on(kLacksAll), expected);
  EXPECT_EQ(seen_on(kLacksSome), expected);
  EXPECT_GT(fallbacks_done().size(), 15U);
}

TEST_F(Fallback, a_view_that_falls_back_shares_memory_with_its_base) {
  const Tensor base = on_device(counting({2, 2}), kLacksSome);
  const Tensor row = select(base, 0, 1);
  EXPECT_EQ(row.storage(), base.storage());
  add_(row, scalar(5));
  EXPECT_EQ(numbers(to_cpu(base)), (Numbers{0, 1, 7, 8}));
  EXPECT_EQ(version_of(base), 1U);
}

TEST_F(Fallback, what_waits_is_computed_before_it_goes_to_the_cpu) {
  const Tensor x = on_device(counting({2}), kLacksSome);
  Tensor y = x;
  for (int i = 0; i < 5; ++i) y = add(y, scalar(1));
  EXPECT_EQ(numbers(to_cpu(relu(y))), (Numbers{5, 6}));
}

TEST_F(Fallback, an_op_that_raises_on_the_cpu_writes_nothing) {
  const Tensor x = on_device(counting({2, 2}), kLacksAll);
  EXPECT_EQ(error_of([&] { add_(x, on_device(counting({3}), kLacksAll)); }), ErrorClass::shape);
  EXPECT_EQ(error_of([&] { static_cast<void>(mm(x, on_device(counting({3, 1}), kLacksAll))); }), ErrorClass::shape);
  EXPECT_EQ(numbers(to_cpu(x)), (Numbers{0, 1, 2, 3}));
  EXPECT_EQ(version_of(x), 0U);
}

TEST_F(Fallback, arguments_that_share_memory_share_it_on_the_cpu) {
  const Tensor x = on_device(counting({3}), kLacksAll);
  add_(x, x);
  EXPECT_EQ(numbers(to_cpu(x)), (Numbers{0, 2, 4}));
  const Tensor part = slice(x, 0, 0, 2);
  EXPECT_EQ(error_of([&] { static_cast<void>(add_(slice(x, 0, 1, 3), part)); }), ErrorClass::overlap_partial);
}

TEST_F(Fallback, what_moves_tensors_and_composite_ops_cannot_be_lacked) {
  for (const OpId op : {OpId::copy_, OpId::_to_copy, OpId::reshape}) {
    EXPECT_FALSE(may_fall_back(op));
    EXPECT_EQ(
        error_of([&] { register_backend(Backend::Meta, kCpuPrimitives, memory_of(Backend::CPU), std::array{op}); }),
        ErrorClass::option);
  }
}

}  // namespace
}  // namespace plumbline::optimized
