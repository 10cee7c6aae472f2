// AUT, continued: which tensor backward stores in `.grad`, and what a *_scatter hands its arguments.
#pragma once

#include "spec/rules/meta.h"

namespace plumbline {

inline constexpr Rule AUT_50{
    Family::AUT,
    50,
    "The `.grad` that backward makes shares memory with no other tensor.",
    "torch.autograd, 'Default gradient layouts': what accumulates into one `.grad` in place is that one's alone",
    "If no one else holds the gradient that arrives and it has the leaf's layout, `.grad` is that gradient, with its "
    "memory and version counter; it may be a view of the gradient passed to backward(), or share memory with another "
    "leaf's `.grad`.",
    {{{Profile::torch_2_13,
       "If no one else holds the gradient that arrives and it has the leaf's layout, `.grad` is that gradient, with "
       "its memory and version counter; it may be a view of the gradient passed to backward(), or share memory with "
       "another leaf's `.grad`.",
       "torch/csrc/autograd/functions/accumulate_grad.h, accumulateGrad: is_tensor_stealable asks after the tensor, "
       "not after its storage",
       ""},
      {Profile::torch_1_13,
       "If no one else holds the gradient that arrives and it has the leaf's layout, `.grad` is that gradient, with "
       "its memory and version counter; it may be a view of the gradient passed to backward(), or share memory with "
       "another leaf's `.grad`.",
       "torch/csrc/autograd/functions/accumulate_grad.h of v1.13.1, accumulateGrad: new_grad.use_count()", ""}}}};

inline constexpr Rule AUT_59{
    Family::AUT,
    59,
    "The part that a *_scatter replaces gets its gradient through src alone: the first argument's gradient is 0 there.",
    "tools/autograd/derivatives.yaml, slice_scatter: 'self: slice_scatter_symint(grad, zeros_like(src), …)'",
    "The first argument gets the whole gradient.",
    {{{Profile::torch_2_13,
       "as_strided_scatter gives its first argument the gradient of the replaced part, and 0 for the rest, as if that "
       "were at the beginning of its memory.",
       "torch/csrc/autograd/FunctionsManual.cpp, as_strided_scatter_backward: zeros into which the window's gradient "
       "is copied",
       "a gradient belongs to what was computed"},
      {Profile::torch_1_13,
       "as_strided_scatter gives its first argument the gradient of the replaced part, and uninitialized memory for "
       "the rest, as if that were at the beginning of its memory.",
       "torch/csrc/autograd/FunctionsManual.cpp of v1.13.1, as_strided_scatter_backward: new_empty_strided",
       "a gradient belongs to what was computed"}}}};

inline constexpr Rule AUT_60{
    Family::AUT,
    60,
    "The `.grad` that backward makes is an inference tensor iff backward runs in inference mode.",
    "rfc-0011-final: 'A non-view tensor is an inference tensor if and only if it was allocated during inference mode', "
    "for a tensor that backward allocates (AUT-50)",
    "It is an inference tensor iff the gradient that arrives at the leaf is one.",
    {{{Profile::torch_2_13, "A gradient that is stored as it arrives keeps its inference bit, whatever the mode.",
       "torch/csrc/autograd/functions/accumulate_grad.h, accumulateGrad: update_grad(new_grad.detach())",
       "immutability"},
      {Profile::torch_1_13, "A gradient that is stored as it arrives keeps its inference bit, whatever the mode.",
       "torch/csrc/autograd/functions/accumulate_grad.h of v1.13.1, accumulateGrad: update_grad(new_grad.detach())",
       "immutability"}}}};

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
