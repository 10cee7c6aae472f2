// AUT, continued: backward, `.grad`, and custom functions.
#pragma once

#include "spec/rules/aut.h"

namespace plumbline {

inline constexpr Rule AUT_27{
    Family::AUT, 27,
    "Backward frees what the graph saved, unless retain_graph is set: a second backward that needs it is an error.",
    "torch/csrc/autograd/saved_variable.cpp, SavedVariable::unpack: ERR_BACKWARD_TWICE; engine.cpp: release_variables",
    "What the graph saved lives as long as the graph."};
inline constexpr Rule AUT_28{
    Family::AUT,
    28,
    "A backward that raises an error changes nothing: every `.grad` is as before, and the graph can be used again.",
    "VER-09 and INF-06: what raises has changed nothing; no text says it of backward",
    "Leaves whose gradient was complete before the error keep it, and the nodes that ran have freed what they saved.",
    {{{Profile::torch_2_13,
       "Leaves that were reached before the error keep their gradient, and the nodes that ran are freed; a missing "
       "derivative raises its error as soon as a leaf would take its gradient.",
       "torch/csrc/autograd/engine.cpp: AccumulateGrad runs as soon as its gradient is complete; its sequence number "
       "and "
       "NotImplemented's are the highest there is",
       ""},
      {Profile::torch_1_13,
       "Leaves that were reached before the error keep their gradient, and the nodes that ran are freed.",
       "torch/csrc/autograd/engine.cpp: AccumulateGrad runs as soon as its gradient is complete", ""}}}};
inline constexpr Rule AUT_29{Family::AUT, 29, "backward() without a gradient needs a tensor with one element.",
                             "torch/autograd/__init__.py, _make_grads: 'only for scalar outputs'",
                             "For any tensor, backward() without a gradient uses ones."};
inline constexpr Rule AUT_30{Family::AUT, 30, "A gradient passed to backward() must have the sizes of its tensor.",
                             "torch/autograd/__init__.py, _make_grads: 'Mismatch in shape'",
                             "A gradient broadcasts to its tensor."};
inline constexpr Rule AUT_31{Family::AUT, 31, "A tensor that is not a leaf gets a `.grad` only after retain_grad().",
                             "torch/csrc/autograd/variable.cpp, VariableHooks::retain_grad",
                             "Every tensor that backward reaches gets a `.grad`."};
inline constexpr Rule AUT_32{
    Family::AUT,
    32,
    "retain_grad() follows the tensor: after an in-place op, it retains the gradient of the tensor's new value.",
    "torch/csrc/autograd/variable.cpp, update_tensor_hooks_on_new_gradfn",
    "It retains the gradient of the old value.",
    {{{Profile::torch_1_13, "After a write through a view of the tensor, it retains the gradient of the old value.",
       "torch/csrc/autograd/variable.cpp of 1.13, rebase_history: update_cpp_hooks_on_new_gradfn of the tensor alone, "
       "not of its base",
       ""}}}};
inline constexpr Rule AUT_33{Family::AUT, 33, "retain_grad() of a tensor that does not require grad is an error.",
                             "torch/csrc/autograd/variable.cpp, VariableHooks::retain_grad: 'requires_grad=False'",
                             "It does nothing."};
inline constexpr Rule AUT_34{
    Family::AUT, 34,
    "detach_ of a tracked view is an error where the Autograd kernel of detach_ runs, so not inside inference mode.",
    "torch/csrc/autograd/VariableTypeManual.cpp, detach_: 'Can't detach views in-place'", "The view becomes a leaf."};
inline constexpr Rule AUT_35{Family::AUT, 35,
                             "detach_ removes the history and requires_grad, and does not bump the version; where no "
                             "Autograd kernel runs (inside inference mode, or on an inference tensor) it does nothing.",
                             "torch/csrc/autograd/VariableTypeManual.cpp, detach_: grad_fn_.reset()",
                             "It keeps requires_grad."};
inline constexpr Rule AUT_36{Family::AUT, 36,
                             "With grad mode on, an out= op with an argument that requires grad raises an error before "
                             "it writes; inside inference mode nothing checks this.",
                             "torch/csrc/autograd/VariableTypeUtils.h, throw_error_out_requires_grad",
                             "It is recorded like an in-place op."};
inline constexpr Rule AUT_37{Family::AUT, 37,
                             "resize_ of a normal tensor that requires grad is an error, even in no_grad mode; inside "
                             "inference mode it is allowed.",
                             "torch/csrc/autograd/VariableTypeManual.cpp, resize_: 'cannot resize variables'",
                             "In no_grad mode it is allowed."};
inline constexpr Rule AUT_38{
    Family::AUT, 38, "requires_grad_() on a tensor that is not a leaf does nothing; setting the attribute is an error.",
    "tools/autograd/templates/python_variable_methods.cpp, THPVariable_requires_grad_: only False is refused",
    "Both are errors."};
inline constexpr Rule AUT_39{Family::AUT, 39, "A result that is not differentiable is not recorded for backward.",
                             "tools/autograd/derivatives.yaml: output_differentiability: [False]",
                             "Every floating result of a recorded op is recorded."};
inline constexpr Rule AUT_40{
    Family::AUT, 40,
    "If requires_grad of a leaf was set to False after the graph was recorded, backward gives the leaf no gradient.",
    "torch/csrc/autograd/functions/accumulate_grad.cpp, AccumulateGrad::apply: requires_grad()",
    "It gets the gradient that the recorded graph computes."};
inline constexpr Rule AUT_41{
    Family::AUT, 41,
    "If a leaf got a grad_fn after the graph was recorded, a backward that reaches it as a leaf is an error.",
    "torch/csrc/autograd/functions/accumulate_grad.cpp: 'leaf variable has been moved into the graph interior'",
    "Its `.grad` is filled."};
inline constexpr Rule AUT_42{Family::AUT, 42, "A custom function's forward starts with grad mode off.",
                             "torch/csrc/autograd/custom_function.h, Function::apply: AutoGradMode(false)",
                             "Its ops are recorded as everywhere else."};
inline constexpr Rule AUT_43{
    Family::AUT,
    43,
    "If forward returns an input, apply returns a view of it; for a dirty input it returns the input itself; for an "
    "input that requires grad, in an apply that is not recorded, AUT-61 holds.",
    "torch/csrc/autograd/custom_function.cpp, _process_backward_mode_ad: _view_as_self_with_no_grad",
    "apply returns the input itself, with the function as its grad_fn.",
    {{{Profile::torch_1_13, "If apply is not recorded, it returns a view of a dirty input as well.",
       "torch/csrc/autograd/custom_function.cpp of 1.13, set_history: is_input alone is asked", ""}}}};
inline constexpr Rule AUT_44{Family::AUT, 44,
                             "A recorded in-place op on a view that a custom function returned is an error.",
                             "torch/csrc/autograd/custom_function.cpp: CreationMeta::IN_CUSTOM_FUNCTION",
                             "It is allowed, and the function's backward is skipped."};
inline constexpr Rule AUT_45{
    Family::AUT, 45,
    "apply bumps the version of a dirty input; a recorded apply also drops its `.grad` and makes the function its "
    "grad_fn, and a dirty leaf that requires grad is then an error.",
    "torch/csrc/autograd/custom_function.cpp, _process_backward_mode_ad: is_modified; get_and_bump_dirty",
    "It keeps its grad_fn."};
inline constexpr Rule AUT_52{
    Family::AUT,
    52,
    "In a recorded apply, a dirty input that is a view is an error if a recorded in-place op on it would be one.",
    "torch/csrc/autograd/custom_function.cpp, _process_backward_mode_ad: check_inplace",
    "Every dirty view takes the function as its grad_fn.",
    {{{Profile::torch_1_13,
       "A view of a leaf that requires grad is allowed, and a view whose creation metadata forbids the write fails an "
       "internal assertion.",
       "torch/csrc/autograd/custom_function.cpp of 1.13 has no such check; variable.cpp, rebase_history: creation_meta "
       "== DEFAULT",
       ""}}}};
inline constexpr Rule AUT_46{Family::AUT, 46,
                             "A result that mark_non_differentiable names, or that does not have a floating dtype, is "
                             "not recorded for backward.",
                             "torch/csrc/autograd/custom_function.cpp: non_differentiable, isDifferentiableType",
                             "Every result of a recorded apply requires grad."};
inline constexpr Rule AUT_47{
    Family::AUT, 47,
    "A custom backward returns one gradient for each input, which fits the input's sizes; any further values must be "
    "None.",
    "torch/csrc/autograd/python_function.cpp, PyNode::apply: 'incorrect number of gradients', 'Returning too many "
    "results is ok, but only as long as they're all None'; engine.cpp, validate_outputs",
    "A missing gradient counts as None, and one too many is dropped."};
inline constexpr Rule AUT_48{Family::AUT, 48,
                             "A gradient whose sizes its tensor broadcasts to is summed to the tensor's sizes.",
                             "torch/csrc/autograd/engine.cpp, validate_outputs: is_expandable_to_shape, reduce_grad",
                             "Such a gradient is an error."};
inline constexpr Rule AUT_61{
    Family::AUT, 61,
    "If apply does not record a result that requires grad, it detaches the result: for an input it returns its "
    "`detach`, on a tensor that forward made it calls detach_, and a view stays as it is.",
    "torch/csrc/autograd/custom_function.cpp, _process_backward_mode_ad: 'Return detached aliases of inputs, instead "
    "of changing their requires_grad property'; var.detach_() unless var.is_view()",
    "apply returns it as it is."};
inline constexpr Rule AUT_49{
    Family::AUT, 49,
    "apply checks what a custom function saved when forward has returned: an inference tensor is an error.",
    "torch/csrc/autograd/custom_function.cpp, AutogradContext::save_variables", "It is saved without a version."};

inline constexpr Rule AUT_53{
    Family::AUT,
    53,
    "mean saves nothing: backward through it can be repeated, and its input may be written.",
    "tools/autograd/derivatives.yaml: mean needs its input's sizes alone",
    "mean saves its input.",
    {{{Profile::torch_1_13, "mean along dimensions saves its input.",
       "tools/autograd/derivatives.yaml of 1.13, mean.dim: self.sym_numel(), for which the generator saves self",
       ""}}}};
inline constexpr Rule AUT_54{
    Family::AUT,
    54,
    "If the base of a view was written after the view was made, retain_grad() on the view retains the gradient of its "
    "current value.",
    "torch/csrc/autograd/variable.cpp, VariableHooks::retain_grad: self.grad_fn() makes the history again",
    "It retains nothing.",
    {{{Profile::torch_1_13, "The process crashes.",
       "torch/csrc/autograd/variable.cpp of 1.13, VariableHooks::grad_fn calls update_cpp_hooks_on_new_gradfn while "
       "the hook is being registered: a null list",
       "the result of a program without errors is specified"}}}};

inline constexpr Rule AUT_55{
    Family::AUT,
    55,
    "If detach_ has removed the history of a saved tensor, a backward that uses the tensor is an error.",
    "torch/csrc/autograd/saved_variable.cpp, SavedVariable::unpack: 'detached in-place'",
    "The tensor's history ends there.",
    {{{Profile::torch_1_13, "The error is a failed internal assertion.",
       "torch/csrc/autograd/saved_variable.cpp of 1.13, unpack: TORCH_INTERNAL_ASSERT(saved_for)", ""}}}};

inline constexpr Rule AUT_56{
    Family::AUT,
    56,
    "retain_grad() follows a tensor through in-place view ops and through the in-place ops after them.",
    "torch/csrc/autograd/variable.cpp, update_tensor_hooks_on_new_gradfn",
    "An in-place op after an in-place view op ends it.",
    {{{Profile::torch_2_13,
       "An in-place op after an in-place view op, or on a result that is not the first of its op, writes, and then "
       "fails an internal assertion; a write through a view of such a result ends the process.",
       "torch/csrc/autograd/variable.cpp, update_tensor_hooks_on_new_gradfn: 'out != nullptr' of the hook that it "
       "moves, which it seeks under the tensor's new output number",
       "an op that raises an error writes nothing"}}}};
inline constexpr Rule AUT_57{
    Family::AUT,
    57,
    "If backward gives a tensor no gradient, its retained `.grad` stays None.",
    "torch/csrc/autograd/variable.cpp, VariableHooks::retain_grad: the hook is asked for defined gradients alone",
    "It becomes zeros.",
    {{{Profile::torch_1_13, "That backward raises an error.",
       "torch/csrc/autograd/variable.cpp of 1.13, VariableHooks::retain_grad: the hook takes an undefined gradient",
       ""}}}};
inline constexpr Rule AUT_58{Family::AUT, 58, "detach_copy is recorded, but has no derivative.",
                             "torchgen/api/autograd.py, add_view_copy_derivatives: a {view}_copy has its view's "
                             "formula; tools/autograd/derivatives.yaml has none for detach",
                             "It has the derivative of alias_copy."};

/// Whether backward frees what the graph saved.
template <Domain D>
constexpr Bool<D> frees_saved(const Judge<D>& judge, const Bool<D>& retain_graph) {
  return judge(AUT_27, !retain_graph, Bool<D>(false));
}
/// Whether mean saves its input; `dim`: it is mean along dimensions.
template <Domain D>
constexpr Bool<D> mean_saves_input(const Judge<D>& judge, const Bool<D>& dim) {
  return judge(AUT_53, Bool<D>(false), Bool<D>(true), In{Profile::torch_1_13, dim});
}
/// Whether retain_grad() of a view whose history is regenerated retains its gradient; whether it crashes the process.
template <Domain D>
constexpr Bool<D> retains_anew(const Judge<D>& judge) {
  return judge(AUT_54, Bool<D>(true), Bool<D>(false), In{Profile::torch_1_13, Bool<D>(true)});
}
template <Domain D>
constexpr Bool<D> retaining_ends_process(const Judge<D>& judge) {
  return judge(AUT_54, Bool<D>(false), Bool<D>(false), In{Profile::torch_1_13, Bool<D>(true)});
}
/// Whether the hook of retain_grad() can get lost, and the op then fails; whether an in-place view op ends its effect.
template <Domain D>
constexpr Bool<D> retained_view_fails(const Judge<D>& judge) {
  return judge(AUT_56, Bool<D>(false), Bool<D>(false), In{Profile::torch_2_13, Bool<D>(true)});
}
template <Domain D>
constexpr Bool<D> retained_view_ends(const Judge<D>& judge) {
  return judge(AUT_56, Bool<D>(false), Bool<D>(true));
}
/// Whether backward fails if it gives a retained gradient no value; whether that gradient becomes zeros.
template <Domain D>
constexpr Bool<D> missing_gradient_fails(const Judge<D>& judge) {
  return judge(AUT_57, Bool<D>(false), Bool<D>(false), In{Profile::torch_1_13, Bool<D>(true)});
}
template <Domain D>
constexpr Bool<D> missing_gradient_is_zero(const Judge<D>& judge) {
  return judge(AUT_57, Bool<D>(false), Bool<D>(true));
}
template <Domain D>
constexpr Bool<D> detach_copy_has_derivative(const Judge<D>& judge) {
  return judge(AUT_58, Bool<D>(false), Bool<D>(true));
}
/// Whether backward may use a saved tensor; `lost`: its history is gone.
template <Domain D>
constexpr Error<D> check_saved_history(const Judge<D>& judge, const Bool<D>& lost) {
  const Error<D> none(ErrorClass::none);
  return select(lost,
                judge(AUT_55, Error<D>(ErrorClass::saved_detached), none,
                      In{Profile::torch_1_13, Error<D>(ErrorClass::internal)}),
                none);
}
/// Whether a backward that raises an error changes nothing.
template <Domain D>
constexpr Bool<D> failed_backward_changes_nothing(const Judge<D>& judge) {
  return judge(AUT_28, Bool<D>(true), Bool<D>(false), In{Profile::torch_2_13, Bool<D>(false)},
               In{Profile::torch_1_13, Bool<D>(false)});
}
/// Whether a node without a derivative is due as soon as a leaf is.
template <Domain D>
constexpr Bool<D> missing_derivative_is_due(const Judge<D>& judge) {
  return judge(AUT_28, Bool<D>(false), Bool<D>(false), In{Profile::torch_2_13, Bool<D>(true)});
}
/// Whether backward() may start from a gradient of ones, and whether a gradient passed to it fits.
template <Domain D>
constexpr Error<D> check_implicit_gradient(const Judge<D>& judge, const Num<D>& elements) {
  return error_if(judge(AUT_29, !(elements == Num<D>(1)), Bool<D>(false)), ErrorClass::grad_not_scalar);
}
template <Domain D>
constexpr Error<D> check_given_gradient(const Judge<D>& judge, const Bool<D>& same_sizes) {
  return error_if(judge(AUT_30, !same_sizes, Bool<D>(false)), ErrorClass::grad_shape);
}
/// Whether backward fills `.grad` of a tensor that is not a leaf; whether retain_grad() follows a tensor to its new
/// history, by whether the write went `through_view`; whether retain_grad() may be called.
template <Domain D>
constexpr Bool<D> fills_grad(const Judge<D>& judge, const Bool<D>& retained) {
  return judge(AUT_31, retained, Bool<D>(true));
}
template <Domain D>
constexpr Bool<D> retained_moves(const Judge<D>& judge, const Bool<D>& through_view) {
  return judge(AUT_32, Bool<D>(true), Bool<D>(false), In{Profile::torch_1_13, !through_view});
}
template <Domain D>
constexpr Error<D> check_retain_grad(const Judge<D>& judge, const Bool<D>& requires_it) {
  return error_if(judge(AUT_33, !requires_it, Bool<D>(false)), ErrorClass::retain_grad);
}
/// Whether detach_ may be called; whether the tensor still requires grad after it.
template <Domain D>
constexpr Error<D> check_detach_inplace(const Judge<D>& judge, const Bool<D>& tracked) {
  return error_if(judge(AUT_34, tracked, Bool<D>(false)), ErrorClass::detach_view);
}
template <Domain D>
constexpr Bool<D> detached_requires_grad(const Judge<D>& judge, const Bool<D>& before) {
  return judge(AUT_35, Bool<D>(false), before);
}
/// Whether an out= op, or resize_, may go on; `any`: whether an argument requires grad.
template <Domain D>
constexpr Error<D> check_out(const Judge<D>& judge, const Bool<D>& any, const Tls<D>& tls) {
  return error_if(judge(AUT_36, any && tls.grad_mode, Bool<D>(false)), ErrorClass::out_requires_grad);
}
template <Domain D>
constexpr Error<D> check_resize(const Judge<D>& judge, const Bool<D>& requires_it, const Tls<D>& tls) {
  return error_if(judge(AUT_37, requires_it, requires_it && tls.grad_mode), ErrorClass::resize_requires_grad);
}
/// Whether requires_grad_(value) refuses a tensor that is not a leaf, as setting the attribute does.
template <Domain D>
constexpr Bool<D> method_refuses_interior(const Judge<D>& judge, const Bool<D>& value) {
  return judge(AUT_38, !value, Bool<D>(true));
}
/// Whether a result is recorded.
template <Domain D>
constexpr Bool<D> records_result(const Judge<D>& judge, const Bool<D>& differentiable) {
  return judge(AUT_39, differentiable, Bool<D>(true));
}
/// Whether backward fills the `.grad` of a leaf, and whether it may.
template <Domain D>
constexpr Bool<D> leaf_takes_gradient(const Judge<D>& judge, const Bool<D>& requires_it) {
  return judge(AUT_40, requires_it, Bool<D>(true));
}
template <Domain D>
constexpr Error<D> check_still_leaf(const Judge<D>& judge, const Bool<D>& has_grad_fn) {
  return error_if(judge(AUT_41, has_grad_fn, Bool<D>(false)), ErrorClass::leaf_moved);
}

/// Grad mode in a custom function's forward.
template <Domain D>
constexpr Bool<D> forward_grad_mode(const Judge<D>& judge, const Tls<D>& tls) {
  return judge(AUT_42, Bool<D>(false), tls.grad_mode);
}
/// Whether apply returns a view of an input that forward returns; `recorded`: the function is recorded.
template <Domain D>
constexpr Bool<D> returned_input_is_view(const Judge<D>& judge, const Bool<D>& dirty, const Bool<D>& recorded) {
  return judge(AUT_43, !dirty, Bool<D>(false), In{Profile::torch_1_13, !dirty || !recorded});
}
/// The creation metadata of a view that a custom function returns.
template <Domain D>
constexpr Choice<D, CreationMeta> custom_creation(const Judge<D>& judge, const Choice<D, CreationMeta>& own) {
  return judge(AUT_44, Choice<D, CreationMeta>(CreationMeta::IN_CUSTOM_FUNCTION), own);
}
/// Whether a dirty input takes the function as its grad_fn.
template <Domain D>
constexpr Bool<D> dirty_is_rebased(const Judge<D>& judge) {
  return judge(AUT_45, Bool<D>(true), Bool<D>(false));
}
/// Whether a dirty view is checked as an in-place op checks it.
template <Domain D>
constexpr Bool<D> dirty_view_checked(const Judge<D>& judge) {
  return judge(AUT_52, Bool<D>(true), Bool<D>(false), In{Profile::torch_1_13, Bool<D>(false)});
}
/// Whether a result of a recorded apply is recorded.
template <Domain D>
constexpr Bool<D> custom_records(const Judge<D>& judge, const Bool<D>& marked, const Bool<D>& floating) {
  return judge(AUT_46, !marked && floating, Bool<D>(true));
}
/// Whether a custom backward returns as many gradients as it has inputs; whether one may be summed to its tensor's
/// sizes.
template <Domain D>
constexpr Error<D> check_gradient_count(const Judge<D>& judge, const Bool<D>& same) {
  return error_if(judge(AUT_47, !same, Bool<D>(false)), ErrorClass::custom_function);
}
template <Domain D>
constexpr Error<D> check_expandable(const Judge<D>& judge, const Bool<D>& same, const Bool<D>& expandable) {
  return error_if(!(same || judge(AUT_48, expandable, Bool<D>(false))), ErrorClass::grad_shape);
}
/// Whether apply detaches a result that requires grad and that it does not record.
template <Domain D>
constexpr Bool<D> unrecorded_is_detached(const Judge<D>& judge) {
  return judge(AUT_61, Bool<D>(true), Bool<D>(false));
}
/// Whether a custom function may save a tensor.
template <Domain D>
constexpr Error<D> check_custom_save(const Judge<D>& judge, const Bool<D>& inference) {
  return error_if(judge(AUT_49, inference, Bool<D>(false)), ErrorClass::inference_saved);
}

}  // namespace plumbline
