// AUT, continued: backward for chosen tensors: `torch.autograd.grad`, and `inputs=`.
#pragma once

#include "spec/rules/rule.h"
#include "spec/vocabulary/tensor_meta.h"

namespace plumbline {

inline constexpr Rule AUT_69{Family::AUT, 69};
inline constexpr Rule AUT_70{Family::AUT, 70};
inline constexpr Rule AUT_71{Family::AUT, 71};
inline constexpr Rule AUT_72{Family::AUT, 72};
inline constexpr Rule AUT_73{Family::AUT, 73};
inline constexpr Rule AUT_74{Family::AUT, 74};

/// Whether a leaf's `.grad` gets a gradient that grad() returns; `chosen`: the leaf is an input of grad().
template <Domain D>
constexpr Bool<D> returned_gradient_fills_grad(const Judge<D>& judge, const Bool<D>& chosen) {
  return judge(AUT_69, Bool<D>(false), chosen);
}
/// Whether a node or a leaf runs; `leads`: it is a chosen tensor's, or an edge leads from it to one.
template <Domain D>
constexpr Bool<D> node_runs(const Judge<D>& judge, const Bool<D>& leads) {
  return judge(AUT_70, leads, Bool<D>(true));
}
/// Whether grad() may return no gradient for an input.
template <Domain D>
constexpr Error<D> check_unused(const Judge<D>& judge, const Bool<D>& arrived, const Bool<D>& allow_unused) {
  return error_if(judge(AUT_71, !arrived && !allow_unused, Bool<D>(false)), ErrorClass::input_unused);
}
/// Whether a tensor may be chosen.
template <Domain D>
constexpr Error<D> check_chosen(const Judge<D>& judge, const Bool<D>& requires_it) {
  return error_if(judge(AUT_72, !requires_it, Bool<D>(false)), ErrorClass::input_requires_no_grad);
}
/// Whether a chosen tensor that is not a leaf retains its gradient; `returned`: grad() returns it.
template <Domain D>
constexpr Bool<D> chosen_retains(const Judge<D>& judge, const Bool<D>& returned) {
  return judge(AUT_73, !returned, Bool<D>(false));
}
/// Whether a tensor with retain_grad() gets its `.grad`; `runs`: its node does, and grad() not only takes its gradient.
template <Domain D>
constexpr Bool<D> taken_is_retained(const Judge<D>& judge, const Bool<D>& runs) {
  return judge(AUT_74, Bool<D>(true), runs, In{Profile::torch_1_13, runs});
}

}  // namespace plumbline
