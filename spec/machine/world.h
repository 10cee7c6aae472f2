// What the machine asks of the state that it runs on. The reference runs the machine on
// plain values, and the proofs run it on terms (docs/ARCHITECTURE.md, "One machine").
#pragma once

#include <concepts>

#include "spec/machine/flow.h"
#include "spec/rules/aut.h"

namespace plumbline::machine {

/// A state that can be read. A name is a tensor's; every name that the machine is given is of a tensor that exists.
template <class W>
concept Readable = requires(const W& w, typename W::Name x) {
  requires Domain<typename W::Domain>;
  { w.judge() } -> std::same_as<const Judge<typename W::Domain>&>;
  { w.tls() } -> std::same_as<const Tls<typename W::Domain>&>;
  { w.meta(x) } -> std::convertible_to<Meta<typename W::Domain>>;
  { w.base(x) } -> std::same_as<typename W::Name>;  ///< of a tracked view
};

/// A state that the machine can run on. After `raise` of an error nothing of the state changes: a decided world leaves
/// by an exception, a world of terms keeps the first error and drops later changes.
template <class W>
concept World =
    Readable<W> && requires(W& w, typename W::Name x, const Bool<typename W::Domain>& b,
                            const Error<typename W::Domain>& e, const Num<typename W::Domain>& n, void (*then)()) {
      w.set_meta(x, Meta<typename W::Domain>{});
      { w.floating(x) } -> std::same_as<Bool<typename W::Domain>>;            ///< it has a floating or complex dtype
      { w.elements(x) } -> std::same_as<Num<typename W::Domain>>;             ///< how many it has
      { w.history_is_current(x) } -> std::same_as<Bool<typename W::Domain>>;  ///< recorded at its present version
      w.when(b, then);            ///< runs `then` on the paths where `b` holds
      w.attempt(then, then);      ///< runs the first; on the paths where it raises, the second before the error counts
      w.raise(e, x);              ///< raises an error, or `none`; `x`: the tensor that it is about
      w.raise_after_write(e, x);  ///< the same, after a kernel wrote x
      w.count(x, n);              ///< adds to its version, if it has a counter
      w.regenerate_history(x);    ///< a tracked view's history becomes that of its base
      w.record_write(x);          ///< a tensor's history becomes the call that wrote it
      w.record_write_of_view(x);  ///< the history of a tracked view's base becomes the call that wrote the view
    };

/// Whether a tensor is an inference tensor.
template <Readable W>
constexpr Bool<typename W::Domain> inference(const W& world, typename W::Name x) {
  return is_inference(world.judge(), world.meta(x), world.tls());
}
/// Whether it requires grad, as read: with its base, which on terms is no view.
template <Readable W>
constexpr Bool<typename W::Domain> requires_grad(const W& world, typename W::Name x) {
  using D = typename W::Domain;
  const Meta<D> meta = world.meta(x);
  const Bool<D> base = both(meta.tracked, [&] {
    if constexpr (kDecided<D>)
      return requires_grad(world, world.base(x));
    else
      return plumbline::requires_grad<D>(world.judge(), world.meta(world.base(x)), false);
  });
  return plumbline::requires_grad(world.judge(), meta, base);
}
/// Whether it is a leaf, as its history stands.
template <Readable W>
constexpr Bool<typename W::Domain> leaf(const W& world, typename W::Name x) {
  return is_leaf(world.judge(), world.meta(x), requires_grad(world, x));
}
/// The keys that it shows and brings to a call, and those that a number in its place brings.
template <Readable W>
constexpr KeySet<typename W::Domain> keys(const W& world, typename W::Name x) {
  return carried_keys(world.judge(), world.meta(x).keys, requires_grad(world, x));
}
template <Domain D>
constexpr KeySet<D> keys_of_number(const Judge<D>& judge, const Tls<D>& tls) {
  return carried_keys<D>(judge, number_keys(judge, tls), false);
}

}  // namespace plumbline::machine
