// DSP: the dispatch table of an operator, computed from what is registered, and the entry at which a call arrives.
#pragma once

#include "spec/rules/dsp_calls.h"
#include "spec/vocabulary/key_layout.h"

namespace plumbline {

inline constexpr Rule DSP_01{Family::DSP, 1};
inline constexpr Rule DSP_02{Family::DSP, 2};
inline constexpr Rule DSP_03{Family::DSP, 3};
inline constexpr Rule DSP_04{Family::DSP, 4};
inline constexpr Rule DSP_05{Family::DSP, 5};
inline constexpr Rule DSP_06{Family::DSP, 6};
inline constexpr Rule DSP_07{Family::DSP, 7};
inline constexpr Rule DSP_08{Family::DSP, 8};
inline constexpr Rule DSP_09{Family::DSP, 9};
inline constexpr Rule DSP_10{Family::DSP, 10};
inline constexpr Rule DSP_11{Family::DSP, 11};
inline constexpr Rule DSP_12{Family::DSP, 12};
inline constexpr Rule DSP_13{Family::DSP, 13};
inline constexpr Rule DSP_14{Family::DSP, 14};
inline constexpr Rule DSP_15{Family::DSP, 15};
inline constexpr Rule DSP_16{Family::DSP, 16};
inline constexpr Rule DSP_17{Family::DSP, 17};

/// What is registered for an operator, as one runtime key sees it.
template <Domain D>
struct Registered {
  Bool<D> own;             ///< a kernel for the key itself
  Bool<D> non_functional;  ///< one for CompositeExplicitAutogradNonFunctional
  Bool<D> explicit_;       ///< one for CompositeExplicitAutograd
  Bool<D> nested;          ///< one for CompositeImplicitAutogradNestedTensor
  Bool<D> implicit;        ///< one for CompositeImplicitAutograd
  Bool<D> autograd;        ///< one for Autograd
  Bool<D> batched;         ///< one for FuncTorchBatchedDecomposition
  Bool<D> backend;         ///< one for a backend of this Autograd key (`is_backend_of`)
  Bool<D> fallback;        ///< a kernel for the key, whatever the operator
};

/// Where a table's entry comes from. After each: c10's words for it.
enum class EntrySource : std::uint8_t {
  missing,         ///< "missing"
  own,             ///< "kernel"
  non_functional,  ///< "default backend kernel"
  explicit_,       ///< "default backend kernel"
  nested,          ///< "nested kernel"
  implicit,        ///< "math kernel"
  ambiguous,       ///< "ambiguous autogradother"
  autograd,        ///< "autograd kernel"
  batched,         ///< "batched kernel"
  fallback         ///< "backend fallback"
};

/// What the rules know of one runtime key.
struct KeyPlace {
  KeyGroup group = KeyGroup::other;
  bool undefined = false;
  bool functional = false;  ///< of a functional backend
  std::string_view backend = {};
  bool dense = false;  ///< a backend's own key: CPU, CUDA, …

