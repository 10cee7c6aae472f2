// Terms: hash-consed expressions over truth values, key-set words, integers and the names of a heap's parts. They need
// no solver: solver.h passes them to Z3, and smtlib.h prints them as SMT-LIB.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::proofs {

/// A term's sort. The last three are uninterpreted: their values can only be compared.
enum class Sort : std::uint8_t { Truth, Word, Integer, Tensor, Storage, Counter };

/// A term's operation. Words are 64-bit vectors; division and remainder are SMT-LIB's.
enum class Operator : std::uint8_t {
  literal,   ///< `payload`: the truth value, the word, or the integer's bits
  variable,  ///< `payload`: the number of its name
  apply,     ///< an uninterpreted function: `payload` is the number of its name, followed by its arguments
  negate,
  both,
  either,
  same,  ///< equality of two terms of one sort
  choose,
  bit_and,
  bit_or,
  bit_not,
  add,
  subtract,
  multiply,
  divide,
  remainder,
  less,
  for_all  ///< the last argument is the body, the others are its variables
};

/// A term of the calling thread's arena: two terms are equal exactly when they are built in the same way.
struct Term {
  std::uint32_t index = 0;  ///< 0 is the literal `false`

  friend constexpr auto operator<=>(Term, Term) = default;
};

/// A term's parts; valid until the next term is made.
struct Node {
  Operator op{};
  Sort sort{};
  bool bound = false;  ///< contains a variable of a `for_all` around it
  std::uint64_t payload = 0;
  std::span<const Term> arguments;
};

/// These build terms and simplify where a literal or two equal arguments decide.
Term truth(bool value);
Term word(std::uint64_t value);
Term integer(std::int64_t value);
/// One term for each name and sort. A name has letters, digits, `_`, `.` and `-`.
Term variable(std::string_view name, Sort sort);
/// One function for each name and sorts. One question must not use a name for two functions: smtlib() throws
/// std::logic_error.
Term apply(std::string_view name, Sort sort, std::vector<Term> arguments);
Term negate(Term a);
Term both(Term a, Term b);
Term either(Term a, Term b);
Term implies(Term a, Term b);
Term same(Term a, Term b);
Term choose(Term condition, Term yes, Term no);
Term bit_and(Term a, Term b);
Term bit_or(Term a, Term b);
Term bit_not(Term a);
Term add(Term a, Term b);
Term subtract(Term a, Term b);
Term multiply(Term a, Term b);
Term divide(Term a, Term b);
Term remainder(Term a, Term b);
Term less(Term a, Term b);
/// `variables` were made by `bound_variable`; it may stand in the body of another.
Term for_all(std::vector<Term> variables, Term body);
/// A variable that only a `for_all` binds.
Term bound_variable(std::string_view name, Sort sort);

Node node(Term term);
Sort sort_of(Term term);
/// The name of a variable or a function.
std::string_view name_of(Term term);
bool is_literal(Term term);

/// Visits a term's subterms and then the term itself, without recursion: a formula can be thousands of terms high.
/// `done`: whether a term was visited; `visit` must make it so.
template <class Done, class Visit>
void visit_from_below(Term root, const Done& done, const Visit& visit) {
  std::vector<Term> open{root};
  while (!open.empty()) {
    const Term term = open.back();
    const std::size_t before = open.size();
    if (!done(term))
      for (const Term argument : node(term).arguments)
        if (!done(argument)) open.push_back(argument);
    if (open.size() > before) continue;
    open.pop_back();
    if (!done(term)) visit(term);
  }
}

/// How many terms the thread's arena holds. Terms live as long as their thread.
std::size_t terms_made();

}  // namespace plumbline::proofs
