// AUT, continued: the hooks of tensors: `x.register_hook(hook)`, and of leaves after accumulation:
// `x.register_post_accumulate_grad_hook(hook)`.
#include "spec/rules/text/texts.h"

namespace plumbline::text {

namespace {

constexpr std::array kOfAutHooks{
    RuleText{
        .id = "AUT-75",
        .sentence = "Only a tensor that requires grad can have hooks.",
        .source = "torch/_tensor.py, register_hook: 'cannot register a hook on a tensor that'",
        .misreading = "register_hook() accepts every tensor, and the hook is never called.",
    },
    RuleText{
        .id = "AUT-76",
        .sentence = "A hook is called with its tensor's whole gradient, before the tensor's grad_fn runs or the leaf's "
                    "`.grad` gets it.",
        .source = "torch/_tensor.py, register_hook: 'The hook will be called every time a gradient with respect to'; "
                  "torch/csrc/autograd/function_hook.h, FunctionPreHook",
        .misreading = "It is called afterwards, and what it returns comes too late.",
    },
    RuleText{
        .id = "AUT-77",
        .sentence = "A gradient that a hook returns replaces the tensor's gradient; a hook that returns None leaves "
                    "it.",
        .source = "torch/_tensor.py, register_hook: 'a new gradient which will be used in place of'",
        .misreading = "What a hook returns is dropped.",
    },
    RuleText{
        .id = "AUT-78",
        .sentence = "The hooks of a tensor are called in the order of their registration, each with what the one "
                    "before it left.",
        .source =
            "the notes on autograd, 'Backward Hooks execution': hooks 'are executed in the order in which they are "
            "registered', and later ones see what earlier ones changed",
        .misreading = "The hook that was registered last is called first.",
        .choice = "a text",
    },
    RuleText{
        .id = "AUT-79",
        .sentence = "retain_grad() keeps the gradient that all hooks leave, also those that are registered after it.",
        .source = "torch/csrc/autograd/node.h, NOTE [Hooks ordering]: retains_grad_hooks are 'ordered after all other "
                  "tensor pre hooks'",
        .misreading = "It keeps the gradient as it is before the hooks that are registered after it.",
        .variants = {{{Profile::torch_1_13,
                       "It keeps the gradient as it is before the hooks that are registered after "
                       "it: it is one of the hooks.",
                       "torch/csrc/autograd/variable.h of 1.13, retains_grad_: 'the index of it in cpp_hooks_list_'"}}},
    },
    RuleText{
        .id = "AUT-80",
        .sentence = "A hook stays with the value that its tensor had: after an in-place op on the tensor it gets the "
                    "gradient of the value before.",
        .source = "the notes on autograd, 'Backward Hooks execution': "
                  "'its value before in-place modification'",
        .misreading = "It follows the tensor to its new value.",
    },
    RuleText{
        .id = "AUT-81",
        .sentence = "A hook that is registered after an in-place op gets the gradient of the tensor's new value.",
        .source = "the notes on autograd, 'Backward Hooks execution': "
                  "'after all in-place modifications to it'",
        .misreading = "If the tensor had hooks before, the new one joins them and gets the gradient of the value that "
                      "they are of.",
    },
    RuleText{
        .id = "AUT-82",
        .sentence = "A gradient that a hook returns must have the sizes and the dtype of the one that it got.",
        .source = "torch/csrc/autograd/custom_function.h, check_variable_result",
        .misreading = "One that does not fit is dropped without an error.",
    },
    RuleText{
        .id = "AUT-83",
        .sentence = "Hooks are also called if grad() takes the tensor's gradient and backward ends there: grad() "
                    "returns what they leave.",
        .source = "torch/csrc/autograd/node.h, NOTE [Hooks ordering]: a tensor_pre_hook is executed 'even if that node "
                  "won't be executed'",
        .misreading = "They are not called, because the node does not run.",
        .variants = {{{Profile::torch_1_13, "They are not called, because the node does not run.",
                       "torch/csrc/autograd/function.h of 1.13, pre_hooks_: a node has no other hooks, and calls them "
                       "when it runs"}}},
    },
    RuleText{
        .id = "AUT-84",
        .sentence = "If grad() takes the tensor's gradient and backward goes on from there, grad() returns the "
                    "gradient as it was before the hooks.",
        .source = "torch/csrc/autograd/engine.cpp, evaluate_function: 'needed_ = True indicates that we will call "
                  "tensor pre-hooks later'",
        .misreading = "It returns what the hooks leave.",
    },
    RuleText{
        .id = "AUT-85",
        .sentence = "A hook that was removed is not called; removing it again has no effect.",
        .source = "torch/utils/hooks.py, RemovableHandle.remove",
        .misreading = "remove() has no effect.",
        .choice = "a release",
    },
    RuleText{
        .id = "AUT-86",
        .sentence = "A leaf's hooks are called also if it no longer requires grad.",
        .source = "torch/csrc/autograd/functions/accumulate_grad.h, tensor_pre_hooks: 'we must lazily read the Tensor "
                  "hooks here'",
        .misreading = "They are not called, because the leaf takes no gradient.",
        .variants = {{{Profile::torch_1_13, "They are not called, because the leaf takes no gradient.",
                       "torch/csrc/autograd/functions/accumulate_grad.h of 1.13, callHooks: AccumulateGrad::apply "
                       "calls it if the leaf requires grad"}}},
    },
    RuleText{
        .id = "AUT-87",
        .sentence = "If the history of a view cannot be made again, register_hook() raises the error, each time.",
        .source = "torch/_tensor.py, register_hook: self.grad_fn raises it",
        .misreading = "Only the first one raises the error. Later ones register hooks that are never called.",
        .variants = {{{Profile::torch_1_13,
                       "Only the first one raises the error. Later ones register hooks that are never called.",
                       "torch/csrc/autograd/variable.h of 1.13, create_cpp_hook makes the list of hooks before "
                       "self.grad_fn() is read"}}},
    },
    RuleText{
        .id = "AUT-94",
        .sentence = "Only a leaf can have hooks after accumulation (register_post_accumulate_grad_hook).",
        .source = "torch/_tensor.py, register_post_accumulate_grad_hook: 'Registering this hook on a non-leaf tensor "
                  "will error'",
        .misreading = "Every tensor that requires grad can have them; those of other tensors are never called.",
    },
    RuleText{
        .id = "AUT-95",
        .sentence = "A hook after accumulation is called with the leaf itself, after its `.grad` has got the whole "
                    "gradient.",
        .source = "torch/_tensor.py, register_post_accumulate_grad_hook: 'meaning that the .grad field has been "
                  "updated on that tensor'",
        .misreading = "It is called before `.grad` gets the gradient.",
    },
    RuleText{
        .id = "AUT-96",
        .sentence = "grad() does not call hooks after accumulation, because no `.grad` gets a gradient.",
        .source = "torch/csrc/autograd/functions/accumulate_grad.h, tensor_post_acc_grad_hooks: AccumulateGrad::apply "
                  "calls them",
        .misreading = "It calls them when it takes the leaf's gradient.",
    },
    RuleText{
        .id = "AUT-97",
        .sentence = "The hooks after accumulation of a leaf are called in the order of their registration.",
        .source = "torch/_tensor.py, register_post_accumulate_grad_hook: they are kept in an OrderedDict",
        .misreading = "The hook that was registered last is called first.",
        .choice = "a release",
    },
    RuleText{
        .id = "AUT-98",
        .sentence = "Hooks after accumulation are not called if the leaf's `.grad` gets nothing: the leaf no longer "
                    "requires grad, or no gradient arrives.",
        .source = "the notes on autograd, 'Backward Hooks execution': they 'are executed after the gradients have been "
                  "accumulated'",
        .misreading = "They are called all the same.",
        .variants = {{{Profile::torch_2_13, "They are called all the same.",
                       "torch/csrc/autograd/functions/accumulate_grad.cpp, AccumulateGrad::apply: "
                       "AccumulateGrad_apply_impl may do nothing, and the hooks come after it"}}},
    },
};

}  // namespace

constinit const std::span<const RuleText> kAutHooks{kOfAutHooks};

}  // namespace plumbline::text
