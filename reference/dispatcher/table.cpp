// Computes and updates dispatch tables.
#include "reference/dispatcher/table.h"

#include <algorithm>
#include <array>

#include "spec/rules/dsp_entry.h"

namespace plumbline::reference {

namespace {

constexpr std::string_view kAliasMark = "[alias]";

const std::vector<KernelId>* kernels_for(const Registrations& registrations, AliasKey alias) {
  const auto found = registrations.find({alias, {}});
  return found == registrations.end() ? nullptr : &found->second;
}

}  // namespace

std::string name_of(const KeyLayout& layout, const RegistrationKey& key) {
  if (!key.alias) return name_of(layout, key.key);
  return std::string(kAliasNames[static_cast<std::size_t>(*key.alias)]) + std::string(kAliasMark);
}

std::optional<RegistrationKey> registration_key_named(const KeyLayout& layout, std::string_view name) {
  if (name.ends_with(kAliasMark)) name.remove_suffix(kAliasMark.size());
  if (const auto alias = alias_named(name))
    return has_alias(layout, *alias) ? std::optional(RegistrationKey{alias, {}}) : std::nullopt;
  const auto key = runtime_key_named(layout, name);
  return key ? std::optional(RegistrationKey{std::nullopt, *key}) : std::nullopt;
}

Entry entry_of(const Judge& judge, const KeyLayout& layout, const Registrations& registrations,
               const Fallbacks& fallbacks, RuntimeKey key) {
  const KeyPlace at = place_of(layout, key);
  const auto own = registrations.find({std::nullopt, key});
  const auto has = [&](AliasKey alias) { return kernels_for(registrations, alias) != nullptr; };
  Registered<Concrete> registered;
  registered.own = own != registrations.end();
  registered.non_functional = has(AliasKey::CompositeExplicitAutogradNonFunctional);
  registered.explicit_ = has(AliasKey::CompositeExplicitAutograd);
  registered.nested = has(AliasKey::CompositeImplicitAutogradNestedTensor);
  registered.implicit = has(AliasKey::CompositeImplicitAutograd);
  registered.autograd = has(AliasKey::Autograd);
  registered.batched = has(AliasKey::FuncTorchBatchedDecomposition);
  const KernelId fallback = fallbacks.empty() ? kNoKernel : fallbacks[static_cast<std::size_t>(index_of(layout, key))];
  registered.fallback = fallback != kNoKernel;
  if (at.is_autograd())
    for (const auto& [other, kernels] : registrations)
      if (!other.alias)
        registered.backend = registered.backend || is_backend_of<Concrete>(judge, at, place_of(layout, other.key));

  const auto source = static_cast<EntrySource>(table_entry<Concrete>(judge, at, registered).v);
  const auto used = [&](const std::vector<KernelId>& kernels) {
    const auto count = static_cast<std::int64_t>(kernels.size());
    return kernels[static_cast<std::size_t>(used_kernel<Concrete>(judge, count).v)];
  };
  const auto of = [&](AliasKey alias) { return Entry{source, used(*kernels_for(registrations, alias))}; };
  switch (source) {
    case EntrySource::own:
      return {source, used(own->second)};
    case EntrySource::non_functional:
      return of(AliasKey::CompositeExplicitAutogradNonFunctional);
    case EntrySource::explicit_:
      return of(AliasKey::CompositeExplicitAutograd);
    case EntrySource::nested:
      return of(AliasKey::CompositeImplicitAutogradNestedTensor);
    case EntrySource::implicit:
      return of(AliasKey::CompositeImplicitAutograd);
    case EntrySource::autograd:
      return of(AliasKey::Autograd);
    case EntrySource::batched:
      return of(AliasKey::FuncTorchBatchedDecomposition);
    case EntrySource::fallback:
      return {source, fallback};
    case EntrySource::missing:
    case EntrySource::ambiguous:
      break;
  }
  return {source, kNoKernel};
}

void DispatchTable::fill(const Judge& judge, const Registrations& registrations, const Fallbacks& fallbacks) {
  for (int i = 0; i < table_size(*layout_); ++i)
    entries_[static_cast<std::size_t>(i)] = entry_of(judge, *layout_, registrations, fallbacks, key_at(*layout_, i));
}

void DispatchTable::update(const Judge& judge, const Registrations& registrations, const Fallbacks& fallbacks,
                           const RegistrationKey& key) {
  const Judge unheard{judge.profile, nullptr, nullptr, judge.only_variant};
  const KeyPlace changed = key.alias ? KeyPlace{} : place_of(*layout_, key.key);
  for (int i = 0; i < table_size(*layout_); ++i) {
    const RuntimeKey at = key_at(*layout_, i);
    const KeyPlace place = place_of(*layout_, at);
    const bool served = key.alias ? serves<Concrete>(unheard, *key.alias, place).v : at == key.key;
    if (brought_up_to_date<Concrete>(judge, served, changed, key.alias.has_value(), place).v)
      entries_[static_cast<std::size_t>(i)] = entry_of(judge, *layout_, registrations, fallbacks, at);
  }
}

RuntimeKey entry_key(const Judge& judge, const KeyLayout& layout, std::uint64_t keys) {
  const Place<Concrete> place = entry_place(judge, layout, KeySet<Concrete>::raw(keys));
  return {static_cast<std::uint8_t>(place.functionality.v), static_cast<std::uint8_t>(place.backend.v)};
}

std::string_view words_of(EntrySource source) {
  constexpr std::array<std::string_view, 10> words{
      "missing",        "kernel",          "default backend kernel",  "default backend kernel",
      "nested kernel",  "math kernel",     "ambiguous autogradother", "autograd kernel",
      "batched kernel", "backend fallback"};
  return words[static_cast<std::size_t>(source)];
}

}  // namespace plumbline::reference
