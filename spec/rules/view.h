// VIEW: which views are tracked, their base and creation metadata, and writes through them.
#pragma once

#include "spec/rules/ver.h"

namespace plumbline {

inline constexpr Rule VIEW_01{
    Family::VIEW,
    1,
    "A view of a normal tensor is tracked, inside inference mode too: it has a base and creation metadata; the results "
    "of `detach` and view(dtype) are not tracked (VIEW-10).",
    "rfc-0011-final, 'Examples': in inference mode, view of a normal tensor: 'view metadata is recorded'",
    "Inside inference mode no view is tracked (draft-2: 'view metadata is not recorded').",
    {{{Profile::draft_2, "Inside inference mode no view is tracked.",
       "rfc-0011-draft-2, lines 81 and 205; lines 226 and 242 contradict them", ""}}}};
inline constexpr Rule VIEW_02{
    Family::VIEW, 2, "A view of an inference tensor is not tracked, inside or outside inference mode.",
    "rfc-0011-final, 'Examples': outside, view of an inference tensor: 'view metadata is not recorded'",
    "Outside inference mode every view is tracked."};
inline constexpr Rule VIEW_03{Family::VIEW, 3,
                              "The base of a tracked view of a tracked view is the base of the first view.",
                              "torch/csrc/autograd/variable.h, 'DifferentiableViewMeta': base_ is never itself a view",
                              "The base of a view of a view is the first view."};
inline constexpr Rule VIEW_04{Family::VIEW,
                              4,
                              "A tracked view made inside inference mode has creation metadata INFERENCE_MODE.",
                              "rfc-0011-final, 'Examples': 'creation meta is set to INFERENCE_MODE'",
                              "It has NO_GRAD_MODE (rfc-0011-final, 'Inference mode is defined').",
                              {{{Profile::rfc_0011, "It has NO_GRAD_MODE.",
                                 "rfc-0011-final, 'Inference mode is defined to be the state when': "
                                 "'(CreationMeta::NO_GRAD_MODE)'; 'Examples' contradicts it",
                                 ""},
                                {Profile::draft_1, "It has NO_VARIABLE_TYPE_VIEW.",
                                 "rfc-0011-draft-1, the table's row for a view of a normal tensor", ""}}}};
inline constexpr Rule VIEW_05{Family::VIEW, 5,
                              "If grad mode is off, a tracked view made outside inference mode has creation metadata "
                              "NO_GRAD_MODE, or INFERENCE_MODE by VIEW-14.",
                              "rfc-0011-final, the example kernel expand: 'GradMode::is_enabled() ? "
                              "CreationMeta::DEFAULT : CreationMeta::NO_GRAD_MODE'",
                              "It has DEFAULT."};
inline constexpr Rule VIEW_06{Family::VIEW, 6,
                              "Outside inference mode with grad mode on, a tracked view that is one of several results "
                              "has creation metadata MULTI_OUTPUT_NODE, or INFERENCE_MODE by VIEW-14.",
                              "torch/csrc/autograd/variable.h, CreationMeta::MULTI_OUTPUT_NODE", "It has DEFAULT."};
inline constexpr Rule VIEW_07{Family::VIEW, 7,
                              "A tracked view whose own creation metadata would be DEFAULT inherits the creation "
                              "metadata of the view that it is a view of.",
                              "torch/csrc/autograd/variable.h, propagate_creation_meta", "It stays DEFAULT."};
inline constexpr Rule VIEW_08{
    Family::VIEW,
    8,
    "A write through a view is an error if it is recorded for backward and the view's creation metadata is not "
    "DEFAULT.",
    "rfc-0011-final: 'the creation metadata of the view is set to forbid subsequent inplace modification'; variable.h, "
    "'View + Inplace detection'",
    "The write is allowed, and its history is wrong.",
    {{{Profile::torch_1_13,
       "If the view has a grad_fn and creation metadata INFERENCE_MODE or NO_GRAD_MODE, the error is a failed internal "
       "assertion.",
       "torch/csrc/autograd/variable.cpp of v1.13.1, handle_view_on_rebase: TORCH_INTERNAL_ASSERT(!grad_fn)", ""}}}};
inline constexpr Rule VIEW_09{
    Family::VIEW, 9, "If nothing requires grad, or grad mode is off, such a write is allowed.",
    "rfc-0011-final: forbidden 'with requires_grad=True tensors'; VariableTypeUtils.h, check_inplace",
    "A view made in inference mode can never be written."};
inline constexpr Rule VIEW_10{Family::VIEW, 10, "The results of `detach` and view(dtype) are not tracked views.",
                              "torch/csrc/autograd/variable.h, 'Non-Differentiable View'",
                              "`detach` returns a tracked view."};
inline constexpr Rule VIEW_11{
    Family::VIEW,
    11,
    "After a recorded write through its base, asking for the grad_fn of a view whose creation metadata is not DEFAULT "
    "is an error.",
    "torch/csrc/autograd/variable.cpp, VariableHooks::grad_fn: handle_view_on_rebase, indirect",
    "The view keeps the grad_fn that it had.",
    {{{Profile::torch_1_13,
       "If the view has a grad_fn and creation metadata INFERENCE_MODE or NO_GRAD_MODE, the error is a failed internal "
       "assertion.",
       "torch/csrc/autograd/variable.cpp of v1.13.1, handle_view_on_rebase: TORCH_INTERNAL_ASSERT(!grad_fn)", ""}}}};
inline constexpr Rule VIEW_12{Family::VIEW, 12,
                              "After a recorded write through its base, asking for the grad_fn of a view with creation "
                              "metadata DEFAULT regenerates it.",
                              "torch/csrc/autograd/variable.cpp, VariableHooks::grad_fn: 'regenerate grad_fn'",
                              "The view's grad_fn is not regenerated until the view is made again."};
inline constexpr Rule VIEW_13{
    Family::VIEW, 13,
    "A tracked view made under enable_grad inside inference mode still has creation metadata INFERENCE_MODE.",
    "tools/autograd/gen_inplace_or_view_type.py, get_creation_meta_in_mode: the mode is asked before grad mode",
    "Grad mode decides, so it has DEFAULT."};

inline constexpr Rule VIEW_14{
    Family::VIEW, 14,
    "If a view was made inside inference mode, a tracked view of it has creation metadata INFERENCE_MODE too, whatever "
    "its own would be.",
    "torch/csrc/autograd/variable.h, propagate_creation_meta: INFERENCE_MODE outlasts the new view's",
    "The new view's own creation metadata replaces INFERENCE_MODE, unless it is DEFAULT."};

inline constexpr Rule VIEW_15{Family::VIEW, 15, "A view made below ADInplaceOrView is not tracked.",
                              "rfc-0011-final, 'InplaceOrView': it is responsible for 'view metadata tracking for view "
                              "ops'",
                              "Every view of a normal tensor is tracked."};
inline constexpr Rule VIEW_16{Family::VIEW, 16, "`x.data` is not a tracked view.",
                              "torch/csrc/autograd/variable.h, Tensor::variable_data: 'has no relationship with it'",
                              "It is a tracked view of x."};
inline constexpr Rule VIEW_17{
    Family::VIEW, 17, "After `x.data = y` or `x.set_(y)` a view x is still a view of the same base.",
    "torch/csrc/autograd/variable.cpp, VariableHooks::set_data: the autograd metadata is kept",
    "It is no longer a view."};

inline constexpr Rule VIEW_18{
    Family::VIEW,
    18,
    "The results of stack and of the *_scatter ops are not views.",
    "torch.stack: 'Concatenates a sequence of tensors along a new dimension'; native_functions.yaml: no result of "
    "these has an alias",
    "If no Autograd kernel ran, the result is a view of a tensor made inside the op.",
    {{{Profile::torch_2_13,
       "If no Autograd kernel ran, the result is a tracked view of the tensor that cat made inside the op, or of the "
       "copy of the whole storage.",
       "aten/src/ATen/native/TensorShape.cpp, stack: out.view(result_sizes), and clone_preserve_strides: "
       "clone.as_strided, which dispatch again",
       ""},
      {Profile::torch_1_13,
       "If no Autograd kernel ran, the result of stack is a tracked view of the tensor that cat made inside it.",
       "aten/src/ATen/native/TensorShape.cpp of 1.13, stack: out.view(result_sizes)", ""}}}};
inline constexpr Rule VIEW_19{
    Family::VIEW,
    19,
    "view(dtype) with the tensor's own dtype returns a new tensor, as with any other dtype.",
    "torch.Tensor.view(dtype): 'Returns a new tensor with the same data'",
    "For an inference tensor it returns the tensor itself.",
    {{{Profile::torch_1_13, "For an inference tensor, and below ADInplaceOrView, it returns the tensor itself.",
       "aten/src/ATen/native/TensorConversions.cpp of 1.13, view_dtype: 'if (self.scalar_type() == dtype) return "
       "self', which as_view leaves as it is for inference tensors",
       ""}}}};

inline constexpr Rule VIEW_20{
    Family::VIEW,
    20,
    "The pieces of unsafe_split are not tracked views, whatever the mode.",
    "native_functions.yaml, unsafe_split: no result has an alias",
    "If no Autograd kernel ran, each piece is a tracked view with its own version counter.",
    {{{Profile::torch_2_13, "If no Autograd kernel ran, each piece is a tracked view with its own version counter.",
       "aten/src/ATen/native/TensorShape.cpp, unsafe_split: split, whose narrow dispatches again, then "
       "set_version_counter",
       ""},
      {Profile::torch_1_13, "If no Autograd kernel ran, each piece is a tracked view with its own version counter.",
       "aten/src/ATen/native/TensorShape.cpp of v1.13.1, unsafe_split: split, then set_version_counter", ""}}}};

/// Whether the pieces of unsafe_split are tracked views, if no Autograd kernel ran.
template <Domain D>
constexpr Bool<D> unsafe_pieces_tracked(const Judge<D>& judge) {
  return judge(VIEW_20, Bool<D>(false), Bool<D>(true), In{Profile::torch_2_13, Bool<D>(true)},
               In{Profile::torch_1_13, Bool<D>(true)});
}
/// Whether view(dtype) of an inference tensor with its own dtype returns the tensor itself.
template <Domain D>
constexpr Bool<D> own_dtype_is_self(const Judge<D>& judge) {
  return judge(VIEW_19, Bool<D>(false), Bool<D>(true), In{Profile::torch_1_13, Bool<D>(true)});
}
/// Whether stack returns a view of what cat made inside it, if no Autograd kernel ran.
template <Domain D>
constexpr Bool<D> stack_gives_view(const Judge<D>& judge) {
  return judge(VIEW_18, Bool<D>(false), Bool<D>(true), In{Profile::torch_2_13, Bool<D>(true)},
               In{Profile::torch_1_13, Bool<D>(true)});
}
/// Whether a *_scatter that keeps strides returns a view of the copy made inside it, if no Autograd kernel ran.
template <Domain D>
constexpr Bool<D> scatter_gives_view(const Judge<D>& judge) {
  return judge(VIEW_18, Bool<D>(false), Bool<D>(true), In{Profile::torch_2_13, Bool<D>(true)});
}

/// Whether creation metadata says that the view was made inside inference mode, under the name that any text gives it.
template <Domain D>
constexpr Bool<D> was_made_inside(const Choice<D, CreationMeta>& creation) {
  using C = Choice<D, CreationMeta>;
  return creation == C(CreationMeta::INFERENCE_MODE) || creation == C(CreationMeta::NO_VARIABLE_TYPE_VIEW);
}

/// Whether a view made below ADInplaceOrView is tracked, whether `x.data` is, and whether a view whose storage was
/// exchanged stays a view.
template <Domain D>
constexpr Bool<D> view_below_tracked(const Judge<D>& judge, const Bool<D>& inference) {
  return judge(VIEW_15, Bool<D>(false), !inference);
}
template <Domain D>
constexpr Bool<D> data_tracked(const Judge<D>& judge, const Bool<D>& inference) {
  return judge(VIEW_16, Bool<D>(false), !inference);
}
template <Domain D>
constexpr Bool<D> exchanged_stays_view(const Judge<D>& judge, const Bool<D>& tracked) {
  return judge(VIEW_17, tracked, Bool<D>(false));
}

/// Whether a view is tracked; `inference`: it is a view of an inference tensor.
template <Domain D>
constexpr Bool<D> view_tracked(const Judge<D>& judge, const Bool<D>& inference, const Tls<D>& tls) {
  const Bool<D> outside = !inference && !tls.inference_mode;
  const Bool<D> normal = judge(VIEW_01, !inference, outside, In{Profile::draft_2, outside});
  return normal || judge(VIEW_02, Bool<D>(false), inference && !tls.inference_mode);
}

/// Whether a view of a view has the base of the first view.
template <Domain D>
constexpr Bool<D> base_is_root(const Judge<D>& judge) {
  return judge(VIEW_03, Bool<D>(true), Bool<D>(false));
}

/// The creation metadata of a view; `source`: that of the tensor viewed, DEFAULT if it is not a tracked view.
template <Domain D>
constexpr Choice<D, CreationMeta> creation_meta(const Judge<D>& judge, const Choice<D, CreationMeta>& source,
                                                bool many_results, const Tls<D>& tls) {
  using C = Choice<D, CreationMeta>;
  const C multi = judge(VIEW_06, C(many_results ? CreationMeta::MULTI_OUTPUT_NODE : CreationMeta::DEFAULT),
                        C(CreationMeta::DEFAULT));
  const C no_grad = judge(VIEW_05, C(CreationMeta::NO_GRAD_MODE), C(CreationMeta::DEFAULT));
  const C in_mode = judge(VIEW_04, C(CreationMeta::INFERENCE_MODE), C(CreationMeta::NO_GRAD_MODE),
                          In{Profile::rfc_0011, C(CreationMeta::NO_GRAD_MODE)},
                          In{Profile::draft_1, C(CreationMeta::NO_VARIABLE_TYPE_VIEW)});
  const C by_grad = select(tls.grad_mode, multi, no_grad);
  const Bool<D> mode = judge(VIEW_13, tls.inference_mode, tls.inference_mode && !tls.grad_mode);
  const C own = select(mode, in_mode, by_grad);
  const Bool<D> lasts = judge(VIEW_14, was_made_inside(source), Bool<D>(false));
  return select(own == C(CreationMeta::DEFAULT), judge(VIEW_07, source, own), select(lasts, source, own));
}

/// The error for a view's creation metadata; `indirect`: its history is asked for after a write through another tensor.
template <Domain D>
constexpr Error<D> creation_error(const Choice<D, CreationMeta>& creation, bool indirect) {
  using C = Choice<D, CreationMeta>;
  using enum ErrorClass;
  const Error<D> inference = indirect ? stale_view_inference_mode : view_inference_mode;
  const Error<D> no_grad = indirect ? stale_view_no_grad : view_no_grad;
  const Error<D> multi = indirect ? stale_view_multi_output : view_multi_output;
  const Error<D> custom = indirect ? stale_view_custom_function : view_custom_function;
  const Error<D> two = select(creation == C(CreationMeta::NO_GRAD_MODE), no_grad,
                              select(creation == C(CreationMeta::MULTI_OUTPUT_NODE), multi,
                                     select(creation == C(CreationMeta::IN_CUSTOM_FUNCTION), custom, Error<D>(none))));
  return select(was_made_inside(creation), inference, two);
}

/// The same error in PyTorch 1.13, which asserts that a view with such creation metadata has no grad_fn.
template <Domain D>
constexpr Error<D> asserted(const Error<D>& error, const Meta<D>& view) {
  using C = Choice<D, CreationMeta>;
  const Bool<D> unforeseen =
      view.has_grad_fn && (was_made_inside(view.creation) || view.creation == C(CreationMeta::NO_GRAD_MODE));
  return select(unforeseen, Error<D>(ErrorClass::internal), error);
}

/// Whether a write through a tracked view may go on; `recorded`: whether the write is recorded for backward.
template <Domain D>
constexpr Error<D> check_write_through_view(const Judge<D>& judge, const Meta<D>& view, const Bool<D>& recorded) {
  const Bool<D> asked = judge(VIEW_09, recorded, Bool<D>(true));
  const Error<D> error = creation_error<D>(view.creation, false);
  return select(view.tracked && asked,
                judge(VIEW_08, error, Error<D>(ErrorClass::none), In{Profile::torch_1_13, asserted(error, view)}),
                Error<D>(ErrorClass::none));
}

/// What happens when the history of a tracked view is asked for, if its base requires grad (or it has a grad_fn) and
/// the version was bumped after the history was recorded.
template <Domain D>
struct StaleHistory {
  Error<D> error;
  Bool<D> regenerated;  ///< the view now has a grad_fn
};
template <Domain D>
constexpr StaleHistory<D> ask_stale_history(const Judge<D>& judge, const Meta<D>& view) {
  const Error<D> right = creation_error<D>(view.creation, true);
  const Error<D> error =
      judge(VIEW_11, right, Error<D>(ErrorClass::none), In{Profile::torch_1_13, asserted(right, view)});
  const Bool<D> plain = view.creation == Choice<D, CreationMeta>(CreationMeta::DEFAULT);
  return {error, plain && judge(VIEW_12, Bool<D>(true), Bool<D>(false))};
}

/// Whether `detach` gives a tracked view.
template <Domain D>
constexpr Bool<D> detach_tracked(const Judge<D>& judge, const Bool<D>& inference) {
  return judge(VIEW_10, Bool<D>(false), !inference);
}

}  // namespace plumbline
