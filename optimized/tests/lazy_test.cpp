// The lazy device: what is computed, when, how often, and what no one can observe of it.
#include "optimized/lazy/lazy.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "optimized/ops/random.h"
#include "optimized/tests/on_device.h"
#include "optimized/tests/values.h"

namespace plumbline::optimized {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the helpers of tests

class Lazy : public ::testing::Test {
 protected:
  Lazy() {
    static const bool once = [] {
      lazy::run_lazily();
      return true;
    }();
    static_cast<void>(once);
  }

  /// On the device, and computed there: `to` makes a copy. What was counted before is forgotten.
  static Tensor here(const Tensor& tensor) {
    Tensor made = on_device(tensor, lazy::kDevice);
    lazy::sync();
    lazy::forget_plans();
    lazy::forget_counts();
    return made;
  }
  /// Of a row-major tensor that has all of its storage: no op is called.
  static Numbers read(const Tensor& tensor) {
    const Tensor made = empty_tensor(tensor.sizes(), tensor.dtype());
    memory_of(lazy::kDevice).copy_to_cpu(made.storage()->data(), tensor.storage()->data(), made.storage()->bytes());
    return numbers(made);
  }
};

Tensor chain(Tensor x, int ops) {
  for (int i = 0; i < ops; ++i) x = i % 2 == 0 ? add(x, scalar(1)) : mul(x, scalar(0.5));
  return x;
}

TEST_F(Lazy, nothing_is_computed_before_it_is_read) {
  const Tensor y = chain(here(counting({8})), 10);
  EXPECT_EQ(lazy::counts().done, 0U);
  EXPECT_EQ(lazy::counts().waiting, 10U);
  EXPECT_EQ(read(y), numbers(chain(counting({8}), 10)));
  EXPECT_EQ(lazy::counts().waiting, 0U);
}

TEST_F(Lazy, values_inside_a_chain_have_no_memory) {
  static_cast<void>(read(chain(here(counting({100000})), 10)));
  EXPECT_EQ(lazy::counts().done, 10U);
  EXPECT_EQ(lazy::counts().fused, 9U);
}

TEST_F(Lazy, what_no_one_reads_is_never_computed) {
  const Tensor x = here(counting({8}));
  {
    const Tensor dead = chain(x, 5);
  }
  EXPECT_EQ(lazy::counts().waiting, 0U);
  const Tensor unread = chain(x, 5);
  static_cast<void>(read(neg(x)));
  EXPECT_EQ(lazy::counts().done, 1U);
}

TEST_F(Lazy, equal_calls_are_done_once) {
  const Tensor x = here(counting({8}));
  const Tensor y = add(exp(x), exp(x));
  EXPECT_EQ(read(y)[1], static_cast<double>(2 * std::exp(1.0F)));
  EXPECT_EQ(lazy::counts().merged, 1U);
}

TEST_F(Lazy, calls_with_other_numbers_or_places_are_not_merged) {
  const Tensor x = here(counting({4, 4}));
  EXPECT_EQ(read(sub(add(x, scalar(1)), add(x, scalar(2)))), Numbers(16, -1));
  EXPECT_EQ(read(sub(add(x, x, 3), add(x, x, 2))), read(x));
  EXPECT_EQ(read(sub(select(x, 0, 0), select(x, 0, 1))), Numbers(4, -4));
  EXPECT_EQ(read(sub(relu(x), neg(x)))[3], 6);
  EXPECT_EQ(lazy::counts().merged, 0U);
}

TEST_F(Lazy, two_draws_of_random_numbers_differ_and_come_in_the_order_of_the_calls) {
  const auto draw = [](Backend device) {
    const DeviceGuard guard(device);
    return rand(Sizes{4}, Dtype::float32, std::nullopt, std::nullopt, std::nullopt);
  };
  manual_seed(3);
  const Tensor a = draw(lazy::kDevice);
  const Tensor b = draw(lazy::kDevice);
  const Tensor second = add(b, scalar(0));
  const Numbers of_b = read(second);
  const Numbers of_a = read(a);
  manual_seed(3);
  EXPECT_EQ(of_a, numbers(draw(Backend::CPU)));
  EXPECT_EQ(of_b, numbers(draw(Backend::CPU)));
  EXPECT_NE(of_a, of_b);
}

TEST_F(Lazy, a_graph_of_the_same_structure_and_sizes_has_its_plan_already) {
  const auto run = [](const Tensor& x) { return read(sum(chain(x, 6))); };
  const Tensor eleven = here(counting({11}));
  const Tensor ones = here(add(counting({10}), scalar(1)));
  const Tensor ten = here(counting({10}));
  static_cast<void>(run(ones));
  EXPECT_EQ(run(ten), numbers(sum(chain(counting({10}), 6))));
  EXPECT_EQ(lazy::counts().hits, 1U);
  EXPECT_EQ(run(eleven), numbers(sum(chain(counting({11}), 6))));
  EXPECT_EQ(lazy::counts().hits, 1U);
  EXPECT_EQ(lazy::counts().misses, 2U);
}

TEST_F(Lazy, a_write_through_a_view_does_not_change_what_was_read_before) {
  const Tensor x = here(counting({3, 3}));
  const Tensor before = add(x, scalar(0));
  fill_(select(x, 1, 1), 9);
  add_(transpose(x, 0, 1), before);
  EXPECT_EQ(read(before), numbers(counting({3, 3})));
  EXPECT_EQ(read(x), (Numbers{0, 12, 8, 4, 13, 12, 8, 14, 16}));
}

TEST_F(Lazy, an_old_value_that_someone_waits_for_is_not_overwritten) {
  const Tensor x = add(here(counting({2, 2})), scalar(1));
  const Tensor waits = add(x, scalar(0));
  fill_(select(x, 0, 0), 9);
  EXPECT_EQ(read(x), (Numbers{9, 9, 3, 4}));
  EXPECT_EQ(read(waits), (Numbers{1, 2, 3, 4}));
}

TEST_F(Lazy, a_graph_with_its_operands_elsewhere_has_another_plan) {
  const Tensor a = here(counting({3}));
  const Tensor b = here(add(counting({3}), scalar(1)));
  EXPECT_EQ(read(sub(add(a, a), mul(b, b))), (Numbers{-1, -2, -5}));
  EXPECT_EQ(read(sub(add(a, b), mul(a, b))), (Numbers{1, 1, -1}));
  EXPECT_EQ(lazy::counts().hits, 0U);
}

TEST_F(Lazy, a_million_calls_wait_in_bounded_numbers_and_no_call_is_nested) {
  Tensor x = here(counting({2}));
  for (int i = 0; i < 1'000'000; ++i) {
    x = add(x, scalar(1));
    if (i % 1000 == 0) {
      ASSERT_LE(lazy::counts().waiting, lazy::kMostWaiting);
    }
  }
  EXPECT_EQ(read(x), (Numbers{1'000'000, 1'000'001}));
}

TEST_F(Lazy, a_long_graph_is_given_up_without_recursion) {
  Tensor x = here(counting({2}));
  x = chain(x, static_cast<int>(lazy::kMostWaiting) - 1);
  EXPECT_EQ(lazy::counts().waiting, lazy::kMostWaiting - 1);
  x = {};
  EXPECT_EQ(lazy::counts().waiting, 0U);
}

TEST_F(Lazy, a_computation_that_fails_raises_where_it_is_read_and_is_tried_again) {
  const Tensor x = here(counting({2}));
  const Tensor good = add(x, scalar(1));
  const Tensor large = add(clone(expand(good, {std::int64_t{1} << 37, 2})), scalar(1));  // a tebibyte
  for (int i = 0; i < 2; ++i) {
    const std::size_t waiting = lazy::counts().waiting;
    std::byte first{};
    EXPECT_EQ(error_of([&] { memory_of(lazy::kDevice).copy_to_cpu(&first, large.storage()->data(), 1); }),
              ErrorClass::memory);
    EXPECT_EQ(lazy::counts().waiting, waiting);
    EXPECT_EQ(lazy::counts().evaluated, 0U);
  }
  EXPECT_EQ(read(good), (Numbers{1, 2}));
}

TEST_F(Lazy, a_computation_that_fails_does_not_fail_ops_on_other_tensors) {
  const Tensor x = here(counting({2}));
  const Tensor large = clone(expand(x, {std::int64_t{1} << 37, 2}));  // a tebibyte
  Tensor good = x;
  for (std::size_t i = 0; i < 2 * lazy::kMostWaiting; ++i) good = add(good, scalar(1));
  EXPECT_EQ(read(good), (Numbers{2 * lazy::kMostWaiting, 2 * lazy::kMostWaiting + 1}));
  std::byte first{};
  EXPECT_EQ(error_of([&] { memory_of(lazy::kDevice).copy_to_cpu(&first, large.storage()->data(), 1); }),
            ErrorClass::memory);
}

TEST_F(Lazy, an_op_that_would_make_a_graph_too_large_raises_and_does_nothing) {
  const Tensor x = here(counting({2}));
  Tensor large = clone(expand(x, {std::int64_t{1} << 37, 2}));  // a tebibyte
  while (lazy::counts().waiting < lazy::kMostWaiting) large = add(large, scalar(1));
  const std::size_t waiting = lazy::counts().waiting;
  try {
    add_(x, scalar(1));
    ADD_FAILURE() << "it did not raise";
  } catch (const Error& error) {
    EXPECT_EQ(error.error, ErrorClass::memory);
    EXPECT_NE(std::string(error.what()).find("too large"), std::string::npos) << error.what();
  }
  EXPECT_EQ(lazy::counts().waiting, waiting);
  EXPECT_EQ(version_of(x), 0U);
  EXPECT_EQ(read(x), (Numbers{0, 1}));
  large = {};
  add_(x, scalar(1));
  EXPECT_EQ(read(x), (Numbers{1, 2}));
}

TEST_F(Lazy, an_index_is_checked_when_the_op_is_called) {
  const Tensor index = add(here(tensor({2}, {0, 1}, Dtype::int64)), here(scalar(1, Dtype::int64)));
  EXPECT_EQ(error_of([&] { static_cast<void>(gather(here(counting({2})), 0, index, false)); }),
            ErrorClass::index_range);
}

TEST_F(Lazy, memory_is_given_back) {
  const std::int64_t on_cpu = memory_of(Backend::CPU).in_use();
  const std::int64_t before = memory_of(lazy::kDevice).in_use();
  {
    const Tensor x = here(counting({100}));
    const Tensor y = chain(x, 10);
    add_(x, scalar(1));
    static_cast<void>(read(sum(y)));
    const Tensor z = chain(y, 10);
  }
  EXPECT_EQ(memory_of(lazy::kDevice).in_use(), before);
  EXPECT_EQ(memory_of(Backend::CPU).in_use(), on_cpu);
}

/// The bits of numbers, among which not-a-number is equal to itself.
using Bits = std::vector<std::uint64_t>;

/// Ops on a few matrices, with views and writes; the same numbers choose the same ops.
std::vector<Bits> computed(Backend device, const std::vector<int>& choices, const std::function<void()>& between) {
  std::vector<Tensor> all{on_device(counting({4, 4}), device), on_device(counting({4, 4}, Dtype::float64), device)};
  for (const int choice : choices) {
    const auto pick = [&](int salt) -> const Tensor& {
      return all[static_cast<std::size_t>(choice / 16 + salt) % all.size()];
    };
    const Tensor& a = pick(0);
    const Tensor& b = pick(1);
    switch (choice % 16) {
      case 0:
        all.push_back(add(a, b));
        break;
      case 1:
        all.push_back(tanh(transpose(a, 0, 1)));
        break;
      case 2:
        mul_(slice(a, 0, 1, 3), scalar(0.5));
        break;
      case 3:
        copy_(select(a, 1, 2), select(b, 0, 1));
        break;
      case 4:
        all.push_back(softmax(a, 1, std::nullopt));
        break;
      case 5:
        all.push_back(where(gt(a, b), a, b));
        break;
      case 6:
        all.push_back(exp(mul(a, scalar(-0.25))));
        break;
      case 7:
        masked_fill_(a, gt(b, scalar(2)), 1.5);
        break;
      case 8:
        all.push_back(sub(a, sum(b, Sizes{0}, false)));
        break;
      case 9:
        fill_(select(a, 0, 3), 0.25);
        break;
      case 10:
        all.push_back(mm(to(a, Dtype::float32), transpose(to(b, Dtype::float32), 0, 1)));
        break;
      default:
        all.push_back(tanh(add(a, select(b, 1, choice % 4))));
    }
    between();
  }
  std::vector<Bits> read;
  for (const Tensor& one : all) {
    read.emplace_back();
    for (const double number : numbers(to_cpu(one))) read.back().push_back(std::bit_cast<std::uint64_t>(number));
  }
  return read;
}

RC_GTEST_FIXTURE_PROP(Lazy, a_barrier_is_never_observed, (const std::vector<int>& numbers, std::uint32_t seed)) {
  std::vector<int> choices;
  for (const int number : numbers) choices.push_back(std::abs(number % 4096));
  const auto run = [&](const std::function<void()>& between) { return computed(lazy::kDevice, choices, between); };
  const auto without = run([] {});
  RC_ASSERT(run([] { lazy::sync(); }) == without);
  RC_ASSERT(run([&] {
              seed = seed * 1664525U + 1013904223U;
              if (seed >> 30U == 0) lazy::sync();
            }) == without);
}

TEST_F(Lazy, tiles_of_many_elements_compute_what_the_cpu_does) {
  for (const std::int64_t n : {70, 600}) {  // several tiles, and several threads
    const Tensor x = counting({n, n});
    const Tensor row = counting({n});
    const Tensor whole = counting({n, n}, Dtype::int64);
    const auto run = [&](const Tensor& a, const Tensor& b, const Tensor& c) {
      const Tensor product = add(mul(a, transpose(a, 0, 1)), b);
      const Tensor chosen = where(gt(product, a), product, neg(a));
      return add(masked_fill(sub(chosen, c), eq(c, b), 0.5), transpose(to(c, Dtype::float64), 0, 1));
    };
    EXPECT_EQ(read(run(here(x), here(row), here(whole))), numbers(run(x, row, whole))) << n;
  }
}

}  // namespace
}  // namespace plumbline::optimized
