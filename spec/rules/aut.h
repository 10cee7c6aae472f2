// AUT: requires_grad, leaf-ness and grad_fn: what the other families need of autograd.
#pragma once

#include "spec/rules/view.h"

namespace plumbline {

inline constexpr Rule AUT_01{Family::AUT, 1, "An op is recorded for backward only while grad mode is on.",
                             "rfc-0011-final: 'All operations do not record grad_fn … (like NoGradMode'; "
                             "torch/csrc/autograd/functions/utils.h, compute_requires_grad",
                             "The Autograd kernel records whenever it runs."};
inline constexpr Rule AUT_02{Family::AUT, 2,
                             "An op is recorded for backward only if one of its tensor arguments requires grad.",
                             "rfc-0011-final, 'Autograd': 'when any of their inputs require_grad'",
                             "An op is recorded whenever grad mode is on."};
inline constexpr Rule AUT_03{Family::AUT, 3, "A tensor is a leaf iff it has no grad_fn.",
                             "torch/csrc/autograd/variable.cpp, VariableHooks::is_leaf",
                             "A tensor is a leaf iff it does not require grad."};
inline constexpr Rule AUT_04{
    Family::AUT, 4, "A recorded in-place op on a leaf that requires grad raises an error before anything is written.",
    "torch/csrc/autograd/VariableTypeUtils.h, check_inplace", "It is allowed, and the leaf gets a grad_fn."};
inline constexpr Rule AUT_05{
    Family::AUT, 5,
    "A recorded in-place op on a view of a leaf that requires grad raises an error before anything is written.",
    "torch/csrc/autograd/VariableTypeUtils.h, check_inplace", "Only the leaf itself is protected."};
inline constexpr Rule AUT_06{Family::AUT, 6, "A tracked view requires grad if its base does.",
                             "torch/csrc/autograd/variable.h, DifferentiableViewMeta::requires_grad; rfc-0011-final, "
                             "'Edge case': 'propagates to views'",
                             "Whether a view requires grad is fixed when it is made."};
inline constexpr Rule AUT_07{Family::AUT, 7, "A recorded in-place op gives the written tensor a grad_fn.",
                             "torch/csrc/autograd/VariableTypeUtils.h, rebase_history",
                             "Only new results get a grad_fn."};
inline constexpr Rule AUT_08{Family::AUT, 8, "A recorded in-place op on a tracked view gives its base a grad_fn.",
                             "torch/csrc/autograd/variable.cpp, rebase_history: CopySlices on the base",
                             "The base keeps the grad_fn that it had."};
inline constexpr Rule AUT_09{Family::AUT, 9, "requires_grad cannot be set on a tensor that is not a leaf.",
                             "torch/csrc/autograd/python_variable.cpp, THPVariable_set_requires_grad",
                             "It can be set, and the history is dropped."};
inline constexpr Rule AUT_10{Family::AUT, 10, "`detach` returns a tensor that does not require grad.",
                             "torch/csrc/autograd/variable.h, 'Non-Differentiable View'",
                             "`detach` returns a leaf that requires grad if its source does."};
inline constexpr Rule AUT_11{
    Family::AUT, 11, "An op saves a tensor for backward only if an argument whose gradient needs it requires grad.",
    "tools/autograd/derivatives.yaml; the generated kernels: should_compute_output",
    "A recorded op saves every input that its derivative names."};
inline constexpr Rule AUT_12{Family::AUT, 12, "Only a tensor of a floating dtype can be set to requires_grad=True.",
                             "c10/core/TensorImpl.cpp, AutogradMeta::set_requires_grad: isDifferentiableType",
                             "Any tensor can require grad."};
inline constexpr Rule AUT_13{
    Family::AUT, 13, "A result that is recorded for backward requires grad.",
    "torch/csrc/autograd/variable.h, AutogradMeta::requires_grad: 'requires_grad_ || grad_fn_'",
    "Only tensors whose requires_grad was set require grad."};
inline constexpr Rule AUT_14{
    Family::AUT, 14,
    "A recorded view op gives the view a grad_fn; in no_grad mode a view of a leaf that requires grad is itself a leaf "
    "that requires grad.",
    "rfc-0011-final, 'Edge case': 'in no grad mode, this requires grad setting propagates to views'",
    "A view of a tensor that requires grad always has a grad_fn."};

inline constexpr Rule AUT_15{Family::AUT, 15,
                             "In-place ops and setting requires_grad check leaf-ness on the history as it stands; only "
                             "Python's is_leaf and grad_fn bring a stale history up to date first.",
                             "torch/csrc/autograd/variable.cpp, VariableHooks::is_leaf: grad_fn_ as it is; "
                             "python_variable.cpp, THPVariable_is_leaf: grad_fn()",
                             "Every check of leaf-ness first brings the history up to date."};
inline constexpr Rule AUT_16{
    Family::AUT,
    16,
    "Outside inference mode, clone or to(dtype) of an inference tensor that requires grad is recorded for backward: "
    "the new result brings its Autograd key to the copy_ inside.",
    "aten/src/ATen/native/TensorFactories.cpp, clone, and TensorConversions.cpp, _to_copy: copy_, which dispatches "
    "again where no Autograd kernel ran before",
    "The result has no history, because no Autograd kernel ran for the op.",
    {{{Profile::ideal, "It is not recorded: the new result does not require grad yet, so it brings no Autograd key.",
       "rfc-0011-draft-1, 'Ideal end state': it follows from KEY-10", ""}}}};

inline constexpr Rule AUT_51{
    Family::AUT,
    51,
    "Outside inference mode, an op on inference tensors alone, other than clone and to(dtype) (AUT-16), is neither "
    "recorded nor refused, even if the tensors require grad.",
    "KEY-04 and INF-01: no argument brings an Autograd key; rfc-0011-draft-2: 'VariableType/InplaceOrView kernel are "
    "all skipped'",
    "The ops that its kernel calls on its result are recorded or refused.",
    {{{Profile::torch_2_13,
       "mean is refused because of the out= op inside it; mv, masked_fill and index_fill are refused because of what "
       "the in-place op inside them saves. The result of addmm has the history of a copy of self, the result of max "
       "and aminmax along a dimension of a tensor without dimensions has that of a fill with self, and the result of a "
       "*_scatter has that of a copy of src.",
       "aten/src/ATen/native/ReduceOps.cpp, mean.out: sum_out; Blas.cpp, mv: addmv_; TensorAdvancedIndexing.cpp, "
       "masked_fill, index_fill; LinearAlgebra.cpp, addmm_impl_cpu_: copy_",
       ""},
      {Profile::torch_1_13,
       "mean is refused because of the out= op inside it; mv, masked_fill and index_fill are refused because of what "
       "the in-place op inside them saves. The result of addmm has the history of a copy of self, the result of max "
       "along a dimension of a tensor without dimensions has that of a fill with self, and the result of a *_scatter "
       "has that of copies of self and src.",
       "the same files of 1.13", ""}}}};

inline constexpr Rule AUT_17{Family::AUT, 17,
                             "A recorded op asks for the grad_fn of each of its tensor arguments, so a stale view "
                             "among them is brought up to date or raises an error.",
                             "torch/csrc/autograd/function.h, collect_next_edges: gradient_edge, grad_fn()",
                             "A recorded op takes its arguments' histories as they stand."};
inline constexpr Rule AUT_18{Family::AUT, 18, "A recorded op whose result does not have a floating dtype is an error.",
                             "torch/csrc/autograd/functions/utils.h, set_history: 'Autograd not support dtype'",
                             "The result is made and not recorded."};
inline constexpr Rule AUT_19{
    Family::AUT, 19, "copy_ into a tensor that does not have a floating dtype is not recorded, whatever its source.",
    "torch/csrc/autograd/VariableTypeManual.cpp, copy_: requires_grad &= isDifferentiableType",
    "copy_ is recorded if its source requires grad."};

inline constexpr Rule AUT_20{Family::AUT, 20,
                             "An inference tensor is a leaf, whether it requires grad or not, unless it is a result of "
                             "a recorded custom function or `x.data = y` made it one (AUT-22).",
                             "rfc-0011-draft-2, lines 230 and 237: 'inference tensors are guaranteed to have "
                             "is_leaf=True'; the final text is silent",
                             "An inference tensor that requires grad is not a leaf."};
inline constexpr Rule AUT_21{Family::AUT, 21, "`x.data` does not require grad and has no history.",
                             "torch/csrc/autograd/variable.cpp, VariableHooks::variable_data: no autograd metadata",
                             "It requires grad if x does."};
inline constexpr Rule AUT_22{Family::AUT, 22, "`x.data = y` keeps x's requires_grad and x's history.",
                             "torch/csrc/autograd/variable.cpp, VariableHooks::set_data: 'all non-autograd fields'",
                             "x takes y's requires_grad."};
inline constexpr Rule AUT_23{Family::AUT, 23,
                             "`x.data = y` is an error if x requires grad and y does not have a floating dtype.",
                             "torch/csrc/autograd/variable.cpp, VariableHooks::set_data: isDifferentiableType",
                             "It is allowed, and x becomes an integer tensor that requires grad."};
inline constexpr Rule AUT_24{Family::AUT, 24, "Backward from a tensor that does not require grad is an error.",
                             "torch/csrc/autograd/autograd.cpp, run_backward: 'element 0 of tensors does not require "
                             "grad'",
                             "It does nothing."};
inline constexpr Rule AUT_25{
    Family::AUT, 25, "Backward adds to the `.grad` of each leaf in the graph of the tensor that it starts from.",
    "torch/csrc/autograd/functions/accumulate_grad.h, AccumulateGrad", "Backward replaces `.grad`."};

inline constexpr Rule AUT_26{Family::AUT, 26,
                             "A recorded in-place op on a tracked view gives the view a new grad_fn only if the write "
                             "bumped the version; below ADInplaceOrView the view keeps its old history.",
                             "torch/csrc/autograd/variable.cpp, rebase_history: 'trigger an update to the view's "
                             "grad_fn', which compares versions",
                             "The view always gets a new grad_fn."};

/// Whether an op is recorded for backward, where the Autograd kernel runs.
template <Domain D>
constexpr Bool<D> is_recorded(const Judge<D>& judge, const Bool<D>& any_requires_grad, const Tls<D>& tls) {
  const Bool<D> mode = judge(AUT_01, tls.grad_mode, Bool<D>(true));
  return mode && judge(AUT_02, any_requires_grad, Bool<D>(true));
}

/// The same for a view op.
template <Domain D>
constexpr Bool<D> is_view_recorded(const Judge<D>& judge, const Bool<D>& any_requires_grad, const Tls<D>& tls) {
  return judge(AUT_14, is_recorded(judge, any_requires_grad, tls), any_requires_grad);
}

/// requires_grad as read; `base`: whether its base requires grad (false where there is none).
template <Domain D>
constexpr Bool<D> requires_grad(const Judge<D>& judge, const Meta<D>& tensor, const Bool<D>& base) {
  const Bool<D> own = tensor.requires_grad || judge(AUT_13, tensor.has_grad_fn, Bool<D>(false));
  return own || (tensor.tracked && judge(AUT_06, base, Bool<D>(false)));
}

/// Leaf-ness as read, after a stale history was brought up to date.
template <Domain D>
constexpr Bool<D> is_leaf(const Judge<D>& judge, const Meta<D>& tensor, const Bool<D>& needs_grad) {
  const Bool<D> leaf = judge(AUT_03, !tensor.has_grad_fn, !needs_grad);
  const Bool<D> inference = !tensor.keys.has_any(autograd_keys<D>() | Functionality::ADInplaceOrView);
  return judge(AUT_20, leaf, leaf && !(inference && needs_grad));
}

/// Whether a recorded in-place op may go on: `needs_grad` and `leaf` of the written tensor and, where it is a tracked
/// view, `base_leaf` of its base.
template <Domain D>
constexpr Error<D> check_leaf(const Judge<D>& judge, const Meta<D>& tensor, const Bool<D>& needs_grad,
                              const Bool<D>& leaf, const Bool<D>& base_leaf) {
  using enum ErrorClass;
  const Error<D> through_view = error_if(tensor.tracked && needs_grad && base_leaf, view_of_leaf_inplace);
  const Error<D> direct = error_if(needs_grad && leaf, leaf_inplace);
  return first_error(judge(AUT_05, through_view, Error<D>(none)), judge(AUT_04, direct, Error<D>(none)));
}

/// Whether a recorded in-place op gives a grad_fn: to the written tensor; to a tracked view, by whether the write was
/// `counted`; to its base.
template <Domain D>
constexpr Bool<D> rebases_tensor(const Judge<D>& judge) {
  return judge(AUT_07, Bool<D>(true), Bool<D>(false));
}
template <Domain D>
constexpr Bool<D> rebases_view(const Judge<D>& judge, const Bool<D>& counted) {
  return judge(AUT_26, counted, Bool<D>(true));
}
template <Domain D>
constexpr Bool<D> rebases_base(const Judge<D>& judge) {
  return judge(AUT_08, Bool<D>(true), Bool<D>(false));
}

/// Whether a check of leaf-ness brings the history up to date first.
template <Domain D>
constexpr Bool<D> leaf_checks_ask_history(const Judge<D>& judge) {
  return judge(AUT_15, Bool<D>(false), Bool<D>(true));
}

/// Whether a recorded op asks for its arguments' histories.
template <Domain D>
constexpr Bool<D> recording_asks_history(const Judge<D>& judge) {
  return judge(AUT_17, Bool<D>(true), Bool<D>(false));
}
/// Whether a recorded result may have its dtype.
template <Domain D>
constexpr Error<D> check_recorded_dtype(const Judge<D>& judge, const Bool<D>& floating) {
  return error_if(judge(AUT_18, !floating, Bool<D>(false)), ErrorClass::grad_dtype);
}
/// Whether a write into a tensor can be recorded; `copies`: whether it is copy_.
template <Domain D>
constexpr Bool<D> write_recordable(const Judge<D>& judge, const Bool<D>& floating, bool copies) {
  return judge(AUT_19, floating || Bool<D>(!copies), Bool<D>(true));
}

/// Whether an op that a kernel calls reaches an Autograd kernel of its own and is recorded there.
template <Domain D>
constexpr Bool<D> recorded_by_inner_call(const Judge<D>& judge, const Bool<D>& source, const Tls<D>& tls) {
  return !tls.inference_mode && !tls.excluded.has_any(autograd_keys<D>()) && is_recorded(judge, source, tls);
}

/// Where no Autograd kernel ran for an op: whether the copy_ inside clone and to(dtype) is recorded, and whether an op
/// inside another kernel is; `source`: an argument of the inner op requires grad.
template <Domain D>
constexpr Bool<D> clone_copy_recorded(const Judge<D>& judge, const Bool<D>& source, const Tls<D>& tls) {
  return judge(AUT_16, recorded_by_inner_call(judge, source, tls), Bool<D>(false), In{Profile::ideal, Bool<D>(false)});
}
template <Domain D>
constexpr Bool<D> inner_op_recorded(const Judge<D>& judge, const Bool<D>& source, const Tls<D>& tls) {
  const Bool<D> recorded = recorded_by_inner_call(judge, source, tls);
  return judge(AUT_51, Bool<D>(false), recorded, In{Profile::torch_2_13, recorded}, In{Profile::torch_1_13, recorded});
}

/// Whether aminmax fills its results with a tensor without dimensions.
template <Domain D>
constexpr Bool<D> aminmax_fills(const Judge<D>& judge) {
  return judge(AUT_51, Bool<D>(false), Bool<D>(true), In{Profile::torch_2_13, Bool<D>(true)});
}
/// Whether requires_grad may be set on a tensor, before INF is asked.
template <Domain D>
constexpr Error<D> check_requires_grad_leaf(const Judge<D>& judge, const Bool<D>& leaf) {
  return error_if(judge(AUT_09, !leaf, Bool<D>(false)), ErrorClass::not_a_leaf);
}
template <Domain D>
constexpr Error<D> check_grad_dtype(const Judge<D>& judge, const Bool<D>& floating, const Bool<D>& value) {
  return error_if(judge(AUT_12, value && !floating, Bool<D>(false)), ErrorClass::grad_dtype);
}

/// The requires_grad flag of a detached tensor.
template <Domain D>
constexpr Bool<D> detach_requires_grad(const Judge<D>& judge, const Bool<D>& source) {
  return judge(AUT_10, Bool<D>(false), source);
}

/// Whether `x.data` requires grad, and whether x does after `x.data = y`; `x` and `y`: their own flags.
template <Domain D>
constexpr Bool<D> data_requires_grad(const Judge<D>& judge, const Bool<D>& x) {
  return judge(AUT_21, Bool<D>(false), x);
}
template <Domain D>
constexpr Bool<D> set_data_requires_grad(const Judge<D>& judge, const Bool<D>& x, const Bool<D>& y) {
  return judge(AUT_22, x, y);
}
/// Whether `x.data = y` is allowed.
template <Domain D>
constexpr Error<D> check_set_data(const Judge<D>& judge, const Bool<D>& requires_it, const Bool<D>& floating) {
  return error_if(judge(AUT_23, requires_it && !floating, Bool<D>(false)), ErrorClass::grad_dtype);
}

/// Whether backward may start; and whether it adds to what `.grad` held.
template <Domain D>
constexpr Error<D> check_backward(const Judge<D>& judge, const Bool<D>& requires_it) {
  return error_if(judge(AUT_24, !requires_it, Bool<D>(false)), ErrorClass::no_graph);
}
template <Domain D>
constexpr Bool<D> backward_accumulates(const Judge<D>& judge) {
  return judge(AUT_25, Bool<D>(true), Bool<D>(false));
}

/// Whether a recorded op saves an input; `partner`: the argument whose gradient needs it. A view of a leaf made while
/// grad mode was off requires grad with its base, but no gradient flows through it.
template <Domain D>
constexpr Bool<D> saves_input(const Judge<D>& judge, const Meta<D>& partner) {
  return judge(AUT_11, partner.requires_grad || partner.has_grad_fn, Bool<D>(true));
}

}  // namespace plumbline
