// VIEW: which views are tracked, their base and creation metadata, and writes through them.
#include "spec/rules/text/texts.h"

namespace plumbline::text {

namespace {

constexpr std::array kOfView{
    RuleText{
        .id = "VIEW-01",
        .sentence = "A view of a normal tensor is tracked, inside inference mode too: it has a base and creation "
                    "metadata; the results of `detach` and view(dtype) are not tracked (VIEW-10).",
        .source = "rfc-0011-final, 'Examples': in inference mode, view of a normal tensor: 'view metadata is recorded'",
        .misreading = "Inside inference mode no view is tracked (draft-2: 'view metadata is not recorded').",
        .variants = {{{Profile::draft_2, "Inside inference mode no view is tracked.",
                       "rfc-0011-draft-2, lines 81 and 205; lines 226 and 242 contradict them"}}},
    },
    RuleText{
        .id = "VIEW-02",
        .sentence = "A view of an inference tensor is not tracked, inside or outside inference mode.",
        .source = "rfc-0011-final, 'Examples': outside, view of an inference tensor: 'view metadata is not recorded'",
        .misreading = "Outside inference mode every view is tracked.",
    },
    RuleText{
        .id = "VIEW-03",
        .sentence = "The base of a tracked view of a tracked view is the base of the first view.",
        .source = "torch/csrc/autograd/variable.h, 'DifferentiableViewMeta': base_ is never itself a view",
        .misreading = "The base of a view of a view is the first view.",
    },
    RuleText{
        .id = "VIEW-04",
        .sentence = "A tracked view made inside inference mode has creation metadata INFERENCE_MODE.",
        .source = "rfc-0011-final, 'Examples': 'creation meta is set to INFERENCE_MODE'",
        .misreading = "It has NO_GRAD_MODE (rfc-0011-final, 'Inference mode is defined').",
        .variants = {{{Profile::rfc_0011, "It has NO_GRAD_MODE.",
                       "rfc-0011-final, 'Inference mode is defined to be the state when': "
                       "'(CreationMeta::NO_GRAD_MODE)'; 'Examples' contradicts it"},
                      {Profile::draft_1, "It has NO_VARIABLE_TYPE_VIEW.",
                       "rfc-0011-draft-1, the table's row for a view of a normal tensor"}}},
    },
    RuleText{
        .id = "VIEW-05",
        .sentence = "If grad mode is off, a tracked view made outside inference mode has creation metadata "
                    "NO_GRAD_MODE, or INFERENCE_MODE by VIEW-14.",
        .source = "rfc-0011-final, the example kernel expand: 'GradMode::is_enabled() ? CreationMeta::DEFAULT : "
                  "CreationMeta::NO_GRAD_MODE'",
        .misreading = "It has DEFAULT.",
    },
    RuleText{
        .id = "VIEW-06",
        .sentence = "Outside inference mode with grad mode on, a tracked view that is one of several results has "
                    "creation metadata MULTI_OUTPUT_NODE, or INFERENCE_MODE by VIEW-14.",
        .source = "torch/csrc/autograd/variable.h, CreationMeta::MULTI_OUTPUT_NODE",
        .misreading = "It has DEFAULT.",
    },
    RuleText{
        .id = "VIEW-07",
        .sentence = "A tracked view whose own creation metadata would be DEFAULT inherits the creation metadata of the "
                    "view that it is a view of.",
        .source = "torch/csrc/autograd/variable.h, propagate_creation_meta",
        .misreading = "It stays DEFAULT.",
    },
    RuleText{
        .id = "VIEW-08",
        .sentence = "A write through a view is an error if it is recorded for backward and the view's creation "
                    "metadata is not DEFAULT.",
        .source = "rfc-0011-final: 'the creation metadata of the view is set to forbid subsequent inplace "
                  "modification'; variable.h, 'View + Inplace detection'",
        .misreading = "The write is allowed, and its history is wrong.",
        .variants =
            {{{Profile::torch_1_13,
               "If the view has a grad_fn and creation metadata INFERENCE_MODE or NO_GRAD_MODE, the error is a failed "
               "internal assertion.",
               "torch/csrc/autograd/variable.cpp of v1.13.1, handle_view_on_rebase: TORCH_INTERNAL_ASSERT(!grad_fn)"}}},
    },
    RuleText{
        .id = "VIEW-09",
        .sentence = "If nothing requires grad, or grad mode is off, such a write is allowed.",
        .source = "rfc-0011-final: forbidden 'with requires_grad=True tensors'; VariableTypeUtils.h, check_inplace",
        .misreading = "A view made in inference mode can never be written.",
    },
    RuleText{
        .id = "VIEW-10",
        .sentence = "The results of `detach` and view(dtype) are not tracked views.",
        .source = "torch/csrc/autograd/variable.h, 'Non-Differentiable View'",
        .misreading = "`detach` returns a tracked view.",
    },
    RuleText{
        .id = "VIEW-11",
        .sentence = "After a recorded write through its base, asking for the grad_fn of a view whose creation metadata "
                    "is not DEFAULT is an error.",
        .source = "torch/csrc/autograd/variable.cpp, VariableHooks::grad_fn: handle_view_on_rebase, indirect",
        .misreading = "The view keeps the grad_fn that it had.",
        .variants =
            {{{Profile::torch_1_13,
               "If the view has a grad_fn and creation metadata INFERENCE_MODE or NO_GRAD_MODE, the error is a failed "
               "internal assertion.",
               "torch/csrc/autograd/variable.cpp of v1.13.1, handle_view_on_rebase: TORCH_INTERNAL_ASSERT(!grad_fn)"}}},
    },
    RuleText{
        .id = "VIEW-12",
        .sentence = "After a recorded write through its base, asking for the grad_fn of a view with creation metadata "
                    "DEFAULT regenerates it.",
        .source = "torch/csrc/autograd/variable.cpp, VariableHooks::grad_fn: 'regenerate grad_fn'",
        .misreading = "The view's grad_fn is not regenerated until the view is made again.",
    },
    RuleText{
        .id = "VIEW-13",
        .sentence =
            "A tracked view made under enable_grad inside inference mode still has creation metadata INFERENCE_MODE.",
        .source =
            "tools/autograd/gen_inplace_or_view_type.py, get_creation_meta_in_mode: the mode is asked before grad mode",
        .misreading = "Grad mode decides, so it has DEFAULT.",
    },
    RuleText{
        .id = "VIEW-14",
        .sentence = "If a view was made inside inference mode, a tracked view of it has creation metadata "
                    "INFERENCE_MODE too, whatever its own would be.",
        .source = "torch/csrc/autograd/variable.h, propagate_creation_meta: INFERENCE_MODE outlasts the new view's",
        .misreading = "The new view's own creation metadata replaces INFERENCE_MODE, unless it is DEFAULT.",
    },
    RuleText{
        .id = "VIEW-15",
        .sentence = "A view made below ADInplaceOrView is not tracked.",
        .source = "rfc-0011-final, 'InplaceOrView': it is responsible for 'view metadata tracking for view ops'",
        .misreading = "Every view of a normal tensor is tracked.",
    },
    RuleText{
        .id = "VIEW-16",
        .sentence = "`x.data` is not a tracked view.",
        .source = "torch/csrc/autograd/variable.h, Tensor::variable_data: 'has no relationship with it'",
        .misreading = "It is a tracked view of x.",
    },
    RuleText{
        .id = "VIEW-17",
        .sentence = "After `x.data = y` or `x.set_(y)` a view x is still a view of the same base.",
        .source = "torch/csrc/autograd/variable.cpp, VariableHooks::set_data: the autograd metadata is kept",
        .misreading = "It is no longer a view.",
    },
    RuleText{
        .id = "VIEW-18",
        .sentence = "The results of stack and of the *_scatter ops are not views.",
        .source = "torch.stack: 'Concatenates a sequence of tensors along a new dimension'; native_functions.yaml: no "
                  "result of these has an alias",
        .misreading = "If no Autograd kernel ran, the result is a view of a tensor made inside the op.",
        .variants = {{{Profile::torch_2_13,
                       "If no Autograd kernel ran, the result is a tracked view of the tensor that cat made inside the "
                       "op, or of the copy of the whole storage.",
                       "aten/src/ATen/native/TensorShape.cpp, stack: out.view(result_sizes), and "
                       "clone_preserve_strides: clone.as_strided, which dispatch again"},
                      {Profile::torch_1_13,
                       "If no Autograd kernel ran, the result of stack is a tracked view of the tensor that cat made "
                       "inside it.",
                       "aten/src/ATen/native/TensorShape.cpp of 1.13, stack: out.view(result_sizes)"}}},
    },
    RuleText{
        .id = "VIEW-19",
        .sentence = "view(dtype) with the tensor's own dtype returns a new tensor, as with any other dtype.",
        .source = "torch.Tensor.view(dtype): 'Returns a new tensor with the same data'",
        .misreading = "For an inference tensor it returns the tensor itself.",
        .variants = {{{Profile::torch_1_13,
                       "For an inference tensor, and below ADInplaceOrView, it returns the tensor itself.",
                       "aten/src/ATen/native/TensorConversions.cpp of 1.13, view_dtype: 'if (self.scalar_type() == "
                       "dtype) return self', which as_view leaves as it is for inference tensors"}}},
    },
    RuleText{
        .id = "VIEW-20",
        .sentence = "The pieces of unsafe_split are not tracked views, whatever the mode.",
        .source = "native_functions.yaml, unsafe_split: no result has an alias",
        .misreading = "If no Autograd kernel ran, each piece is a tracked view with its own version counter.",
        .variants =
            {{{Profile::torch_2_13,
               "If no Autograd kernel ran, each piece is a tracked view with its own version counter.",
               "aten/src/ATen/native/TensorShape.cpp, unsafe_split: split, whose narrow dispatches again, then "
               "set_version_counter"},
              {Profile::torch_1_13,
               "If no Autograd kernel ran, each piece is a tracked view with its own version counter.",
               "aten/src/ATen/native/TensorShape.cpp of v1.13.1, unsafe_split: split, then set_version_counter"}}},
    },
};

}  // namespace

constinit const std::span<const RuleText> kView{kOfView};

}  // namespace plumbline::text
