// Kernels on 10^5 to 10^7 elements, from any place in memory, against a loop: each element, and those beside the
// result.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <concepts>

#include "optimized/cpu/parallel.h"
#include "optimized/cpu/simd.h"
#include "optimized/tests/values.h"

namespace plumbline::optimized::large_test {
namespace {

using testing::Numbers;
using testing::numbers;

/// The elements before and after a result.
constexpr int kBeside = 77;
/// Places from which a result may begin, in elements: aligned to nothing but its elements.
constexpr std::array<std::int64_t, 3> kOffsets{0, 1, 7};

template <class T>
constexpr Dtype kDtype = std::same_as<T, float>          ? Dtype::float32
                         : std::same_as<T, double>       ? Dtype::float64
                         : std::same_as<T, std::int32_t> ? Dtype::int32
                                                         : Dtype::int64;

/// Around where results begin to go past the caches, and the smaller and larger that are not a multiple of anything.
template <class T>
std::vector<std::int64_t> lengths() {
  const auto streamed = simd::kStreamedBytes / static_cast<std::int64_t>(sizeof(T));
  return {100'003, streamed - 1, streamed, streamed + 1, streamed + 61};
}

template <class T>
T first_at(std::int64_t i) {
  return static_cast<T>(i * 7 % 1001 - 500);
}
template <class T>
T second_at(std::int64_t i) {
  return static_cast<T>(i % 97 + 1);
}

/// A row of n elements, `offset` elements into memory with more on either side.
template <class T>
Tensor row(std::int64_t n, std::int64_t offset) {
  const Tensor whole = full({n + offset + 16}, kBeside, kDtype<T>);
  return alias_of(whole, {n}, {1}, offset);
}
template <class T, class At>
Tensor row_of(std::int64_t n, std::int64_t offset, const At& at) {
  Tensor made = row<T>(n, offset);
  for (std::int64_t i = 0; i < n; ++i) made.data<T>()[i] = at(i);
  return made;
}

/// Holds that element i of `seen` is expected(i), and that what stands beside a row is as it was.
template <class T, class Expected>
void hold(const Tensor& seen, std::int64_t offset, const Expected& expected) {
  const std::int64_t n = seen.numel();
  const T* at = seen.data<T>();
  for (std::int64_t i = 0; i < n; ++i) ASSERT_EQ(at[i], static_cast<T>(expected(i))) << i << " of " << n;
  for (std::int64_t i = 1; i <= offset; ++i) ASSERT_EQ(at[-i], static_cast<T>(kBeside)) << "before, of " << n;
  for (std::int64_t i = 0; i < 16; ++i) ASSERT_EQ(at[n + i], static_cast<T>(kBeside)) << "behind, of " << n;
}

template <class T>
class Large : public ::testing::Test {
 protected:
  /// Calls `check(n, offset)` for each length and offset.
  template <class Check>
  static void each(const Check& check) {
    for (const std::int64_t n : lengths<T>())
      for (const std::int64_t offset : kOffsets) {
        check(n, offset);
        if (::testing::Test::HasFatalFailure()) return;
      }
  }
  static Tensor first(std::int64_t n, std::int64_t offset) { return row_of<T>(n, offset, first_at<T>); }
  static Tensor second(std::int64_t n, std::int64_t offset) { return row_of<T>(n, offset, second_at<T>); }
};
using Dtypes = ::testing::Types<float, double, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(Large, Dtypes);

TYPED_TEST(Large, add_at_any_place) {
  using T = TypeParam;
  this->each([&](std::int64_t n, std::int64_t offset) {
    const Tensor out = row<T>(n, offset);
    add_out(this->first(n, 2), this->second(n, 5), 1, out);
    hold<T>(out, offset, [](std::int64_t i) { return first_at<T>(i) + second_at<T>(i); });
  });
}
TYPED_TEST(Large, sub_with_alpha_at_any_place) {
  using T = TypeParam;
  this->each([&](std::int64_t n, std::int64_t offset) {
    const Tensor out = row<T>(n, offset);
    sub_out(this->first(n, 1), this->second(n, 0), 3, out);
    hold<T>(out, offset, [](std::int64_t i) { return first_at<T>(i) - 3 * second_at<T>(i); });
  });
}
TYPED_TEST(Large, mul_by_one_element_at_any_place) {
  using T = TypeParam;
  const Tensor three = full({1}, 3, kDtype<T>);
  this->each([&](std::int64_t n, std::int64_t offset) {
    const Tensor out = row<T>(n, offset);
    mul_out(three, this->second(n, offset), out);
    hold<T>(out, offset, [](std::int64_t i) { return 3 * second_at<T>(i); });
  });
}
TYPED_TEST(Large, mul_in_place_at_any_place) {
  using T = TypeParam;
  this->each([&](std::int64_t n, std::int64_t offset) {
    const Tensor written = this->first(n, offset);
    mul_(written, this->second(n, 3));
    hold<T>(written, offset, [](std::int64_t i) { return first_at<T>(i) * second_at<T>(i); });
  });
}
TYPED_TEST(Large, neg_at_any_place) {
  using T = TypeParam;
  this->each([&](std::int64_t n, std::int64_t offset) {
    const Tensor out = row<T>(n, offset);
    neg_out(this->first(n, offset + 1), out);
    hold<T>(out, offset, [](std::int64_t i) { return -first_at<T>(i); });
  });
}
TYPED_TEST(Large, fill_and_copy_at_any_place) {
  using T = TypeParam;
  this->each([&](std::int64_t n, std::int64_t offset) {
    const Tensor filled = row<T>(n, offset);
    fill_(filled, 5);
    hold<T>(filled, offset, [](std::int64_t) { return 5; });
    copy_(filled, this->first(n, 1));
    hold<T>(filled, offset, [](std::int64_t i) { return first_at<T>(i); });
  });
}
TYPED_TEST(Large, comparisons_from_any_place) {
  using T = TypeParam;
  this->each([&](std::int64_t n, std::int64_t offset) {
    const Tensor truth = gt(this->first(n, offset), this->second(n, 1));
    for (std::int64_t i = 0; i < n; ++i)
      ASSERT_EQ(truth.data<bool>()[i], first_at<T>(i) > second_at<T>(i)) << i << " of " << n;
  });
}
TYPED_TEST(Large, results_of_several_threads) {
  using T = TypeParam;
  const std::int64_t n = 3'000'017;
  set_num_threads(3);
  const Tensor out = row<T>(n, 5);
  add_out(this->first(n, 2), this->second(n, 3), 1, out);
  const Tensor copied = row<T>(n, 3);
  copy_(copied, out);
  set_num_threads(1);
  hold<T>(copied, 3, [](std::int64_t i) { return first_at<T>(i) + second_at<T>(i); });
}
TYPED_TEST(Large, sums_from_any_place) {
  using T = TypeParam;
  this->each([&](std::int64_t n, std::int64_t offset) {
    const Tensor ones_and_twos = row_of<T>(n, offset, [](std::int64_t i) { return static_cast<T>(i % 2 + 1); });
    const std::int64_t total = n + (n / 2);
    ASSERT_EQ(numbers(sum(ones_and_twos)), Numbers{static_cast<double>(total)}) << n;
  });
}
TYPED_TEST(Large, the_maximum_wherever_it_is) {
  using T = TypeParam;
  const std::int64_t n = lengths<T>().back();
  for (const std::int64_t place : {std::int64_t{0}, std::int64_t{1}, n / 2, n - 1}) {
    const Tensor x = row_of<T>(n, 1, [&](std::int64_t i) { return static_cast<T>(i == place ? 9 : i % 5); });
    ASSERT_EQ(numbers(max(x)), Numbers{9}) << place;
  }
}

TEST(LargeFloats, div_at_any_place) {
  for (const std::int64_t offset : kOffsets) {
    const std::int64_t n = lengths<float>().back();
    const Tensor out = row<float>(n, offset);
    div_out(row_of<float>(n, 1, first_at<float>), row_of<float>(n, 2, second_at<float>), out);
    hold<float>(out, offset, [](std::int64_t i) { return first_at<float>(i) / second_at<float>(i); });
  }
}
TEST(LargeFloats, exp_at_any_place_is_close) {
  for (const std::int64_t offset : kOffsets) {
    const std::int64_t n = lengths<float>().back();
    const Tensor out = row<float>(n, offset);
    exp_out(row_of<float>(n, 1, [](std::int64_t i) { return static_cast<float>(i % 40 - 20); }), out);
    for (std::int64_t i = 0; i < n; ++i) {
      const auto expected = std::exp(static_cast<double>(i % 40 - 20));
      ASSERT_NEAR(out.data<float>()[i], expected, 1e-6 * expected) << i;
    }
    ASSERT_EQ(out.data<float>()[n], kBeside);
  }
}
TEST(LargeFloats, ten_million_elements) {
  const std::int64_t n = 10'000'019;
  const Tensor out = row<float>(n, 1);
  add_out(row_of<float>(n, 0, first_at<float>), row_of<float>(n, 3, second_at<float>), 1, out);
  hold<float>(out, 1, [](std::int64_t i) { return first_at<float>(i) + second_at<float>(i); });
}

}  // namespace
}  // namespace plumbline::optimized::large_test
