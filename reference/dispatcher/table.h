// The dispatch table of one operator, computed from its registrations.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "reference/state.h"
#include "spec/rules/dsp.h"
#include "spec/vocabulary/concrete.h"

namespace plumbline::reference {

/// The key that a kernel is registered for: a runtime key, or an alias key.
struct RegistrationKey {
  std::optional<AliasKey> alias;
  RuntimeKey key;  ///< if it is not an alias key

  friend auto operator<=>(const RegistrationKey&, const RegistrationKey&) = default;
};

/// The name as LibTorch prints it: "AutogradCPU", and "Autograd[alias]" for an alias key.
std::string name_of(const KeyLayout& layout, const RegistrationKey& key);
/// The inverse, with or without "[alias]". "Autograd" is the alias key.
std::optional<RegistrationKey> registration_key_named(const KeyLayout& layout, std::string_view name);

/// A kernel, identified by a number that its owner chooses.
using KernelId = std::int32_t;
inline constexpr KernelId kNoKernel = -1;

/// The kernels of one operator, for each key from the oldest to the newest; no list is empty.
using Registrations = std::map<RegistrationKey, std::vector<KernelId>>;
/// The fallbacks, by entry of the table; kNoKernel if there is none.
using Fallbacks = std::vector<KernelId>;

/// One entry of a table.
struct Entry {
  EntrySource source = EntrySource::missing;
  KernelId kernel = kNoKernel;  ///< kNoKernel for `missing` and `ambiguous`

  friend bool operator==(const Entry&, const Entry&) = default;
};

/// The entry for these registrations, by the rules DSP-01 to DSP-14.
Entry entry_of(const Judge& judge, const KeyLayout& layout, const Registrations& registrations,
               const Fallbacks& fallbacks, RuntimeKey key);

/// A dispatch table that is updated after each registration (DSP-15).
class DispatchTable {
 public:
  explicit DispatchTable(const KeyLayout& layout) : layout_(&layout), entries_(table_size(layout)) {}

  /// Updates the entries that a change at `key` affects.
  void update(const Judge& judge, const Registrations& registrations, const Fallbacks& fallbacks,
              const RegistrationKey& key);
  /// Computes every entry.
  void fill(const Judge& judge, const Registrations& registrations, const Fallbacks& fallbacks);

  const Entry& at(RuntimeKey key) const { return entries_[static_cast<std::size_t>(index_of(*layout_, key))]; }
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  const KeyLayout* layout_;
  std::vector<Entry> entries_;
};

/// The place of the entry at which a key set arrives (DSP-32, DSP-33).
RuntimeKey entry_key(const Judge& judge, const KeyLayout& layout, std::uint64_t keys);

/// c10's words for an entry's source: "kernel", "math kernel", …; "missing".
std::string_view words_of(EntrySource source);

}  // namespace plumbline::reference
