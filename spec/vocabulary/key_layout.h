// The layout of the dispatch keys of a PyTorch version: bits of key sets, entries of dispatch tables, alias keys.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spec/vocabulary/profile.h"

namespace plumbline {

/// The groups of functionalities that the rules of the dispatch table distinguish.
enum class KeyGroup : std::uint8_t {
  other,
  backend,          ///< a backend's kernels: Dense, Quantized, SparseCsr, FPGA, MkldnnCPU, …
  sparse,           ///< the same, and not served by CompositeExplicitAutogradNonFunctional
  nested,           ///< NestedTensor
  functionalize,    ///< Functionalize
  autograd_other,   ///< AutogradOther: for the backends without an Autograd key of their own
  autograd,         ///< AutogradCPU, …: for one backend
  autograd_nested,  ///< AutogradNestedTensor
  batched           ///< FuncTorchBatched
};

/// A functionality of a version.
struct FunctionalityRow {
  std::string_view name;  ///< "Dense"; c10's AutogradFunctionality is called "Autograd"
  KeyGroup group = KeyGroup::other;
  bool per_backend = false;  ///< a family of keys, one for each backend, each with an entry of its own in the table
};

/// A backend of a version.
struct BackendRow {
  std::string_view name;
  bool functional = false;  ///< XLA, Lazy: CompositeExplicitAutogradNonFunctional does not serve it
};

/// The keys of a version, from the lowest priority [c10/core/DispatchKey.h].
struct KeyLayout {
  std::string_view series;  ///< "2.13"
  std::span<const BackendRow> backends;
  std::span<const FunctionalityRow> functionalities;  ///< without Undefined
};

/// The layout of a profile's key sets: that of its version, and 2.13's for all other profiles.
const KeyLayout& layout_of(Profile profile);
/// The layout of a series, "1.13" or "2.13"; null for any other.
const KeyLayout* layout_named(std::string_view series);

/// A key that has an entry in every dispatch table: a functionality, with a backend where it is per backend.
struct RuntimeKey {
  std::uint8_t functionality = 0;  ///< its place among the layout's, from 1; 0: Undefined
  std::uint8_t backend = 0;  ///< its place among the layout's, from 0; 0 where the functionality is not per backend

  friend constexpr auto operator<=>(const RuntimeKey&, const RuntimeKey&) = default;
};
inline constexpr RuntimeKey kUndefined{};

/// The keys that stand for several runtime keys and have no entry of their own [c10/core/DispatchKey.h, 'Alias Dispatch
/// Keys'].
enum class AliasKey : std::uint8_t {
  Autograd,
  CompositeImplicitAutograd,
  FuncTorchBatchedDecomposition,
  CompositeImplicitAutogradNestedTensor,
  CompositeExplicitAutograd,
  CompositeExplicitAutogradNonFunctional
};
inline constexpr std::array<std::string_view, 6> kAliasNames{"Autograd",
                                                             "CompositeImplicitAutograd",
                                                             "FuncTorchBatchedDecomposition",
                                                             "CompositeImplicitAutogradNestedTensor",
                                                             "CompositeExplicitAutograd",
                                                             "CompositeExplicitAutogradNonFunctional"};

/// Whether a version has this alias key: 1.13 has no FuncTorchBatchedDecomposition.
bool has_alias(const KeyLayout& layout, AliasKey alias);

/// How many entries a dispatch table has, Undefined's included.
int table_size(const KeyLayout& layout);
/// A key's entry in the table: Undefined's is 0, and a higher priority comes later.
int index_of(const KeyLayout& layout, RuntimeKey key);
/// The key of an entry, 0 ≤ `index` < `table_size`.
RuntimeKey key_at(const KeyLayout& layout, int index);

/// The bit of a functionality, counted from 1, in a key set's word; backends are the lowest bits.
std::uint64_t functionality_bit(const KeyLayout& layout, int functionality);
/// All bits of backends.
std::uint64_t backend_mask(const KeyLayout& layout);
/// The key set with only this key; empty for Undefined.
std::uint64_t word_of(const KeyLayout& layout, RuntimeKey key);
/// The whole set: every functionality and backend.
std::uint64_t full_word(const KeyLayout& layout);

/// Translates a key set from one layout to another by the names of functionalities and backends. Names that the other
/// layout lacks are dropped.
std::uint64_t relaid(const KeyLayout& from, const KeyLayout& to, std::uint64_t word);

/// "AutogradCPU", "CPU", "SparseCsrMeta", "ADInplaceOrView", "Undefined".
std::string name_of(const KeyLayout& layout, RuntimeKey key);
/// The names of all runtime keys of a set, from lowest to highest.
std::vector<std::string> key_names(const KeyLayout& layout, std::uint64_t word);
std::optional<RuntimeKey> runtime_key_named(const KeyLayout& layout, std::string_view name);
/// Whether it names a runtime key in the layout in which the rules write key sets, PyTorch 2.13's.
bool is_runtime_key(std::string_view name);
std::optional<AliasKey> alias_named(std::string_view name);
/// The functionality's place, from 1, or 0 if the version has no functionality of that name.
int functionality_named(const KeyLayout& layout, std::string_view name);

/// Whether the version's parser of keys knows the name of a runtime key [c10/core/DispatchKey.cpp, parseDispatchKey].
bool parses(const KeyLayout& layout, RuntimeKey key);

/// The fallback that the version itself registers for a key, for every operator.
enum class ShippedFallback : std::uint8_t {
  none,
  falls_through,
  autograd,  ///< the Autograd keys': redispatches below Autograd
  refuses,   ///< Meta's: raises NotImplementedError
  foreign    ///< does what the rules do not describe: functorch's, Python's, Functionalize's, …
};
ShippedFallback shipped_fallback(const KeyLayout& layout, RuntimeKey key);

/// The group of a key's functionality; `other` for Undefined.
KeyGroup group_of(const KeyLayout& layout, RuntimeKey key);

}  // namespace plumbline
