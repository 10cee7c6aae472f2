// Obligations about tables: which alias keys serve a key, which kernel an entry uses, and that the order of
// registrations does not matter.
#include "spec/proofs/key_words.h"
#include "spec/rules/dsp_entry.h"

namespace plumbline::proofs {

std::vector<Obligation> dispatch_call_obligations();

namespace {

using Source = Choice<S, EntrySource>;

/// c10's sets of functionalities for each alias key, and the backends that they leave out [c10/core/DispatchKeySet.cpp,
/// getRuntimeDispatchKeySet]. Functionalize is not in CompositeImplicitAutograd's (DSP-07).
struct AliasSet {
  std::vector<std::string_view> functionalities;
  std::vector<std::string_view> without_backends = {};
  bool undefined = false;  ///< OperatorEntry.cpp, 'Undefined in dispatchTable_'
};
AliasSet set_of(AliasKey alias) {
  const std::vector<std::string_view> grad{"AutogradOther", "Autograd", "AutogradNestedTensor"};
  const std::vector<std::string_view> dense{"Dense",        "FPGA",           "ORT",       "Vulkan",    "Metal",
                                            "Quantized",    "CustomRNGKeyId", "MkldnnCPU", "SparseCsr", "SparseCsrCPU",
                                            "SparseCsrCUDA"};
  std::vector<std::string_view> backends = dense;
  backends.emplace_back("Sparse");
  switch (alias) {
    case AliasKey::Autograd:
      return {grad};
    case AliasKey::CompositeImplicitAutograd: {
      std::vector<std::string_view> all = backends;
      all.insert(all.end(), grad.begin(), grad.end());
      all.emplace_back("NestedTensor");
      return {all, {}, true};
    }
    case AliasKey::FuncTorchBatchedDecomposition:
      return {{"FuncTorchBatched"}};
    case AliasKey::CompositeImplicitAutogradNestedTensor:
      return {{"NestedTensor", "AutogradNestedTensor"}};
    case AliasKey::CompositeExplicitAutograd:
      return {backends, {}, true};
    case AliasKey::CompositeExplicitAutogradNonFunctional:
      return {dense, {"XLA", "Lazy"}, true};
  }
  return {};
}
bool among(const std::vector<std::string_view>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}
bool is_in(const AliasSet& set, const KeyLayout& layout, RuntimeKey key) {
  if (key == kUndefined) return set.undefined;
  const FunctionalityRow& row = row_of(layout, key.functionality);
  const bool out = row.per_backend && among(set.without_backends, layout.backends[key.backend].name);
  return among(set.functionalities, row.name) && !out;
}

/// A claim for each of a layout's entries: `entry` is any of them.
Number any_entry() { return any_number("entry"); }
Question for_each_entry(const KeyLayout& layout, const std::function<Truth(RuntimeKey)>& claimed) {
  Truth all = true;
  for (int i = 0; i < table_size(layout); ++i)
    all = all && implies(any_entry() == Number(i), claimed(key_at(layout, i)));
  return claim(all).show("entry", any_entry());
}
Truth entry_is(const KeyLayout& layout, std::string_view name) {
  const auto key = runtime_key_named(layout, name);
  return any_entry() == Number(key ? index_of(layout, *key) : -1);
}

Registered<S> any_registered() {
  Registered<S> has;
  has.own = any_truth("has.own");
  has.non_functional = any_truth("has.non_functional");
  has.explicit_ = any_truth("has.explicit");
  has.nested = any_truth("has.nested");
  has.implicit = any_truth("has.implicit");
  has.autograd = any_truth("has.autograd");
  has.batched = any_truth("has.batched");
  has.backend = any_truth("has.backend");
  has.fallback = any_truth("has.fallback");
  return has;
}
/// The possible registrations for one key: only an Autograd key has backends.
Registered<S> any_registered_at(const KeyPlace& at) {
  Registered<S> has = any_registered();
  if (!at.is_autograd()) has.backend = false;
  return has;
}
Question shown(Question question, const Registered<S>& has) {
  return question.show("has.own", has.own)
      .show("has.non_functional", has.non_functional)
      .show("has.explicit", has.explicit_)
      .show("has.nested", has.nested)
      .show("has.implicit", has.implicit)
      .show("has.autograd", has.autograd)
      .show("has.batched", has.batched)
      .show("has.backend", has.backend)
      .show("has.fallback", has.fallback);
}

/// The sources in the order of c10's computeDispatchTableEntryWithDebug, each with its condition.
std::vector<std::pair<EntrySource, Truth>> in_order(const KeyLayout& layout, RuntimeKey key, const Registered<S>& has) {
  const auto served = [&](AliasKey alias) { return Truth(is_in(set_of(alias), layout, key)); };
  const Truth implicit = has.implicit && served(AliasKey::CompositeImplicitAutograd);
  const Truth other = Truth(group_of(layout, key) == KeyGroup::autograd_other);
  return {{EntrySource::own, has.own},
          {EntrySource::non_functional, has.non_functional && served(AliasKey::CompositeExplicitAutogradNonFunctional)},
          {EntrySource::explicit_, has.explicit_ && served(AliasKey::CompositeExplicitAutograd)},
          {EntrySource::nested, has.nested && served(AliasKey::CompositeImplicitAutogradNestedTensor)},
          {EntrySource::ambiguous, implicit && other && has.backend},
          {EntrySource::implicit, implicit && !(has.backend || has.explicit_)},
          {EntrySource::autograd, has.autograd && served(AliasKey::Autograd)},
          {EntrySource::batched, has.batched && served(AliasKey::FuncTorchBatchedDecomposition)},
          {EntrySource::fallback, has.fallback},
          {EntrySource::missing, true}};
}

Question precedence(const Judge<S>& judge, const KeyLayout& layout) {
  return shown(for_each_entry(layout,
                              [&](RuntimeKey key) {
                                const KeyPlace at = place_of(layout, key);
                                const Registered<S> has = any_registered_at(at);
                                const Source got = table_entry(judge, at, has);
                                Truth none_before = true;
                                Truth all = true;
                                for (const auto& [source, there] : in_order(layout, key, has)) {
                                  all = all && iff(got == Source(source), none_before && there);
                                  none_before = none_before && !there;
                                }
                                return all;
                              }),
               any_registered());
}

/// An entry has one of the sources; it is missing exactly when nothing that serves the key is registered.
Question total(const Judge<S>& judge, const KeyLayout& layout) {
  return shown(for_each_entry(layout,
                              [&](RuntimeKey key) {
                                const KeyPlace at = place_of(layout, key);
                                const Registered<S> has = any_registered_at(at);
                                const Source got = table_entry(judge, at, has);
                                Truth one = false;
                                Truth served = false;
                                for (const auto& [source, there] : in_order(layout, key, has)) {
                                  one = one || got == Source(source);
                                  if (source != EntrySource::missing) served = served || there;
                                }
                                return one && iff(got == Source(EntrySource::missing), !served);
                              }),
               any_registered());
}

Question ambiguous(const Judge<S>& judge, const KeyLayout& layout) {
  return shown(for_each_entry(layout,
                              [&](RuntimeKey key) {
                                const KeyPlace at = place_of(layout, key);
                                const Registered<S> has = any_registered_at(at);
                                const Truth other = at.group == KeyGroup::autograd_other;
                                return iff(table_entry(judge, at, has) == Source(EntrySource::ambiguous),
                                           other && !has.own && has.implicit && has.backend);
                              }),
               any_registered());
}

Truth backend_of(const Judge<S>& judge, const KeyLayout& layout, RuntimeKey autograd, RuntimeKey key) {
  const bool dense = key.functionality != 0 && row_of(layout, key.functionality).name == "Dense";
  return is_backend_of(judge, place_of(layout, autograd), place_of(layout, key), dense);
}

/// c10's sets: the keys whose Autograd key is this one [c10/core/DispatchKeySet.cpp, getBackendKeySetFromAutograd].
bool is_backend_key_of(const KeyLayout& layout, RuntimeKey autograd, RuntimeKey key) {
  if (key == kUndefined) return false;
  const std::string_view name = row_of(layout, key.functionality).name;
  if (group_of(layout, autograd) == KeyGroup::autograd_nested) return name == "NestedTensor";
  if (group_of(layout, autograd) == KeyGroup::autograd_other)
    return name != "Dense" && is_in(set_of(AliasKey::CompositeExplicitAutograd), layout, key);
  return group_of(layout, autograd) == KeyGroup::autograd && name == "Dense" && key.backend == autograd.backend;
}

/// For every Autograd key: the keys whose kernels keep it from using a composite kernel.
Question backends_of_autograd(const Judge<S>& judge, const KeyLayout& layout) {
  Question question = for_each_entry(layout, [&](RuntimeKey key) {
    Truth all = true;
    for (int i = 0; i < table_size(layout); ++i) {
      const RuntimeKey other = key_at(layout, i);
      all = all && iff(backend_of(judge, layout, key, other), is_backend_key_of(layout, key, other));
    }
    return all;
  });
  return question.show("the entry is AutogradHIP", entry_is(layout, "AutogradHIP"));
}

/// If its backend has a kernel and the Autograd key itself has none, an Autograd key never uses a composite kernel.
Question own_backend_is_reached(const Judge<S>& judge, const KeyLayout& layout) {
  Question question = for_each_entry(layout, [&](RuntimeKey key) {
    const KeyPlace at = place_of(layout, key);
    Truth all = true;
    for (int i = 0; i < table_size(layout); ++i) {
      const RuntimeKey other = key_at(layout, i);
      if (!is_backend_key_of(layout, key, other)) continue;
      Registered<S> has = any_registered();
      has.backend = has.backend || backend_of(judge, layout, key, other);
      all = all && !(table_entry(judge, at, has) == Source(EntrySource::implicit));
    }
    return all;
  });
  return question.given(!any_truth("has.backend"))
      .show("has.implicit", any_truth("has.implicit"))
      .show("the entry is AutogradHIP", entry_is(layout, "AutogradHIP"));
}

/// The alias keys serve c10's sets.
Question serves_its_set(const Judge<S>& judge, const KeyLayout& layout, AliasKey alias) {
  return for_each_entry(layout, [&](RuntimeKey key) {
    return iff(serves(judge, alias, place_of(layout, key)), is_in(set_of(alias), layout, key));
  });
}

std::vector<Obligation> resolution_obligations(const NamedLayout& named) {
  const KeyLayout& l = *named.layout;
  std::vector<Obligation> all{
      {"dispatch.resolution-is-total" + named.suffix,
       "For all registrations, every key's entry has exactly one source; it is missing exactly when nothing that "
       "serves the key is registered.",
       [&l](const Judge<S>& judge) { return total(judge, l); }},
      {"dispatch.precedence" + named.suffix,
       "An entry's source is the first one present in c10's list: own, NonFunctional, Explicit, Nested, the ambiguous "
       "case, Implicit if there is no backend kernel and no Explicit kernel, Autograd, batched, fallback.",
       [&l](const Judge<S>& judge) { return precedence(judge, l); }},
      {"dispatch.ambiguous-exactly-there" + named.suffix,
       "An entry is ambiguous exactly at AutogradOther with a composite kernel, a kernel of one of its backends, and "
       "no kernel of its own.",
       [&l](const Judge<S>& judge) { return ambiguous(judge, l); }},
      {"dispatch.backends-of-an-autograd-key" + named.suffix,
       "An Autograd key looks up the kernels of exactly the backends whose Autograd key it is.",
       [&l](const Judge<S>& judge) { return backends_of_autograd(judge, l); },
       Verdict::proved,
       {{Profile::torch_2_13, "DSP-08: for HIP, VE and MTIA it looks up no kernel"},
        {Profile::torch_1_13, "DSP-08: for HIP and VE it looks up no kernel"}},
       {},
       {{"the entry is AutogradHIP", "true"}}},
      {"dispatch.own-backend-is-reached" + named.suffix,
       "If a kernel for its backend is registered, an Autograd key uses no composite kernel.",
       [&l](const Judge<S>& judge) { return own_backend_is_reached(judge, l); },
       Verdict::proved,
       {{Profile::torch_2_13, "DSP-08: AutogradHIP, AutogradVE and AutogradMTIA use it"},
        {Profile::torch_1_13, "DSP-08: AutogradHIP and AutogradVE use it"}},
       {},
       {{"the entry is AutogradHIP", "true"}}},
      {"dispatch.every-key-can-be-named" + named.suffix,
       "A kernel can be registered for every runtime key by its name.",
       [&l](const Judge<S>& judge) {
         return for_each_entry(
                    l, [&](RuntimeKey key) { return can_be_named(judge, place_of(l, key), Truth(parses(l, key))); })
             .show("the entry is AutogradHIP", entry_is(l, "AutogradHIP"));
       },
       Verdict::proved,
       {{Profile::torch_2_13, "DSP-17: the parser does not know 42 names"},
        {Profile::torch_1_13, "DSP-17: the parser does not know 34 names"}},
       {},
       {{"the entry is AutogradHIP", "true"}}}};
  constexpr std::array<std::string_view, 6> names{"autograd",        "implicit", "batched",
                                                  "implicit-nested", "explicit", "non-functional"};
  for (std::size_t i = 0; i < kAliasNames.size(); ++i)
    all.push_back({"dispatch.alias-serves-its-set." + std::string(names[i]) + named.suffix,
                   std::string(kAliasNames[i]) + " serves exactly the runtime keys in c10's set for it.",
                   [&l, i](const Judge<S>& judge) { return serves_its_set(judge, l, static_cast<AliasKey>(i)); }});
  return all;
}

}  // namespace

std::vector<Obligation> dispatch_order_obligations();

std::vector<Obligation> dispatch_obligations() {
  std::vector<Obligation> all;
  for (const NamedLayout& named : layouts())
    for (const Obligation& one : resolution_obligations(named)) all.push_back(one);
  for (const auto& part : {dispatch_order_obligations(), dispatch_call_obligations()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace plumbline::proofs
