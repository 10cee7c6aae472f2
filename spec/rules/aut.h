// AUT: requires_grad, leaf-ness and grad_fn: what the other families need of autograd.
#pragma once

#include "spec/rules/view.h"

namespace plumbline {

inline constexpr Rule AUT_01{Family::AUT, 1};
inline constexpr Rule AUT_02{Family::AUT, 2};
inline constexpr Rule AUT_03{Family::AUT, 3};
inline constexpr Rule AUT_04{Family::AUT, 4};
inline constexpr Rule AUT_05{Family::AUT, 5};
inline constexpr Rule AUT_06{Family::AUT, 6};
inline constexpr Rule AUT_07{Family::AUT, 7};
inline constexpr Rule AUT_08{Family::AUT, 8};
inline constexpr Rule AUT_09{Family::AUT, 9};
inline constexpr Rule AUT_10{Family::AUT, 10};
inline constexpr Rule AUT_11{Family::AUT, 11};
inline constexpr Rule AUT_12{Family::AUT, 12};
inline constexpr Rule AUT_13{Family::AUT, 13};
inline constexpr Rule AUT_14{Family::AUT, 14};
inline constexpr Rule AUT_15{Family::AUT, 15};
inline constexpr Rule AUT_16{Family::AUT, 16};
inline constexpr Rule AUT_51{Family::AUT, 51};
inline constexpr Rule AUT_17{Family::AUT, 17};
inline constexpr Rule AUT_18{Family::AUT, 18};
inline constexpr Rule AUT_19{Family::AUT, 19};
inline constexpr Rule AUT_20{Family::AUT, 20};
inline constexpr Rule AUT_21{Family::AUT, 21};
inline constexpr Rule AUT_22{Family::AUT, 22};
inline constexpr Rule AUT_23{Family::AUT, 23};
inline constexpr Rule AUT_24{Family::AUT, 24};
inline constexpr Rule AUT_25{Family::AUT, 25};
inline constexpr Rule AUT_26{Family::AUT, 26};

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
/// Whether a recorded in-place op gives a grad_fn: to the written tensor, unless it is a view that `stays` as it is; to
/// a tracked view, by whether the write was `counted`; to the base of a `tracked` view.
template <Domain D>
constexpr Bool<D> rebases_tensor(const Judge<D>& judge, const Bool<D>& stays) {
  return judge(AUT_07, !stays, Bool<D>(false));
}
template <Domain D>
constexpr Bool<D> rebases_view(const Judge<D>& judge, const Bool<D>& counted) {
  return judge(AUT_26, counted, Bool<D>(true));
}
template <Domain D>
constexpr Bool<D> rebases_base(const Judge<D>& judge, const Bool<D>& tracked) {
  return judge(AUT_08, tracked, Bool<D>(false));
}
/// Whether a check of leaf-ness brings the history up to date first.
template <Domain D>
constexpr Bool<D> leaf_checks_ask_history(const Judge<D>& judge) {
  return judge(AUT_15, Bool<D>(false), Bool<D>(true));
}
/// Whether an op asks for its arguments' histories; `recorded`: it is recorded.
template <Domain D>
constexpr Bool<D> recording_asks_history(const Judge<D>& judge, const Bool<D>& recorded) {
  return judge(AUT_17, recorded, Bool<D>(false));
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
/// Whether backward may start; and whether it adds to the old `.grad`, if it `finds` one.
template <Domain D>
constexpr Error<D> check_backward(const Judge<D>& judge, const Bool<D>& requires_it) {
  return error_if(judge(AUT_24, !requires_it, Bool<D>(false)), ErrorClass::no_graph);
}
template <Domain D>
constexpr Bool<D> backward_accumulates(const Judge<D>& judge, const Bool<D>& finds) {
  return judge(AUT_25, finds, Bool<D>(false));
}
/// Whether a recorded op saves an input; `partner`: the argument whose gradient needs it. A view of a leaf made while
/// grad mode was off requires grad with its base, but no gradient flows through it.
template <Domain D>
constexpr Bool<D> saves_input(const Judge<D>& judge, const Meta<D>& partner) {
  return judge(AUT_11, partner.requires_grad || partner.has_grad_fn, Bool<D>(true));
}

}  // namespace plumbline
