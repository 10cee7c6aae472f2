// VIEW: which views are tracked, their base and creation metadata, and writes through them.
#pragma once

#include "spec/rules/ver.h"

namespace plumbline {

inline constexpr Rule VIEW_01{Family::VIEW, 1};
inline constexpr Rule VIEW_02{Family::VIEW, 2};
inline constexpr Rule VIEW_03{Family::VIEW, 3};
inline constexpr Rule VIEW_04{Family::VIEW, 4};
inline constexpr Rule VIEW_05{Family::VIEW, 5};
inline constexpr Rule VIEW_06{Family::VIEW, 6};
inline constexpr Rule VIEW_07{Family::VIEW, 7};
inline constexpr Rule VIEW_08{Family::VIEW, 8};
inline constexpr Rule VIEW_09{Family::VIEW, 9};
inline constexpr Rule VIEW_10{Family::VIEW, 10};
inline constexpr Rule VIEW_11{Family::VIEW, 11};
inline constexpr Rule VIEW_12{Family::VIEW, 12};
inline constexpr Rule VIEW_13{Family::VIEW, 13};
inline constexpr Rule VIEW_14{Family::VIEW, 14};
inline constexpr Rule VIEW_15{Family::VIEW, 15};
inline constexpr Rule VIEW_16{Family::VIEW, 16};
inline constexpr Rule VIEW_17{Family::VIEW, 17};
inline constexpr Rule VIEW_18{Family::VIEW, 18};
inline constexpr Rule VIEW_19{Family::VIEW, 19};
inline constexpr Rule VIEW_20{Family::VIEW, 20};

/// Whether the pieces of unsafe_split are tracked views; `bare`: no Autograd kernel ran.
template <Domain D>
constexpr Bool<D> unsafe_pieces_tracked(const Judge<D>& judge, const Bool<D>& bare) {
  return judge(VIEW_20, Bool<D>(false), bare, In{Profile::torch_2_13, bare}, In{Profile::torch_1_13, bare});
}
/// Whether view(dtype) of an inference tensor returns the tensor itself; `own`: the dtype is its own.
template <Domain D>
constexpr Bool<D> own_dtype_is_self(const Judge<D>& judge, const Bool<D>& own) {
  return judge(VIEW_19, Bool<D>(false), own, In{Profile::torch_1_13, own});
}
/// Whether stack returns a view of what cat made inside it, and whether a *_scatter returns one of the copy made inside
/// it; `inside`: no Autograd kernel ran, and a view is made inside.
template <Domain D>
constexpr Bool<D> stack_gives_view(const Judge<D>& judge, const Bool<D>& inside) {
  return judge(VIEW_18, Bool<D>(false), inside, In{Profile::torch_2_13, inside}, In{Profile::torch_1_13, inside});
}
template <Domain D>
constexpr Bool<D> scatter_gives_view(const Judge<D>& judge, const Bool<D>& inside) {
  return judge(VIEW_18, Bool<D>(false), inside, In{Profile::torch_2_13, inside});
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
/// Whether a view has the base of the tensor viewed; `tracked`: that is a tracked view.
template <Domain D>
constexpr Bool<D> base_is_root(const Judge<D>& judge, const Bool<D>& tracked) {
  return judge(VIEW_03, tracked, Bool<D>(false));
}
/// The creation metadata of a view; `source`: that of the tensor viewed, DEFAULT if it is not a tracked view.
template <Domain D>
constexpr Choice<D, CreationMeta> creation_meta(const Judge<D>& judge, const Choice<D, CreationMeta>& source,
                                                bool many_results, const Tls<D>& tls) {
  using C = Choice<D, CreationMeta>;
  const C multi = judge(VIEW_06, C(many_results ? CreationMeta::MULTI_OUTPUT_NODE : CreationMeta::DEFAULT),
                        C(CreationMeta::DEFAULT));
  const auto by_grad = [&](CreationMeta off) { return select(tls.grad_mode, multi, C(off)); };
  const C outside = judge(VIEW_05, by_grad(CreationMeta::NO_GRAD_MODE), by_grad(CreationMeta::DEFAULT));
  const Bool<D> mode = judge(VIEW_13, tls.inference_mode, tls.inference_mode && !tls.grad_mode);
  const auto by_mode = [&](CreationMeta on) { return select(mode, C(on), outside); };
  const C no_grad = by_mode(CreationMeta::NO_GRAD_MODE);
  const C own = judge(VIEW_04, by_mode(CreationMeta::INFERENCE_MODE), no_grad, In{Profile::rfc_0011, no_grad},
                      In{Profile::draft_1, by_mode(CreationMeta::NO_VARIABLE_TYPE_VIEW)});
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
  return {error, judge(VIEW_12, plain, Bool<D>(false))};
}
/// Whether `detach` gives a tracked view.
template <Domain D>
constexpr Bool<D> detach_tracked(const Judge<D>& judge, const Bool<D>& inference) {
  return judge(VIEW_10, Bool<D>(false), !inference);
}

}  // namespace plumbline
