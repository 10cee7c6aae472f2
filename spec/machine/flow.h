// Control flow over a domain: on plain values one path runs, on terms every path does.
#pragma once

#include <concepts>

#include "spec/vocabulary/domain.h"

namespace plumbline::machine {

/// Whether values of the domain are known while the machine runs. If so, it asks only the rules that decide something;
/// on terms it asks the rules of every path.
template <Domain D>
inline constexpr bool kDecided = std::same_as<typename D::Truth, bool>;

/// `condition ? yes() : no()`.
template <Domain D, class Yes, class No>
constexpr auto branch(const Bool<D>& condition, const Yes& yes, const No& no, Here here = Here::current()) {
  const bool turned = mutated(here, Token::branch);
  if constexpr (kDecided<D>)
    return condition.v != turned ? yes() : no();
  else
    return select(turned ? !condition : condition, yes(), no());
}
/// `a && b()`.
template <Domain D, class Second>
constexpr Bool<D> both(const Bool<D>& a, const Second& b, Here here = Here::current()) {
  return branch(a, b, [] { return Bool<D>(false); }, here);
}
/// `a || b()`.
template <Domain D, class Second>
constexpr Bool<D> either(const Bool<D>& a, const Second& b, Here here = Here::current()) {
  return branch(a, [] { return Bool<D>(true); }, b, here);
}

/// Whether a step of the machine is left out, in a mutant.
inline bool is_dropped(Here here) { return mutated(here, Token::step); }
/// The condition of a path; a mutant runs it always.
template <Domain D>
constexpr Bool<D> path_condition(const Bool<D>& condition, Here here) {
  return mutated(here, Token::path) ? Bool<D>(true) : condition;
}

}  // namespace plumbline::machine
