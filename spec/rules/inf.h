// INF: which tensors are inference tensors, and what may not be done to them.
#pragma once

#include "spec/rules/meta.h"
#include "spec/rules/tls.h"

namespace plumbline {

inline constexpr Rule INF_01{
    Family::INF, 1, "A tensor is an inference tensor iff it carries neither an Autograd key nor ADInplaceOrView.",
    "rfc-0011-final, 'An inference tensor is a tensor that does not have the Autograd or InplaceOrView dispatch keys'",
    "Inside inference mode every tensor is an inference tensor."};
inline constexpr Rule INF_02{
    Family::INF, 2, "A tensor from a factory is an inference tensor iff it is made inside inference mode.",
    "rfc-0011-final: 'A non-view tensor is an inference tensor if and only if it was allocated during inference mode'",
    "A factory makes normal tensors; only ops on inference tensors make inference tensors."};
inline constexpr Rule INF_03{Family::INF, 3,
                             "A view is an inference tensor iff the tensor that it views is one, whatever the mode.",
                             "rfc-0011-final: 'A view tensor is an inference tensor if and only if the tensor it is a "
                             "view of is an inference tensor'",
                             "A view takes the inference bit from the current mode."};
inline constexpr Rule INF_04{
    Family::INF, 4,
    "The result of a functional op is an inference tensor iff the op runs inside inference mode, whatever its inputs.",
    "rfc-0011-final, 'The algorithm': 'the output tensor is an inference tensor if and only if we are running in "
    "inference mode'",
    "The result is an inference tensor iff an input is."};
inline constexpr Rule INF_05{
    Family::INF, 5, "An in-place op on an inference tensor outside inference mode is an error.",
    "rfc-0011-final: 'Inplace modifications on inference tensors outside of inference mode' are disabled",
    "It is allowed and counts no version (draft-2, 'allowed, no increment')."};
inline constexpr Rule INF_06{
    Family::INF,
    6,
    "That error comes before anything is written: an inference tensor never changes outside inference mode.",
    "rfc-0011-final, 'The immutable invariant'",
    "The check stands where the version is counted, behind the write.",
    {{{Profile::rfc_0011, "The check stands where the version is counted, behind the write.",
       "rfc-0011-final: 'tested at the point we do version counter increments', and the example kernel add__Tensor",
       "immutability"},
      {Profile::torch_2_13, "The error is raised by the version bump, after the kernel has written.",
       "tools/autograd/gen_inplace_or_view_type.py: redispatch, then increment_version; c10/core/TensorImpl.h, "
       "VariableVersion bump_version",
       "immutability"}}}};
inline constexpr Rule INF_07{Family::INF, 7, "Saving an inference tensor for backward is an error.",
                             "rfc-0011-final: 'Saving an inference tensor for backwards' is disabled",
                             "It is saved without a version."};
inline constexpr Rule INF_08{Family::INF, 8,
                             "Setting requires_grad=True on an inference tensor outside inference mode is an error.",
                             "inference-mode-docs: 'mutate them into requires_grad=True outside InferenceMode'; "
                             "rfc-0011-final, 'Raise an error'",
                             "An inference tensor may be made to require grad anywhere."};
inline constexpr Rule INF_09{
    Family::INF,
    9,
    "Setting requires_grad=True on an inference tensor inside inference mode is allowed.",
    "inference-mode-docs: only 'outside InferenceMode' is an error",
    "It is an error everywhere.",
    {{{Profile::rfc_0011, "Setting requires_grad on an inference tensor is an error everywhere.",
       "rfc-0011-final, 'Edge case': 'Our proposed solution is to forbid setting requires_grad'", ""}}}};
inline constexpr Rule INF_10{Family::INF, 10,
                             "A factory may make a tensor with requires_grad=True inside inference mode.",
                             "rfc-0011-final, 'Edge case': 'but permit tensors to be directly constructed with "
                             "requires_grad=True'; 'Goal: … allocates parameters'",
                             "Inside inference mode the keyword is ignored."};
inline constexpr Rule INF_11{
    Family::INF, 11, "Setting requires_grad=False on an inference tensor is allowed anywhere.",
    "inference-mode-docs: the error is to 'mutate them into requires_grad=True'",
    "Setting requires_grad on an inference tensor outside the mode is an error, whatever the value."};
inline constexpr Rule INF_12{Family::INF, 12,
                             "A Python number passed for a tensor is a fresh tensor of the current mode, so outside "
                             "inference mode it brings the Autograd key.",
                             "torch/csrc/utils/python_arg_parser.cpp, PythonArgs::tensor_slow; rfc-0011-final, 'keys "
                             "are unioned from all inputs'",
                             "A number has no keys."};
inline constexpr Rule INF_13{
    Family::INF, 13, "A normal tensor may be written in place with an inference tensor as operand.",
    "rfc-0011-final: only in-place 'on inference tensors' is disabled",
    "An in-place op with any inference operand is an error outside the mode (draft-1, ERROR3)."};
inline constexpr Rule INF_14{
    Family::INF, 14, "An in-place view op (transpose_) counts as an in-place op on an inference tensor.",
    "rfc-0011-final, 'The immutable invariant'; tools/autograd/gen_inplace_or_view_type.py, inplace_view ops",
    "Changing sizes and strides alone is not a modification."};
inline constexpr Rule INF_15{
    Family::INF, 15, "An in-place op on an inference tensor inside inference mode is allowed.",
    "rfc-0011-final, 'Examples': in inference mode, in-place on an inference tensor: no increment",
    "Inference tensors are never written."};

/// The inference bit as read: from the key set alone.
template <Domain D>
constexpr Bool<D> is_inference(const Judge<D>& judge, const Meta<D>& tensor, const Tls<D>& tls) {
  const Bool<D> bare = !tensor.keys.has_any(autograd_keys<D>() | Functionality::ADInplaceOrView);
  return judge(INF_01, bare, bare || tls.inference_mode);
}

/// Whether a factory's tensor is an inference tensor.
template <Domain D>
constexpr Bool<D> factory_inference(const Judge<D>& judge, const Tls<D>& tls) {
  return judge(INF_02, tls.inference_mode, Bool<D>(false));
}

/// Whether a functional op's result is an inference tensor; `any_input`: whether an input is one.
template <Domain D>
constexpr Bool<D> result_inference(const Judge<D>& judge, const Tls<D>& tls, const Bool<D>& any_input) {
  return judge(INF_04, tls.inference_mode, any_input);
}

/// Whether a view is an inference tensor.
template <Domain D>
constexpr Bool<D> view_inference(const Judge<D>& judge, const Bool<D>& base, const Tls<D>& tls) {
  return judge(INF_03, base, tls.inference_mode);
}

/// The keys that a number brings to a call.
template <Domain D>
constexpr KeySet<D> number_keys(const Judge<D>& judge, const Tls<D>& tls) {
  return judge(INF_12, tensor_keys(judge, factory_inference(judge, tls)), KeySet<D>());
}

/// Whether an in-place op may write: `uncounted` says that the written tensor has no version counter, `operand` that
/// another argument is an inference tensor, `layout_only` that only sizes and strides change.
template <Domain D>
constexpr Error<D> check_inplace_inference(const Judge<D>& judge, const Bool<D>& uncounted, const Bool<D>& operand,
                                           bool layout_only, const Tls<D>& tls) {
  const Bool<D> target = judge(INF_13, uncounted, uncounted || operand);
  const Bool<D> counts = judge(INF_14, Bool<D>(true), Bool<D>(!layout_only));
  const Bool<D> outside = judge(INF_15, !tls.inference_mode, Bool<D>(true));
  return error_if(judge(INF_05, target && counts && outside, Bool<D>(false)), ErrorClass::inference_inplace);
}

/// Whether that check stands before the write.
template <Domain D>
constexpr Bool<D> checks_before_write(const Judge<D>& judge) {
  return judge(INF_06, Bool<D>(true), Bool<D>(false), In{Profile::rfc_0011, Bool<D>(false)},
               In{Profile::torch_2_13, Bool<D>(false)});
}

/// Whether a tensor may be saved for backward.
template <Domain D>
constexpr Error<D> check_save(const Judge<D>& judge, const Bool<D>& inference) {
  return error_if(judge(INF_07, inference, Bool<D>(false)), ErrorClass::inference_saved);
}

/// Whether `requires_grad = value` may be set.
template <Domain D>
constexpr Error<D> check_set_requires_grad(const Judge<D>& judge, const Bool<D>& inference, const Bool<D>& value,
                                           const Tls<D>& tls) {
  const Bool<D> setting = judge(INF_11, value, Bool<D>(true));
  const Bool<D> outside = judge(INF_08, !tls.inference_mode, Bool<D>(false));
  const Bool<D> inside = judge(INF_09, Bool<D>(false), tls.inference_mode, In{Profile::rfc_0011, tls.inference_mode});
  return error_if(inference && setting && (outside || inside), ErrorClass::inference_requires_grad);
}

/// The requires_grad of a factory's tensor that was asked for with the keyword `asked`.
template <Domain D>
constexpr Bool<D> factory_requires_grad(const Judge<D>& judge, const Bool<D>& asked, const Tls<D>& tls) {
  return judge(INF_10, asked, asked && !tls.inference_mode);
}

}  // namespace plumbline
