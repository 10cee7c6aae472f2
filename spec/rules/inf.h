// INF: which tensors are inference tensors, and what is not allowed on them.
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
inline constexpr Rule INF_03{
    Family::INF,
    3,
    "A view is an inference tensor iff the tensor that it is a view of is one, whatever the mode.",
    "rfc-0011-final: 'A view tensor is an inference tensor if and only if the tensor it is a view of is an inference "
    "tensor'",
    "A view takes the inference bit from the current mode.",
    {{{Profile::torch_2_13, "A view in another dtype takes the inference bit from the current mode.",
       "aten/src/ATen/native/TensorConversions.cpp, view_dtype: make_tensor<TensorImpl> without TensorImpl::VIEW, so "
       "the constructor computes the keys again",
       "no-aliasing"},
      {Profile::torch_1_13, "A view in another dtype takes the inference bit from the current mode.",
       "aten/src/ATen/native/TensorConversions.cpp of 1.13, view_dtype: make_tensor<TensorImpl>", "no-aliasing"}}}};
inline constexpr Rule INF_04{
    Family::INF, 4,
    "A functional op's result, with memory of its own, is an inference tensor iff the op runs inside inference mode, "
    "whatever its inputs.",
    "rfc-0011-final, 'The algorithm': 'the output tensor is an inference tensor if and only if we are running in "
    "inference mode'",
    "The result is an inference tensor iff an input is."};
inline constexpr Rule INF_05{
    Family::INF,
    5,
    "An in-place op on an inference tensor outside inference mode is an error, except detach_ and a resize_ to the "
    "same sizes, which write nothing.",
    "rfc-0011-final: 'Inplace modifications on inference tensors outside of inference mode' are disabled",
    "It is allowed and does not bump the version (draft-2, 'allowed, no increment').",
    {{{Profile::draft_2, "It is allowed and does not bump the version.",
       "rfc-0011-draft-2, lines 213-214: 'allowed, no increment'; lines 231-232 contradict it", "immutability"}}}};
inline constexpr Rule INF_06{
    Family::INF,
    6,
    "A refused in-place op writes nothing: an inference tensor never changes outside inference mode.",
    "rfc-0011-final, 'The immutable invariant'",
    "The check comes with the version bump, after the write.",
    {{{Profile::rfc_0011, "The check comes with the version bump, after the write.",
       "rfc-0011-final: 'tested at the point we do version counter increments', and the example kernel add__Tensor",
       "immutability"},
      {Profile::torch_2_13, "The error is raised by the version bump, after the kernel has written.",
       "tools/autograd/gen_inplace_or_view_type.py: redispatch, then increment_version; c10/core/TensorImpl.h, "
       "VariableVersion bump_version",
       "immutability"},
      {Profile::torch_1_13, "The error is raised by the version bump, after the kernel has written.",
       "tools/autograd/gen_inplace_or_view_type.py of v1.13.1: redispatch, then increment_version", "immutability"}}}};
inline constexpr Rule INF_07{Family::INF, 7, "Saving an inference tensor for backward is an error.",
                             "rfc-0011-final: 'Saving an inference tensor for backwards' is disabled",
                             "It is saved without a version."};
inline constexpr Rule INF_08{Family::INF, 8,
                             "Setting requires_grad=True on an inference tensor outside inference mode is an error.",
                             "inference-mode-docs: 'mutate them into requires_grad=True outside InferenceMode'; "
                             "rfc-0011-final, 'Raise an error'",
                             "requires_grad=True can be set on an inference tensor anywhere."};
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
    "Setting requires_grad on an inference tensor outside inference mode is an error, whatever the value."};
inline constexpr Rule INF_12{Family::INF, 12,
                             "A Python number passed as a tensor argument becomes a new tensor of the current mode, so "
                             "outside inference mode it brings the Autograd key.",
                             "torch/csrc/utils/python_arg_parser.cpp, PythonArgs::tensor_slow; rfc-0011-final, 'keys "
                             "are unioned from all inputs'",
                             "A number brings no keys."};
