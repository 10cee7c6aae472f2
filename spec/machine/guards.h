// Guards and threads: the state inside a guard, the state after it, and what a thread finds when it runs.
#pragma once

#include <concepts>
#include <stdexcept>

#include "spec/machine/world.h"
#include "spec/rules/tls.h"
#include "spec/vocabulary/statement.h"

namespace plumbline::machine {

/// A guard of the program.
template <Domain D>
struct Guard {
  GuardKind kind;
  Bool<D> value = false;  ///< its argument, if it takes one
  KeySet<D> key = {};     ///< the key of an exclude or include guard
};

/// What an open guard, or a thread that another one waits for, found.
template <Domain D>
struct Found {
  Tls<D> tls;
  Bool<D> whole = false;  ///< its end restores whole key sets
};

/// A world with a stack of frames: each is an open guard, or what waits for a thread.
template <class W>
concept Frames = requires(W& w, const Tls<typename W::Domain>& tls, const Found<typename W::Domain>& found) {
  { w.judge() } -> std::same_as<const Judge<typename W::Domain>&>;
  { w.tls() } -> std::same_as<const Tls<typename W::Domain>&>;
  w.set_tls(tls);
  w.open_frame(found);                                       ///< it is the innermost one
  { w.frame() } -> std::same_as<Found<typename W::Domain>>;  ///< the innermost one; the world has one
  w.close_frame();                                           ///< the innermost one
};

/// The state inside a guard.
template <Domain D>
constexpr Tls<D> inside_guard(const Judge<D>& judge, const Guard<D>& guard, const Tls<D>& outer) {
  switch (guard.kind) {
    case GuardKind::inference_mode:
      return enter_inference_mode(judge, outer, guard.value);
    case GuardKind::no_grad:
      return enter_grad_mode(judge, outer, Bool<D>(false));
    case GuardKind::enable_grad:
      return enter_grad_mode(judge, outer, Bool<D>(true));
    case GuardKind::set_grad_enabled:
      return enter_grad_mode(judge, outer, guard.value);
    case GuardKind::below_autograd:
      return enter_below_autograd(judge, outer);
    case GuardKind::below_ad_inplace_or_view:
      return enter_below_ad_inplace_or_view(judge, outer);
    case GuardKind::exclude_key:
      return enter_exclude(judge, outer, guard.key);
    case GuardKind::include_key:
      return enter_include(judge, outer, guard.key);
    case GuardKind::auto_non_variable_type_mode:
      return enter_auto_non_variable_type_mode(judge, outer);
  }
  throw std::logic_error("unknown guard kind");
}
/// The state after a guard that ends in the state `inside`; `raised`: by an error.
template <Domain D>
constexpr Tls<D> after_guard(const Judge<D>& judge, const Found<D>& found, const Tls<D>& inside,
                             const Bool<D>& raised) {
  return branch(
      found.whole, [&] { return leave_guard(judge, found.tls, inside, raised, true); },
      [&] { return leave_guard(judge, found.tls, inside, raised, false); });
}

/// Enters a guard.
template <Frames W>
constexpr void enter(W& world, const Guard<typename W::Domain>& guard) {
  const Tls<typename W::Domain> inside = inside_guard(world.judge(), guard, world.tls());
  world.open_frame({world.tls(), Bool<typename W::Domain>(guard.kind == GuardKind::inference_mode)});
  world.set_tls(inside);
}
/// Leaves the innermost guard; `raised`: by an error.
template <Frames W>
constexpr void leave(W& world, const Bool<typename W::Domain>& raised) {
  world.set_tls(after_guard(world.judge(), world.frame(), world.tls(), raised));
  world.close_frame();
}

/// A new thread begins, and its starter waits.
template <Frames W>
constexpr void start_thread(W& world) {
  const Tls<typename W::Domain> begins = thread_begins(world.judge(), world.tls());
  world.open_frame({world.tls()});
  world.set_tls(begins);
}
/// The thread waits, and another one goes on, which had the state `other` before.
template <Frames W>
constexpr void pause_thread(W& world, const Tls<typename W::Domain>& other) {
  const Tls<typename W::Domain> goes_on = thread_goes_on(world.judge(), other, world.tls());
  world.open_frame({world.tls()});
  world.set_tls(goes_on);
}
/// What waits in the innermost frame goes on.
template <Frames W>
constexpr void go_on(W& world) {
  world.set_tls(thread_goes_on(world.judge(), world.frame().tls, world.tls()));
  world.close_frame();
}

}  // namespace plumbline::machine
