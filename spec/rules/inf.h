// INF: which tensors are inference tensors, and what is not allowed on them.
#pragma once

#include "spec/rules/tls.h"
#include "spec/vocabulary/tensor_meta.h"

namespace plumbline {

inline constexpr Rule INF_01{Family::INF, 1};
inline constexpr Rule INF_02{Family::INF, 2};
inline constexpr Rule INF_03{Family::INF, 3};
inline constexpr Rule INF_04{Family::INF, 4};
inline constexpr Rule INF_05{Family::INF, 5};
inline constexpr Rule INF_06{Family::INF, 6};
inline constexpr Rule INF_07{Family::INF, 7};
inline constexpr Rule INF_08{Family::INF, 8};
inline constexpr Rule INF_09{Family::INF, 9};
inline constexpr Rule INF_10{Family::INF, 10};
inline constexpr Rule INF_11{Family::INF, 11};
inline constexpr Rule INF_12{Family::INF, 12};
inline constexpr Rule INF_13{Family::INF, 13};
inline constexpr Rule INF_14{Family::INF, 14};
inline constexpr Rule INF_15{Family::INF, 15};
inline constexpr Rule INF_16{Family::INF, 16};
inline constexpr Rule INF_17{Family::INF, 17};
inline constexpr Rule INF_18{Family::INF, 18};
inline constexpr Rule INF_19{Family::INF, 19};
inline constexpr Rule INF_20{Family::INF, 20};
inline constexpr Rule INF_21{Family::INF, 21};

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
