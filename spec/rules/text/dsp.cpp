// DSP: the dispatch table of an operator, computed from what is registered, and the entry at which a call arrives.
#include "spec/rules/text/texts.h"

namespace plumbline::text {

namespace {

constexpr std::array kOfDsp{
    RuleText{
        .id = "DSP-01",
        .sentence = "A kernel registered for a runtime key itself takes precedence over the kernels of alias keys.",
        .source = "aten/src/ATen/core/dispatch/OperatorEntry.cpp, computeDispatchTableEntryWithDebug, (1)",
        .misreading = "A CompositeExplicitAutograd kernel takes precedence over the backend's own.",
    },
    RuleText{
        .id = "DSP-02",
        .sentence = "CompositeExplicitAutogradNonFunctional serves the keys of all backends except functional ones "
                    "(XLA, Lazy) and sparse ones.",
        .source = "c10/core/DispatchKeySet.cpp, non_functional_backend_dispatch_keyset",
        .misreading = "It serves functional backends as well.",
    },
    RuleText{
        .id = "DSP-03",
        .sentence = "CompositeExplicitAutogradNonFunctional takes precedence over CompositeExplicitAutograd.",
        .source = "aten/src/ATen/core/dispatch/OperatorEntry.cpp, computeDispatchTableEntryWithDebug, (2.1) and (2.2)",
        .misreading = "CompositeExplicitAutograd takes precedence.",
    },
    RuleText{
        .id = "DSP-04",
        .sentence = "CompositeExplicitAutograd serves the keys of all backends, but not NestedTensor's.",
        .source = "c10/core/DispatchKeySet.cpp, backend_dispatch_keyset; c10/core/DispatchKeySet.h, 'NestedTensor Not "
                  "Included in Backend Keys'",
        .misreading = "It serves NestedTensor's keys as well.",
    },
    RuleText{
        .id = "DSP-05",
        .sentence = "CompositeExplicitAutograd takes precedence over CompositeImplicitAutograd.",
        .source = "aten/src/ATen/core/dispatch/OperatorEntry.cpp, 'Alias Key Precedence'",
        .misreading = "CompositeImplicitAutograd takes precedence.",
    },
    RuleText{
        .id = "DSP-06",
        .sentence = "CompositeImplicitAutogradNestedTensor serves NestedTensor's keys and AutogradNestedTensor, and "
                    "takes precedence over CompositeImplicitAutograd there.",
        .source = "c10/core/DispatchKeySet.cpp, nested_dispatch_keyset; aten/src/ATen/core/dispatch/OperatorEntry.cpp, "
                  "computeDispatchTableEntryWithDebug, (2.3)",
        .misreading = "CompositeImplicitAutograd serves nested tensors like all others.",
    },
    RuleText{
        .id = "DSP-07",
        .sentence = "CompositeImplicitAutograd serves the keys of all backends, NestedTensor's and the Autograd keys; "
                    "Functionalize has kernels of its own for composites.",
        .source = "c10/core/DispatchKeySet.cpp, math_dispatch_keyset; torchgen/gen_functionalization_type.py registers "
                  "composites for Functionalize one by one",
        .misreading = "It serves Functionalize as well.",
    },
    RuleText{
        .id = "DSP-08",
        .sentence =
            "An Autograd key uses a CompositeImplicitAutograd kernel only if no kernel is registered for its backend; "
            "an Autograd or NestedTensor key uses it only if none is registered for CompositeExplicitAutograd.",
        .source =
            "aten/src/ATen/core/dispatch/OperatorEntry.cpp, computeDispatchTableEntryWithDebug, has_backend_kernel",
        .misreading = "They always use it.",
        .variants = {{{Profile::torch_2_13,
                       "For HIP, VE and MTIA the backend's kernel is not looked up, so the Autograd key uses the "
                       "composite kernel instead.",
                       "c10/core/DispatchKeySet.cpp, getBackendKeySetFromAutograd: no case for AutogradHIP, "
                       "AutogradVE, AutogradMTIA",
                       "a backend's own kernel is reached"},
                      {Profile::torch_1_13,
                       "For HIP and VE the backend's kernel is not looked up, so the Autograd key uses the composite "
                       "kernel instead.",
                       "c10/core/DispatchKeySet.cpp of v1.13.1, getBackendKeySetFromAutograd: no case for AutogradHIP, "
                       "AutogradVE",
                       "a backend's own kernel is reached"}}},
    },
    RuleText{
        .id = "DSP-09",
        .sentence = "If AutogradOther has a CompositeImplicitAutograd kernel and one of its backends has a kernel, the "
                    "entry is ambiguous: a call there is an error.",
        .source = "aten/src/ATen/core/dispatch/OperatorEntry.cpp, 'Ambiguity in AutogradOther kernel'",
        .misreading = "AutogradOther uses the composite kernel.",
    },
    RuleText{
        .id = "DSP-10",
        .sentence = "An Autograd kernel serves every Autograd key that CompositeImplicitAutograd does not serve.",
        .source = "aten/src/ATen/core/dispatch/OperatorEntry.cpp, computeDispatchTableEntryWithDebug, (2.4); "
                  "c10/core/DispatchKey.h, 'Alias Dispatch Key : Autograd'",
        .misreading = "Autograd takes precedence over CompositeImplicitAutograd.",
    },
    RuleText{
        .id = "DSP-11",
        .sentence = "FuncTorchBatchedDecomposition serves FuncTorchBatched.",
        .source = "c10/core/DispatchKeySet.cpp, runtimeDispatchKeySetHas; OperatorEntry.cpp, "
                  "computeDispatchTableEntryWithDebug, (2.5)",
        .misreading = "It serves no runtime key.",
    },
    RuleText{
        .id = "DSP-12",
        .sentence = "A backend's fallback is used only where no kernel of the operator serves the key.",
        .source = "aten/src/ATen/core/dispatch/OperatorEntry.cpp, computeDispatchTableEntryWithDebug, (3)",
        .misreading = "A fallback takes precedence over the kernels of alias keys.",
    },
    RuleText{
        .id = "DSP-13",
        .sentence = "Undefined, the key of a call without tensors, is served by "
                    "CompositeExplicitAutogradNonFunctional, CompositeExplicitAutograd and CompositeImplicitAutograd.",
        .source = "aten/src/ATen/core/dispatch/OperatorEntry.cpp, 'Undefined in dispatchTable_'",
        .misreading = "Nothing serves it.",
    },
    RuleText{
        .id = "DSP-14",
        .sentence = "Of several kernels for one key, the one registered last is used; when it is removed, the one "
                    "before it is used again.",
        .source = "aten/src/ATen/core/dispatch/OperatorEntry.h, kernels_: 'the newest kernel'; OperatorEntry.cpp, "
                  "deregisterKernel_",
        .misreading = "The one registered first is used.",
    },
    RuleText{
        .id = "DSP-15",
        .sentence = "A dispatch table depends on what is registered, not on the order of registration.",
        .source = "aten/src/ATen/core/dispatch/OperatorEntry.cpp, checkInvariants",
        .misreading = "A registration updates only the entry of its own key.",
        .variants = {{{Profile::torch_2_13,
                       "A kernel for a sparse, quantized or nested backend does not update AutogradOther and "
                       "AutogradNestedTensor, and one for CompositeExplicitAutograd does not update the NestedTensor "
                       "and Autograd keys.",
                       "aten/src/ATen/core/dispatch/OperatorEntry.cpp, updateDispatchTable_: what the key serves, and "
                       "the Autograd key of the backend bit alone",
                       "the table is a function of the registrations"},
                      {Profile::torch_1_13,
                       "A kernel for a sparse, quantized or nested backend does not update AutogradOther and "
                       "AutogradNestedTensor.",
                       "aten/src/ATen/core/dispatch/OperatorEntry.cpp of v1.13.1, updateDispatchTable_",
                       "the table is a function of the registrations"}}},
    },
    RuleText{
        .id = "DSP-16",
        .sentence = "When a library is destroyed, its kernels are removed, and tables and fallthroughs are as if it "
                    "had never existed.",
        .source = "aten/src/ATen/core/dispatch/OperatorEntry.cpp, deregisterKernel_: updateDispatchTable_",
        .misreading = "Tables stay as they are until the next registration.",
        .choice = "a release",
    },
    RuleText{
        .id = "DSP-17",
        .sentence = "A kernel can be registered for every runtime key, by the key's name.",
        .source = "c10/core/DispatchKey.h: toString and parseDispatchKey are each other's inverse for 'these are some "
                  "convenience identifiers'",
        .misreading = "The Autograd key of a single backend has no name that can be registered for.",
        .variants =
            {{{Profile::torch_2_13,
               "The parser does not know the names of 42 runtime keys: AutogradHIP, AutogradVE, AutogradMTIA, "
               "AutogradMAIA, QuantizedHIP, …",
               "c10/core/DispatchKey.cpp, parseDispatchKey: the map of names",
               "a kernel can be registered for every key that a call reaches"},
              {Profile::torch_1_13,
               "The parser does not know the names of 34 runtime keys: AutogradHIP, AutogradVE, QuantizedHIP, …",
               "c10/core/DispatchKey.cpp of v1.13.1, parseDispatchKey",
               "a kernel can be registered for every key that a call reaches"}}},
    },
};

}  // namespace

constinit const std::span<const RuleText> kDsp{kOfDsp};

}  // namespace plumbline::text
