// AUT, continued: backward, `.grad`, and custom functions.
#pragma once

#include "spec/rules/aut.h"

namespace plumbline {

inline constexpr Rule AUT_27{Family::AUT, 27};
inline constexpr Rule AUT_28{Family::AUT, 28};
inline constexpr Rule AUT_29{Family::AUT, 29};
inline constexpr Rule AUT_30{Family::AUT, 30};
inline constexpr Rule AUT_31{Family::AUT, 31};
inline constexpr Rule AUT_32{Family::AUT, 32};
inline constexpr Rule AUT_33{Family::AUT, 33};
inline constexpr Rule AUT_34{Family::AUT, 34};
inline constexpr Rule AUT_35{Family::AUT, 35};
inline constexpr Rule AUT_36{Family::AUT, 36};
inline constexpr Rule AUT_37{Family::AUT, 37};
inline constexpr Rule AUT_38{Family::AUT, 38};
inline constexpr Rule AUT_39{Family::AUT, 39};
inline constexpr Rule AUT_40{Family::AUT, 40};
inline constexpr Rule AUT_41{Family::AUT, 41};
inline constexpr Rule AUT_42{Family::AUT, 42};
inline constexpr Rule AUT_43{Family::AUT, 43};
inline constexpr Rule AUT_44{Family::AUT, 44};
inline constexpr Rule AUT_45{Family::AUT, 45};
inline constexpr Rule AUT_52{Family::AUT, 52};
inline constexpr Rule AUT_46{Family::AUT, 46};
inline constexpr Rule AUT_47{Family::AUT, 47};
inline constexpr Rule AUT_48{Family::AUT, 48};
inline constexpr Rule AUT_99{Family::AUT, 99};
inline constexpr Rule AUT_100{Family::AUT, 100};
inline constexpr Rule AUT_61{Family::AUT, 61};
inline constexpr Rule AUT_67{Family::AUT, 67};
inline constexpr Rule AUT_68{Family::AUT, 68};
inline constexpr Rule AUT_49{Family::AUT, 49};
inline constexpr Rule AUT_53{Family::AUT, 53};
inline constexpr Rule AUT_54{Family::AUT, 54};
inline constexpr Rule AUT_55{Family::AUT, 55};
inline constexpr Rule AUT_56{Family::AUT, 56};
inline constexpr Rule AUT_57{Family::AUT, 57};
inline constexpr Rule AUT_58{Family::AUT, 58};
inline constexpr Rule AUT_88{Family::AUT, 88};

/// Whether backward frees what the graph saved.
template <Domain D>
constexpr Bool<D> frees_saved(const Judge<D>& judge, const Bool<D>& retain_graph) {
  return judge(AUT_27, !retain_graph, Bool<D>(false));
}
/// Whether a backward from several tensors is one, and not one after another.
template <Domain D>
constexpr Bool<D> several_roots_are_one_backward(const Judge<D>& judge) {
  return judge(AUT_88, Bool<D>(true), Bool<D>(false));
}
/// Whether mean saves its input; `dim`: it is mean along dimensions.
template <Domain D>
constexpr Bool<D> mean_saves_input(const Judge<D>& judge, const Bool<D>& dim) {
  return judge(AUT_53, Bool<D>(false), Bool<D>(true), In{Profile::torch_1_13, dim});
}
/// Whether retain_grad() retains a tensor's gradient, and whether it crashes the process; `regenerated`: it made the
/// history of a view again.
template <Domain D>
constexpr Bool<D> retains_anew(const Judge<D>& judge, const Bool<D>& regenerated) {
  return judge(AUT_54, Bool<D>(true), !regenerated, In{Profile::torch_1_13, Bool<D>(true)});
}
template <Domain D>
constexpr Bool<D> retaining_ends_process(const Judge<D>& judge, const Bool<D>& regenerated) {
  return judge(AUT_54, Bool<D>(false), Bool<D>(false), In{Profile::torch_1_13, regenerated});
}
/// Whether an in-place op moves the hook of retain_grad() to the tensor's new value; `by_view`: it is an in-place view
/// op.
template <Domain D>
constexpr Bool<D> retained_view_moves(const Judge<D>& judge, const Bool<D>& by_view) {
  return judge(AUT_56, Bool<D>(true), Bool<D>(true), In{Profile::torch_2_13, !by_view},
               In{Profile::torch_1_13, !by_view});
}
/// Whether an in-place op fails because that hook may be `lost`; whether it ends the effect of retain_grad(), if an
/// in-place view op was `before` it.
template <Domain D>
constexpr Bool<D> retained_view_fails(const Judge<D>& judge, const Bool<D>& lost) {
  return judge(AUT_56, Bool<D>(false), Bool<D>(false), In{Profile::torch_2_13, lost});
}
template <Domain D>
constexpr Bool<D> retained_view_ends(const Judge<D>& judge, const Bool<D>& before) {
  return judge(AUT_56, Bool<D>(false), before);
}
/// Whether backward fails if the gradient to retain is `missing`; whether `.grad` becomes zeros then.
template <Domain D>
constexpr Bool<D> missing_gradient_fails(const Judge<D>& judge, const Bool<D>& missing) {
  return judge(AUT_57, Bool<D>(false), Bool<D>(false), In{Profile::torch_1_13, missing});
}
template <Domain D>
constexpr Bool<D> missing_gradient_is_zero(const Judge<D>& judge, const Bool<D>& missing) {
  return judge(AUT_57, Bool<D>(false), missing);
}
/// Whether a {view}_copy has a derivative.
template <Domain D>
constexpr Bool<D> view_copy_has_derivative(const Judge<D>& judge, const Bool<D>& detach_copy) {
  return judge(AUT_58, !detach_copy, Bool<D>(true));
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
/// Whether what backward has changed is undone; `raised`: it raised an error.
template <Domain D>
constexpr Bool<D> backward_is_undone(const Judge<D>& judge, const Bool<D>& raised) {
  return judge(AUT_28, raised, Bool<D>(false), In{Profile::torch_2_13, Bool<D>(false)},
               In{Profile::torch_1_13, Bool<D>(false)});
}
/// Whether a node is due as soon as a leaf is; `underivable`: it has no derivative.
template <Domain D>
constexpr Bool<D> node_is_due(const Judge<D>& judge, const Bool<D>& underivable) {
  return judge(AUT_28, Bool<D>(false), Bool<D>(false), In{Profile::torch_2_13, underivable});
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
/// Whether an out= op, or resize_, may go on; `any`: whether an argument requires grad; `differentiable`: whether the
/// op's result is.
template <Domain D>
constexpr Error<D> check_out(const Judge<D>& judge, const Bool<D>& any, const Bool<D>& differentiable,
                             const Tls<D>& tls) {
  return error_if(judge(AUT_36, any && differentiable && tls.grad_mode, Bool<D>(false)), ErrorClass::out_requires_grad);
}
template <Domain D>
constexpr Error<D> check_resize_grad(const Judge<D>& judge, const Bool<D>& requires_it, const Tls<D>& tls) {
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
/// Whether a result of a recorded apply takes the function as its grad_fn, as an in-place op's does; whether one that
/// is a `tracked` view is checked as an in-place op checks it.
template <Domain D>
constexpr Bool<D> dirty_is_rebased(const Judge<D>& judge, const Bool<D>& dirty) {
  return judge(AUT_45, dirty, Bool<D>(false));
}
template <Domain D>
constexpr Bool<D> dirty_view_checked(const Judge<D>& judge, const Bool<D>& tracked) {
  return judge(AUT_52, tracked, Bool<D>(false), In{Profile::torch_1_13, Bool<D>(false)});
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
/// Whether the gradient of a complex tensor is ∂L/∂Re + i·∂L/∂Im, and not its conjugate.
template <Domain D>
constexpr Bool<D> derivative_is_conjugated(const Judge<D>& judge) {
  return judge(AUT_99, Bool<D>(true), Bool<D>(false));
}
/// `real`: a complex gradient reaches a real tensor.
template <Domain D>
constexpr Error<D> check_real_part(const Judge<D>& judge, const Bool<D>& real) {
  return error_if(judge(AUT_100, Bool<D>(false), real), ErrorClass::grad_shape);
}
/// Whether a custom function's backward runs; whether backward looks at what an op's call saved; `arrived`: a gradient
/// reached it.
template <Domain D>
constexpr Bool<D> custom_backward_runs(const Judge<D>& judge, const Bool<D>& arrived) {
  return judge(AUT_67, Bool<D>(true), arrived);
}
template <Domain D>
constexpr Bool<D> looks_at_saved(const Judge<D>& judge, const Bool<D>& arrived) {
  return judge(AUT_68, Bool<D>(true), arrived);
}
/// Whether apply detaches a result that it does not record.
template <Domain D>
constexpr Bool<D> unrecorded_is_detached(const Judge<D>& judge, const Bool<D>& needs_grad) {
  return judge(AUT_61, needs_grad, Bool<D>(false));
}
/// Whether a custom function may save a tensor.
template <Domain D>
constexpr Error<D> check_custom_save(const Judge<D>& judge, const Bool<D>& inference) {
  return error_if(judge(AUT_49, inference, Bool<D>(false)), ErrorClass::inference_saved);
}

}  // namespace plumbline