  bool is_backend() const { return group == KeyGroup::backend || group == KeyGroup::sparse; }
  bool is_autograd() const {
    return group == KeyGroup::autograd || group == KeyGroup::autograd_other || group == KeyGroup::autograd_nested;
  }
};
inline KeyPlace place_of(const KeyLayout& layout, RuntimeKey key) {
  if (key.functionality == 0) return {KeyGroup::other, true};
  const FunctionalityRow& row = layout.functionalities[key.functionality - 1U];
  if (!row.per_backend) return {row.group};
  const BackendRow& backend = layout.backends[key.backend];
  return {row.group, false, backend.functional, backend.name, row.name == "Dense"};
}

/// Whether a kernel for `alias` serves Undefined, the key of a call without tensors.
template <Domain D>
Bool<D> serves_undefined(const Judge<D>& judge, AliasKey alias) {
  using enum AliasKey;
  const bool composite = alias == CompositeExplicitAutogradNonFunctional || alias == CompositeExplicitAutograd ||
                         alias == CompositeImplicitAutograd;
  return judge(DSP_13, Bool<D>(composite), Bool<D>(false));
}

/// Whether a kernel for `alias` serves this runtime key.
template <Domain D>
Bool<D> serves(const Judge<D>& judge, AliasKey alias, const KeyPlace& at) {
  if (at.undefined) return serves_undefined(judge, alias);
  const bool nested = at.group == KeyGroup::nested;
  switch (alias) {
    case AliasKey::CompositeExplicitAutogradNonFunctional:
      return judge(DSP_02, Bool<D>(at.group == KeyGroup::backend && !at.functional), Bool<D>(at.is_backend()));
    case AliasKey::CompositeExplicitAutograd:
      return judge(DSP_04, Bool<D>(at.is_backend()), Bool<D>(at.is_backend() || nested));
    case AliasKey::CompositeImplicitAutogradNestedTensor:
      return judge(DSP_06, Bool<D>(nested || at.group == KeyGroup::autograd_nested), Bool<D>(false));
    case AliasKey::CompositeImplicitAutograd: {
      const bool most = at.is_backend() || nested || at.is_autograd();
      return judge(DSP_07, Bool<D>(most), Bool<D>(most || at.group == KeyGroup::functionalize));
    }
    case AliasKey::Autograd:
      return Bool<D>(at.is_autograd());
    case AliasKey::FuncTorchBatchedDecomposition:
      return judge(DSP_11, Bool<D>(at.group == KeyGroup::batched), Bool<D>(false));
  }
  return Bool<D>(false);
}

/// Whether `key` is the key of a backend whose Autograd key is `autograd`.
template <Domain D>
Bool<D> is_backend_of(const Judge<D>& judge, const KeyPlace& autograd, const KeyPlace& key) {
  if (autograd.group == KeyGroup::autograd_other) return Bool<D>(key.is_backend() && !key.dense);
  if (autograd.group == KeyGroup::autograd_nested) return Bool<D>(key.group == KeyGroup::nested);
  if (autograd.group != KeyGroup::autograd) return Bool<D>(false);
  const bool right = key.dense && key.backend == autograd.backend;
  const bool early = autograd.backend == "HIP" || autograd.backend == "VE";
  const bool late = early || autograd.backend == "MTIA";
  return judge(DSP_08, Bool<D>(right), Bool<D>(false), In{Profile::torch_2_13, Bool<D>(right && !late)},
               In{Profile::torch_1_13, Bool<D>(right && !early)});
}

/// The same, where the caller says whether `key` is dense (spec/proofs does).
template <Domain D>
Bool<D> is_backend_of(const Judge<D>& judge, const KeyPlace& autograd, KeyPlace key, bool dense) {
  key.dense = dense;
  return is_backend_of(judge, autograd, key);
}

/// Where the entry of a runtime key comes from.
template <Domain D>
Choice<D, EntrySource> table_entry(const Judge<D>& judge, const KeyPlace& at, const Registered<D>& has) {
  using S = Choice<D, EntrySource>;
  const Bool<D> non_functional =
      has.non_functional && serves(judge, AliasKey::CompositeExplicitAutogradNonFunctional, at);
  const Bool<D> explicit_ = has.explicit_ && serves(judge, AliasKey::CompositeExplicitAutograd, at);
  const Bool<D> nested = has.nested && serves(judge, AliasKey::CompositeImplicitAutogradNestedTensor, at);
  const Bool<D> implicit = has.implicit && serves(judge, AliasKey::CompositeImplicitAutograd, at);
  const Bool<D> autograd = has.autograd && serves(judge, AliasKey::Autograd, at);
  const Bool<D> batched = has.batched && serves(judge, AliasKey::FuncTorchBatchedDecomposition, at);
  const bool looked_for = at.is_autograd() || at.group == KeyGroup::nested;
  const Bool<D> covered = judge(DSP_08, Bool<D>(looked_for) && (has.backend || has.explicit_), Bool<D>(false));
  const bool other = at.group == KeyGroup::autograd_other;
  const Bool<D> ambiguous = judge(DSP_09, implicit && other && has.backend, Bool<D>(false));

  const S none = select(has.fallback, S(EntrySource::fallback), S(EntrySource::missing));
  const S late = select(autograd, S(EntrySource::autograd), select(batched, S(EntrySource::batched), none));
  const S math = select(ambiguous, S(EntrySource::ambiguous), S(EntrySource::implicit));
  const S composite = judge(DSP_10, select(implicit && (!covered || ambiguous), math, late),
                            select(autograd, S(EntrySource::autograd), select(implicit && !covered, math, late)));
  const S inner = select(nested, S(EntrySource::nested), composite);
  const S outer =
      judge(DSP_05, select(explicit_, S(EntrySource::explicit_), inner),
            select(implicit, S(EntrySource::implicit), select(explicit_, S(EntrySource::explicit_), inner)));
  const S alias = judge(
      DSP_03, select(non_functional, S(EntrySource::non_functional), outer),
      select(explicit_, S(EntrySource::explicit_), select(non_functional, S(EntrySource::non_functional), outer)));
  const S filled = judge(DSP_12, alias, select(has.fallback, S(EntrySource::fallback), alias));
  return judge(DSP_01, select(has.own, S(EntrySource::own), filled),
               select(explicit_, S(EntrySource::explicit_), select(has.own, S(EntrySource::own), filled)));
}

/// Which of the `count` ≥ 1 kernels for one key is used, counted from the oldest.
template <Domain D>
Num<D> used_kernel(const Judge<D>& judge, const Num<D>& count) {
  return judge(DSP_14, count - Num<D>(1), Num<D>(0));
}

/// Whether a registration can name a key; `parsed`: the version's parser knows the name.
template <Domain D>
Bool<D> can_be_named(const Judge<D>& judge, const KeyPlace& at, const Bool<D>& parsed) {
  return judge(DSP_17, Bool<D>(true), Bool<D>(at.group != KeyGroup::autograd), In{Profile::torch_2_13, parsed},
               In{Profile::torch_1_13, parsed});
}

/// Whether PyTorch as shipped takes `autograd` for the Autograd key of the backend key `key`: AutogradOther for HIP, VE
/// and backends without a bit [c10/core/DispatchKey.cpp, getAutogradKeyFromBackend].
inline bool ships_as_autograd_of(const KeyPlace& key, const KeyPlace& autograd) {
  const bool other = key.backend.empty() || key.backend == "HIP" || key.backend == "VE";
  if (autograd.group == KeyGroup::autograd_other) return other;
  return autograd.group == KeyGroup::autograd && !other && key.backend == autograd.backend;
}

/// Whether the entry of `at` is recomputed after a kernel for `changed` was added or removed; `served`: `changed` is
/// `at` itself, or an alias key that serves it.
template <Domain D>
Bool<D> brought_up_to_date(const Judge<D>& judge, bool served, const KeyPlace& changed, bool changed_is_alias,
                           const KeyPlace& at) {
  const bool of_backend = !changed_is_alias && changed.is_backend() && ships_as_autograd_of(changed, at);
  const Bool<D> shipped = served || of_backend;
  return judge(DSP_15, Bool<D>(true), Bool<D>(served && !changed_is_alias), In{Profile::torch_2_13, shipped},
               In{Profile::torch_1_13, shipped});
}

}  // namespace plumbline
