// AUT, continued: gradients that are recorded themselves: `create_graph=True`.
#include "spec/rules/text/texts.h"

namespace plumbline::text {

namespace {

constexpr std::array kOfAutCreateGraph{
    RuleText{
        .id = "AUT-90",
        .sentence = "With create_graph=True, backward runs the derivatives while grad mode is on: the gradients have a "
                    "history, also where the caller turned grad mode off.",
        .source = "torch/autograd/__init__.py, backward: 'graph of the derivative will be constructed'",
        .misreading = "Gradients never have a history.",
    },
    RuleText{
        .id = "AUT-91",
        .sentence = "With create_graph=True, a leaf's new `.grad` is a recorded copy of the gradient that arrives.",
        .source = "torch/csrc/autograd/functions/accumulate_grad.h, accumulateGrad: 'Stealable dense new_grad'",
        .misreading = "It may be that gradient itself.",
    },
    RuleText{
        .id = "AUT-92",
        .sentence = "With create_graph=True, backward adds to a leaf's `.grad` out of place: the leaf gets a new one.",
        .source = "torch/csrc/autograd/functions/accumulate_grad.h, accumulateGrad: 'If we are setting up for double "
                  "backward, AccumulateGrad updates the grad'",
        .misreading = "It writes the old `.grad`.",
    },
    RuleText{
        .id = "AUT-93",
        .sentence = "With create_graph=True, the sum of gradients that meet has their histories.",
        .source = "torch/csrc/autograd/input_buffer.h, InputBuffer: 'Accumulates the variable'",
        .misreading = "A sum of gradients has no history.",
    },
};

}  // namespace

constinit const std::span<const RuleText> kAutCreateGraph{kOfAutCreateGraph};

}  // namespace plumbline::text
