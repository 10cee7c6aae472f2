// DSP: how a call finds its entry: fallthrough keys, the entry of a key set, redispatch, and errors.
#pragma once

#include "spec/rules/key.h"
#include "spec/vocabulary/key_layout.h"

namespace plumbline {

inline constexpr Rule DSP_30{Family::DSP, 30,
                             "A call's key set leaves out every key at which the operator falls through.",
                             "aten/src/ATen/core/dispatch/DispatchKeyExtractor.h, computeDispatchKeySet: key_mask",
                             "Such a key stays in the key set."};
inline constexpr Rule DSP_31{
    Family::DSP,
    31,
    "Fallthrough is looked up for the backend at which the call arrives, even if only the thread includes it; a "
    "fallthrough for AutogradCPU says nothing about AutogradCUDA.",
    "aten/src/ATen/core/dispatch/DispatchKeyExtractor.h, getDispatchKeySetBoxed: the included and excluded sets are "
    "looked at before nonFallthroughKeysPerBackend_ is",
    "If a functionality falls through for the first backend, it falls through for all.",
    {{{Profile::torch_1_13,
       "Fallthrough is looked up for the highest backend of the arguments, whatever the thread includes.",
       "aten/src/ATen/core/dispatch/DispatchKeyExtractor.h of v1.13.1, getDispatchKeySetBoxed: ks.getBackendIndex()",
       "a call does not arrive at a key that falls through"}}}};
inline constexpr Rule DSP_32{
    Family::DSP, 32,
    "A call arrives at the entry of its highest functionality and, if that is per backend, of its highest backend.",
    "c10/core/DispatchKeySet.h, getDispatchTableIndexForDispatchKeySet",
    "It arrives at the entry of its lowest backend."};
inline constexpr Rule DSP_33{
    Family::DSP, 33, "A per-backend functionality without a backend arrives at CPU's entry.",
    "c10/core/DispatchKeySet.h, getDispatchTableIndexForDispatchKeySet: the index of no bit is 0",
    "It arrives at Undefined."};
inline constexpr Rule DSP_34{
    Family::DSP, 34,
    "A redispatch uses exactly the key set that it is given: neither the thread's sets nor fallthroughs change it.",
    "aten/src/ATen/core/dispatch/Dispatcher.h, redispatch: lookup(currentDispatchKeySet)",
    "A redispatch skips the keys at which the operator falls through."};
inline constexpr Rule DSP_35{Family::DSP, 35,
                             "A kernel receives the key set by which it was found, without the keys that fell through.",
                             "aten/src/ATen/core/dispatch/Dispatcher.h, call: the computed set is handed on",
                             "It receives the key set of the arguments and the thread."};
inline constexpr Rule DSP_36{Family::DSP, 36,
                             "Every tensor in a list brings its keys, and so does an optional tensor that is present.",
                             "aten/src/ATen/core/dispatch/DispatchKeyExtractor.h, getDispatchKeySetBoxed",
                             "Only the first tensor in a list brings its keys."};
inline constexpr Rule DSP_37{
    Family::DSP, 37, "A call that finds no kernel raises NotImplementedError and changes nothing.",
    "aten/src/ATen/core/dispatch/OperatorEntry.cpp, reportError", "It does nothing and raises no error."};
inline constexpr Rule DSP_38{Family::DSP, 38,
                             "A redispatch to a key at which the operator falls through is an internal error.",
                             "aten/src/ATen/core/boxing/KernelFunction.cpp, fallthrough_kernel: an assertion",
                             "It goes on to the next lower key."};

inline constexpr Rule DSP_39{
    Family::DSP, 39,
    "The keys after a key are all functionalities of lower priority, with all backends, and PythonDispatcher.",
    "c10/core/DispatchKeySet.h, DispatchKeySet(FullAfter, …): 'we have to add PythonDispatcher'",
    "PythonDispatcher is not after any key."};

/// The keys after a functionality, counted from 1: the mask with which its kernel redispatches.
template <Domain D>
typename D::Word keys_after(const Judge<D>& judge, const KeyLayout& layout, int functionality) {
  const std::uint64_t lower = functionality_bit(layout, functionality) - 1;
  const std::uint64_t python = functionality_bit(layout, functionality_named(layout, "PythonDispatcher"));
  return judge(DSP_39, KeySet<D>::raw(lower | python), KeySet<D>::raw(lower)).v;
}

}  // namespace plumbline
