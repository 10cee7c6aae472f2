// Every operation of the domains means the same in plain values, in simplified terms, in Z3, and in the SMT-LIB files
// that z3 reads.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>

#include "spec/proofs/smtlib.h"
#include "spec/proofs/solver.h"
#include "spec/proofs/symbolic.h"
#include "spec/proofs/term.h"
#include "spec/tests/terms_random.h"
#include "spec/vocabulary/concrete.h"

namespace plumbline {
namespace {

using proofs::Answer;
using proofs::Opaque;
using proofs::Sort;
using proofs::Symbolic;
using proofs::Term;

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::array<std::int64_t, 10> kEdges{0, 1, -1, 2, -2, 7, -7, 1LL << 31, kLeast, kMost};
constexpr std::array<std::uint64_t, 6> kWords{
    0, 1, ~0ULL, 1ULL << 63U, 0x00ff00ff00ff00ffULL, 0xf0f0'1234'5678'9abcULL};

Term literal(bool v) { return proofs::truth(v); }
Term literal(std::uint64_t v) { return proofs::word(v); }
Term literal(std::int64_t v) { return proofs::integer(v); }
constexpr Sort sort(bool /*v*/) { return Sort::Truth; }
constexpr Sort sort(std::uint64_t /*v*/) { return Sort::Word; }
constexpr Sort sort(std::int64_t /*v*/) { return Sort::Integer; }

/// The value as Z3 prints it.
std::string printed(bool v) { return v ? "true" : "false"; }
std::string printed(std::uint64_t v) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "#x%016llx", static_cast<unsigned long long>(v));
  return text.data();
}
std::string printed(std::int64_t v) { return std::to_string(v); }

/// A term of the domain in its strong type, and back.
Symbolic::Truth as(bool /*v*/, Term t) { return {t}; }
Symbolic::Word as(std::uint64_t /*v*/, Term t) { return {t}; }
Symbolic::Integer as(std::int64_t /*v*/, Term t) { return {t}; }

/// The value of `watched` by Z3, under `premises`.
std::string in_z3(const std::vector<Term>& premises, Term watched) {
  const Answer answer = proofs::solve(premises, {}, std::array{watched});
  if (answer.kind != Answer::Kind::satisfiable) return "no value: " + answer.why;
  return answer.values.at(watched);
}

/// Plain values give `expected`. So must the term of literals, folded or in Z3; the term of variables with those
/// values, in Z3; and the terms with one variable and literals otherwise, which go through the simplifications.
template <class D, class Result, class Operation, class... Values>
void agrees(const char* name, Result expected, const Operation& operation, Values... values) {
  const std::vector<Term> literals{literal(values)...};
  const std::vector<Term> variables = [&] {
    int i = 0;
    return std::vector<Term>{proofs::variable("terms_test." + std::to_string(i++), sort(values))...};
  }();
  std::vector<Term> premises;
  for (std::size_t i = 0; i < literals.size(); ++i) premises.push_back(proofs::same(variables[i], literals[i]));
  for (unsigned mask = 0; mask < 1U << literals.size(); ++mask) {
    std::size_t i = 0;
    const auto next = [&] {
      const std::size_t at = i++;
      return (mask >> at) % 2 == 1 ? variables[at] : literals[at];
    };
    const std::tuple arguments{as(values, next())...};  // braces: from left to right
    const Term term = std::apply(operation, arguments).t;
    const std::string said =
        proofs::is_literal(term) && term == literal(expected) ? printed(expected) : in_z3(premises, term);
    if (proofs::is_literal(term)) {
      ASSERT_EQ(term, literal(expected)) << name << " is folded to another value";
    }
    ASSERT_EQ(said, printed(expected)) << name << " with variables " << mask << " of " << [&] {
      std::string all;
      ((all += printed(values) + " "), ...);
      return all;
    }();
  }
}

/// Each OPERATION of the domain D on plain VALUES.
#define AGREES(D, OPERATION, ...) \
  agrees<D>(                      \
      #D "::" #OPERATION, Concrete::OPERATION(__VA_ARGS__), [](auto... t) { return D::OPERATION(t...); }, __VA_ARGS__)

bool overflows(const char operation, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (operation == '+') return __builtin_add_overflow(a, b, &result);
  if (operation == '-') return __builtin_sub_overflow(a, b, &result);
  if (operation == '*') return __builtin_mul_overflow(a, b, &result);
  return b == 0 || (a == kLeast && b == -1);  // undefined, or too large for 64 bits
}

template <class D>
void integers_agree(std::int64_t a, std::int64_t b) {
  if (!overflows('+', a, b)) AGREES(D, add, a, b);
  if (!overflows('-', a, b)) AGREES(D, subtract, a, b);
  AGREES(D, less, a, b);
  AGREES(D, same_integer, a, b);
}

/// Products, quotients and remainders. The absolute value of the least integer does not fit.
template <class D>
void products_agree(std::int64_t a, std::int64_t b) {
  if (!overflows('*', a, b)) AGREES(D, multiply, a, b);
  if (b == kLeast || overflows('/', a, b) || overflows('-', a, Concrete::remainder(a, b))) return;
  AGREES(D, divide, a, b);
  AGREES(D, remainder, a, b);
}

void words_agree(std::uint64_t a, std::uint64_t b) {
  AGREES(Symbolic, bit_and, a, b);
  AGREES(Symbolic, bit_or, a, b);
  AGREES(Symbolic, bit_not, a);
  AGREES(Symbolic, same_word, a, b);
}

TEST(Terms, connectives_agree_on_all_truth_values) {
  for (const bool a : {false, true})
    for (const bool b : {false, true}) {
      AGREES(Symbolic, negate, a);
      AGREES(Symbolic, both, a, b);
      AGREES(Symbolic, either, a, b);
      AGREES(Symbolic, same, a, b);
      for (const bool c : {false, true}) AGREES(Symbolic, choose, c, a, b);
    }
}

TEST(Terms, words_agree_at_the_edges) {
  for (const std::uint64_t a : kWords)
    for (const std::uint64_t b : kWords) {
      words_agree(a, b);
      for (const bool c : {false, true}) AGREES(Symbolic, choose_word, c, a, b);
    }
}
RC_GTEST_PROP(Terms, words_agree_on_random_ones, (std::uint64_t a, std::uint64_t b)) { words_agree(a, b); }

TEST(Terms, integers_agree_at_the_edges) {
  for (const std::int64_t a : kEdges)
    for (const std::int64_t b : kEdges) {
      integers_agree<Symbolic>(a, b);
      products_agree<Symbolic>(a, b);
      for (const bool c : {false, true}) AGREES(Symbolic, choose_integer, c, a, b);
    }
}
RC_GTEST_PROP(Terms, integers_agree_on_random_ones, (std::int64_t a, std::int64_t b)) {
  integers_agree<Symbolic>(a, b);
  const std::int64_t c = b / (1LL << 32);
  products_agree<Symbolic>(a / (1LL << 32), c);
  products_agree<Symbolic>(a, *rc::gen::element<std::int64_t>(1, 2, -2, 3, -3, 1000, -1000));
}

/// The opaque domain leaves a product uninterpreted, unless an operand is a literal.
template <class Operation>
void opaque_agrees(Operation operation, std::int64_t expected, std::int64_t a, std::int64_t b) {
  const Opaque::Integer x{proofs::variable("terms_test.opaque", Sort::Integer)};
  const std::vector<Term> premises{proofs::same(x.t, proofs::integer(a))};
  ASSERT_EQ(in_z3(premises, operation(Opaque::integer(a), Opaque::integer(b)).t), printed(expected));
  ASSERT_EQ(in_z3(premises, operation(x, Opaque::integer(b)).t), printed(expected));
}
RC_GTEST_PROP(Terms, opaque_products_of_a_literal_agree, (std::int32_t a, std::int32_t b)) {
  opaque_agrees([](auto x, auto y) { return Opaque::multiply(x, y); }, Concrete::multiply(a, b), a, b);
  if (b == 0) return;
  opaque_agrees([](auto x, auto y) { return Opaque::divide(x, y); }, Concrete::divide(a, b), a, b);
  opaque_agrees([](auto x, auto y) { return Opaque::remainder(x, y); }, Concrete::remainder(a, b), a, b);
}

TEST(Terms, opaque_products_of_two_variables_are_uninterpreted_functions) {
  const auto number = [](const char* name) { return proofs::any_number<Opaque>(name); };
  const auto a = number("terms_test.a");
  const auto b = number("terms_test.b");
  const auto says = [](const Bool<Opaque>& claim) { return proofs::solve({}, std::array{claim.v.t}).kind; };
  using enum Answer::Kind;
  EXPECT_EQ(says(a == 2 && b == 3 && !(a * b == 6)), satisfiable);
  EXPECT_EQ(says(a == 7 && b == 2 && !(a / b == 3)), satisfiable);
  EXPECT_EQ(says(a == 7 && b == 2 && !(a % b == 1)), satisfiable);
  const auto c = number("terms_test.c");
  EXPECT_EQ(says(a == c && !(a * b == c * b)), unsatisfiable);
  EXPECT_EQ(says(a == c && !(a / b == c / b)), unsatisfiable);
  EXPECT_EQ(says(a == c && !(a % b == c % b)), unsatisfiable);
}

TEST(Terms, a_result_that_does_not_fit_is_not_wrapped) {
  const auto positive = [](Term t) { return proofs::solve({}, std::array{proofs::less(proofs::integer(0), t)}).kind; };
  EXPECT_EQ(positive(proofs::add(proofs::integer(kMost), proofs::integer(1))), Answer::Kind::satisfiable);
  EXPECT_EQ(positive(proofs::subtract(proofs::integer(kLeast), proofs::integer(1))), Answer::Kind::unsatisfiable);
  EXPECT_EQ(positive(proofs::multiply(proofs::integer(kMost), proofs::integer(2))), Answer::Kind::satisfiable);
  EXPECT_EQ(positive(proofs::divide(proofs::integer(kLeast), proofs::integer(-1))), Answer::Kind::satisfiable);
}

// --- nested expressions

template <class Make>
LeavesIn<Symbolic> terms_of(const Leaves& leaves, const Make& make) {
  LeavesIn<Symbolic> terms;
  for (std::size_t i = 0; i < 3; ++i) terms.truths[i] = {make("b", i, leaves.truths[i])};
  for (std::size_t i = 0; i < 4; ++i) terms.words[i] = {make("w", i, leaves.words[i])};
  for (std::size_t i = 0; i < 4; ++i) terms.integers[i] = {make("i", i, leaves.integers[i])};
  return terms;
}
LeavesIn<Symbolic> literals_of(const Leaves& leaves) {
  return terms_of(leaves, [](const char* /*kind*/, std::size_t /*i*/, auto value) { return literal(value); });
}
/// Variables, some of them equal: equal arguments are simplified as well.
LeavesIn<Symbolic> variables_of(const Leaves& leaves, std::vector<Term>& premises) {
  return terms_of(leaves, [&](const char* kind, std::size_t i, auto value) {
    const Term v = proofs::variable("terms_test." + std::string(kind) + std::to_string(i), sort(value));
    premises.push_back(proofs::same(v, literal(value)));
    return v;
  });
}

template <class D>
auto evaluated(const Expression& e, const LeavesIn<D>& leaves, const auto& use) {
  const Evaluator<D> evaluator{leaves};
  if (e.sort == Expression::Sort::truth) return use(evaluator.truth(e));
  if (e.sort == Expression::Sort::word) return use(evaluator.word(e));
  return use(evaluator.integer(e));
}
Term term_of(const Expression& e, const LeavesIn<Symbolic>& leaves) {
  return evaluated<Symbolic>(e, leaves, [](auto value) { return value.t; });
}

/// The value that a term has in plain values, computed from the term itself: a second reading of what it means.
struct Meaning {
  const std::map<Term, std::int64_t>& variables;  ///< the words' and truth values' bits

  std::int64_t of(Term t) const {
    using proofs::Operator;
    const proofs::Node n = proofs::node(t);
    const std::vector<Term> a(n.arguments.begin(), n.arguments.end());
    const auto at = [&](std::size_t i) { return of(a[i]); };
    switch (n.op) {
      case Operator::literal:
        return static_cast<std::int64_t>(n.payload);
      case Operator::variable:
        return variables.at(t);
      case Operator::negate:
        return at(0) == 0 ? 1 : 0;
      case Operator::both:
        return at(0) & at(1);
      case Operator::either:
        return at(0) | at(1);
      case Operator::same:
        return at(0) == at(1) ? 1 : 0;
      case Operator::choose:
        return at(0) != 0 ? at(1) : at(2);
      case Operator::bit_and:
        return at(0) & at(1);
      case Operator::bit_or:
        return at(0) | at(1);
      case Operator::bit_not:
        return ~at(0);
      case Operator::add:
        return at(0) + at(1);
      case Operator::subtract:
        return at(0) - at(1);
      case Operator::multiply:
        return at(0) * at(1);
      case Operator::divide:
        return Concrete::divide(at(0), at(1));
      case Operator::remainder:
        return Concrete::remainder(at(0), at(1));
      case Operator::less:
        return at(0) < at(1) ? 1 : 0;
      default:
        throw std::logic_error("no such operation here");
    }
  }
};

bool fits(const Expression& e) {
  // 7^(2^6) does not fit in 64 bits: with at most four products above each other it does.
  const auto products = [](const auto& self, const Expression& x) -> int {
    int most = 0;
    for (const Expression& part : x.parts) most = std::max(most, self(self, part));
    return most + (x.sort == Expression::Sort::integer && x.kind == 3 ? 1 : 0);
  };
  return products(products, e) <= 3;
}

RC_GTEST_PROP(Terms, nested_expressions_agree, ()) {
  const auto e =
      random_expression(*rc::gen::element(Expression::Sort::truth, Expression::Sort::word, Expression::Sort::integer),
                        *rc::gen::inRange(1, 7));
  RC_PRE(fits(e));
  const Leaves leaves = random_leaves();
  const LeavesIn<Concrete> plain{leaves.truths, leaves.words, leaves.integers};
  std::vector<Term> premises;
  const LeavesIn<Symbolic> variables = variables_of(leaves, premises);
  const Term folded = term_of(e, literals_of(leaves));
  const Term term = term_of(e, variables);
  RC_ASSERT(term == term_of(e, variables));  // terms built alike are the same
  evaluated<Concrete>(e, plain, [&](auto value) {
    // A quotient by -1 is not folded. Everything that is folded must have the right value.
    if (proofs::is_literal(folded)) RC_ASSERT(folded == literal(value));
    RC_ASSERT(in_z3(premises, folded) == printed(value));
    RC_ASSERT(in_z3(premises, term) == printed(value));
    std::map<Term, std::int64_t> bits;
    for (std::size_t i = 0; i < 3; ++i) bits[variables.truths[i].t] = leaves.truths[i] ? 1 : 0;
    for (std::size_t i = 0; i < 4; ++i) bits[variables.words[i].t] = static_cast<std::int64_t>(leaves.words[i]);
    for (std::size_t i = 0; i < 4; ++i) bits[variables.integers[i].t] = leaves.integers[i];
    RC_ASSERT(Meaning{bits}.of(term) == static_cast<std::int64_t>(value));
  });
}

// --- one arena

TEST(Terms, terms_are_the_same_exactly_when_built_alike) {
  const Term x = proofs::variable("terms_test.x", Sort::Integer);
  const Term y = proofs::variable("terms_test.y", Sort::Integer);
  EXPECT_EQ(x, proofs::variable("terms_test.x", Sort::Integer));
  EXPECT_NE(x, proofs::variable("terms_test.x", Sort::Word));
  EXPECT_EQ(proofs::add(x, y), proofs::add(y, x));
  EXPECT_NE(proofs::subtract(x, y), proofs::subtract(y, x));
  EXPECT_NE(proofs::less(x, y), proofs::less(y, x));
  EXPECT_NE(proofs::divide(x, y), proofs::remainder(x, y));
  EXPECT_NE(proofs::integer(0), proofs::word(0));
  EXPECT_NE(proofs::truth(false), proofs::integer(0));
  const std::size_t made = proofs::terms_made();
  proofs::multiply(y, x);
  proofs::multiply(x, y);
  EXPECT_EQ(proofs::terms_made(), made + 1);
}

TEST(Terms, an_operation_on_another_sort_is_refused) {
  const Term word = proofs::variable("terms_test.w", Sort::Word);
  EXPECT_THROW(proofs::add(word, proofs::integer(1)), std::logic_error);
  EXPECT_THROW(proofs::same(word, proofs::integer(1)), std::logic_error);
  EXPECT_THROW(proofs::negate(word), std::logic_error);
  EXPECT_THROW(proofs::choose(proofs::truth(true), word, proofs::integer(1)), std::logic_error);
}

}  // namespace
}  // namespace plumbline
