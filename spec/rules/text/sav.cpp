// SAV: the hooks of saved tensors: `torch.autograd.graph.saved_tensors_hooks(pack, unpack)`.
#include "spec/rules/text/texts.h"

namespace plumbline::text {

namespace {

constexpr std::array kOfSav{
    RuleText{
        .id = "SAV-01",
        .sentence =
            "While hooks of saved tensors are in effect, each tensor that is saved for backward is given to the "
            "pack hook.",
        .source = "torch/autograd/graph.py, saved_tensors_hooks: 'will be called every time an'",
        .misreading = "The tensor itself is saved, and the pack hook is not called.",
    },
    RuleText{
        .id = "SAV-02",
        .sentence = "Backward gives the unpack hook what pack returned, each time it needs the tensor, and uses what "
                    "unpack returns.",
        .source =
            "torch/autograd/graph.py, saved_tensors_hooks: 'is called when the saved tensor needs to be accessed'",
        .misreading = "It uses what pack returned, and the unpack hook is not called.",
    },
    RuleText{
        .id = "SAV-03",
        .sentence = "The pack hook gets the tensor itself that is saved.",
        .source = "torch/csrc/autograd/saved_variable_hooks.h, call_pack_hook; SavedVariable::set_hooks_and_pack_data "
                  "gives it the variable",
        .misreading = "It gets a copy.",
        .choice = "a release",
    },
    RuleText{
        .id = "SAV-04",
        .sentence = "Backward does not compare the versions of a tensor that a hook packed: what was written since is "
                    "used as it is.",
        .source = "torch/csrc/autograd/saved_variable.h, SavedVariable: saved_version_, which unpack() reads only "
                  "without hooks",
        .misreading = "It raises an error if the tensor was written since it was saved.",
    },
    RuleText{
        .id = "SAV-05",
        .sentence = "A pack hook that writes the tensor that it is given raises an error.",
        .source = "torch/autograd/graph.py, saved_tensors_hooks: 'Performing an inplace operation on the input to "
                  "either hooks'; SavedVariable::set_hooks_and_pack_data raises the error",
        .misreading = "It may write it.",
    },
    RuleText{
        .id = "SAV-06",
        .sentence = "Of hooks in effect the innermost pair is used, alone.",
        .source = "torch/autograd/graph.py, saved_tensors_hooks: 'only the inner-most pair of hooks will be applied'",
        .misreading = "The outermost pair is used.",
        .choice = "a text",
    },
    RuleText{
        .id = "SAV-07",
        .sentence = "The pack hook runs with grad mode off.",
        .source = "torch/csrc/autograd/saved_variable.h, set_hooks_and_pack_data, which begins with an at::NoGradGuard",
        .misreading = "It runs in the grad mode of the op that saves.",
    },
    RuleText{
        .id = "SAV-08",
        .sentence = "A new thread has no hooks of saved tensors, whatever the thread that starts it has.",
        .source = "aten/src/ATen/SavedTensorHooks.h, SavedTensorDefaultHooksTLS: the state of a thread",
        .misreading = "It has those of the thread that starts it.",
        .choice = "a release",
    },
};

}  // namespace

constinit const std::span<const RuleText> kSav{kOfSav};

}  // namespace plumbline::text
