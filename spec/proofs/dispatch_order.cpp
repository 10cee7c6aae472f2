// Obligations about adding and removing registrations: an updated table equals one computed from the registrations.
#include "spec/proofs/key_words.h"
#include "spec/rules/dsp_entry.h"

namespace plumbline::proofs {

std::vector<Obligation> dispatch_order_obligations();

namespace {

using Source = Choice<S, EntrySource>;

/// The registration that is added or removed: a kernel for an alias key or a runtime key, or a fallback.
struct Change {
  std::optional<AliasKey> alias;
  RuntimeKey key;
  bool fallback = false;
};

/// The field of a key's registrations that a change affects; null: the key is not affected.
Truth Registered<S>::* part_of(const KeyLayout& layout, const Change& change, const Judge<S>& judge, RuntimeKey at) {
  if (change.alias) switch (*change.alias) {
      case AliasKey::Autograd:
        return &Registered<S>::autograd;
      case AliasKey::CompositeImplicitAutograd:
        return &Registered<S>::implicit;
      case AliasKey::FuncTorchBatchedDecomposition:
        return &Registered<S>::batched;
      case AliasKey::CompositeImplicitAutogradNestedTensor:
        return &Registered<S>::nested;
      case AliasKey::CompositeExplicitAutograd:
        return &Registered<S>::explicit_;
      case AliasKey::CompositeExplicitAutogradNonFunctional:
        return &Registered<S>::non_functional;
    }
  if (change.key == at) return change.fallback ? &Registered<S>::fallback : &Registered<S>::own;
  if (change.fallback || change.key == kUndefined) return nullptr;
  const bool dense = row_of(layout, change.key.functionality).name == "Dense";
  const Truth backend = is_backend_of(judge, place_of(layout, at), place_of(layout, change.key), dense);
  return place_of(layout, at).is_autograd() && backend.v.t == truth(true) ? &Registered<S>::backend : nullptr;
}

/// The source whose kernel is the changed one; `missing` if there is none.
EntrySource source_of(const Change& change) {
  if (change.fallback) return EntrySource::fallback;
  if (!change.alias) return EntrySource::own;
  constexpr std::array sources{EntrySource::autograd, EntrySource::implicit,  EntrySource::batched,
                               EntrySource::nested,   EntrySource::explicit_, EntrySource::non_functional};
  return sources[static_cast<std::size_t>(*change.alias)];
}

Registered<S> anything() {
  return {any_truth("has.own"),     any_truth("has.non_functional"), any_truth("has.explicit"),
          any_truth("has.nested"),  any_truth("has.implicit"),       any_truth("has.autograd"),
          any_truth("has.batched"), any_truth("has.backend"),        any_truth("has.fallback")};
}

/// Whether the entry of `at` is right after a change, if it was right before.
Truth stays_right(const Judge<S>& judge, const KeyLayout& layout, const Change& change, bool departs, RuntimeKey at) {
  Truth Registered<S>::* const part = part_of(layout, change, judge, at);
  if (part == nullptr) return true;
  const KeyPlace place = place_of(layout, at);
  Registered<S> before = anything();
  if (!place.is_autograd()) before.backend = false;
  Registered<S> after = before;
  // An added kernel is there afterwards. A removed one was there before, and an older one may remain.
  Registered<S>& with = departs ? before : after;
  with.*part = true;
  const Source was = table_entry(judge, place, before);
  const Source is = table_entry(judge, place, after);
  const Judge<S> unheard{judge.profile, nullptr, nullptr, judge.only_variant};
  const Truth served = change.alias ? serves(unheard, *change.alias, place) : Truth(change.key == at);
  const KeyPlace changed = change.alias ? KeyPlace{} : place_of(layout, change.key);
  const Truth updated =
      brought_up_to_date(judge, served.v.t == truth(true), changed, change.alias.has_value(), place) &&
      (departs ? follows_departure(judge) : Truth(true));
  // Two entries with the same source have different kernels if it is the changed one.
  const bool own_part = part != &Registered<S>::backend;
  const Truth unmoved = was == is && (Truth(!own_part) || !(is == Source(source_of(change))));
  return updated || unmoved;
}

Question table_follows(const Judge<S>& judge, const KeyLayout& layout, bool departs, bool fallbacks) {
  const Number what = any_number("change");
  const Number entry = any_number("entry");
  const int size = table_size(layout);
  Truth all = true;
  const auto add = [&](const Change& change, int number) {
    for (int i = 0; i < size; ++i) {
      const Truth right = stays_right(judge, layout, change, departs, key_at(layout, i));
      all = all && implies(what == Number(number) && entry == Number(i), right);
    }
  };
  for (int i = 0; i < size; ++i) add({std::nullopt, key_at(layout, i), fallbacks}, i);
  for (std::size_t a = 0; a < kAliasNames.size() && !fallbacks; ++a)
    add({static_cast<AliasKey>(a), {}, false}, size + static_cast<int>(a));
  const auto index = [&](std::string_view name) { return Number(index_of(layout, *runtime_key_named(layout, name))); };
  const int composite = size + static_cast<int>(AliasKey::CompositeExplicitAutograd);
  return claim(all)
      .show("change", what)
      .show("entry", entry)
      .show("SparseCPU changes AutogradOther", what == index("SparseCPU") && entry == index("AutogradOther"))
      .show("CompositeExplicitAutograd changes NestedTensorCPU",
            what == Number(composite) && entry == index("NestedTensorCPU"));
}

std::vector<Obligation> order_obligations(const NamedLayout& named) {
  const KeyLayout& l = *named.layout;
  constexpr std::string_view stale = "DSP-15: AutogradOther is not updated";
  const std::vector<Exception> except{{Profile::torch_2_13, stale}, {Profile::torch_1_13, stale}};
  const std::vector<std::pair<std::string, std::string>> sparse{{"SparseCPU changes AutogradOther", "true"}};
  return {{"dispatch.order-does-not-matter.register" + named.suffix,
           "If a table agrees with its registrations, it agrees after one more. By induction, it is the same for every "
           "order of registration.",
           [&l](const Judge<S>& judge) { return table_follows(judge, l, false, false); },
           Verdict::proved,
           except,
           {},
           sparse},
          {"dispatch.order-does-not-matter.library-goes" + named.suffix,
           "If a table agrees with its registrations, it agrees after one is removed, with or without an older kernel.",
           [&l](const Judge<S>& judge) { return table_follows(judge, l, true, false); },
           Verdict::proved,
           except,
           {},
           sparse},
          {"dispatch.order-does-not-matter.fallback" + named.suffix,
           "If a table agrees with its registrations, it agrees after a fallback is added.",
           [&l](const Judge<S>& judge) { return table_follows(judge, l, false, true); }},
          {"dispatch.order-does-not-matter.fallback-goes" + named.suffix,
           "If a table agrees with its registrations, it agrees after a fallback is removed.",
           [&l](const Judge<S>& judge) { return table_follows(judge, l, true, true); }}};
}

}  // namespace

std::vector<Obligation> dispatch_order_obligations() {
  std::vector<Obligation> all;
  for (const NamedLayout& named : layouts())
    for (const Obligation& one : order_obligations(named)) all.push_back(one);
  all.push_back({"dispatch.newest-kernel-is-used", "Of several kernels for one key, the one registered last is used.",
                 [](const Judge<S>& judge) {
                   const Number n = any_number("count");
                   const Number used = used_kernel(judge, n);
                   return claim(Number(0) <= used && used < n && !(used + Number(1) < n))
                       .given(Number(1) <= n)
                       .show("count", n)
                       .show("used", used);
                 }});
  all.push_back(
      {"dispatch.older-kernel-comes-back", "After the newest kernel is removed, the one before it is used.",
       [](const Judge<S>& judge) {
         const Number n = any_number("count");
         const Number before = used_kernel(judge, n);
         return claim(used_kernel(judge, n - Number(1)) == before - Number(1)).given(Number(2) <= n).show("count", n);
       }});
  return all;
}

}  // namespace plumbline::proofs
