// An operator: its registrations, and the dispatch table that is computed again whenever they change.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "optimized/dispatcher/kernel.h"
#include "optimized/dispatcher/thread_state.h"
#include "optimized/dispatcher/trace.h"
#include "spec/vocabulary/key_layout.h"

namespace plumbline::optimized {

/// Where a kernel is registered: an entry of the table or, after those, an alias key.
using Slot = std::uint16_t;
inline constexpr int kSlots = kTableSize + static_cast<int>(kAliasNames.size());
constexpr Slot slot_of(AliasKey alias) { return static_cast<Slot>(kTableSize + static_cast<int>(alias)); }

/// The fallbacks for operators without a kernel for a key, by entry; `boxed` null: no fallback.
using Fallbacks = std::array<Kernel, kTableSize>;

class Operator {
 public:
  explicit Operator(std::string name);

  const std::string& name() const { return name_; }

  /// A call whose arguments bring `frame.keys`: the thread's sets are applied, and kernels that fall through are
  /// skipped. Throws DispatchFailed, and what the kernel throws.
  void call(Frame& frame) const {
    const auto [keys, found] = arrive(with_thread(frame.keys));
    found->boxed(found->context, *this, keys, frame);
  }
  /// A call with exactly this set.
  void redispatch(KeySet keys, Frame& frame) const {
    const Kernel& found = kernel(keys);
    found.boxed(found.context, *this, keys, frame);
  }

  /// The kernel that a call with `keys` runs.
  [[gnu::always_inline]] const Kernel& kernel(KeySet keys) const {
    return table_[static_cast<std::size_t>(keys.entry())];
  }

  /// The set with which a call arrives, and the kernel that it runs; `all` is with_thread's.
  struct Arrival {
    KeySet keys;
    const Kernel* kernel = nullptr;
  };
  Arrival arrive(KeySet all) const {
    const KeySet keys = all & masks_[static_cast<std::size_t>(all.backend())];
    return {keys, &kernel(keys)};
  }
  /// The same, cached for the sets that most calls have.
  struct Usual {
    KeySet all = KeySet(~std::uint64_t{0});  ///< no call has that
    KeySet keys;
    UnboxedFunction unboxed = nullptr;
  };
  /// Null for another set, and if the kernel is boxed.
  [[gnu::always_inline]] const Usual* usual(KeySet all) const {
    const auto& [first, second, third] = usual_;
    if (first.all == all) return &first;
    if (second.all == all) return &second;
    return third.all == all ? &third : nullptr;
  }
  /// The same for calls that reach the kernels of Functionalize: there are fewer, so they are looked up after those.
  const Usual* usual_functional(KeySet all) const {
    const auto& [first, second] = functional_;
    if (first.all == all) return &first;
    return second.all == all ? &second : nullptr;
  }

  /// Registers a kernel, which is used until it is removed or another one is registered for the slot.
  void add(Slot slot, std::uint64_t registration, const Kernel& kernel, const Fallbacks& fallbacks);
  void remove(Slot slot, std::uint64_t registration, const Fallbacks& fallbacks);
  /// Computes every entry again.
  void resolve(const Fallbacks& fallbacks);
  /// Whether each kernel lists itself in the thread's TraceScope before it runs; an unboxed call is boxed, then.
  void trace(bool on);

  bool registered(Slot slot) const { return !registered_[slot].empty(); }
  bool registered_at_all() const;
  /// The newest kernel of a slot; throws DispatchFailed if there is none.
  const Kernel& newest(Slot slot) const;
  /// Whether a call finds anything here: a kernel, a fallthrough, or an ambiguity [OperatorEntry.h,
  /// hasComputedKernelForDispatchKey].
  bool has_entry(int entry) const;

 private:
  const Kernel* kernel_at(int entry, const Fallbacks& fallbacks) const;
  std::array<Kernel, kTableSize> wrapped();
  void find_usual();

  std::array<Kernel, kTableSize> table_{};
  std::array<Usual, 3>
      usual_{};  ///< of the CPU: normal tensors, inference tensors in inference mode, each in the other
  std::array<Usual, 2> functional_{};      ///< the first two with Functionalize
  std::array<KeySet, kBackends> masks_{};  ///< by backend: the keys that do not fall through, and every backend
  std::string name_;
  std::array<std::vector<std::pair<std::uint64_t, Kernel>>, kSlots> registered_;  ///< the newest last

  /// What tracing needs, after it was switched on.
  struct Tracing {
    std::array<Kernel, kTableSize> other;  ///< the table that is not in use
    std::array<TracedKernel, kTableSize> kernels;
  };
  std::unique_ptr<Tracing> tracing_;
  bool traced_ = false;
};

}  // namespace plumbline::optimized