inline constexpr Rule INF_13{
    Family::INF, 13, "A normal tensor may be written in place when another argument is an inference tensor.",
    "rfc-0011-final: only in-place 'on inference tensors' is disabled",
    "An in-place op with any inference tensor as argument is an error outside inference mode (draft-1, ERROR3)."};
inline constexpr Rule INF_14{
    Family::INF, 14,
    "An in-place view op (transpose_) counts as an in-place op on an inference tensor; detach_ does not.",
    "rfc-0011-final, 'The immutable invariant'; tools/autograd/gen_inplace_or_view_type.py, inplace_view ops",
    "An op that changes only sizes and strides does not count as an in-place op."};
inline constexpr Rule INF_15{
    Family::INF, 15, "An in-place op on an inference tensor inside inference mode is allowed.",
    "rfc-0011-final, 'Examples': in inference mode, in-place on an inference tensor: no increment",
    "An inference tensor is never written."};

inline constexpr Rule INF_16{
    Family::INF,
    16,
    "Outside inference mode an op may take normal and inference tensors together, if it saves no inference tensor for "
    "backward.",
    "rfc-0011-final: of what mixes them only 'Saving an inference tensor for backwards' is disabled",
    "Taking both is an error.",
    {{{Profile::draft_1, "The VariableType kernel raises an error if an input is an inference tensor.",
       "rfc-0011-draft-1, 'Implementation', 3, and the table's rows with ERROR3", ""},
      {Profile::draft_2, "Mixing inference and normal tensors is forbidden, for functional ops too.",
       "rfc-0011-draft-2, line 235", ""}}}};
inline constexpr Rule INF_17{
    Family::INF,
    17,
    "A view op on an inference tensor outside inference mode is allowed.",
    "rfc-0011-final, 'Examples': outside, 'View operation … On an inference tensor - allowed'",
    "It is an error, like an in-place op.",
    {{{Profile::draft_1, "The InplaceOrView kernel raises an error where Autograd is not excluded.",
       "rfc-0011-draft-1, 'Implementation', 4, and the table's rows with ERROR4", ""}}}};
inline constexpr Rule INF_18{
    Family::INF,
    18,
    "Outside inference mode any op may read a view of a normal tensor that was made inside inference mode.",
    "rfc-0011-final: the creation metadata forbids 'subsequent inplace modification', and nothing else",
    "Such a view cannot be used outside inference mode.",
    {{{Profile::draft_1,
       "The VariableType kernel raises an error if an input is a view with NO_VARIABLE_TYPE_VIEW creation metadata.",
       "rfc-0011-draft-1, 'Implementation', 5", ""}}}};
inline constexpr Rule INF_19{Family::INF, 19, "`x.data` is an inference tensor iff x is one, whatever the mode.",
                             "torch/csrc/autograd/variable.cpp, VariableHooks::variable_data: the key set is copied",
                             "It is an inference tensor iff `.data` is read inside inference mode."};
inline constexpr Rule INF_20{Family::INF, 20,
                             "`x.data = y` makes x an inference tensor iff y is one: x takes y's key set.",
                             "torch/csrc/autograd/variable.cpp, VariableHooks::set_data: shallow_copy_from; "
                             "c10/core/TensorImpl.cpp, copy_tensor_metadata_except_version_counter",
                             "x keeps its key set."};
inline constexpr Rule INF_21{Family::INF, 21,
                             "`x.set_(y)` does not change whether x is an inference tensor, so an inference tensor and "
                             "a normal tensor can come to share storage.",
                             "aten/src/ATen/native/TensorShape.cpp, set_: storage, offset, sizes and strides alone",
                             "x becomes an inference tensor iff y is one."};

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

/// Whether a view is an inference tensor; `retyped`: it is a view(dtype).
template <Domain D>
constexpr Bool<D> view_inference(const Judge<D>& judge, const Bool<D>& base, const Tls<D>& tls, bool retyped) {
  const Bool<D> ships = retyped ? tls.inference_mode : base;
  return judge(INF_03, base, tls.inference_mode, In{Profile::torch_2_13, ships}, In{Profile::torch_1_13, ships});
}

