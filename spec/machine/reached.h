// What backward does at a place that gradients have reached: hooks, what grad() returns, what is retained, and whether
// backward goes on from there.
#pragma once

#include "spec/machine/world.h"
#include "spec/rules/aut_hooks.h"
#include "spec/rules/aut_inputs.h"

namespace plumbline::machine {

/// The tensors whose gradients are asked for.
template <Domain D>
struct Wanted {
  Bool<D> all;       ///< no tensor was chosen: every leaf gets its gradient
  Bool<D> returned;  ///< grad() returns the gradients of the chosen ones
};

/// A place of the graph: a node, with the tensors that are its outputs, or a leaf. Each of those from `take` to
/// `call_hooks_after` is told to act on the gradients that arrived.
template <class P, class W>
concept ReachedPlace = requires(P& p) {
  { p.is_leaf() } -> std::same_as<bool>;
  { p.leaf() } -> std::same_as<typename W::Name>;                  ///< asked only of a leaf
  { p.is_chosen() } -> std::same_as<Bool<typename W::Domain>>;     ///< one of its tensors is
  { p.leads() } -> std::same_as<Bool<typename W::Domain>>;         ///< an edge leads from it to a chosen tensor
  { p.arrived() } -> std::same_as<Bool<typename W::Domain>>;       ///< a gradient did, not only that there is none
  { p.is_hooked() } -> std::same_as<Bool<typename W::Domain>>;     ///< one of its tensors has hooks
  { p.hooked_after() } -> std::same_as<Bool<typename W::Domain>>;  ///< the leaf has hooks after accumulation
  p.take();                                                        ///< keeps the gradients that grad() returns
  p.call_hooks();
  p.retain();  ///< fills `.grad` of tensors with retain_grad()
  p.run();     ///< the node's derivative, or the leaf's `.grad`
  p.call_hooks_after();
};

/// Whether gradients are brought to a place, and whether it also runs: backward goes on from it.
template <Domain D, class P>
constexpr Bool<D> takes_part(const Judge<D>& judge, P& place, const Wanted<D>& wanted) {
  return either(wanted.all, [&] { return either(place.is_chosen(), [&] { return node_runs(judge, place.leads()); }); });
}
template <Domain D, class P>
constexpr Bool<D> place_runs(const Judge<D>& judge, P& place, const Wanted<D>& wanted) {
  return either(wanted.all, [&] {
    const Bool<D> chosen = place.is_chosen();
    return either(chosen && !wanted.returned, [&] {
      return either(node_runs(judge, place.leads()), [&] { return returned_gradient_fills_grad(judge, chosen); });
    });
  });
}

/// A hook of a tensor is called. `hook.is_later()`: it was registered after retain_grad() was called.
template <class W, class H>
constexpr void call_hook(W& world, H& hook) {
  world.when(!retained_comes_last(world.judge(), hook.is_later()), [&] { hook.retain(); });
  hook.call();
}

/// Hooks before the place runs, and what grad() and retain_grad() keep. Returns whether hooks are still to be called.
template <World W, ReachedPlace<W> P>
constexpr Bool<typename W::Domain> before_run(W& world, P& place, const Bool<typename W::Domain>& runs) {
  using D = typename W::Domain;
  const Judge<D>& judge = world.judge();
  Bool<D> called = both(place.is_hooked(), [&] { return hooks_are_called(judge, runs); });
  if (place.is_leaf())
    called = both(called, [&] { return leaf_calls_hooks(judge, requires_grad(world, place.leaf())); });
  const Bool<D> taken_first = both(called, [&] { return !hooked_is_returned(judge, runs); });
  world.when(taken_first, [&] { place.take(); });
  const Bool<D> first = hooks_come_before(judge, called);
  world.when(first, [&] { place.call_hooks(); });
  if (!place.is_leaf()) world.when(taken_is_retained(judge, runs), [&] { place.retain(); });
  world.when(!taken_first, [&] { place.take(); });
  return called && !first;
}

/// The leaf's hooks after accumulation.
template <World W, ReachedPlace<W> P>
constexpr void call_hooks_after(W& world, P& place) {
  const auto fills = both(place.arrived(), [&] { return requires_grad(world, place.leaf()); });
  world.when(leaf_calls_hooks_after(world.judge(), fills), [&] { place.call_hooks_after(); });
}

/// [torch/csrc/autograd/engine.cpp, evaluate_function; torch/csrc/autograd/functions/accumulate_grad.cpp, apply]
template <World W, ReachedPlace<W> P>
constexpr void reach(W& world, P& place, const Wanted<typename W::Domain>& wanted) {
  using D = typename W::Domain;
  const Judge<D>& judge = world.judge();
  const Bool<D> runs = place_runs(judge, place, wanted);
  const Bool<D> late = before_run(world, place, runs);
  if (place.is_leaf()) {
    const Bool<D> called = both(place.hooked_after(), [&] { return hooks_after_are_called(judge, runs); });
    const Bool<D> last = hooks_after_come_last(judge, called);
    world.when(called && !last, [&] { call_hooks_after(world, place); });
    world.when(runs && place.arrived(), [&] { place.run(); });
    world.when(last, [&] { call_hooks_after(world, place); });
  } else {
    world.when(runs, [&] { place.run(); });
  }
  world.when(late, [&] { place.call_hooks(); });
}

}  // namespace plumbline::machine
