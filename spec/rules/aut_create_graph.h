// AUT, continued: gradients that are recorded themselves, `create_graph=True`.
#pragma once

#include "spec/rules/aut.h"

namespace plumbline {

inline constexpr Rule AUT_90{Family::AUT, 90};
inline constexpr Rule AUT_91{Family::AUT, 91};
inline constexpr Rule AUT_92{Family::AUT, 92};
inline constexpr Rule AUT_93{Family::AUT, 93};

/// Grad mode while backward runs.
template <Domain D>
constexpr Bool<D> backward_grad_mode(const Judge<D>& judge, const Bool<D>& create_graph) {
  return judge(AUT_90, create_graph, Bool<D>(false));
}
/// Whether a new `.grad` is a copy of the gradient that arrives, whoever else holds that.
template <Domain D>
constexpr Bool<D> gradient_is_copied(const Judge<D>& judge, const Tls<D>& tls) {
  return judge(AUT_91, tls.grad_mode, Bool<D>(false));
}
/// Whether an existing `.grad` is replaced by the sum, not written.
template <Domain D>
constexpr Bool<D> grad_is_replaced(const Judge<D>& judge, const Tls<D>& tls) {
  return judge(AUT_92, tls.grad_mode, Bool<D>(false));
}
/// Whether two gradients that meet are added by an op that is recorded.
template <Domain D>
constexpr Bool<D> sum_is_recorded(const Judge<D>& judge, const Tls<D>& tls) {
  return judge(AUT_93, tls.grad_mode, Bool<D>(false));
}

}  // namespace plumbline
