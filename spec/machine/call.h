// The Autograd kernel of a call: what it checks, in which order, and whether it records the call.
#pragma once

#include "spec/machine/saving.h"

namespace plumbline::machine {

/// How the Autograd kernel of an op is written.
enum class AutogradKernel : std::uint8_t {
  records,         ///< it records the call for backward
  detach,          ///< detach: it only calls the next kernel
  detach_inplace,  ///< detach_: it ends the tensor's history, and calls no other kernel
  resize,          ///< resize_: it refuses a tensor that requires grad
  out              ///< an op with out=: it refuses to record
};

/// A call of an op, as its Autograd kernel sees it.
template <class C, class W>
concept Call = SavingCall<C, W> && requires(C& call, const Bool<typename W::Domain>& b) {
  { call.autograd_kernel() } -> std::same_as<AutogradKernel>;
  call.tensors();    ///< the names of its tensor arguments, in order
  call.derivable();  ///< those by which the op has a derivative
  { call.writes() } -> std::same_as<bool>;
  { call.views() } -> std::same_as<bool>;                ///< its results are views that autograd tracks
  { call.written() } -> std::same_as<typename W::Name>;  ///< the argument that it writes, if it writes one
  /// Whether an op with out= refuses arguments that require grad; `b`: one of them does.
  { call.refuses_gradients(b) } -> std::same_as<Bool<typename W::Domain>>;
  /// Whether the op has a derivative to record; `b`: the call would be recorded.
  { call.recordable(b) } -> std::same_as<Bool<typename W::Domain>>;
};

/// Raises an error if a call may not take these tensors together.
template <World W, class Names>
constexpr void check_operands(W& world, const Names& names) {
  using D = typename W::Domain;
  Bool<D> any = false;
  Bool<D> made_inside = false;
  typename W::Name last{};
  for (const auto& x : names) {
    const Meta<D> meta = world.meta(x);
    any = any || inference(world, x);
    made_inside = made_inside || (meta.tracked && was_made_inside(meta.creation));
    last = x;
  }
  world.raise(check_mixed(world.judge(), any, made_inside), last);
}

/// Raises an error if x, a result that a call records, cannot be recorded.
template <World W>
constexpr void check_recorded_result(W& world, typename W::Name x) {
  world.raise(check_recorded_dtype(world.judge(), world.floating(x)), x);
}

/// Runs the Autograd kernel of a call down to where it calls the next kernel. Returns whether it records the call
/// [torch/csrc/autograd/VariableTypeUtils.h; tools/autograd/gen_variable_type.py].
template <World W, Call<W> C>
constexpr Bool<typename W::Domain> autograd_kernel(W& world, C& call) {
  using D = typename W::Domain;
  const Judge<D>& judge = world.judge();
  check_operands(world, call.tensors());
  const AutogradKernel kernel = call.autograd_kernel();
  if (kernel == AutogradKernel::detach_inplace) detach_inplace(world, call.written());
  if (kernel == AutogradKernel::resize)
    world.raise(check_resize_grad(judge, requires_grad(world, call.written()), world.tls()), call.written());
  if (kernel != AutogradKernel::records && kernel != AutogradKernel::out) return false;
  Bool<D> any = false;
  const auto& derivable = call.derivable();
  for (const auto& x : derivable) any = any || requires_grad(world, x);
  if (kernel == AutogradKernel::out) {
    refuse_out(world, call.written(), any, call.refuses_gradients(any));
    return false;
  }
  const Bool<D> asked = is_recorded(judge, any, world.tls());
  const Bool<D> recordable = call.recordable(asked);
  const Bool<D> recorded = asked && recordable;
  if (call.writes()) check_inplace(world, call.written(), recorded);
  world.when(recording_asks_history(judge, recorded), [&] {
    for (const auto& x : derivable) ask_history(world, x);
  });
  world.when(recorded, [&] { decide_saves(world, call); });
  return call.views() ? recordable && is_view_recorded(judge, any, world.tls()) : recorded;
}

/// The copy_ that clone and to(dtype) call, where no Autograd kernel ran for the op itself. Returns whether it is
/// recorded; `floating`: the copy has a floating or complex dtype [aten/src/ATen/native/TensorConversions.cpp].
template <World W>
constexpr Bool<typename W::Domain> inner_copy(W& world, typename W::Name x, const Bool<typename W::Domain>& floating) {
  using D = typename W::Domain;
  const Bool<D> recorded = floating && clone_copy_recorded(world.judge(), requires_grad(world, x), world.tls());
  world.when(recording_asks_history(world.judge(), recorded), [&] { ask_history(world, x); });
  return recorded;
}

}  // namespace plumbline::machine
