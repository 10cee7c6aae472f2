// The operations of the concrete domain agree with independent definitions on random inputs.
#include "spec/vocabulary/domain.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "spec/vocabulary/concrete.h"
#include "spec/vocabulary/keys.h"

namespace plumbline::domain_test {
namespace {

using B = Bool<Concrete>;
using N = Num<Concrete>;
using K = KeySet<Concrete>;

static_assert(!std::convertible_to<B, bool>, "`if (x)` must not compile in a rule");

RC_GTEST_PROP(Domain, connectives_are_the_truth_tables, (bool a, bool b)) {
  RC_ASSERT((B(a) && B(b)).v == (a ? b : false));
  RC_ASSERT((B(a) || B(b)).v == (a ? true : b));
  RC_ASSERT((!B(a)).v == (a ? false : true));
}

RC_GTEST_PROP(Domain, division_is_euclidean, (std::int32_t n, std::int32_t d)) {
  RC_PRE(d != 0);
  const std::int64_t quotient = (N(n) / N(d)).v;
  const std::int64_t rest = (N(n) % N(d)).v;
  RC_ASSERT(quotient * d + rest == n);
  RC_ASSERT(rest >= 0);
  RC_ASSERT(rest < std::abs(static_cast<std::int64_t>(d)));
}

RC_GTEST_PROP(Domain, arithmetic_wraps, (std::int64_t a, std::int64_t b)) {
  std::int64_t wrapped = 0;
  (void)__builtin_add_overflow(a, b, &wrapped);
  RC_ASSERT((N(a) + N(b)).v == wrapped);
  (void)__builtin_mul_overflow(a, b, &wrapped);
  RC_ASSERT((N(a) * N(b)).v == wrapped);
  (void)__builtin_sub_overflow(a, b, &wrapped);
  RC_ASSERT((N(a) - N(b)).v == wrapped);
}

RC_GTEST_PROP(Domain, comparisons_agree_with_each_other, (std::int64_t a, std::int64_t b)) {
  RC_ASSERT((N(a) < N(b)).v == (a < b));
  RC_ASSERT((N(a) <= N(b)).v == !(N(b) < N(a)).v);
  RC_ASSERT((N(a) == N(b)).v == ((N(a) <= N(b)).v && (N(b) <= N(a)).v));
}

RC_GTEST_PROP(Domain, different_is_not_the_same, (std::uint8_t a, std::uint8_t b)) {
  enum class Digit : std::uint8_t {};
  using C = Choice<Concrete, Digit>;
  RC_ASSERT((N(a) != N(b)).v == (a != b));
  RC_ASSERT((K::raw(a) != K::raw(b)).v == (a != b));
  RC_ASSERT((C(static_cast<Digit>(a)) != C(static_cast<Digit>(b))).v == (a != b));
  RC_ASSERT((B(a % 2 == 0) != B(b % 2 == 0)).v == (a % 2 != b % 2));
}

RC_GTEST_PROP(Domain, select_takes_the_side_of_its_condition, (bool condition, std::int64_t a, std::int64_t b)) {
  RC_ASSERT(select(B(condition), N(a), N(b)).v == (condition ? a : b));
}

RC_GTEST_PROP(Domain, key_sets_are_sets_of_bits, (std::uint64_t a, std::uint64_t b)) {
  const int bit = *rc::gen::inRange(0, 64);
  const auto has = [bit](std::uint64_t word) { return (word >> bit) % 2 == 1; };
  RC_ASSERT(has((K::raw(a) | K::raw(b)).v) == (has(a) || has(b)));
  RC_ASSERT(has((K::raw(a) & K::raw(b)).v) == (has(a) && has(b)));
  RC_ASSERT(has((K::raw(a) - K::raw(b)).v) == (has(a) && !has(b)));
}

}  // namespace
}  // namespace plumbline::domain_test
