// The SMT-LIB files of terms: the commands z3 and cvc5 give the same answers as Z3's library.
#include "spec/proofs/smtlib.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <filesystem>
#include <iostream>
#include <optional>

#include "prove/second_solver.h"
#include "spec/proofs/symbolic.h"
#include "spec/tests/terms_random.h"
#include "spec/vocabulary/concrete.h"

namespace plumbline {
namespace {

using proofs::Answer;
using proofs::Sort;
using proofs::Symbolic;
using proofs::Term;
using enum Answer::Kind;

/// The available commands: Z3's own command and cvc5.
std::vector<SecondSolver>& commands() {
  static std::vector<SecondSolver> found = [] {
    std::vector<SecondSolver> solvers;
    for (const char* command : {PLUMBLINE_Z3_COMMAND, "cvc5"}) try {
        solvers.emplace_back(command);
      } catch (const SolverFailure& missing) {
        std::clog << missing.what() << ", so it is not asked\n";
      }
    return solvers;
  }();
  return found;
}
class Smtlib : public testing::Test {
 protected:
  void SetUp() override {
    if (commands().empty()) GTEST_SKIP() << "neither " PLUMBLINE_Z3_COMMAND " nor cvc5 is available";
  }
};

/// Expects that all solvers answer `expected`.
void expect(const std::vector<Term>& assertions, Answer::Kind expected, bool cvc5_too = true) {
  EXPECT_EQ(proofs::solve(assertions, {}).kind, expected) << "Z3's library";
  const std::string file = proofs::smtlib(assertions, "a test\nof terms", expected == satisfiable ? "sat" : "unsat");
  for (const SecondSolver& solver : commands()) {
    if (!cvc5_too && solver.version().starts_with("cvc5")) continue;
    const Answer answer = solver.ask(file, {.seconds = 8});
    EXPECT_EQ(answer.kind, expected) << solver.version() << ": " << answer.why << "\n" << file;
  }
}

Term number(std::string_view name) { return proofs::variable(name, Sort::Integer); }
Term f(Term x) { return proofs::apply("smtlib_test.f", Sort::Integer, {x}); }

TEST_F(Smtlib, a_name_may_have_blanks) {
  const Term arrived = proofs::variable("a gradient (or two) arrived", Sort::Truth);
  expect({arrived}, satisfiable);
  expect({arrived, proofs::negate(arrived)}, unsatisfiable);
}

TEST_F(Smtlib, a_quantified_premise_holds_for_each_value) {
  const Term x = proofs::bound_variable("x", Sort::Integer);
  const Term all = proofs::for_all({x}, proofs::same(f(x), proofs::add(x, proofs::integer(1))));
  expect({all, proofs::negate(proofs::same(f(proofs::integer(3)), proofs::integer(4)))}, unsatisfiable);
  expect({all, proofs::negate(proofs::same(f(number("y")), proofs::integer(4)))}, satisfiable, false);
}

TEST_F(Smtlib, a_quantified_premise_over_a_sort_without_meaning_has_a_model) {
  const Term x = proofs::bound_variable("x", Sort::Tensor);
  const auto view = [](Term t) { return proofs::apply("smtlib_test.view", Sort::Tensor, {t}); };
  const Term a = proofs::variable("a", Sort::Tensor);
  const Term b = proofs::variable("b", Sort::Tensor);
  const Term constant = proofs::for_all({x}, proofs::same(view(x), a));
  expect({constant, proofs::negate(proofs::same(b, a))}, satisfiable);
  expect({constant, proofs::negate(proofs::same(view(b), a))}, unsatisfiable);
}

TEST_F(Smtlib, a_bound_variable_is_not_the_free_one_of_its_name) {
  const Term bound = proofs::bound_variable("x", Sort::Integer);
  // Not every number is less than the free x.
  expect({proofs::for_all({bound}, proofs::less(bound, number("x")))}, unsatisfiable);
  expect({proofs::for_all({bound}, proofs::either(proofs::less(bound, number("x")), proofs::less(number("y"), bound))),
          proofs::less(number("y"), number("x"))},
         satisfiable, false);
}

TEST_F(Smtlib, quantifiers_can_be_nested) {
  const Term x = proofs::bound_variable("x", Sort::Tensor);
  const Term y = proofs::bound_variable("y", Sort::Tensor);
  const Term a = proofs::variable("a", Sort::Tensor);
  const Term b = proofs::variable("b", Sort::Tensor);
  const auto p = [](Term t) { return proofs::apply("smtlib_test.p", Sort::Truth, {t}); };
  const auto q = [](Term t) { return proofs::apply("smtlib_test.q", Sort::Truth, {t}); };
  const Term each_has_another = proofs::for_all({x}, proofs::negate(proofs::for_all({y}, proofs::same(x, y))));
  expect({each_has_another}, satisfiable);
  expect({each_has_another, proofs::for_all({y}, proofs::same(y, a))}, unsatisfiable);
  // The inner x is not the outer x.
  const Term either = proofs::for_all({x}, proofs::either(proofs::for_all({x}, p(x)), q(x)));
  expect({either, proofs::negate(p(a)), proofs::negate(q(b))}, unsatisfiable);
  expect({either, proofs::negate(p(a))}, satisfiable);
}

TEST_F(Smtlib, one_name_is_one_symbol_of_each_kind_and_sort) {
  const std::string name = "smtlib_test.n-1";
  const Term call = proofs::apply(name, Sort::Integer, {});
  const Term n = number(name);
  const Term word = proofs::variable(name, Sort::Word);
  const Term truth = proofs::variable(name, Sort::Truth);
  expect({proofs::less(call, n), proofs::same(word, proofs::word(7)), truth}, satisfiable);
  for (const Sort sort : {Sort::Tensor, Sort::Storage, Sort::Counter})
    expect({proofs::negate(proofs::same(proofs::variable(name, sort), proofs::variable("Tensor", sort))), truth},
           satisfiable);
}

TEST(SmtlibTerms, a_function_has_one_signature_in_a_file) {
  const Term one = proofs::apply("smtlib_test.g", Sort::Truth, {number("x")});
  const Term two = proofs::apply("smtlib_test.g", Sort::Truth, {number("x"), number("y")});
  EXPECT_NO_THROW(proofs::smtlib(std::array{two}, "", "sat"));
  EXPECT_THROW(proofs::smtlib(std::array{one, two}, "", "sat"), std::logic_error);
}

TEST(SmtlibTerms, only_a_bound_variable_is_bound) {
  EXPECT_THROW(proofs::for_all({number("x")}, proofs::less(number("x"), number("y"))), std::logic_error);
  EXPECT_EQ(proofs::for_all({}, proofs::less(number("x"), number("y"))), proofs::less(number("x"), number("y")));
}

TEST_F(Smtlib, the_least_and_the_greatest_integer_are_themselves) {
  const Term least = proofs::integer(std::numeric_limits<std::int64_t>::min());
  const Term next = proofs::subtract(least, proofs::integer(1));  // is not folded
  expect({proofs::less(next, least), proofs::same(number("x"), next)}, satisfiable);
  expect({proofs::less(proofs::integer(0), least)}, unsatisfiable);
  expect({proofs::same(number("x"), least), proofs::less(proofs::integer(0), number("x"))}, unsatisfiable);
}

RC_GTEST_FIXTURE_PROP(Smtlib, random_expressions_have_their_value_and_no_other, ()) {
  const auto e = random_expression(Expression::Sort::truth, *rc::gen::inRange(2, 5));
  const Leaves leaves = random_leaves();
  const LeavesIn<Concrete> plain{leaves.truths, leaves.words, leaves.integers};
  const bool value = Evaluator<Concrete>{plain}.truth(e);
  LeavesIn<Symbolic> terms;
  std::vector<Term> premises;
  const auto variable = [&](const Term& literal, const std::string& name) {
    const Term v = proofs::variable(name, proofs::sort_of(literal));
    premises.push_back(proofs::same(v, literal));
    return v;
  };
  for (std::size_t i = 0; i < 3; ++i) terms.truths[i] = {variable(proofs::truth(leaves.truths[i]), std::to_string(i))};
  for (std::size_t i = 0; i < 4; ++i) terms.words[i] = {variable(proofs::word(leaves.words[i]), std::to_string(i))};
  for (std::size_t i = 0; i < 4; ++i)
    terms.integers[i] = {variable(proofs::integer(leaves.integers[i]), std::to_string(i))};
  premises.push_back(proofs::same(Evaluator<Symbolic>{terms}.truth(e).t, proofs::truth(value)));
  expect(premises, satisfiable);
  premises.back() = proofs::negate(premises.back());
  expect(premises, unsatisfiable);
}

}  // namespace
}  // namespace plumbline
