// Backward: what is checked before it starts, and what it does with a gradient that arrives at a leaf.
#pragma once

#include "spec/machine/history.h"
#include "spec/rules/aut_create_graph.h"
#include "spec/rules/aut_grad.h"
#include "spec/rules/aut_hooks.h"
#include "spec/rules/aut_inputs.h"

namespace plumbline::machine {

/// Raises an error if backward cannot start at x with this gradient. `given`: the caller passed one; `fits`: it has
/// x's sizes [torch/autograd/__init__.py, _make_grads].
template <World W>
constexpr void check_first_gradient(W& world, typename W::Name x, const Bool<typename W::Domain>& given,
                                    const Bool<typename W::Domain>& fits) {
  const auto& judge = world.judge();
  world.when(given, [&] { world.raise(check_given_gradient(judge, fits), x); });
  world.when(both(!given, [&] { return requires_grad(world, x); }),
             [&] { world.raise(check_implicit_gradient(judge, world.elements(x)), x); });
}
/// Raises an error if backward cannot start at x [torch/csrc/autograd/autograd.cpp, run_backward].
template <World W>
constexpr void check_root(W& world, typename W::Name x) {
  world.raise(check_backward(world.judge(), requires_grad(world, x)), x);
}
/// Raises an error if x cannot be among `inputs=`, or if the gradient that it gets from grad() is missing.
template <World W>
constexpr void check_chosen_input(W& world, typename W::Name x) {
  world.raise(check_chosen(world.judge(), requires_grad(world, x)), x);
}
template <World W>
constexpr void check_returned(W& world, typename W::Name x, const Bool<typename W::Domain>& arrived,
                              const Bool<typename W::Domain>& allow_unused) {
  world.raise(check_unused(world.judge(), arrived, allow_unused), x);
}

/// Raises an error if x cannot have a hook, or a hook after accumulation.
template <World W>
constexpr void check_hook(W& world, typename W::Name x) {
  world.raise(check_register_hook(world.judge(), requires_grad(world, x)), x);
}
template <World W>
constexpr void check_hook_after(W& world, typename W::Name x) {
  check_hook(world, x);
  ask_history(world, x);
  world.raise(check_register_hook_after(world.judge(), !world.meta(x).has_grad_fn), x);
}
/// Whether `returned`, which a hook returned, replaces the gradient that it got; `fits`: it has its sizes and dtype.
/// Raises an error if a hook may not return it.
template <World W>
constexpr Bool<typename W::Domain> hook_replaces(W& world, typename W::Name returned,
                                                 const Bool<typename W::Domain>& fits) {
  world.raise(check_hook_result(world.judge(), fits), returned);
  return plumbline::hook_replaces(world.judge(), fits);  // it is unfit only with AUT-82 misread
}
/// Raises an error if x cannot retain its gradient.
template <World W>
constexpr void check_retains(W& world, typename W::Name x) {
  world.raise(check_retain_grad(world.judge(), requires_grad(world, x)), x);
}

/// A gradient that has arrived at a leaf. The last four fill the leaf's `.grad`.
template <class G, class D>
concept ArrivedGradient = requires(G& g, const Bool<D>& b) {
  { g.finds_one() } -> std::same_as<Bool<D>>;     ///< `.grad` holds a tensor
  { g.fits() } -> std::same_as<Bool<D>>;          ///< no one else holds it, and it has the leaf's layout
  { g.is_inference() } -> std::same_as<Bool<D>>;  ///< asked only if it fits
  g.make(b, b);                                   ///< with its memory, or a copy; an inference tensor, or a normal one
  g.copy();                                       ///< a copy by ops that may be recorded
  g.replace();                                    ///< the sum of the old `.grad` and it, by such an op
  g.add();                                        ///< in place, into the old `.grad`
};

/// A new `.grad` that is not recorded.
template <World W, ArrivedGradient<typename W::Domain> G>
constexpr void make_grad(W& world, G& gradient) {
  using D = typename W::Domain;
  const Judge<D>& judge = world.judge();
  const Bool<D> mode = world.tls().inference_mode;
  const Bool<D> fits = gradient.fits();
  const Bool<D> arrived = branch(fits, [&] { return gradient.is_inference(); }, [&] { return mode; });
  gradient.make(gradient_is_stored(judge, fits), gradient_is_inference(judge, mode, arrived, fits));
}

/// What backward does with a gradient that has arrived at a leaf
/// [torch/csrc/autograd/functions/accumulate_grad.h, AccumulateGrad::accumulateGrad].
template <World W, ArrivedGradient<typename W::Domain> G>
constexpr void accumulate(W& world, typename W::Name leaf, G& gradient) {
  using D = typename W::Domain;
  const Judge<D>& judge = world.judge();
  ask_history(world, leaf);
  world.raise(check_still_leaf(judge, world.meta(leaf).has_grad_fn), leaf);
  world.when(leaf_takes_gradient(judge, requires_grad(world, leaf)), [&] {
    const Bool<D> adds = backward_accumulates(judge, gradient.finds_one());
    world.when(!adds, [&] {
      const Bool<D> copied = gradient_is_copied(judge, world.tls());
      world.when(copied, [&] { gradient.copy(); });
      world.when(!copied, [&] { make_grad(world, gradient); });
    });
    world.when(adds, [&] {
      const Bool<D> replaced = grad_is_replaced(judge, world.tls());
      world.when(replaced, [&] { gradient.replace(); });
      world.when(!replaced, [&] { gradient.add(); });
    });
  });
}

}  // namespace plumbline::machine
