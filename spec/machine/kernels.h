// A call from its key set to the kernel of the backend: which kernels run, in which order, and what each does before
// and after those below it.
#pragma once

#include <array>

#include "spec/machine/call.h"
#include "spec/machine/inplace_or_view.h"
#include "spec/rules/key.h"

namespace plumbline::machine {

/// The kernels that ran before that of the backend.
template <Domain D>
struct Ran {
  Bool<D> autograd = false;
  Bool<D> view = false;  ///< the ADInplaceOrView kernel
};

/// What `resize_` changes of its tensor.
template <Domain D>
struct Resizing {
  Bool<D> sizes;
  Bool<D> strides;  ///< where the sizes stay
};

/// A call on its way through the kernels.
template <class C, class W>
concept Dispatched =
    Call<C, W> && requires(C& call, const KeySet<typename W::Domain>& keys, const Ran<typename W::Domain>& ran,
                           const Bool<typename W::Domain>& b, void (*below)()) {
      { call.kind() } -> std::same_as<OpKind>;
      call.others();  ///< the names of its tensor arguments but for the place that it writes
      { call.writes_something() } -> std::same_as<bool>;  ///< not so only with KEY-08 flipped
      call.resizing();                                    ///< only of resize_
      { call.times() } -> std::same_as<std::int64_t>;     ///< how often the kernel that ran counts
      call.reach(Functionality::Dense, keys);             ///< told of each kernel that runs, and with which keys
      call.backend(ran);                                  ///< the kernel of the backend
      call.record(b, below);  ///< calls `below` once; if `b`, as the part of the call that is recorded
    };

/// The keys of a call's arguments together; `brought`: those of each.
template <Domain D, class Brought>
constexpr KeySet<D> joined_keys(const Judge<D>& judge, const Brought& brought) {
  KeySet<D> all;
  for (const KeySet<D>& keys : brought) all = join_keys(judge, all, keys);
  return all;
}
/// The key set of a call; `arguments`: the keys of its arguments together.
template <Domain D>
constexpr KeySet<D> call_keys(const Judge<D>& judge, const KeySet<D>& arguments, const Tls<D>& tls) {
  return effective_keys(judge, arguments, tls.included, tls.excluded);
}

/// The kernel that runs next for these keys. detach_ has no ADInplaceOrView kernel, resize_ has one by VER-18.
template <World W, Dispatched<W> C>
constexpr Choice<typename W::Domain, Functionality> next_of(W& world, C& call, const KeySet<typename W::Domain>& keys) {
  const auto like = [&](OpKind kind) { return next_kernel(world.judge(), keys, kind); };
  const AutogradKernel kernel = call.autograd_kernel();
  if (kernel == AutogradKernel::detach_inplace) return like(OpKind::Functional);
  const Bool<typename W::Domain> counts = writer_counts(world.judge(), {kernel == AutogradKernel::resize});
  return branch(counts, [&] { return like(call.kind()); }, [&] { return like(OpKind::Functional); });
}

/// The Autograd kernel, if it `runs`, around those below it.
template <World W, Dispatched<W> C, class Below>
constexpr void through_autograd(W& world, C& call, const Bool<typename W::Domain>& runs, const Below& below) {
  Bool<typename W::Domain> recorded = false;
  world.when(runs, [&] { recorded = autograd_kernel(world, call); });
  if (call.autograd_kernel() == AutogradKernel::detach_inplace) return world.when(!runs, below);
  call.record(runs && recorded, below);
}

/// Whether the ADInplaceOrView kernel of a call takes it for a write.
template <World W, Dispatched<W> C>
constexpr Bool<typename W::Domain> counts(W& world, C& call) {
  if (call.autograd_kernel() != AutogradKernel::resize) return call.writes_something();
  const Resizing<typename W::Domain> change = call.resizing();
  return resize_counts(world.judge(), change.sizes, change.strides);
}

/// The ADInplaceOrView kernel, if it `runs`, around those below it; `after_autograd`: the Autograd kernel ran before.
template <World W, Dispatched<W> C, class Below>
constexpr void through_view(W& world, C& call, const Bool<typename W::Domain>& runs,
                            const Bool<typename W::Domain>& after_autograd, const Below& below) {
  using D = typename W::Domain;
  if (call.kind() == OpKind::View) {
    world.when(runs, [&] { before_view(world, call.written(), after_autograd); });
    return below();
  }
  const Bool<D> acts = both(runs, [&] { return counts(world, call); });
  Write<W> write{};
  write.layout_only = call.kind() == OpKind::InplaceView;
  world.when(acts, [&] {
    write.x = call.written();
    for (const auto& x : call.others()) write.operand = write.operand || inference(world, x);
    if (call.writes()) before_write(world, write);
  });
  world.attempt(below, [&] { world.when(acts, [&] { after_failed_write(world, write.x); }); });
  world.when(acts, [&] {
    if (call.writes())
      after_write(world, write, call.times());
    else
      count_write(world, write.x);  // reached only with KEY-08 flipped
  });
}

/// Whether the Autograd kernel may run after the ADInplaceOrView kernel: if a set with both selects the latter. On
/// plain values this is not asked, since the keys say it. On terms it leaves out a second Autograd kernel, which no
/// keys select: the obligations `keys.next-kernel-is-the-highest` and `keys.redispatch-goes-down`.
template <World W, Dispatched<W> C>
constexpr Bool<typename W::Domain> autograd_may_follow(W& world, C& call) {
  using D = typename W::Domain;
  if constexpr (kDecided<D>) {
    return true;
  } else {
    const KeySet<D> two = KeySet<D>(Functionality::Autograd) | Functionality::ADInplaceOrView;
    return next_of(world, call, two) == Choice<D, Functionality>(Functionality::ADInplaceOrView);
  }
}

/// Every order in which the kernels before the backend's can run is a part of this one: a misread KEY-01 runs
/// ADInplaceOrView first.
inline constexpr std::array kKernels{Functionality::Autograd, Functionality::ADInplaceOrView, Functionality::Autograd};

/// Runs `next`, the kernel that `keys` select, and those below it; all of them are in `kKernels` from `Place` on.
template <std::size_t Place, World W, Dispatched<W> C>
constexpr void run_from(W& world, C& call, const KeySet<typename W::Domain>& keys,
                        const Choice<typename W::Domain, Functionality>& next, const Ran<typename W::Domain>& ran) {
  using D = typename W::Domain;
  if constexpr (Place == kKernels.size()) {
    call.reach(Functionality::Dense, keys);
    call.backend(ran);
  } else {
    constexpr Functionality kKernel = kKernels[Place];
    constexpr bool kAutograd = kKernel == Functionality::Autograd;
    const Bool<D> may = Bool<D>(Place == 0 || !kAutograd) || autograd_may_follow(world, call);
    const Bool<D> runs = may && next == Choice<D, Functionality>(kKernel);
    const auto below = [&] {
      const KeySet<D> left =
          branch(runs, [&] { return keys_below(world.judge(), keys, kKernel); }, [&] { return keys; });
      const auto then = branch(runs, [&] { return next_of(world, call, left); }, [&] { return next; });
      const Ran<D> now{ran.autograd || (Bool<D>(kAutograd) && runs), ran.view || (Bool<D>(!kAutograd) && runs)};
      run_from<Place + 1>(world, call, left, then, now);
    };
    world.when(runs, [&] { call.reach(kKernel, keys); });
    if constexpr (kAutograd)
      through_autograd(world, call, runs, below);
    else
      through_view(world, call, runs, ran.autograd, below);
  }
}

/// Runs the kernels of a call from the highest key down; `keys`: its key set (`call_keys`).
template <World W, Dispatched<W> C>
constexpr void run_kernels(W& world, C& call, const KeySet<typename W::Domain>& keys) {
  run_from<0>(world, call, keys, next_of(world, call, keys), Ran<typename W::Domain>{});
}

}  // namespace plumbline::machine
