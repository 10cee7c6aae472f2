// VIEW: which views are tracked, their base and creation metadata, and what a write through one then does.
#pragma once

#include "spec/rules/ver.h"

namespace plumbline {

inline constexpr Rule VIEW_01{
    Family::VIEW,
    1,
    "A view of a normal tensor is tracked, inside inference mode too: it has a base and creation metadata; what "
    "`detach` and view(dtype) give is not (VIEW-10).",
    "rfc-0011-final, 'Examples': in inference mode, view of a normal tensor: 'view metadata is recorded'",
    "Inside inference mode no view is tracked (draft-2: 'view metadata is not recorded').",
    {{{Profile::draft_2, "Inside inference mode no view is tracked.",
       "rfc-0011-draft-2, lines 81 and 205; lines 226 and 242 contradict them", ""}}}};
inline constexpr Rule VIEW_02{
    Family::VIEW, 2, "A view of an inference tensor is not tracked, outside inference mode either.",
    "rfc-0011-final, 'Examples': outside, view of an inference tensor: 'view metadata is not recorded'",
    "Outside inference mode every view is tracked."};
inline constexpr Rule VIEW_03{Family::VIEW, 3, "The base of a tracked view of a tracked view is the first one's base.",
                              "torch/csrc/autograd/variable.h, 'DifferentiableViewMeta': base_ is never itself a view",
                              "The base of a view of a view is that view."};
inline constexpr Rule VIEW_04{Family::VIEW,
                              4,
                              "A tracked view made inside inference mode has creation metadata INFERENCE_MODE.",
                              "rfc-0011-final, 'Examples': 'creation meta is set to INFERENCE_MODE'",
                              "It has NO_GRAD_MODE (rfc-0011-final, 'Inference mode is defined').",
                              {{{Profile::rfc_0011, "It is set to NO_GRAD_MODE.",
                                 "rfc-0011-final, 'Inference mode is defined to be the state when': "
                                 "'(CreationMeta::NO_GRAD_MODE)'; 'Examples' contradicts it",
                                 ""},
                                {Profile::draft_1, "It has NO_VARIABLE_TYPE_VIEW.",
                                 "rfc-0011-draft-1, the table's row for a view of a normal tensor", ""}}}};
inline constexpr Rule VIEW_05{Family::VIEW, 5,
                              "A tracked view made outside inference mode while grad mode is off has creation metadata "
                              "NO_GRAD_MODE, or INFERENCE_MODE by VIEW-14.",
                              "rfc-0011-final, the example kernel expand: 'GradMode::is_enabled() ? "
                              "CreationMeta::DEFAULT : CreationMeta::NO_GRAD_MODE'",
                              "It has DEFAULT."};
inline constexpr Rule VIEW_06{Family::VIEW, 6,
                              "A tracked view that is one of several results has creation metadata MULTI_OUTPUT_NODE "
                              "where grad mode is on, outside inference mode, or INFERENCE_MODE by VIEW-14.",
                              "torch/csrc/autograd/variable.h, CreationMeta::MULTI_OUTPUT_NODE", "It has DEFAULT."};
inline constexpr Rule VIEW_07{
    Family::VIEW, 7,
    "A tracked view whose own creation metadata would be DEFAULT inherits that of the view that it views.",
    "torch/csrc/autograd/variable.h, propagate_creation_meta", "It stays DEFAULT."};
inline constexpr Rule VIEW_08{Family::VIEW,
                              8,
                              "A write through a view whose creation metadata is not DEFAULT is an error where the "
                              "write is recorded for backward.",
                              "rfc-0011-final: 'the creation metadata of the view is set to forbid subsequent inplace "
                              "modification'; variable.h, 'View + Inplace detection'",
                              "The write is allowed and its history is wrong.",
                              {{{Profile::torch_1_13,
                                 "Where the view has a grad_fn of its own and is not one of several results, the error "
                                 "is a failed assertion.",
                                 "torch/csrc/autograd/variable.cpp of v1.13.1, handle_view_on_rebase: "
                                 "TORCH_INTERNAL_ASSERT(!grad_fn)",
                                 ""}}}};
inline constexpr Rule VIEW_09{
    Family::VIEW, 9, "Where nothing requires grad, or grad mode is off, such a write is allowed.",
    "rfc-0011-final: forbidden 'with requires_grad=True tensors'; VariableTypeUtils.h, check_inplace",
    "A view made in inference mode can never be written."};
inline constexpr Rule VIEW_10{Family::VIEW, 10, "`detach` gives a tensor that is no view, and so does view(dtype).",
                              "torch/csrc/autograd/variable.h, 'Non-Differentiable View'",
                              "`detach` gives a tracked view."};
inline constexpr Rule VIEW_11{
    Family::VIEW,
    11,
    "Asking for the history of such a view, after a write through its base that is recorded, is an error.",
    "torch/csrc/autograd/variable.cpp, VariableHooks::grad_fn: handle_view_on_rebase, indirect",
    "The view answers with the history that it had.",
    {{{Profile::torch_1_13,
       "Where the view has a grad_fn of its own and is not one of several results, the error is a failed assertion.",
       "torch/csrc/autograd/variable.cpp of v1.13.1, handle_view_on_rebase: TORCH_INTERNAL_ASSERT(!grad_fn)", ""}}}};
inline constexpr Rule VIEW_12{Family::VIEW, 12,
                              "Asking for the history of a DEFAULT view, after a write through its base that is "
                              "recorded, regenerates it: the view has a grad_fn.",
                              "torch/csrc/autograd/variable.cpp, VariableHooks::grad_fn: 'regenerate grad_fn'",
                              "The view has no grad_fn until it is made again."};
inline constexpr Rule VIEW_13{
    Family::VIEW, 13, "A tracked view made in enable_grad inside inference mode has INFERENCE_MODE still.",
    "tools/autograd/gen_inplace_or_view_type.py, get_creation_meta_in_mode: the mode is asked before grad mode",
    "Grad mode decides: it has DEFAULT."};

inline constexpr Rule VIEW_14{
    Family::VIEW, 14,
    "A tracked view of a view made inside inference mode has INFERENCE_MODE too, whatever it would have itself.",
    "torch/csrc/autograd/variable.h, propagate_creation_meta: INFERENCE_MODE outlasts the new view's",
    "Its own creation metadata, where that is not DEFAULT, takes the place of INFERENCE_MODE."};

inline constexpr Rule VIEW_15{Family::VIEW, 15, "A view made below ADInplaceOrView is not tracked.",
                              "rfc-0011-final, 'InplaceOrView': it is responsible for 'view metadata tracking for view "
                              "ops'",
                              "Every view of a normal tensor is tracked."};
inline constexpr Rule VIEW_16{Family::VIEW, 16, "`x.data` is no view.",
                              "torch/csrc/autograd/variable.h, Tensor::variable_data: 'has no relationship with it'",
                              "It is a tracked view of x."};
inline constexpr Rule VIEW_17{
    Family::VIEW, 17, "A view stays one, of the same base, after `x.data = y` and x.set_(y).",
    "torch/csrc/autograd/variable.cpp, VariableHooks::set_data: the autograd metadata is kept",
    "It is no view any more."};

inline constexpr Rule VIEW_18{
    Family::VIEW,
    18,
    "The result of stack is no view, nor is that of a *_scatter.",
    "torch.stack: 'Concatenates a sequence of tensors along a new dimension'; native_functions.yaml: no result of "
    "these "
    "has an alias",
    "Where no Autograd kernel ran, it is a view of what was made inside.",
    {{{Profile::torch_2_13,
       "Where no Autograd kernel ran, it is a tracked view of what cat made inside, or of the copy of the whole "
       "storage.",
       "aten/src/ATen/native/TensorShape.cpp, stack: out.view(result_sizes), and clone_preserve_strides: "
       "clone.as_strided, which dispatch anew",
       ""},
      {Profile::torch_1_13, "Where no Autograd kernel ran, it is a tracked view of what cat made inside.",
       "aten/src/ATen/native/TensorShape.cpp of 1.13, stack: out.view(result_sizes)", ""}}}};
inline constexpr Rule VIEW_19{
    Family::VIEW,
    19,
    "view(dtype) of the dtype that a tensor has gives a new tensor, as of any other.",
    "torch.Tensor.view(dtype): 'Returns a new tensor with the same data'",
    "Of an inference tensor it gives that very tensor.",
    {{{Profile::torch_1_13, "Of an inference tensor, and below ADInplaceOrView, it gives that very tensor.",
       "aten/src/ATen/native/TensorConversions.cpp of 1.13, view_dtype: 'if (self.scalar_type() == dtype) return "
       "self', "
       "which as_view leaves as it is for inference tensors",
       ""}}}};

inline constexpr Rule VIEW_20{
    Family::VIEW,
    20,
    "The pieces of unsafe_split are no views that autograd tracks, whatever the mode.",
    "native_functions.yaml, unsafe_split: no result has an alias",
    "Where no Autograd kernel ran, each is a tracked view, with a version counter of its own.",
    {{{Profile::torch_2_13, "Where no Autograd kernel ran, each is a tracked view, with a version counter of its own.",
       "aten/src/ATen/native/TensorShape.cpp, unsafe_split: split, whose narrow dispatches anew, then "
       "set_version_counter",
       ""},
      {Profile::torch_1_13, "Where no Autograd kernel ran, each is a tracked view, with a version counter of its own.",
       "aten/src/ATen/native/TensorShape.cpp of v1.13.1, unsafe_split: split, then set_version_counter", ""}}}};

/// Whether the pieces of unsafe_split, where it met no Autograd kernel, are tracked views.
template <Domain D>
constexpr Bool<D> unsafe_pieces_tracked(const Judge<D>& judge) {
  return judge(VIEW_20, Bool<D>(false), Bool<D>(true), In{Profile::torch_2_13, Bool<D>(true)},
               In{Profile::torch_1_13, Bool<D>(true)});
}
/// Whether view(dtype) of an inference tensor of this very dtype is the tensor itself.
template <Domain D>
constexpr Bool<D> own_dtype_is_self(const Judge<D>& judge) {
  return judge(VIEW_19, Bool<D>(false), Bool<D>(true), In{Profile::torch_1_13, Bool<D>(true)});
}
/// Whether stack, where it met no Autograd kernel, gives a view of what cat made inside it.
template <Domain D>
constexpr Bool<D> stack_gives_view(const Judge<D>& judge) {
  return judge(VIEW_18, Bool<D>(false), Bool<D>(true), In{Profile::torch_2_13, Bool<D>(true)},
               In{Profile::torch_1_13, Bool<D>(true)});
}
/// Whether a *_scatter that keeps strides, where it met no Autograd kernel, gives a view of the copy made inside it.
template <Domain D>
constexpr Bool<D> scatter_gives_view(const Judge<D>& judge) {
  return judge(VIEW_18, Bool<D>(false), Bool<D>(true), In{Profile::torch_2_13, Bool<D>(true)});
}

/// Whether creation metadata says that the view was made inside inference mode, in the words of whichever text.
template <Domain D>
constexpr Bool<D> was_made_inside(const Choice<D, CreationMeta>& creation) {
  using C = Choice<D, CreationMeta>;
  return creation == C(CreationMeta::INFERENCE_MODE) || creation == C(CreationMeta::NO_VARIABLE_TYPE_VIEW);
}

/// Whether a view made below ADInplaceOrView is tracked; whether `x.data` is; whether a view whose storage was
/// exchanged stays one.
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

/// Whether a view is tracked; `inference`: whether the tensor that it views is an inference tensor.
template <Domain D>
constexpr Bool<D> view_tracked(const Judge<D>& judge, const Bool<D>& inference, const Tls<D>& tls) {
  const Bool<D> outside = !inference && !tls.inference_mode;
  const Bool<D> normal = judge(VIEW_01, !inference, outside, In{Profile::draft_2, outside});
  return normal || judge(VIEW_02, Bool<D>(false), inference && !tls.inference_mode);
}

/// Whether a view's base is its source's base, where that has one.
template <Domain D>
constexpr Bool<D> base_is_root(const Judge<D>& judge) {
  return judge(VIEW_03, Bool<D>(true), Bool<D>(false));
}

/// The creation metadata of a view; `source` is that of the tensor viewed, DEFAULT where it is no tracked view.
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

/// The error that a view's creation metadata calls for; `indirect`: its history is asked for after a write elsewhere.
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

/// The same error as PyTorch 1.13 has it: it did not expect a view with a grad_fn to have such creation metadata.
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

/// What asking for a tracked view's history does, where its base requires grad (or it has a grad_fn) and the version
/// has moved since its history was recorded.
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
