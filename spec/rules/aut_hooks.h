// AUT, continued: the hooks of tensors: `x.register_hook(hook)`, and of leaves after accumulation:
// `x.register_post_accumulate_grad_hook(hook)`.
#pragma once

#include "spec/rules/meta.h"
#include "spec/rules/rule.h"

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
/// Whether a hook is called before what takes its tensor's gradient: the grad_fn, or the leaf's `.grad`.
template <Domain D>
constexpr Bool<D> hook_comes_before(const Judge<D>& judge) {
  return judge(AUT_76, Bool<D>(true), Bool<D>(false));
}
/// Whether a gradient that a hook returns replaces the tensor's gradient.
template <Domain D>
constexpr Bool<D> hook_replaces(const Judge<D>& judge) {
  return judge(AUT_77, Bool<D>(true), Bool<D>(false));
}
/// Whether the hook that was registered first is called first.
template <Domain D>
constexpr Bool<D> first_hook_is_first(const Judge<D>& judge) {
  return judge(AUT_78, Bool<D>(true), Bool<D>(false));
}
/// Whether retain_grad() keeps what all hooks leave.
template <Domain D>
constexpr Bool<D> retained_comes_last(const Judge<D>& judge) {
  return judge(AUT_79, Bool<D>(true), Bool<D>(false), In{Profile::torch_1_13, Bool<D>(false)});
}
/// Whether the hooks of a tensor go with it when an in-place op gives it a new grad_fn.
template <Domain D>
constexpr Bool<D> hooks_move(const Judge<D>& judge) {
  return judge(AUT_80, Bool<D>(false), Bool<D>(true));
}
/// Whether a hook registered after such an op belongs to the new value.
template <Domain D>
constexpr Bool<D> later_hook_is_of_new_value(const Judge<D>& judge) {
  return judge(AUT_81, Bool<D>(true), Bool<D>(false));
}
/// Whether a hook may return this gradient; `fits`: it has the sizes and the dtype of the one that the hook got.
template <Domain D>
constexpr Error<D> check_hook_result(const Judge<D>& judge, const Bool<D>& fits) {
  return error_if(judge(AUT_82, !fits, Bool<D>(false)), ErrorClass::hook_result);
}
/// Whether hooks are called if grad() takes the gradient and backward ends there.
template <Domain D>
constexpr Bool<D> taken_is_hooked(const Judge<D>& judge) {
  return judge(AUT_83, Bool<D>(true), Bool<D>(false), In{Profile::torch_1_13, Bool<D>(false)});
}
/// Whether grad() returns what the hooks leave if backward also goes on from there.
template <Domain D>
constexpr Bool<D> passed_is_taken_after_hooks(const Judge<D>& judge) {
  return judge(AUT_84, Bool<D>(false), Bool<D>(true));
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

/// Whether a register_hook() that raises an error leaves the tensor as it was.
template <Domain D>
constexpr Bool<D> failed_registration_changes_nothing(const Judge<D>& judge) {
  return judge(AUT_87, Bool<D>(true), Bool<D>(false), In{Profile::torch_1_13, Bool<D>(false)});
}

/// Whether a tensor that requires grad may have hooks after accumulation.
template <Domain D>
constexpr Error<D> check_register_hook_after(const Judge<D>& judge, const Bool<D>& is_leaf) {
  return error_if(judge(AUT_94, !is_leaf, Bool<D>(false)), ErrorClass::hook_not_leaf);
}
/// Whether a hook after accumulation finds the gradient in the leaf's `.grad`.
template <Domain D>
constexpr Bool<D> hook_after_finds_grad(const Judge<D>& judge) {
  return judge(AUT_95, Bool<D>(true), Bool<D>(false));
}
/// Whether hooks after accumulation are called if grad() takes the leaf's gradient.
template <Domain D>
constexpr Bool<D> taken_is_hooked_after(const Judge<D>& judge) {
  return judge(AUT_96, Bool<D>(false), Bool<D>(true));
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
