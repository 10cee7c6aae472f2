// AUT, continued: Autograd's fallback, which runs where an operator has no kernel for Autograd.
#include "spec/rules/text/texts.h"

namespace plumbline::text {

namespace {

constexpr std::string_view kItsKernel =
    "the kernel that AUT-62's function registers, basicAutogradNotImplementedFallbackImpl";

constexpr std::array kOfAutFallback{
    RuleText{
        .id = "AUT-62",
        .sentence =
            "A call of an operator without a kernel for Autograd is recorded as that of another op: iff grad mode "
            "is on and one of its tensors requires grad (AUT-01, AUT-02).",
        .source =
            "torch/csrc/autograd/autograd_not_implemented_fallback.h, basicAutogradNotImplementedFallback: 'Default "
            "DispatchKey::Autograd fallback for all other operators'",
        .misreading = "It is not recorded: no result gets a history from it.",
        .variants = {{{Profile::torch_1_13, "It is not recorded: Autograd's fallback falls through.",
                       "aten/src/ATen/core/VariableFallbackKernel.cpp of 1.13: "
                       "m.fallback(torch::CppFunction::makeFallthrough())"}}},
    },
    RuleText{
        .id = "AUT-63",
        .sentence = "A result of such a call gets no history from it if the schema says that it is written, as "
                    "Tensor(a!) does.",
        .source = kItsKernel,
        .misreading = "Each result gets a history, also a written argument.",
    },
    RuleText{
        .id = "AUT-64",
        .sentence = "A result of such a call keeps its own history if it requires grad already: the ops in the kernel "
                    "recorded it.",
        .source = kItsKernel,
        .misreading = "Such a result gets a new history, too.",
    },
    RuleText{
        .id = "AUT-65",
        .sentence = "Backward through such a call gives its tensors no gradient.",
        .source = kItsKernel,
        .misreading = "It gives zeros.",
    },
    RuleText{
        .id = "AUT-66",
        .sentence = "The kernel of such a call runs without a guard: the ops in it run their kernels for Autograd and "
                    "ADInplaceOrView, as ops outside do.",
        .source = kItsKernel,
        .misreading = "It runs below Autograd, as the kernel of an aten op does.",
    },
};

}  // namespace

constinit const std::span<const RuleText> kAutFallback{kOfAutFallback};

}  // namespace plumbline::text
