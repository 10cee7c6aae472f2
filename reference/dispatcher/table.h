// The dispatch table of one operator, as its registrations make it.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "reference/state.h"
#include "spec/concrete.h"
#include "spec/rules/dsp.h"

namespace plumbline::reference {

/// For what a kernel is registered: a runtime key, or an alias key.
struct RegistrationKey {
  std::optional<AliasKey> alias;
  RuntimeKey key;  ///< where there is no alias

  friend auto operator<=>(const RegistrationKey&, const RegistrationKey&) = default;
};

/// "AutogradCPU"; an alias key as "Autograd[alias]", as LibTorch prints it.
std::string name_of(const KeyLayout& layout, const RegistrationKey& key);
/// The inverse, with or without "[alias]". "Autograd" is the alias key.
std::optional<RegistrationKey> registration_key_named(const KeyLayout& layout, std::string_view name);

/// A kernel, by a number that its owner gives it.
using KernelId = std::int32_t;
inline constexpr KernelId kNoKernel = -1;

/// The kernels of one operator, for each key from the oldest to the newest; no list is empty.
using Registrations = std::map<RegistrationKey, std::vector<KernelId>>;
/// The fallbacks, by entry of the table: kNoKernel where there is none.
using Fallbacks = std::vector<KernelId>;

/// One entry of a table.
struct Entry {
  EntrySource source = EntrySource::missing;
  KernelId kernel = kNoKernel;  ///< none for `missing` and `ambiguous`

  friend bool operator==(const Entry&, const Entry&) = default;
};

/// The entry that these registrations make, by the rules (DSP-01 to DSP-14).
Entry entry_of(const Judge& judge, const KeyLayout& layout, const Registrations& registrations,
               const Fallbacks& fallbacks, RuntimeKey key);

/// A dispatch table that is kept up to date (DSP-15).
class DispatchTable {
 public:
  explicit DispatchTable(const KeyLayout& layout) : layout_(&layout), entries_(table_size(layout)) {}

  /// Brings up to date what a change at `key` concerns.
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

/// The entry's place for a key set's word (DSP-32, DSP-33).
RuntimeKey entry_key(const Judge& judge, const KeyLayout& layout, std::uint64_t keys);

/// The words of c10 for an entry's source: "kernel", "math kernel", …; "missing".
std::string_view words_of(EntrySource source);

}  // namespace plumbline::reference
