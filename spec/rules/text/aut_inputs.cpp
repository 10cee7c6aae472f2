// AUT, continued: backward for chosen tensors: `torch.autograd.grad`, and `inputs=`.
#include "spec/rules/text/texts.h"

namespace plumbline::text {

namespace {

constexpr std::array kOfAutInputs{
    RuleText{
        .id = "AUT-69",
        .sentence = "torch.autograd.grad returns the gradients that arrive at its inputs, and adds none of them to a "
                    "`.grad`.",
        .source = "torch/autograd/__init__.py, grad: 'the gradient will be returned (and not accumulated into .grad)'; "
                  "torch/csrc/autograd/autograd.h, grad: inputs",
        .misreading = "It also adds them to the `.grad` of its inputs.",
    },
    RuleText{
        .id = "AUT-70",
        .sentence = "With grad() or inputs=, only what leads to a chosen tensor runs, and with inputs= the chosen "
                    "tensor's own node: other leaves get no gradient, and other nodes keep what they saved.",
        .source = "torch/csrc/autograd/graph_task.h, Note [Exec info]: only functions that have an entry with needed "
                  "'should be executed'; torch/csrc/autograd/autograd.h, backward: 'the current implementation will "
                  "call its grad_fn'",
        .misreading = "The whole graph runs.",
    },
    RuleText{
        .id = "AUT-71",
        .sentence = "If no gradient reaches an input of grad(), that is an error, unless allow_unused is set.",
        .source = "torch/autograd/__init__.py, grad: allow_unused, 'is an error'; torch/csrc/autograd/autograd.h, "
                  "grad: allow_unused",
        .misreading = "Its gradient is None.",
    },
    RuleText{
        .id = "AUT-72",
        .sentence = "An input of grad() must require grad.",
        .source = "torch/csrc/autograd/autograd.cpp, run_backward: 'One of the differentiated Tensors does not require "
                  "grad'",
        .misreading = "It counts as an input that no gradient reaches.",
    },
    RuleText{
        .id = "AUT-73",
        .sentence = "backward(inputs=[x]) fills `x.grad` also if x is not a leaf: it calls x.retain_grad() first.",
        .source = "torch/autograd/__init__.py, backward: inputs, 'the gradient will be accumulated into'; "
                  "torch/csrc/autograd/autograd.h, backward: 'a given input is not a leaf'",
        .misreading = "Only leaves get a `.grad`.",
    },
    RuleText{
        .id = "AUT-74",
        .sentence = "A tensor with retain_grad() gets its `.grad` also if it is an input of grad().",
        .source = "torch/csrc/autograd/node.h, NOTE [Hooks ordering]: a tensor_pre_hook, and a retains_grad_hook like "
                  "it, is executed 'even if that node won't be executed'",
        .misreading = "Its `.grad` stays as it is, because its node does not run.",
        .variants = {{{Profile::torch_1_13, "Its `.grad` stays as it is, unless its node runs for another input.",
                       "torch/csrc/autograd/engine.cpp of 1.13, evaluate_function: captures come before call_function, "
                       "which calls the hooks"}}},
    },
};

}  // namespace

constinit const std::span<const RuleText> kAutInputs{kOfAutInputs};

}  // namespace plumbline::text
