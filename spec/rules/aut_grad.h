// AUT, continued: which tensor backward stores in `.grad`, and what a *_scatter hands its arguments.
#pragma once

#include "spec/vocabulary/tensor_meta.h"

namespace plumbline {

inline constexpr Rule AUT_50{Family::AUT, 50};
inline constexpr Rule AUT_59{Family::AUT, 59};
inline constexpr Rule AUT_60{Family::AUT, 60};
inline constexpr Rule AUT_89{Family::AUT, 89};

/// Whether a new `.grad` is the gradient that arrived, memory and version counter included; `fits`: no one else holds
/// that gradient, and its layout is the leaf's.
template <Domain D>
constexpr Bool<D> gradient_is_stored(const Judge<D>& judge, const Bool<D>& fits) {
  return judge(AUT_50, Bool<D>(false), fits, In{Profile::torch_2_13, fits}, In{Profile::torch_1_13, fits});
}
/// Whether a new `.grad` is an inference tensor; `mode`: backward runs in inference mode; `arrived`: the gradient that
/// arrived is one; `fits` as above.
template <Domain D>
constexpr Bool<D> gradient_is_inference(const Judge<D>& judge, const Bool<D>& mode, const Bool<D>& arrived,
                                        const Bool<D>& fits) {
  const Bool<D> stored = select(fits, arrived, mode);
  return judge(AUT_60, mode, stored, In{Profile::torch_2_13, stored}, In{Profile::torch_1_13, stored});
}
/// Whether the sum of two gradients is written into the one that arrived first; `alone`: nothing else holds that.
template <Domain D>
constexpr Bool<D> sum_is_written(const Judge<D>& judge, const Bool<D>& alone) {
  return judge(AUT_89, Bool<D>(false), alone, In{Profile::torch_2_13, alone});
}
/// What gradient the first argument of a *_scatter has; `strided`: the op is as_strided_scatter.
enum class ScatterGradient : std::uint8_t { kept_alone, whole, replaced_alone, replaced_and_unspecified };
template <Domain D>
constexpr Choice<D, ScatterGradient> scatter_gradient(const Judge<D>& judge, bool strided) {
  using C = Choice<D, ScatterGradient>;
  const C right(ScatterGradient::kept_alone);
  return judge(AUT_59, right, C(ScatterGradient::whole),
               In{Profile::torch_2_13, strided ? C(ScatterGradient::replaced_alone) : right},
               In{Profile::torch_1_13, strided ? C(ScatterGradient::replaced_and_unspecified) : right});
}

}  // namespace plumbline
