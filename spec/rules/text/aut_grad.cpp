// AUT, continued: which tensor backward stores in `.grad`, and what a *_scatter hands its arguments.
#include "spec/rules/text/texts.h"

namespace plumbline::text {

namespace {

constexpr std::array kOfAutGrad{
    RuleText{
        .id = "AUT-50",
        .sentence = "The `.grad` that backward makes shares memory with no other tensor.",
        .source = "torch.autograd, 'Default gradient layouts': what accumulates into one `.grad` in place is that "
                  "one's alone",
        .misreading = "If no one else holds the gradient that arrives and it has the leaf's layout, `.grad` is that "
                      "gradient, with its memory and version counter; it may be a view of the gradient passed to "
                      "backward(), or share memory with another leaf's `.grad`.",
        .variants =
            {{{Profile::torch_2_13,
               "If no one else holds the gradient that arrives and it has the leaf's layout, `.grad` is that gradient, "
               "with its memory and version counter; it may be a view of the gradient passed to backward(), or share "
               "memory with another leaf's `.grad`.",
               "torch/csrc/autograd/functions/accumulate_grad.h, accumulateGrad: is_tensor_stealable asks after the "
               "tensor, not after its storage"},
              {Profile::torch_1_13,
               "If no one else holds the gradient that arrives and it has the leaf's layout, `.grad` is that gradient, "
               "with its memory and version counter; it may be a view of the gradient passed to backward(), or share "
               "memory with another leaf's `.grad`.",
               "torch/csrc/autograd/functions/accumulate_grad.h of v1.13.1, accumulateGrad: new_grad.use_count()"}}},
    },
    RuleText{
        .id = "AUT-59",
        .sentence = "The part that a *_scatter replaces gets its gradient through src alone: the first argument's "
                    "gradient is 0 there.",
        .source =
            "tools/autograd/derivatives.yaml, slice_scatter: 'self: slice_scatter_symint(grad, zeros_like(src), …)'",
        .misreading = "The first argument gets the whole gradient.",
        .variants =
            {{{Profile::torch_2_13,
               "as_strided_scatter gives its first argument the gradient of the replaced part, and 0 for the rest, as "
               "if that were at the beginning of its memory.",
               "torch/csrc/autograd/FunctionsManual.cpp, as_strided_scatter_backward: zeros into which the window's "
               "gradient is copied",
               "a gradient belongs to what was computed"},
              {Profile::torch_1_13,
               "as_strided_scatter gives its first argument the gradient of the replaced part, and uninitialized "
               "memory for the rest, as if that were at the beginning of its memory.",
               "torch/csrc/autograd/FunctionsManual.cpp of v1.13.1, as_strided_scatter_backward: new_empty_strided",
               "a gradient belongs to what was computed"}}},
    },
    RuleText{
        .id = "AUT-60",
        .sentence = "The `.grad` that backward makes is an inference tensor iff backward runs in inference mode.",
        .source = "rfc-0011-final: 'A non-view tensor is an inference tensor if and only if it was allocated during "
                  "inference mode', for a tensor that backward allocates (AUT-50)",
        .misreading = "It is an inference tensor iff the gradient that arrives at the leaf is one.",
        .variants =
            {{{Profile::torch_2_13,
               "A gradient that is stored as it arrives keeps its inference bit, whatever the mode.",
               "torch/csrc/autograd/functions/accumulate_grad.h, accumulateGrad: update_grad(new_grad.detach())",
               "immutability"},
              {Profile::torch_1_13,
               "A gradient that is stored as it arrives keeps its inference bit, whatever the mode.",
               "torch/csrc/autograd/functions/accumulate_grad.h of v1.13.1, accumulateGrad: "
               "update_grad(new_grad.detach())",
               "immutability"}}},
    },
    RuleText{
        .id = "AUT-89",
        .sentence = "Gradients add up in a new tensor: backward writes none of those that arrive.",
        .source = "torch/csrc/autograd/input_buffer.h, InputBuffer: 'Accumulates the variable'",
        .misreading = "The sum is written into the gradient that arrived first if nothing else holds it: an inference "
                      "tensor then raises an error outside inference mode.",
        .variants = {{{Profile::torch_2_13,
                       "The sum is written into the gradient that arrived first if nothing else holds it: an inference "
                       "tensor then raises an error outside inference mode.",
                       "torch/csrc/autograd/input_buffer.cpp, accumulate: can_accumulate_inplace"}}},
    },
};

}  // namespace

constinit const std::span<const RuleText> kAutGrad{kOfAutGrad};

}  // namespace plumbline::text
