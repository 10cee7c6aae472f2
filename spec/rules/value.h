// VAL: which elements a reduction chooses, and which share its gradient. RAND: random numbers. MUL: how matmul folds.
#pragma once

#include "spec/rules/rule.h"

namespace plumbline {

inline constexpr Rule VAL_47{Family::VAL, 47};
inline constexpr Rule VAL_48{Family::VAL, 48};
inline constexpr Rule VAL_51{Family::VAL, 51};
inline constexpr Rule RAND_52{Family::RAND, 52};
inline constexpr Rule MUL_57{Family::MUL, 57};

template <Domain D>
constexpr Bool<D> first_of_equals(const Judge<D>& judge) {
  return judge(VAL_47, Bool<D>(true), Bool<D>(false));
}
/// Whether a reduction chooses this one of two elements, of which one is NaN; `nan`: it is this one.
template <Domain D>
constexpr Bool<D> wins_against_nan(const Judge<D>& judge, const Bool<D>& nan) {
  return judge(VAL_48, nan, !nan);
}
/// Whether equal extremes share the gradient; `indexed`: the op returns the index of the one that it chose.
template <Domain D>
constexpr Bool<D> equals_share_gradient(const Judge<D>& judge, const Bool<D>& indexed) {
  return judge(VAL_51, !indexed, Bool<D>(false));
}
/// Whether aminmax has a derivative.
template <Domain D>
constexpr Bool<D> aminmax_has_derivative(const Judge<D>& judge) {
  return judge(VAL_51, Bool<D>(true), Bool<D>(true), In{Profile::torch_1_13, Bool<D>(false)});
}

template <Domain D>
constexpr Bool<D> generator_goes_on(const Judge<D>& judge) {
  return judge(RAND_52, Bool<D>(true), Bool<D>(false));
}
/// Whether matmul multiplies a stack as one tall matrix; `still`: that moves no data; `needed`: the single matrix
/// requires grad; `turned`: the matrices of the stack are transposed.
template <Domain D>
constexpr Bool<D> matmul_folds(const Judge<D>& judge, const Bool<D>& still, const Bool<D>& needed,
                               const Bool<D>& turned) {
  return judge(MUL_57, still || needed, Bool<D>(false), In{Profile::torch_1_13, !turned});
}
/// Whether matmul multiplies two stacks, or a stack and a vector, as 2.13 does; `two_differ`: the case in which 1.13
/// makes other calls.
template <Domain D>
constexpr Bool<D> matmul_stacks_late(const Judge<D>& judge, const Bool<D>& two_differ) {
  return judge(MUL_57, two_differ, Bool<D>(false), In{Profile::torch_1_13, Bool<D>(false)});
}

}  // namespace plumbline
