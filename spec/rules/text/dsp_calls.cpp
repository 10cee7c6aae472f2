// DSP: how a call finds its entry: fallthrough keys, the entry of a key set, redispatch, and errors.
#include "spec/rules/text/texts.h"

namespace plumbline::text {

namespace {

constexpr std::array kOfDspCalls{
    RuleText{
        .id = "DSP-30",
        .sentence = "A call's key set leaves out every key at which the operator falls through.",
        .source = "aten/src/ATen/core/dispatch/DispatchKeyExtractor.h, computeDispatchKeySet: key_mask",
        .misreading = "Such a key stays in the key set.",
    },
    RuleText{
        .id = "DSP-31",
        .sentence = "Fallthrough is looked up for the backend at which the call arrives, even if only the thread "
                    "includes it; a fallthrough for AutogradCPU says nothing about AutogradCUDA.",
        .source = "aten/src/ATen/core/dispatch/DispatchKeyExtractor.h, getDispatchKeySetBoxed: the included and "
                  "excluded sets are looked at before nonFallthroughKeysPerBackend_ is",
        .misreading = "If a functionality falls through for the first backend, it falls through for all.",
        .variants =
            {{{Profile::torch_1_13,
               "Fallthrough is looked up for the highest backend of the arguments, whatever the thread includes.",
               "aten/src/ATen/core/dispatch/DispatchKeyExtractor.h of v1.13.1, getDispatchKeySetBoxed: "
               "ks.getBackendIndex()",
               "a call does not arrive at a key that falls through"}}},
    },
    RuleText{
        .id = "DSP-32",
        .sentence = "A call arrives at the entry of its highest functionality and, if that is per backend, of its "
                    "highest backend.",
        .source = "c10/core/DispatchKeySet.h, getDispatchTableIndexForDispatchKeySet",
        .misreading = "It arrives at the entry of its lowest backend.",
    },
    RuleText{
        .id = "DSP-33",
        .sentence = "A per-backend functionality without a backend arrives at CPU's entry.",
        .source = "c10/core/DispatchKeySet.h, getDispatchTableIndexForDispatchKeySet: the index of no bit is 0",
        .misreading = "It arrives at Undefined.",
    },
    RuleText{
        .id = "DSP-34",
        .sentence = "A redispatch uses exactly the key set that it is given: neither the thread's sets nor "
                    "fallthroughs change it.",
        .source = "aten/src/ATen/core/dispatch/Dispatcher.h, redispatch: lookup(currentDispatchKeySet)",
        .misreading = "A redispatch skips the keys at which the operator falls through.",
    },
    RuleText{
        .id = "DSP-35",
        .sentence = "A kernel receives the key set by which it was found, without the keys that fell through.",
        .source = "aten/src/ATen/core/dispatch/Dispatcher.h, call: the computed set is handed on",
        .misreading = "It receives the key set of the arguments and the thread.",
    },
    RuleText{
        .id = "DSP-36",
        .sentence = "Every tensor in a list brings its keys, and so does an optional tensor that is present.",
        .source = "aten/src/ATen/core/dispatch/DispatchKeyExtractor.h, getDispatchKeySetBoxed",
        .misreading = "Only the first tensor in a list brings its keys.",
    },
    RuleText{
        .id = "DSP-37",
        .sentence = "A call that finds no kernel raises NotImplementedError and changes nothing.",
        .source = "aten/src/ATen/core/dispatch/OperatorEntry.cpp, reportError",
        .misreading = "It does nothing and raises no error.",
    },
    RuleText{
        .id = "DSP-38",
        .sentence = "A redispatch to a key at which the operator falls through is an internal error.",
        .source = "aten/src/ATen/core/boxing/KernelFunction.cpp, fallthrough_kernel: an assertion",
        .misreading = "It goes on to the next lower key.",
    },
    RuleText{
        .id = "DSP-39",
        .sentence =
            "The keys after a key are all functionalities of lower priority, with all backends, and PythonDispatcher.",
        .source = "c10/core/DispatchKeySet.h, DispatchKeySet(FullAfter, …): 'we have to add PythonDispatcher'",
        .misreading = "PythonDispatcher is not after any key.",
    },
};

}  // namespace

constinit const std::span<const RuleText> kDspCalls{kOfDspCalls};

}  // namespace plumbline::text
