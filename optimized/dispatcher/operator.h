// An operator: what is registered for it, and the dispatch table that is resolved whenever that changes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "optimized/dispatcher/kernel.h"
#include "optimized/dispatcher/thread_state.h"
#include "spec/key_layout.h"

namespace plumbline::optimized {

/// Where a kernel is registered: an entry of the table, or behind those, an alias key.
using Slot = std::uint16_t;
inline constexpr int kSlots = kTableSize + static_cast<int>(kAliasNames.size());
constexpr Slot slot_of(AliasKey alias) { return static_cast<Slot>(kTableSize + static_cast<int>(alias)); }

/// What a backend has for operators that have no kernel for a key: by entry; `boxed` null: nothing.
using Fallbacks = std::array<Kernel, kTableSize>;

class Operator {
 public:
  explicit Operator(std::string name);

  const std::string& name() const { return name_; }

  /// A call whose arguments bring `frame.keys`: the thread's sets are applied, and what falls through is passed over.
  /// Throws DispatchFailed, and what the kernel throws.
  void call(Frame& frame) const {
    const KeySet keys = arriving(frame.keys);
    enter(keys, frame);
  }
  /// A call with the set as it is given.
  void redispatch(KeySet keys, Frame& frame) const { enter(keys, frame); }

  /// The same by the kernel's own signature; `box(frame)` fills a frame where the kernel has none.
  template <class R, class... A, class Box>
  R call_unboxed(KeySet arguments, Box box, A... a) const {
    const KeySet keys = arriving(arguments);
    const Kernel& kernel = table_[static_cast<std::size_t>(keys.entry())];
    if (kernel.unboxed != nullptr) [[likely]]
      return reinterpret_cast<R (*)(void*, const Operator&, KeySet, A...)>(kernel.unboxed)(kernel.context, *this, keys,
                                                                                           std::forward<A>(a)...);
    return box(kernel, keys);
  }

  /// The set with which a call arrives [DispatchKeyExtractor.h, computeDispatchKeySet].
  KeySet arriving(KeySet arguments) const {
    const ThreadState& state = thread_state();
    const KeySet keys = (arguments | state.included) - state.excluded;
    return keys & masks_[static_cast<std::size_t>(keys.backend())];
  }

  /// Registers a kernel, which is used until it is taken away, or another is registered for the slot.
  void add(Slot slot, std::uint64_t registration, const Kernel& kernel, const Fallbacks& fallbacks);
  void remove(Slot slot, std::uint64_t registration, const Fallbacks& fallbacks);
  /// Resolves every entry anew.
  void resolve(const Fallbacks& fallbacks);

  bool registered(Slot slot) const { return !registered_[slot].empty(); }
  bool registered_at_all() const;
  /// The newest kernel of a slot; throws DispatchFailed where there is none.
  const Kernel& newest(Slot slot) const;
  /// Whether anything is there for a call that arrives: a kernel, what falls through, or that there are two
  /// [OperatorEntry.h, hasComputedKernelForDispatchKey].
  bool has_entry(int entry) const;

 private:
  void enter(KeySet keys, Frame& frame) const {
    const Kernel& kernel = table_[static_cast<std::size_t>(keys.entry())];
    kernel.boxed(kernel.context, *this, keys, frame);
  }
  const Kernel* kernel_at(int entry, const Fallbacks& fallbacks) const;

  std::array<Kernel, kTableSize> table_{};
  std::array<KeySet, kBackends> masks_{};  ///< by backend: what does not fall through, and every backend
  std::string name_;
  std::array<std::vector<std::pair<std::uint64_t, Kernel>>, kSlots> registered_;  ///< the newest last
};

}  // namespace plumbline::optimized
