// The concrete domain: rules on plain `bool`, `uint64_t` and `int64_t`. The reference uses it, and `static_assert` can
// test a rule in it.
#pragma once

#include "spec/vocabulary/domain.h"

namespace plumbline {

inline namespace PLUMBLINE_DOMAINS {

/// Machine values. Integer arithmetic wraps as two's complement; `divide` and `remainder` are Euclidean.
struct Concrete {
  using Truth = bool;
  using Word = std::uint64_t;
  using Integer = std::int64_t;

  static constexpr bool truth(bool b) { return b; }
  static constexpr bool negate(bool b) { return !b; }
  static constexpr bool both(bool a, bool b) { return a && b; }
  static constexpr bool either(bool a, bool b) { return a || b; }
  static constexpr bool same(bool a, bool b) { return a == b; }
  static constexpr bool choose(bool c, bool a, bool b) { return c ? a : b; }

  static constexpr Word word(std::uint64_t w) { return w; }
  static constexpr Word bit_and(Word a, Word b) { return a & b; }
  static constexpr Word bit_or(Word a, Word b) { return a | b; }
  static constexpr Word bit_not(Word a) { return ~a; }
  static constexpr bool same_word(Word a, Word b) { return a == b; }
  static constexpr Word choose_word(bool c, Word a, Word b) { return c ? a : b; }

  static constexpr Integer integer(std::int64_t i) { return i; }
  static constexpr Integer add(Integer a, Integer b) { return wrap(bits(a) + bits(b)); }
  static constexpr Integer subtract(Integer a, Integer b) { return wrap(bits(a) - bits(b)); }
  static constexpr Integer multiply(Integer a, Integer b) { return wrap(bits(a) * bits(b)); }
  static constexpr Integer divide(Integer a, Integer b) { return b == 0 ? 0 : (a - remainder(a, b)) / b; }
  static constexpr Integer remainder(Integer a, Integer b) {
    if (b == 0) return a;
    const Integer r = a % b;
    return r >= 0 ? r : r + (b > 0 ? b : -b);
  }
  static constexpr bool less(Integer a, Integer b) { return a < b; }
  static constexpr bool same_integer(Integer a, Integer b) { return a == b; }
  static constexpr Integer choose_integer(bool c, Integer a, Integer b) { return c ? a : b; }

 private:
  static constexpr std::uint64_t bits(Integer i) { return static_cast<std::uint64_t>(i); }
  static constexpr Integer wrap(std::uint64_t w) { return static_cast<Integer>(w); }
};

static_assert(Domain<Concrete>);

}  // namespace PLUMBLINE_DOMAINS

}  // namespace plumbline
