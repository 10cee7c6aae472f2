// TLS: the thread's included and excluded key sets and its modes, and the guards that change them.
#include "spec/rules/text/texts.h"

namespace plumbline::text {

namespace {

constexpr std::array kOfTls{
    RuleText{
        .id = "TLS-01",
        .sentence = "ADInplaceOrView is in the included set by default.",
        .source = "rfc-0011-final, 'InplaceOrView': 'part of the default TLS included set'",
        .misreading = "The included set is empty by default.",
    },
    RuleText{
        .id = "TLS-02",
        .sentence = "Inference mode excludes the Autograd keys.",
        .source = "rfc-0011-final, 'The algorithm': 'Autograd is added to the TLS excluded set'",
        .misreading = "Inference mode only turns grad mode off.",
    },
    RuleText{
        .id = "TLS-03",
        .sentence = "Inference mode removes ADInplaceOrView from the included set.",
        .source = "rfc-0011-final, 'The algorithm': 'InplaceOrView is removed from the TLS included set'",
        .misreading = "Inference mode leaves the included set as it is.",
    },
    RuleText{
        .id = "TLS-04",
        .sentence = "InferenceMode(false) inside inference mode is normal mode: ADInplaceOrView is included and "
                    "Autograd is not excluded.",
        .source =
            "inference-mode-docs, 'Enabled/disabled InferenceMode states can be nested'; c10/core/InferenceMode.h",
        .misreading = "InferenceMode(false) changes nothing.",
    },
    RuleText{
        .id = "TLS-05",
        .sentence = "InferenceMode(enabled) sets grad mode to the opposite of `enabled`.",
        .source = "c10/core/InferenceMode.h, InferenceMode::InferenceMode: AutogradState(!enabled, enabled, …)",
        .misreading = "InferenceMode leaves grad mode as it is.",
    },
    RuleText{
        .id = "TLS-06",
        .sentence = "When a guard ends, it restores exactly the state that it found.",
        .source = "inference-mode-docs, the nested example; c10/core/InferenceMode.h, InferenceMode::~InferenceMode",
        .misreading = "When a guard ends, it restores the defaults.",
        .variants =
            {{{Profile::torch_1_13,
               "A guard for one key leaves the key's backend in the set when it ends; only a guard that restores whole "
               "sets removes it.",
               "c10/core/impl/LocalDispatchKeySet.cpp of v1.13.1, ExcludeDispatchKeyGuard::~ExcludeDispatchKeyGuard: a "
               "difference of key sets, which keeps backends; 2.13 saves the state",
               "a guard restores what it found"}}},
    },
    RuleText{
        .id = "TLS-07",
        .sentence = "A guard also ends, and restores the state, when its body raises an error.",
        .source = "rfc-0011-final: 'an RAII guard which can be enabled for a given block of code'",
        .misreading = "After an error the guard's state stays in place.",
    },
    RuleText{
        .id = "TLS-08",
        .sentence = "no_grad, enable_grad and set_grad_enabled change grad mode and neither of the key sets.",
        .source = "c10/core/GradMode.h, AutoGradMode",
        .misreading = "enable_grad also removes the Autograd keys from the excluded set.",
    },
    RuleText{
        .id = "TLS-09",
        .sentence = "The Autocast keys are in the excluded set by default.",
        .source = "c10/core/DispatchKeySet.h, default_excluded_set",
        .misreading = "The excluded set is empty by default.",
        .variants = {{{Profile::torch_1_13, "Only AutocastCPU, AutocastXPU and AutocastCUDA are in it.",
                       "c10/core/DispatchKeySet.h of v1.13.1, default_excluded_set"}}},
    },
    RuleText{
        .id = "TLS-10",
        .sentence = "InferenceMode(true) inside InferenceMode(true) is still inference mode.",
        .source = "inference-mode-docs, 'can be nested'; c10/core/InferenceMode.h",
        .misreading = "A second InferenceMode(true) toggles the mode.",
    },
    RuleText{
        .id = "TLS-11",
        .sentence = "AutoDispatchBelowAutograd excludes every Autograd key and does not exclude ADInplaceOrView.",
        .source = "aten/src/ATen/core/LegacyTypeDispatch.h, AutoDispatchBelowAutograd; rfc-0011-final: 'it is legal "
                  "for only Autograd to be excluded'",
        .misreading = "It also excludes ADInplaceOrView.",
    },
    RuleText{
        .id = "TLS-12",
        .sentence = "AutoDispatchBelowADInplaceOrView excludes every Autograd key and ADInplaceOrView.",
        .source = "aten/src/ATen/core/LegacyTypeDispatch.h, AutoDispatchBelowADInplaceOrView; inference-mode-docs, "
                  "'under Autograd dispatch keys'",
        .misreading = "It excludes only ADInplaceOrView.",
    },
    RuleText{
        .id = "TLS-13",
        .sentence =
            "AutoNonVariableTypeMode is the old name of AutoDispatchBelowADInplaceOrView: it excludes the same keys.",
        .source =
            "inference-mode-docs: 'AutoDispatchBelowADInplaceOrView is just a new name of AutoNonVariableTypeMode'",
        .misreading = "It excludes only the Autograd keys.",
        .variants = {{{Profile::torch_2_13, "The deprecated guard excludes only the Autograd keys.",
                       "aten/src/ATen/core/LegacyTypeDispatch.h, AutoNonVariableTypeMode: "
                       "autograd_guard(autograd_dispatch_keyset)"},
                      {Profile::torch_1_13, "The deprecated guard excludes only the Autograd keys.",
                       "aten/src/ATen/core/LegacyTypeDispatch.h of v1.13.1, AutoNonVariableTypeMode"}}},
    },
    RuleText{
        .id = "TLS-14",
        .sentence = "An exclude guard adds its key to the excluded set and does not change the included set.",
        .source = "c10/core/impl/LocalDispatchKeySet.cpp, ExcludeDispatchKeyGuard",
        .misreading = "It removes the key from the included set.",
    },
    RuleText{
        .id = "TLS-15",
        .sentence = "An include guard adds its key to the included set and does not change the excluded set.",
        .source = "c10/core/impl/LocalDispatchKeySet.cpp, IncludeDispatchKeyGuard",
        .misreading = "It removes the key from the excluded set.",
    },
    RuleText{
        .id = "TLS-16",
        .sentence = "The guards below Autograd and ADInplaceOrView change neither grad mode nor inference mode.",
        .source =
            "inference-mode-docs: 'InferenceMode also affects tensor creation while AutoNonVariableTypeMode doesn't'",
        .misreading = "They turn inference mode on.",
    },
    RuleText{
        .id = "TLS-17",
        .sentence = "A new thread starts outside inference mode with grad mode on, whatever the state of the thread "
                    "that starts it.",
        .source = "c10/core/impl/LocalDispatchKeySet.h: thread_local; rfc-0011-final, 'Goals': inference mode is "
                  "thread-local",
        .misreading = "A new thread starts in the state of the thread that starts it.",
    },
    RuleText{
        .id = "TLS-18",
        .sentence = "A thread that goes on has the state that it had, whatever the threads that ran meanwhile entered "
                    "or left.",
        .source = "c10/core/impl/LocalDispatchKeySet.h: thread_local; rfc-0011-final, 'Goals': inference mode is "
                  "thread-local",
        .misreading = "It has the state of the thread that ran last.",
    },
};

}  // namespace

constinit const std::span<const RuleText> kTls{kOfTls};

}  // namespace plumbline::text
