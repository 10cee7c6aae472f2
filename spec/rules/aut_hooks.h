// AUT, continued: the hooks of tensors: `x.register_hook(hook)`, and of leaves after accumulation:
// `x.register_post_accumulate_grad_hook(hook)`.
#pragma once

#include "spec/rules/rule.h"
#include "spec/vocabulary/tensor_meta.h"

namespace plumbline {

inline constexpr Rule AUT_75{Family::AUT, 75};
inline constexpr Rule AUT_76{Family::AUT, 76};
inline constexpr Rule AUT_77{Family::AUT, 77};
inline constexpr Rule AUT_78{Family::AUT, 78};
inline constexpr Rule AUT_79{Family::AUT, 79};
inline constexpr Rule AUT_80{Family::AUT, 80};
inline constexpr Rule AUT_81{Family::AUT, 81};
inline constexpr Rule AUT_82{Family::AUT, 82};
inline constexpr Rule AUT_83{Family::AUT, 83};
inline constexpr Rule AUT_84{Family::AUT, 84};
inline constexpr Rule AUT_85{Family::AUT, 85};
inline constexpr Rule AUT_86{Family::AUT, 86};
inline constexpr Rule AUT_87{Family::AUT, 87};
inline constexpr Rule AUT_94{Family::AUT, 94};
inline constexpr Rule AUT_95{Family::AUT, 95};
inline constexpr Rule AUT_96{Family::AUT, 96};
inline constexpr Rule AUT_97{Family::AUT, 97};
inline constexpr Rule AUT_98{Family::AUT, 98};

/// Whether a tensor may have hooks.
template <Domain D>
constexpr Error<D> check_register_hook(const Judge<D>& judge, const Bool<D>& requires_it) {
  return error_if(judge(AUT_75, !requires_it, Bool<D>(false)), ErrorClass::hook_requires_no_grad);
}
/// Whether hooks that are `called` are called before what takes their tensor's gradient: the grad_fn, or the `.grad`.
template <Domain D>
constexpr Bool<D> hooks_come_before(const Judge<D>& judge, const Bool<D>& called) {
  return judge(AUT_76, called, Bool<D>(false));
}
/// Whether what a hook returns replaces the tensor's gradient; `given`: it is a gradient, and not None.
template <Domain D>
constexpr Bool<D> hook_replaces(const Judge<D>& judge, const Bool<D>& given) {
  return judge(AUT_77, given, Bool<D>(false));
}
/// Whether the hook that was registered first is called first.
template <Domain D>
constexpr Bool<D> first_hook_is_first(const Judge<D>& judge) {
  return judge(AUT_78, Bool<D>(true), Bool<D>(false));
}
/// Whether retain_grad() keeps what a hook leaves; `later`: the hook was registered after retain_grad() was called.
template <Domain D>
constexpr Bool<D> retained_comes_last(const Judge<D>& judge, const Bool<D>& later) {
  return judge(AUT_79, Bool<D>(true), !later, In{Profile::torch_1_13, !later});
}
/// Whether a tensor's hooks go with it to its new value, and whether a later hook belongs to that; `rewritten`: an
/// in-place op has given the tensor a new grad_fn.
template <Domain D>
constexpr Bool<D> hooks_move(const Judge<D>& judge, const Bool<D>& rewritten) {
  return judge(AUT_80, Bool<D>(false), rewritten);
}
template <Domain D>
constexpr Bool<D> later_hook_is_of_new_value(const Judge<D>& judge, const Bool<D>& rewritten) {
  return judge(AUT_81, rewritten, Bool<D>(false));
}
/// Whether a hook may return this gradient; `fits`: it has the sizes and the dtype of the one that the hook got.
template <Domain D>
constexpr Error<D> check_hook_result(const Judge<D>& judge, const Bool<D>& fits) {
  return error_if(judge(AUT_82, !fits, Bool<D>(false)), ErrorClass::hook_result);
}
/// Whether hooks are called, and whether grad() returns what they leave; `goes_on`: backward does not end here.
template <Domain D>
constexpr Bool<D> hooks_are_called(const Judge<D>& judge, const Bool<D>& goes_on) {
  return judge(AUT_83, Bool<D>(true), goes_on, In{Profile::torch_1_13, goes_on});
}
template <Domain D>
constexpr Bool<D> hooked_is_returned(const Judge<D>& judge, const Bool<D>& goes_on) {
  return judge(AUT_84, !goes_on, Bool<D>(true));
}
/// Whether remove() ends a hook.
template <Domain D>
constexpr Bool<D> hook_is_removed(const Judge<D>& judge) {
  return judge(AUT_85, Bool<D>(true), Bool<D>(false));
}
/// Whether a leaf's hooks are called.
template <Domain D>
constexpr Bool<D> leaf_calls_hooks(const Judge<D>& judge, const Bool<D>& requires_it) {
  return judge(AUT_86, Bool<D>(true), requires_it, In{Profile::torch_1_13, requires_it});
}
/// Whether register_hook() leaves the tensor with hooks; `raised`: it raised an error.
template <Domain D>
constexpr Bool<D> registration_lasts(const Judge<D>& judge, const Bool<D>& raised) {
  return judge(AUT_87, !raised, Bool<D>(true), In{Profile::torch_1_13, Bool<D>(true)});
}
/// Whether a tensor that requires grad may have hooks after accumulation.
template <Domain D>
constexpr Error<D> check_register_hook_after(const Judge<D>& judge, const Bool<D>& is_leaf) {
  return error_if(judge(AUT_94, !is_leaf, Bool<D>(false)), ErrorClass::hook_not_leaf);
}
/// Whether hooks after accumulation that are `called` find the gradient in the leaf's `.grad`.
template <Domain D>
constexpr Bool<D> hooks_after_come_last(const Judge<D>& judge, const Bool<D>& called) {
  return judge(AUT_95, called, Bool<D>(false));
}
/// Whether a leaf may call hooks after accumulation; `runs`: it does, and grad() not only takes its gradient.
template <Domain D>
constexpr Bool<D> hooks_after_are_called(const Judge<D>& judge, const Bool<D>& runs) {
  return judge(AUT_96, runs, Bool<D>(true));
}
/// Whether the hook after accumulation that was registered first is called first.
template <Domain D>
constexpr Bool<D> first_hook_after_is_first(const Judge<D>& judge) {
  return judge(AUT_97, Bool<D>(true), Bool<D>(false));
}
/// Whether a leaf calls its hooks after accumulation; `fills`: its `.grad` gets a gradient.
template <Domain D>
constexpr Bool<D> leaf_calls_hooks_after(const Judge<D>& judge, const Bool<D>& fills) {
  return judge(AUT_98, fills, Bool<D>(true), In{Profile::torch_2_13, Bool<D>(true)});
}

}  // namespace plumbline
