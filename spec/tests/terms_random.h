// Random expressions that can be built in any domain. The agreement tests of terms evaluate them in several ways.
#pragma once

#include <rapidcheck.h>

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "spec/vocabulary/domain.h"

namespace plumbline {

/// An expression of any domain as a tree of numbers: `kind` is its operation, by sort.
struct Expression {
  enum class Sort : std::uint8_t { truth, word, integer };
  Sort sort{};
  int kind = 0;  ///< 0: the leaf `leaf`, else an operation
  std::size_t leaf = 0;
  std::vector<Expression> parts;
};

/// The leaves' values. Small integers, so that six levels of products fit in 64 bits.
struct Leaves {
  std::array<bool, 3> truths{};
  std::array<std::uint64_t, 4> words{};
  std::array<std::int64_t, 4> integers{};
};

/// The values of the leaves in a domain.
template <Domain D>
struct LeavesIn {
  std::array<typename D::Truth, 3> truths;
  std::array<typename D::Word, 4> words;
  std::array<typename D::Integer, 4> integers;
};

template <Domain D>
struct Evaluator {
  const LeavesIn<D>& leaves;

  typename D::Truth truth(const Expression& e) const {
    const auto& p = e.parts;
    switch (e.kind) {
      case 0:
        return leaves.truths[e.leaf % 3];
      case 1:
        return D::negate(truth(p[0]));
      case 2:
        return D::both(truth(p[0]), truth(p[1]));
      case 3:
        return D::either(truth(p[0]), truth(p[1]));
      case 4:
        return D::same(truth(p[0]), truth(p[1]));
      case 5:
        return D::choose(truth(p[0]), truth(p[1]), truth(p[2]));
      case 6:
        return D::same_word(word(p[0]), word(p[1]));
      case 7:
        return D::less(integer(p[0]), integer(p[1]));
      case 8:
        return D::same_integer(integer(p[0]), integer(p[1]));
      default:
        return D::truth(e.leaf % 2 == 1);
    }
  }
  typename D::Word word(const Expression& e) const {
    const auto& p = e.parts;
    switch (e.kind) {
      case 0:
        return leaves.words[e.leaf % 4];
      case 1:
        return D::bit_and(word(p[0]), word(p[1]));
      case 2:
        return D::bit_or(word(p[0]), word(p[1]));
      case 3:
        return D::bit_not(word(p[0]));
      case 4:
        return D::choose_word(truth(p[0]), word(p[1]), word(p[2]));
      default:
        return D::word(std::array<std::uint64_t, 4>{0, 1, ~0ULL, 1ULL << 63U}[e.leaf % 4]);
    }
  }
  typename D::Integer integer(const Expression& e) const {
    const auto& p = e.parts;
    switch (e.kind) {
      case 0:
        return leaves.integers[e.leaf % 4];
      case 1:
        return D::add(integer(p[0]), integer(p[1]));
      case 2:
        return D::subtract(integer(p[0]), integer(p[1]));
      case 3:
        return D::multiply(integer(p[0]), integer(p[1]));
      case 4:  // by a literal other than zero: division by zero is undefined
        return D::divide(integer(p[0]), D::integer(divisor(e)));
      case 5:
        return D::remainder(integer(p[0]), D::integer(divisor(e)));
      case 6:
        return D::choose_integer(truth(p[0]), integer(p[1]), integer(p[2]));
      default:
        return D::integer(static_cast<std::int64_t>(e.leaf % 5) - 2);
    }
  }
  static std::int64_t divisor(const Expression& e) {
    return std::array<std::int64_t, 6>{1, -1, 2, -2, 7, -3}[e.leaf % 6];
  }
};

/// An expression of the given sort, at most `depth` operations deep.
inline Expression random_expression(Expression::Sort sort, int depth) {
  using enum Expression::Sort;
  constexpr std::array<int, 3> kOperations{8, 4, 6};  // kinds 1 to this number have parts; the next one is a literal
  const int last = kOperations[static_cast<std::size_t>(sort)];
  Expression e{sort,
               depth == 0 ? *rc::gen::element(0, last + 1) : *rc::gen::inRange(0, last + 2),
               *rc::gen::inRange<std::size_t>(0, 60),
               {}};
  if (e.kind == 0 || e.kind > last) return e;
  const auto parts = [&](std::initializer_list<Expression::Sort> sorts) {
    for (const Expression::Sort s : sorts) e.parts.push_back(random_expression(s, depth - 1));
  };
  if (sort == truth) {
    if (e.kind == 1) parts({truth});
    if (e.kind >= 2 && e.kind <= 4) parts({truth, truth});
    if (e.kind == 5) parts({truth, truth, truth});
    if (e.kind == 6) parts({word, word});
    if (e.kind >= 7) parts({integer, integer});
  } else if (sort == word) {
    if (e.kind <= 2) parts({word, word});
    if (e.kind == 3) parts({word});
    if (e.kind == 4) parts({truth, word, word});
  } else {
    if (e.kind <= 3) parts({integer, integer});
    if (e.kind == 4 || e.kind == 5) parts({integer});
    if (e.kind == 6) parts({truth, integer, integer});
  }
  return e;
}

inline Leaves random_leaves() {
  Leaves leaves;
  for (bool& b : leaves.truths) b = *rc::gen::arbitrary<bool>();
  for (std::uint64_t& w : leaves.words)
    w = *rc::gen::oneOf(rc::gen::arbitrary<std::uint64_t>(), rc::gen::element<std::uint64_t>(0, 1, ~0ULL, 1ULL << 63U));
  for (std::int64_t& i : leaves.integers) i = *rc::gen::element<std::int64_t>(0, 1, -1, 2, -2, 3, 5, -7);
  return leaves;
}

}  // namespace plumbline
