// DSP: the dispatch table of an operator, computed from what is registered, and the entry at which a call arrives.
#pragma once

#include "spec/rules/dsp_calls.h"
#include "spec/vocabulary/key_layout.h"

namespace plumbline {

inline constexpr Rule DSP_01{
    Family::DSP, 1, "A kernel registered for a runtime key itself takes precedence over the kernels of alias keys.",
    "aten/src/ATen/core/dispatch/OperatorEntry.cpp, computeDispatchTableEntryWithDebug, (1)",
    "A CompositeExplicitAutograd kernel takes precedence over the backend's own."};
inline constexpr Rule DSP_02{Family::DSP, 2,
                             "CompositeExplicitAutogradNonFunctional serves the keys of all backends except functional "
                             "ones (XLA, Lazy) and sparse ones.",
                             "c10/core/DispatchKeySet.cpp, non_functional_backend_dispatch_keyset",
                             "It serves functional backends as well."};
inline constexpr Rule DSP_03{
    Family::DSP, 3, "CompositeExplicitAutogradNonFunctional takes precedence over CompositeExplicitAutograd.",
    "aten/src/ATen/core/dispatch/OperatorEntry.cpp, computeDispatchTableEntryWithDebug, (2.1) and (2.2)",
    "CompositeExplicitAutograd takes precedence."};
inline constexpr Rule DSP_04{Family::DSP, 4,
                             "CompositeExplicitAutograd serves the keys of all backends, but not NestedTensor's.",
                             "c10/core/DispatchKeySet.cpp, backend_dispatch_keyset; c10/core/DispatchKeySet.h, "
                             "'NestedTensor Not Included in Backend Keys'",
                             "It serves NestedTensor's keys as well."};
inline constexpr Rule DSP_05{Family::DSP, 5,
                             "CompositeExplicitAutograd takes precedence over CompositeImplicitAutograd.",
                             "aten/src/ATen/core/dispatch/OperatorEntry.cpp, 'Alias Key Precedence'",
                             "CompositeImplicitAutograd takes precedence."};
inline constexpr Rule DSP_06{Family::DSP, 6,
                             "CompositeImplicitAutogradNestedTensor serves NestedTensor's keys and "
                             "AutogradNestedTensor, and takes precedence over CompositeImplicitAutograd there.",
                             "c10/core/DispatchKeySet.cpp, nested_dispatch_keyset; "
                             "aten/src/ATen/core/dispatch/OperatorEntry.cpp, computeDispatchTableEntryWithDebug, (2.3)",
                             "CompositeImplicitAutograd serves nested tensors like all others."};
inline constexpr Rule DSP_07{Family::DSP, 7,
                             "CompositeImplicitAutograd serves the keys of all backends, NestedTensor's and the "
                             "Autograd keys; Functionalize has "
                             "kernels of its own for composites.",
                             "c10/core/DispatchKeySet.cpp, math_dispatch_keyset; "
                             "torchgen/gen_functionalization_type.py registers composites for "
                             "Functionalize one by one",
                             "It serves Functionalize as well."};
inline constexpr Rule DSP_08{
    Family::DSP,
    8,
    "An Autograd key uses a CompositeImplicitAutograd kernel only if no kernel is registered for its backend; an "
    "Autograd or NestedTensor key uses it only if none is registered for CompositeExplicitAutograd.",
    "aten/src/ATen/core/dispatch/OperatorEntry.cpp, computeDispatchTableEntryWithDebug, has_backend_kernel",
    "They always use it.",
    {{{Profile::torch_2_13,
       "For HIP, VE and MTIA the backend's kernel is not looked up, so the Autograd key uses the composite kernel "
       "instead.",
       "c10/core/DispatchKeySet.cpp, getBackendKeySetFromAutograd: no case for AutogradHIP, AutogradVE, AutogradMTIA",
       "a backend's own kernel is reached"},
      {Profile::torch_1_13,
       "For HIP and VE the backend's kernel is not looked up, so the Autograd key uses the composite kernel instead.",
       "c10/core/DispatchKeySet.cpp of v1.13.1, getBackendKeySetFromAutograd: no case for AutogradHIP, AutogradVE",
       "a backend's own kernel is reached"}}}};
inline constexpr Rule DSP_09{Family::DSP, 9,
                             "If AutogradOther has a CompositeImplicitAutograd kernel and one of its backends has a "
                             "kernel, the entry is ambiguous: a call there is an error.",
                             "aten/src/ATen/core/dispatch/OperatorEntry.cpp, 'Ambiguity in AutogradOther kernel'",
                             "AutogradOther uses the composite kernel."};
inline constexpr Rule DSP_10{
    Family::DSP, 10, "An Autograd kernel serves every Autograd key that CompositeImplicitAutograd does not serve.",
    "aten/src/ATen/core/dispatch/OperatorEntry.cpp, computeDispatchTableEntryWithDebug, (2.4); c10/core/DispatchKey.h, "
    "'Alias Dispatch Key : Autograd'",
    "Autograd takes precedence over CompositeImplicitAutograd."};
inline constexpr Rule DSP_11{Family::DSP, 11, "FuncTorchBatchedDecomposition serves FuncTorchBatched.",
                             "c10/core/DispatchKeySet.cpp, runtimeDispatchKeySetHas; OperatorEntry.cpp, "
                             "computeDispatchTableEntryWithDebug, (2.5)",
                             "It serves no runtime key."};
inline constexpr Rule DSP_12{Family::DSP, 12,
                             "A backend's fallback is used only where no kernel of the operator serves the key.",
                             "aten/src/ATen/core/dispatch/OperatorEntry.cpp, computeDispatchTableEntryWithDebug, (3)",
                             "A fallback takes precedence over the kernels of alias keys."};
inline constexpr Rule DSP_13{
    Family::DSP, 13,
    "Undefined, the key of a call without tensors, is served by CompositeExplicitAutogradNonFunctional, "
    "CompositeExplicitAutograd and CompositeImplicitAutograd.",
    "aten/src/ATen/core/dispatch/OperatorEntry.cpp, 'Undefined in dispatchTable_'", "Nothing serves it."};
inline constexpr Rule DSP_14{
    Family::DSP, 14,
    "Of several kernels for one key, the one registered last is used; when it is removed, the one before it is used "
    "again.",
    "aten/src/ATen/core/dispatch/OperatorEntry.h, kernels_: 'the newest kernel'; OperatorEntry.cpp, deregisterKernel_",
    "The one registered first is used."};
inline constexpr Rule DSP_15{
    Family::DSP,
    15,
    "A dispatch table depends on what is registered, not on the order of registration.",
    "aten/src/ATen/core/dispatch/OperatorEntry.cpp, checkInvariants",
    "A registration updates only the entry of its own key.",
    {{{Profile::torch_2_13,
       "A kernel for a sparse, quantized or nested backend does not update AutogradOther and AutogradNestedTensor, and "
       "one for CompositeExplicitAutograd does not update the NestedTensor and Autograd keys.",
       "aten/src/ATen/core/dispatch/OperatorEntry.cpp, updateDispatchTable_: what the key serves, and the Autograd key "
       "of the backend bit alone",
       "the table is a function of the registrations"},
      {Profile::torch_1_13,
       "A kernel for a sparse, quantized or nested backend does not update AutogradOther and AutogradNestedTensor.",
       "aten/src/ATen/core/dispatch/OperatorEntry.cpp of v1.13.1, updateDispatchTable_",
       "the table is a function of the registrations"}}}};

inline constexpr Rule DSP_16{
    Family::DSP, 16,
    "When a library is destroyed, its kernels are removed, and tables and fallthroughs are as if it had never existed.",
    "aten/src/ATen/core/dispatch/OperatorEntry.cpp, deregisterKernel_: updateDispatchTable_",
    "Tables stay as they are until the next registration."};

inline constexpr Rule DSP_17{
    Family::DSP,
    17,
    "A kernel can be registered for every runtime key, by the key's name.",
    "c10/core/DispatchKey.h: toString and parseDispatchKey are each other's inverse for 'these are some convenience "
    "identifiers'",
    "The Autograd key of a single backend has no name that can be registered for.",
    {{{Profile::torch_2_13,
       "The parser does not know the names of 42 runtime keys: AutogradHIP, AutogradVE, AutogradMTIA, AutogradMAIA, "
       "QuantizedHIP, …",
       "c10/core/DispatchKey.cpp, parseDispatchKey: the map of names",
       "a kernel can be registered for every key that a call reaches"},
      {Profile::torch_1_13,
       "The parser does not know the names of 34 runtime keys: AutogradHIP, AutogradVE, QuantizedHIP, …",
       "c10/core/DispatchKey.cpp of v1.13.1, parseDispatchKey",
       "a kernel can be registered for every key that a call reaches"}}}};

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

/// Whether a kernel for `alias` serves this runtime key.
template <Domain D>
Bool<D> serves(const Judge<D>& judge, AliasKey alias, const KeyPlace& at) {
  const bool nested = at.group == KeyGroup::nested;
  switch (alias) {
    case AliasKey::CompositeExplicitAutogradNonFunctional:
      if (at.undefined) return judge(DSP_13, Bool<D>(true), Bool<D>(false));
      return judge(DSP_02, Bool<D>(at.group == KeyGroup::backend && !at.functional), Bool<D>(at.is_backend()));
    case AliasKey::CompositeExplicitAutograd:
      if (at.undefined) return judge(DSP_13, Bool<D>(true), Bool<D>(false));
      return judge(DSP_04, Bool<D>(at.is_backend()), Bool<D>(at.is_backend() || nested));
    case AliasKey::CompositeImplicitAutogradNestedTensor:
      return judge(DSP_06, Bool<D>(nested || at.group == KeyGroup::autograd_nested), Bool<D>(false));
    case AliasKey::CompositeImplicitAutograd: {
      if (at.undefined) return judge(DSP_13, Bool<D>(true), Bool<D>(false));
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
