// Functional storages: in a functionalized body, aliases are values of their own, and a write waits at what they share
// until the base is read. docs/FUNCTIONALIZATION.md has the theorem about these steps.
#pragma once

#include "spec/machine/world.h"
#include "spec/rules/fun_body.h"

namespace plumbline::machine {

/// A state with functional storages, which have numbers. A value, of type `Contents`, is what a functional op computes:
/// a write through one name changes no other name's value. A tensor has a storage, a chain of views from the storage's
/// base, a value, and the generation of the storage for which the value is right. An update is a write that waits: the
/// written value and its chain.
template <class W>
concept FunctionalWorld =
    requires(W& w, typename W::Tensor t, const typename W::Contents& value, const typename W::Update& update,
             const Bool<typename W::Domain>& b, const Num<typename W::Domain>& n, void (*then)()) {
      requires Domain<typename W::Domain>;
      { w.judge() } -> std::same_as<const Judge<typename W::Domain>&>;
      w.when(b, then);  ///< runs `then` on the paths where `b` holds
      { w.storage_of(t) } -> std::same_as<Num<typename W::Domain>>;
      { w.generation_of(t) } -> std::same_as<Num<typename W::Domain>>;
      w.set_generation_of(t, n);
      { w.value_of(t) } -> std::same_as<typename W::Contents>;
      w.set_value_of(t, value);
      { w.chain_length(t) } -> std::same_as<Num<typename W::Domain>>;  ///< how many views its chain has
      { w.is_whole(t) } -> std::same_as<Bool<typename W::Domain>>;  ///< its chain is empty: it has the base's elements
      { w.has_elements(t) } -> std::same_as<Bool<typename W::Domain>>;  ///< and a write through it changes something
      { w.one_to_one(t) } -> std::same_as<Bool<typename W::Domain>>;    ///< no view of its chain repeats an element
      { w.through_chain(t) } -> std::same_as<typename W::Contents>;     ///< its chain's views of its storage's base
      { w.base(n) } -> std::same_as<typename W::Contents>;              ///< of the storage n
      w.set_base(n, value);
      { w.generation(n) } -> std::same_as<Num<typename W::Domain>>;  ///< of the storage n
      w.set_generation(n, n);
      w.add_update(t, b);  ///< of t's storage: t's value, to write to its places if `b`
      { w.applied(n, update) } -> std::same_as<typename W::Contents>;  ///< `apply` of the update to the base of n
    };

/// One link of the write-back through a chain: the value of a link's source after `rest` has written to its view.
/// `source`: the source's present value; `rest` takes the view's present value and returns the view's new one.
template <class W, class Link, class Value, class Rest>
constexpr Value write_back_link(W& world, const Link& link, const Value& source, const Rest& rest) {
  const Value seen = branch(
      is_made_again(world.judge(), world.may_be_old(link)), [&] { return world.view_of(link, source); },
      [&] { return world.view_when_made(link); });
  return world.inverse(link, source, rest(seen));
}

/// The base after the update's written value is written to the last view of its chain. `link`: the first link of the
/// rest of the chain, whose source has the value `source`.
template <class W, class Update, class Value>
constexpr Value write_back(W& world, const Update& update, std::size_t link, const Value& source) {
  if (link == world.links(update)) return world.written(update);
  return write_back_link(world, world.link(update, link), source,
                         [&](const Value& seen) { return write_back(world, update, link + 1, seen); });
}

/// What is done with each update that waits at a storage, oldest first; `newest`: it is the last.
template <FunctionalWorld W>
constexpr void apply_update(W& world, const Num<typename W::Domain>& storage, const typename W::Update& update,
                            const Bool<typename W::Domain>& newest) {
  world.when(is_applied(world.judge(), newest), [&] { world.set_base(storage, world.applied(storage, update)); });
}

/// Applies all updates that wait at a storage. No one can see this: it may be done at any time.
template <FunctionalWorld W>
constexpr void sync(W& world, const Num<typename W::Domain>& storage) {
  world.each_waiting(storage,
                     [&](const auto& update, const auto& newest) { apply_update(world, storage, update, newest); });
}

/// The tensor's present value.
template <FunctionalWorld W>
constexpr typename W::Contents read(W& world, typename W::Tensor t) {
  using D = typename W::Domain;
  const Num<D> storage = world.storage_of(t);
  world.when(is_regenerated(world.judge(), world.generation_of(t), world.generation(storage)), [&] {
    sync(world, storage);
    world.set_value_of(t, world.through_chain(t));
    world.set_generation_of(t, world.generation(storage));
  });
  return world.value_of(t);
}

/// After an op wrote t: t's value is the written one.
template <FunctionalWorld W>
constexpr void after_functional_write(W& world, typename W::Tensor t) {
  using D = typename W::Domain;
  const Num<D> storage = world.storage_of(t);
  const Bool<D> whole = world.is_whole(t);
  world.when(whole, [&] {
    sync(world, storage);
    world.set_base(storage, world.value_of(t));
  });
  world.when(both(!whole, [&] { return world.has_elements(t); }),
             [&] { world.add_update(t, writes_places(world.judge(), world.one_to_one(t))); });
  world.set_generation(storage, generation_after_write(world.judge(), world.generation(storage)));
  world.set_generation_of(t, world.generation(storage));
}

/// Makes `made` a result of a view op of `source`, which was read; `value`: that view of its value.
template <FunctionalWorld W, class Link>
constexpr void make_view(W& world, typename W::Tensor source, typename W::Tensor made, const Link& link,
                         const typename W::Contents& value, const ViewStep<typename W::Domain>& step) {
  using D = typename W::Domain;
  const Num<D> own = world.new_storage();
  const Num<D> storage = storage_of_view(world.judge(), step, world.storage_of(source), own);
  world.when(storage == own, [&] { world.bind_owner(made, link, value); });
  world.when(storage != own, [&] { world.bind_view(made, source, link, value); });
}

/// After an op that is both a view and a mutation, on t, which was read; `value`: that view of its value.
template <FunctionalWorld W, class Link>
constexpr void change_layout(W& world, typename W::Tensor t, const Link& link, const typename W::Contents& value) {
  world.set_value_of(t, value);
  const Num<typename W::Domain> links = world.chain_length(t);
  world.when(links_after_layout_change(world.judge(), links) == links + Num<typename W::Domain>(1),
             [&] { world.lengthen_chain(t, link); });
}

/// `t.set_(source)`, where source was read: from here on t is an alias of source.
template <FunctionalWorld W, class Link>
constexpr void take_functional_storage(W& world, typename W::Tensor t, typename W::Tensor source, const Link& link,
                                       const typename W::Contents& value) {
  world.bind_view(t, source, link, value);
}

/// Makes the memory of a storage longer; the base is the memory itself. No tensor's value changes.
template <FunctionalWorld W>
constexpr void grow_memory(W& world, const Num<typename W::Domain>& storage, const Num<typename W::Domain>& elements) {
  sync(world, storage);
  world.set_base(storage, world.longer_base(storage, elements, [&](const Bool<typename W::Domain>& had) {
    return keeps_when_grown(world.judge(), had);
  }));
  world.set_generation(storage, world.generation(storage) + Num<typename W::Domain>(1));
}

/// The functional storage of an input when a body begins; `shared`: that of an input before it with the same memory,
/// or `own`, a new one.
template <FunctionalWorld W>
constexpr Num<typename W::Domain> open_input(W& world, const Num<typename W::Domain>& shared,
                                             const Num<typename W::Domain>& own) {
  return storage_of_input(world.judge(), shared, own);
}

/// When a body ends, for the storage of an input; all that waits at it was applied. `raises`: the body raised an error.
template <FunctionalWorld W>
constexpr void close_input(W& world, const Num<typename W::Domain>& storage, const Bool<typename W::Domain>& raises) {
  using D = typename W::Domain;
  const Num<D> generation = world.generation(storage);
  const Bool<D> back = branch(
      raises, [&] { return is_copied_back_on_error(world.judge(), generation); },
      [&] { return is_copied_back(world.judge(), generation); });
  world.when(back, [&] { world.copy_back(storage); });
}

}  // namespace plumbline::machine
