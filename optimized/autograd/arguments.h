// Which arguments of an op have a gradient, at compile time.
#pragma once

#include <array>
#include <type_traits>

#include "optimized/autograd/meta.h"
#include "optimized/ops.h"

namespace plumbline::optimized {

template <class A>
inline constexpr bool kIsTensor = std::is_same_v<std::remove_cvref_t<A>, Tensor>;
template <class A>
inline constexpr bool kIsTensorList = std::is_same_v<std::remove_cvref_t<A>, TensorList>;

/// The arguments of an op to which gradients flow [tools/autograd/derivatives.yaml: `non_differentiable`].
template <class Op>
struct Flow {
  static constexpr auto& to = Op::flows;
  /// How many; a list counts as one argument with as many edges as tensors, and is then the only one.
  static constexpr std::size_t count = [] {
    std::size_t sum = 0;
    for (const bool one : to) sum += one ? 1 : 0;
    return sum;
  }();
  /// The edge of the argument.
  static constexpr std::size_t edge_of(int argument) {
    std::size_t edge = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(argument); ++i) edge += to[i] ? 1 : 0;
    return edge;
  }
};

template <class A>
bool requires_grad_argument(const A&) {
  return false;
}
inline bool requires_grad_argument(const Tensor& tensor) { return requires_grad(tensor); }
inline bool requires_grad_argument(const TensorList& tensors) {
  for (const Tensor& tensor : tensors)
    if (requires_grad(tensor)) return true;
  return false;
}

/// Whether one of the arguments to which gradients flow requires grad.
template <class Op, class... A>
bool any_requires_grad(const A&... arguments) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return (... || (Flow<Op>::to[I] && requires_grad_argument(arguments)));
  }(std::index_sequence_for<A...>());
}

}  // namespace plumbline::optimized
