// Histories: when a tensor's is asked for, regenerated or moved, and the checks that depend on it.
#pragma once

#include "spec/machine/world.h"
#include "spec/rules/aut_backward.h"
#include "spec/rules/view.h"

namespace plumbline::machine {

/// Asks for x's history, as reading `grad_fn` does: a tracked view whose base was written regenerates it, or raises an
/// error.
template <World W>
constexpr void ask_history(W& world, typename W::Name x) {
  const auto meta = world.meta(x);
  world.when(meta.tracked && meta.counted, [&] {
    const auto concerned = either(meta.has_grad_fn, [&] { return requires_grad(world, world.base(x)); });
    world.when(both(concerned, [&] { return !world.history_is_current(x); }), [&] {
      const auto stale = ask_stale_history(world.judge(), meta);
      world.raise(stale.error, x);
      world.when(stale.regenerated, [&] { world.regenerate_history(x); });
    });
  });
}

/// Raises an error if x must not be written as `out=`; `any`: an argument requires grad, `differentiable`: by what the
/// op computes [torch/csrc/autograd/VariableTypeUtils.h, throw_error_out_requires_grad].
template <World W>
constexpr void refuse_out(W& world, typename W::Name x, const Bool<typename W::Domain>& any,
                          const Bool<typename W::Domain>& differentiable) {
  world.raise(check_out(world.judge(), any, differentiable, world.tls()), x);
}

/// Raises an error if x must not be written in place; `recorded`: the write is recorded for backward
/// [torch/csrc/autograd/VariableTypeUtils.h, check_inplace].
template <World W>
constexpr void check_inplace(W& world, typename W::Name x, const Bool<typename W::Domain>& recorded) {
  using D = typename W::Domain;
  const Judge<D>& judge = world.judge();
  world.raise(check_write_through_view(judge, world.meta(x), recorded), x);
  world.when(recorded, [&] {
    world.when(leaf_checks_ask_history(judge), [&] { ask_history(world, x); });
    const Meta<D> meta = world.meta(x);
    const Bool<D> base_leaf = both(meta.tracked, [&] { return leaf(world, world.base(x)); });
    world.raise(check_leaf(judge, meta, requires_grad(world, x), leaf(world, x), base_leaf), x);
  });
}

/// Gives x, which a recorded call wrote, and the base of a tracked view the history of that call
/// [torch/csrc/autograd/variable.cpp, impl::rebase_history].
template <World W>
constexpr void rebase_history(W& world, typename W::Name x) {
  using D = typename W::Domain;
  const Judge<D>& judge = world.judge();
  const Bool<D> tracked = world.meta(x).tracked;
  const Bool<D> through = rebases_base(judge, tracked);
  world.when(through, [&] { world.record_write_of_view(x); });
  const Bool<D> stays = both(tracked, [&] {
    return !rebases_view(judge, either(!world.meta(x).counted, [&] { return !world.history_is_current(x); }));
  });
  world.when(rebases_tensor(judge, stays), [&] {
    world.when(through, [&] { world.regenerate_history(x); });
    world.when(!through, [&] { world.record_write(x); });
  });
}

/// `x.requires_grad = value`, or `x.requires_grad_(value)` if `method`.
template <World W>
constexpr void set_requires_grad(W& world, typename W::Name x, const Bool<typename W::Domain>& value, bool method) {
  using D = typename W::Domain;
  const Judge<D>& judge = world.judge();
  world.when(leaf_checks_ask_history(judge), [&] { ask_history(world, x); });
  Meta<D> meta = world.meta(x);
  const Bool<D> is_leaf = leaf(world, x);
  const Bool<D> bit = inference(world, x);
  const Bool<D> refuses = method ? method_refuses_interior(judge, value) : Bool<D>(true);
  world.raise(check_requires_grad_leaf(judge, is_leaf || !refuses), x);
  world.raise(check_grad_dtype(judge, world.floating(x), value), x);
  world.raise(check_set_requires_grad(judge, bit, value, world.tls()), x);
  meta.requires_grad = value;
  meta.has_grad_fn = meta.has_grad_fn && (is_leaf || !refuses);  // it is a leaf, unless AUT-09 is flipped
  world.set_meta(x, meta);
}

/// The Autograd kernel of `x.detach_()`.
template <World W>
constexpr void detach_inplace(W& world, typename W::Name x) {
  const auto& judge = world.judge();
  auto meta = world.meta(x);
  world.raise(check_detach_inplace(judge, meta.tracked), x);
  meta.requires_grad = detached_requires_grad(judge, requires_grad(world, x));
  meta.has_grad_fn = false;
  world.set_meta(x, meta);
}

}  // namespace plumbline::machine
