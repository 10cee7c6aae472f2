// Comparing dispatch tables.
#include "oracle/dispatcher/compare_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "spec/rules/tls.h"

namespace plumbline::dispatcher {

namespace {

std::uint64_t words_of(const KeyLayout& layout, std::initializer_list<KeyGroup> groups) {
  std::uint64_t word = 0;
  for (std::size_t f = 1; f <= layout.functionalities.size(); ++f)
    if (std::ranges::find(groups, layout.functionalities[f - 1].group) != groups.end())
      word |= functionality_bit(layout, static_cast<int>(f));
  return word;
}

std::string text_of(const DumpedEntry& entry) {
  return fmt::format("{}{}{}[{}]", entry.fallthrough ? "fallthrough " : "", entry.kernel,
                     entry.kernel.empty() ? "" : " ", entry.how);
}

const DumpedEntry kMissing{"", "missing", false};

}  // namespace

std::string keys_text(const KeyLayout& layout, std::uint64_t word) {
  std::vector<std::string> names = key_names(layout, word);
  for (std::size_t b = 0; b < layout.backends.size(); ++b)
    if (names.empty() && (word >> b & 1U) != 0) names.push_back(fmt::format("{}Bit", layout.backends[b].name));
  return fmt::format("{}", fmt::join(names, ", "));
}

reference::Registrations registrations_of(const KeyLayout& layout, const DumpedOperator& dumped) {
  reference::Registrations registrations;
  for (std::size_t i = 0; i < dumped.registrations.size(); ++i) {
    const auto& kernel = dumped.registrations[i];
    const auto key = reference::registration_key_named(layout, kernel.key);
    if (!key)
      throw DumpError(fmt::format("{} has a kernel for '{}', which is not a key of PyTorch {}", dumped.name, kernel.key,
                                  layout.series));
    auto& kernels = registrations[*key];
    kernels.insert(kernels.begin(), static_cast<reference::KernelId>(i));
  }
  return registrations;
}

DumpedEntry named(const reference::Entry& entry, const DumpedOperator& dumped, const DumpedEntry& fallback) {
  if (entry.source == EntrySource::fallback) return fallback;
  if (entry.kernel == reference::kNoKernel)
    return {entry.source == EntrySource::ambiguous ? "ambiguous_autogradother" : "",
            std::string(reference::words_of(entry.source)), false};
  const auto& kernel = dumped.registrations[static_cast<std::size_t>(entry.kernel)];
  return {kernel.kernel, std::string(reference::words_of(entry.source)), kernel.fallthrough};
}

TableComparison::TableComparison(const Judge<Concrete>& judge, const KeyLayout& layout)
    : judge_(judge), layout_(layout) {
  judge_.decisions = &report_.decisions;
  report_.series = layout.series;
  report_.keys = table_size(layout);
  for (int i = 0; i < report_.keys; ++i) names_.push_back(plumbline::name_of(layout, key_at(layout, i)));
}

void TableComparison::constant(const std::string& what, const std::string& rules, const std::string& found) {
  ++report_.constants;
  if (rules != found) report_.constants_differ.push_back({what, rules, found});
}

void TableComparison::constants(const DumpedKeys& dumped) {
  constant("entries of a table", fmt::format("{}", report_.keys), fmt::format("{}", dumped.entries));
  constant("number of runtime keys", fmt::format("{}", report_.keys - 1), fmt::format("{}", dumped.keys.size()));
  for (int i = 1; i < report_.keys; ++i) {
    const RuntimeKey key = key_at(layout_, i);
    const std::string& name = names_[static_cast<std::size_t>(i)];
    const auto found = dumped.keys.find(name);
    constant(name, "is a key", found == dumped.keys.end() ? "is not a key" : "is a key");
    if (found == dumped.keys.end()) continue;
    const KeyPlace place = place_of(layout_, key);
    constant(name + ": its entry", fmt::format("{}", i), fmt::format("{}", found->second.index));
    constant(name + ": its key set", fmt::format("{:#x}", word_of(layout_, key)),
             fmt::format("{:#x}", found->second.word));
    constant(name + ": its name parses",
             can_be_named<Concrete>(judge_, place, Bool<Concrete>(parses(layout_, key))).v ? "yes" : "no",
             found->second.parses ? "yes" : "no");
    for (int j = 1; place.is_backend() && j < report_.keys; ++j)
      if (ships_as_autograd_of(place, place_of(layout_, key_at(layout_, j))))
        constant(name + ": its Autograd key", names_[static_cast<std::size_t>(j)], found->second.autograd);
    constant(name + ": a backend's key", place.is_backend() ? "yes" : "no", found->second.backend ? "yes" : "no");
    std::set<std::string> aliases;
    for (std::size_t a = 0; a < kAliasNames.size(); ++a)
      if (has_alias(layout_, static_cast<AliasKey>(a)) && serves<Concrete>(judge_, static_cast<AliasKey>(a), place).v)
        aliases.emplace(kAliasNames[a]);
    constant(name + ": the alias keys that serve it", fmt::format("{}", fmt::join(aliases, ", ")),
             fmt::format("{}", fmt::join(found->second.aliases, ", ")));
    std::set<std::string> backends;
    for (int j = 1; j < report_.keys; ++j) {
      const KeyPlace other = place_of(layout_, key_at(layout_, j));
      if (place.is_autograd() && is_backend_of<Concrete>(judge_, place, other).v)
        backends.insert(names_[static_cast<std::size_t>(j)]);
    }
    constant(name + ": its backends' keys", fmt::format("{}", fmt::join(backends, ", ")),
             fmt::format("{}", fmt::join(found->second.backends_of, ", ")));
  }
  const Tls<Concrete> tls = default_tls<Concrete>(judge_);
  const std::uint64_t sparse_dense = functionality_bit(layout_, functionality_named(layout_, "Dense"));
  const auto after = [&](std::string_view name) {
    return keys_after<Concrete>(judge_, layout_, functionality_named(layout_, name));
  };
  const std::map<std::string, std::uint64_t> sets{
      {"full", full_word(layout_)},
      {"after_autograd", after("AutogradOther")},
      {"after_ADInplaceOrView", after("ADInplaceOrView")},
      {"autograd", words_of(layout_, {KeyGroup::autograd, KeyGroup::autograd_other, KeyGroup::autograd_nested})},
      {"autogradother_backends",
       (words_of(layout_, {KeyGroup::backend, KeyGroup::sparse}) & ~sparse_dense) | backend_mask(layout_)},
      {"default_included", relaid(layout_of(Profile::sound), layout_, tls.included.v)},
      {"default_excluded", relaid(layout_of(Profile::sound), layout_, tls.excluded.v)}};
  for (const auto& [name, word] : sets) {
    const auto found = dumped.sets.find(name);
    constant(name, fmt::format("{:#x} ({})", word, keys_text(layout_, word)),
             found == dumped.sets.end() ? "missing"
                                        : fmt::format("{:#x} ({})", found->second, keys_text(layout_, found->second)));
  }
  fallbacks_.clear();
  fallback_kernels_.clear();
  for (const std::string& name : names_) {
    const auto found = dumped.fallbacks.find(name);
    fallbacks_.push_back(found == dumped.fallbacks.end() ? kMissing : found->second);
    fallback_kernels_.push_back(fallbacks_.back().kernel.empty() ? reference::kNoKernel : 0);
    const ShippedFallback shipped = shipped_fallback(layout_, *runtime_key_named(layout_, name));
    const auto word = [](bool there, bool falls) { return !there ? "none" : falls ? "falls through" : "a kernel"; };
    constant(name + ": its fallback", word(shipped != ShippedFallback::none, shipped == ShippedFallback::falls_through),
             word(!fallbacks_.back().kernel.empty(), fallbacks_.back().fallthrough));
  }
}

void TableComparison::one(const DumpedOperator& dumped) {
  const reference::Registrations registrations = registrations_of(layout_, dumped);
  ++report_.operators;
  for (int i = 0; i < report_.keys; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const reference::Entry entry =
        reference::entry_of(judge_, layout_, registrations, fallback_kernels_, key_at(layout_, i));
    const DumpedEntry rules = named(entry, dumped, fallbacks_.empty() ? kMissing : fallbacks_[at]);
    const auto found = dumped.table.find(names_[at]);
    const DumpedEntry& theirs = found == dumped.table.end() ? kMissing : found->second;
    ++report_.entries;
    report_.kernels += theirs.how == "missing" ? 0 : 1;
    const auto source = static_cast<std::size_t>(entry.source);
    ++report_.by_source[source];
    report_.falls[source] += rules.fallthrough ? 1 : 0;
    if (rules != theirs)
      report_.entries_differ.push_back(
          {fmt::format("{} {}", dumped.name, names_[at]), text_of(rules), text_of(theirs)});
  }
  for (const auto& [key, entry] : dumped.table)
    if (!runtime_key_named(layout_, key))
      report_.entries_differ.push_back({fmt::format("{} {}", dumped.name, key), "no such key", text_of(entry)});
}

}  // namespace plumbline::dispatcher