/// The keys that a number brings to a call.
template <Domain D>
constexpr KeySet<D> number_keys(const Judge<D>& judge, const Tls<D>& tls) {
  return judge(INF_12, tensor_keys(judge, factory_inference(judge, tls)), KeySet<D>());
}

/// Whether an in-place op may write. `uncounted`: the written tensor has no version counter; `operand`: another
/// argument is an inference tensor; `layout_only`: only sizes and strides change.
template <Domain D>
constexpr Error<D> check_inplace_inference(const Judge<D>& judge, const Bool<D>& uncounted, const Bool<D>& operand,
                                           bool layout_only, const Tls<D>& tls) {
  const Bool<D> target = judge(INF_13, uncounted, uncounted || operand);
  const Bool<D> counts = judge(INF_14, Bool<D>(true), Bool<D>(!layout_only));
  const Bool<D> outside = judge(INF_15, !tls.inference_mode, Bool<D>(true));
  const Bool<D> barred =
      judge(INF_05, target && counts && outside, Bool<D>(false), In{Profile::draft_2, Bool<D>(false)});
  return error_if(barred, ErrorClass::inference_inplace);
}

/// Whether the Autograd kernel lets an op go on; `inference`: an argument is an inference tensor, `made_inside`: one is
/// a view of a normal tensor that was made inside inference mode.
template <Domain D>
constexpr Error<D> check_mixed(const Judge<D>& judge, const Bool<D>& inference, const Bool<D>& made_inside) {
  const Bool<D> no(false);
  const Bool<D> mixed = judge(INF_16, no, inference, In{Profile::draft_1, inference}, In{Profile::draft_2, inference});
  const Bool<D> used = judge(INF_18, no, made_inside, In{Profile::draft_1, made_inside});
  return first_error(error_if(mixed, ErrorClass::inference_mixed), error_if(used, ErrorClass::inference_view_used));
}

/// Whether the ADInplaceOrView kernel lets a view op go on; `inference`: it views an inference tensor;
/// `below_autograd`: the Autograd keys are excluded.
template <Domain D>
constexpr Error<D> check_view_inference(const Judge<D>& judge, const Bool<D>& inference,
                                        const Bool<D>& below_autograd) {
  const Bool<D> barred = inference && !below_autograd;
  return error_if(judge(INF_17, Bool<D>(false), barred, In{Profile::draft_1, barred}), ErrorClass::inference_view);
}

/// The keys of `x.data`, of x after `x.data = y`, and of x after `x.set_(y)`.
template <Domain D>
constexpr KeySet<D> data_keys(const Judge<D>& judge, const KeySet<D>& x, const Tls<D>& tls) {
  return judge(INF_19, x, tensor_keys(judge, tls.inference_mode));
}
template <Domain D>
constexpr KeySet<D> set_data_keys(const Judge<D>& judge, const KeySet<D>& x, const KeySet<D>& y) {
  return judge(INF_20, y, x);
}
template <Domain D>
constexpr KeySet<D> set_source_keys(const Judge<D>& judge, const KeySet<D>& x, const KeySet<D>& y) {
  return judge(INF_21, x, y);
}

/// Whether an in-place op on an inference tensor is checked before the write.
template <Domain D>
constexpr Bool<D> checks_before_write(const Judge<D>& judge) {
  return judge(INF_06, Bool<D>(true), Bool<D>(false), In{Profile::rfc_0011, Bool<D>(false)},
               In{Profile::torch_2_13, Bool<D>(false)}, In{Profile::torch_1_13, Bool<D>(false)});
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

/// The requires_grad of a factory's tensor; `asked`: the keyword requires_grad.
template <Domain D>
constexpr Bool<D> factory_requires_grad(const Judge<D>& judge, const Bool<D>& asked, const Tls<D>& tls) {
  return judge(INF_10, asked, asked && !tls.inference_mode);
}

}  // namespace plumbline
