// A set of dispatch keys as one machine word, and the entry of a dispatch table for a call with it.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "spec/vocabulary/keys.h"

namespace plumbline::optimized {

inline constexpr std::uint64_t kBackendBits = (std::uint64_t{1} << kBackends) - 1;

/// A functionality's first entry, and which backend bits tell its entries apart.
struct TableRange {
  std::uint16_t first = 0;
  std::uint16_t backends = 0;
};

/// By functionality, from 0 (Undefined): a per-backend one has an entry for each backend
/// [c10/core/DispatchKeySet.cpp, initializeFunctionalityOffsetsAndMasks].
constexpr std::array<TableRange, kFunctionalities + 1> table_ranges() {
  std::array<TableRange, kFunctionalities + 1> ranges{};
  std::uint16_t next = 1;
  for (int f = 1; f <= kFunctionalities; ++f) {
    const bool family = is_per_backend(static_cast<Functionality>(f));
    ranges[static_cast<std::size_t>(f)] = {next, static_cast<std::uint16_t>(family ? kBackendBits : 0)};
    next = static_cast<std::uint16_t>(next + (family ? kBackends : 1));
  }
  return ranges;
}
inline constexpr std::array<TableRange, kFunctionalities + 1> kTableRanges = table_ranges();
inline constexpr int kTableSize = kTableRanges[kFunctionalities].first + 1;

/// Functionalities and backends, in the layout of spec/vocabulary/keys.h.
class KeySet {
 public:
  constexpr KeySet() = default;
  constexpr explicit KeySet(std::uint64_t word) : word_(word) {}
  // A key converts to the set that has only that key.
  constexpr KeySet(Functionality f) : word_(bit_of(f)) {}  // NOLINT(google-explicit-constructor)
  constexpr KeySet(Backend b) : word_(bit_of(b)) {}        // NOLINT(google-explicit-constructor)

  constexpr std::uint64_t word() const { return word_; }
  constexpr bool empty() const { return word_ == 0; }
  constexpr bool has_any(KeySet other) const { return (word_ & other.word_) != 0; }

  friend constexpr KeySet operator|(KeySet a, KeySet b) { return KeySet(a.word_ | b.word_); }
  friend constexpr KeySet operator&(KeySet a, KeySet b) { return KeySet(a.word_ & b.word_); }
  /// Without the functionalities of `b`; backends stay [c10/core/DispatchKeySet.h, operator-].
  friend constexpr KeySet operator-(KeySet a, KeySet b) { return KeySet(a.word_ & (~b.word_ | kBackendBits)); }
  friend constexpr bool operator==(KeySet, KeySet) = default;

  /// The highest functionality's number; 0: none.
  constexpr int functionality() const { return 64 - std::countl_zero(word_ >> kBackends); }
  /// The highest backend's number; 0 also if there is none.
  constexpr int backend() const { return 63 - std::countl_zero((word_ & kBackendBits) | 1); }
  /// The entry at which a call with this set arrives.
  [[gnu::always_inline]] constexpr int entry() const {
    const TableRange range = kTableRanges[static_cast<std::size_t>(functionality())];
    return range.first + (range.backends == 0 ? 0 : backend());
  }

 private:
  std::uint64_t word_ = 0;
};

/// What remains of a set below Autograd, and below ADInplaceOrView [c10/core/DispatchKeySet.h, after_*_keyset]: the
/// functionalities of lower priority, every backend, and PythonDispatcher, which c10 keeps.
constexpr KeySet below(Functionality f) { return KeySet(bit_of(f) - 1) | Functionality::PythonDispatcher; }
inline constexpr KeySet kAfterAutograd = below(Functionality::AutogradOther);
inline constexpr KeySet kAfterADInplaceOrView = below(Functionality::ADInplaceOrView);

/// Every Autograd functionality, with all backends [c10, autograd_dispatch_keyset].
inline constexpr KeySet kAutogradKeys =
    KeySet(Functionality::AutogradOther) | Functionality::Autograd | Functionality::AutogradNestedTensor;

}  // namespace plumbline::optimized
