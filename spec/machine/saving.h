// What a recorded call saves for backward, and what backward checks before it uses that.
#pragma once

#include "spec/machine/history.h"

namespace plumbline::machine {

/// A call whose derivative needs tensors; its needs are numbered from 0.
template <class C, class W>
concept SavingCall = requires(C& call, std::size_t need, const Bool<typename W::Domain>& b) {
  { call.needs() } -> std::same_as<std::size_t>;
  { call.is_guarded(need) } -> std::same_as<bool>;  ///< it is needed only if a partner has a gradient
  call.partners(need);                              ///< the arguments whose gradients need it
  call.saved_arguments(need);                       ///< the tensors to save, if they are arguments
  call.set_needed(need, b);
};

/// Raises an error if x is a normal tensor without a version counter: backward could not check it, and a view of it
/// could not be tracked.
template <World W>
constexpr void check_counter(W& world, typename W::Name x) {
  world.when(!inference(world, x),
             [&] { world.raise(check_tracked_counter(world.judge(), world.meta(x).counted), x); });
}
/// The same where an op whose Autograd kernel did not run makes a view of x inside; `scatters`: it is a *_scatter.
template <World W>
constexpr void check_inner_view(W& world, typename W::Name x, bool scatters) {
  world.when(!inference(world, x),
             [&] { world.raise(plumbline::check_inner_view(world.judge(), world.meta(x).counted, scatters), x); });
}
/// Raises an error if x, an argument or a result of an op, must not be saved.
template <World W>
constexpr void check_saved(W& world, typename W::Name x) {
  world.raise(check_save(world.judge(), inference(world, x)), x);
  check_counter(world, x);
}
/// The same for a tensor that `ctx.save_for_backward` was given.
template <World W>
constexpr void check_saved_by_function(W& world, typename W::Name x) {
  world.raise(check_custom_save(world.judge(), inference(world, x)), x);
  check_counter(world, x);
}

/// Decides what a recorded call saves. Raises an error if an argument must not be saved
/// [tools/autograd/gen_variable_type.py, guard_for; torch/csrc/autograd/saved_variable.cpp].
template <World W, SavingCall<W> C>
constexpr void decide_saves(W& world, C& call) {
  using D = typename W::Domain;
  for (std::size_t need = 0; need < call.needs(); ++need) {
    Bool<D> needed = true;
    if (call.is_guarded(need)) {
      Meta<D> partner;
      for (const auto& x : call.partners(need)) {
        const Meta<D> meta = world.meta(x);
        partner.requires_grad = partner.requires_grad || meta.requires_grad;
        partner.has_grad_fn = partner.has_grad_fn || meta.has_grad_fn;
      }
      needed = saves_input(world.judge(), partner);
    }
    call.set_needed(need, needed);
    world.when(needed, [&] {
      for (const auto& x : call.saved_arguments(need)) check_saved(world, x);
    });
  }
}

/// A tensor that a graph has saved.
template <Domain D>
struct Saved {
  Bool<D> original;     ///< the graph keeps the tensor itself, and not a new one with its memory
  Bool<D> had_grad_fn;  ///< when it was saved
  Num<D> version;       ///< when it was saved
  Num<D> now;           ///< the version that its counter shows now
};

/// Raises an error if backward must not use x as it was saved [torch/csrc/autograd/saved_variable.cpp, unpack].
template <World W>
constexpr void check_unpack(W& world, typename W::Name x, const Saved<typename W::Domain>& saved) {
  const auto& judge = world.judge();
  world.when(saved.original, [&] { ask_history(world, x); });
  world.raise(check_saved_history(judge, saved.had_grad_fn && !world.meta(x).has_grad_fn), x);
  world.raise(check_saved_version(judge, saved.version, saved.now), x);
}

}  // namespace plumbline::machine
