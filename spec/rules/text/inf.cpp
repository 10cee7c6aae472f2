// INF: which tensors are inference tensors, and what is not allowed on them.
#include "spec/rules/text/texts.h"

namespace plumbline::text {

namespace {

constexpr std::array kOfInf{
    RuleText{
        .id = "INF-01",
        .sentence = "A tensor is an inference tensor iff it carries neither an Autograd key nor ADInplaceOrView.",
        .source = "rfc-0011-final, 'An inference tensor is a tensor that does not have the Autograd or InplaceOrView "
                  "dispatch keys'",
        .misreading = "Inside inference mode every tensor is an inference tensor.",
    },
    RuleText{
        .id = "INF-02",
        .sentence = "A tensor from a factory is an inference tensor iff it is made inside inference mode.",
        .source = "rfc-0011-final: 'A non-view tensor is an inference tensor if and only if it was allocated during "
                  "inference mode'",
        .misreading = "A factory makes normal tensors; only ops on inference tensors make inference tensors.",
    },
    RuleText{
        .id = "INF-03",
        .sentence = "A view is an inference tensor iff the tensor that it is a view of is one, whatever the mode.",
        .source = "rfc-0011-final: 'A view tensor is an inference tensor if and only if the tensor it is a view of is "
                  "an inference tensor'",
        .misreading = "A view takes the inference bit from the current mode.",
        .variants = {{{Profile::torch_2_13, "A view in another dtype takes the inference bit from the current mode.",
                       "aten/src/ATen/native/TensorConversions.cpp, view_dtype: make_tensor<TensorImpl> without "
                       "TensorImpl::VIEW, so the constructor computes the keys again",
                       "no-aliasing"},
                      {Profile::torch_1_13, "A view in another dtype takes the inference bit from the current mode.",
                       "aten/src/ATen/native/TensorConversions.cpp of 1.13, view_dtype: make_tensor<TensorImpl>",
                       "no-aliasing"}}},
    },
    RuleText{
        .id = "INF-04",
        .sentence = "A functional op's result, with memory of its own, is an inference tensor iff the op runs inside "
                    "inference mode, whatever its inputs.",
        .source = "rfc-0011-final, 'The algorithm': 'the output tensor is an inference tensor if and only if we are "
                  "running in inference mode'",
        .misreading = "The result is an inference tensor iff an input is.",
    },
    RuleText{
        .id = "INF-05",
        .sentence = "An in-place op on an inference tensor outside inference mode is an error, except detach_ and a "
                    "resize_ to the same sizes, which write nothing.",
        .source = "rfc-0011-final: 'Inplace modifications on inference tensors outside of inference mode' are disabled",
        .misreading = "It is allowed and does not bump the version (draft-2, 'allowed, no increment').",
        .variants = {{{Profile::draft_2, "It is allowed and does not bump the version.",
                       "rfc-0011-draft-2, lines 213-214: 'allowed, no increment'; lines 231-232 contradict it",
                       "immutability"}}},
    },
    RuleText{
        .id = "INF-06",
        .sentence = "A refused in-place op writes nothing: an inference tensor never changes outside inference mode.",
        .source = "rfc-0011-final, 'The immutable invariant'",
        .misreading = "The check comes with the version bump, after the write.",
        .choice = "a text",
        .variants = {{{Profile::rfc_0011, "The check comes with the version bump, after the write.",
                       "rfc-0011-final: 'tested at the point we do version counter increments', and the example kernel "
                       "add__Tensor",
                       "immutability"},
                      {Profile::torch_2_13, "The error is raised by the version bump, after the kernel has written.",
                       "tools/autograd/gen_inplace_or_view_type.py: redispatch, then increment_version; "
                       "c10/core/TensorImpl.h, VariableVersion bump_version",
                       "immutability"},
                      {Profile::torch_1_13, "The error is raised by the version bump, after the kernel has written.",
                       "tools/autograd/gen_inplace_or_view_type.py of v1.13.1: redispatch, then increment_version",
                       "immutability"}}},
    },
    RuleText{
        .id = "INF-07",
        .sentence = "Saving an inference tensor for backward is an error.",
        .source = "rfc-0011-final: 'Saving an inference tensor for backwards' is disabled",
        .misreading = "It is saved without a version.",
    },
    RuleText{
        .id = "INF-08",
        .sentence = "Setting requires_grad=True on an inference tensor outside inference mode is an error.",
        .source = "inference-mode-docs: 'mutate them into requires_grad=True outside InferenceMode'; rfc-0011-final, "
                  "'Raise an error'",
        .misreading = "requires_grad=True can be set on an inference tensor anywhere.",
    },
    RuleText{
        .id = "INF-09",
        .sentence = "Setting requires_grad=True on an inference tensor inside inference mode is allowed.",
        .source = "inference-mode-docs: only 'outside InferenceMode' is an error",
        .misreading = "It is an error everywhere.",
        .variants = {{{Profile::rfc_0011, "Setting requires_grad on an inference tensor is an error everywhere.",
                       "rfc-0011-final, 'Edge case': 'Our proposed solution is to forbid setting requires_grad'"}}},
    },
    RuleText{
        .id = "INF-10",
        .sentence = "A factory may make a tensor with requires_grad=True inside inference mode.",
        .source = "rfc-0011-final, 'Edge case': 'but permit tensors to be directly constructed with "
                  "requires_grad=True'; 'Goal: … allocates parameters'",
        .misreading = "Inside inference mode the keyword is ignored.",
    },
    RuleText{
        .id = "INF-11",
        .sentence = "Setting requires_grad=False on an inference tensor is allowed anywhere.",
        .source = "inference-mode-docs: the error is to 'mutate them into requires_grad=True'",
        .misreading =
            "Setting requires_grad on an inference tensor outside inference mode is an error, whatever the value.",
    },
    RuleText{
        .id = "INF-12",
        .sentence = "A Python number passed as a tensor argument becomes a new tensor of the current mode, so outside "
                    "inference mode it brings the Autograd key.",
        .source = "torch/csrc/utils/python_arg_parser.cpp, PythonArgs::tensor_slow; rfc-0011-final, 'keys are unioned "
                  "from all inputs'",
        .misreading = "A number brings no keys.",
    },
    RuleText{
        .id = "INF-13",
        .sentence = "A normal tensor may be written in place when another argument is an inference tensor.",
        .source = "rfc-0011-final: only in-place 'on inference tensors' is disabled",
        .misreading = "An in-place op with any inference tensor as argument is an error outside inference mode "
                      "(draft-1, ERROR3).",
    },
    RuleText{
        .id = "INF-14",
        .sentence =
            "An in-place view op (transpose_) counts as an in-place op on an inference tensor; detach_ does not.",
        .source =
            "rfc-0011-final, 'The immutable invariant'; tools/autograd/gen_inplace_or_view_type.py, inplace_view ops",
        .misreading = "An op that changes only sizes and strides does not count as an in-place op.",
    },
    RuleText{
        .id = "INF-15",
        .sentence = "An in-place op on an inference tensor inside inference mode is allowed.",
        .source = "rfc-0011-final, 'Examples': in inference mode, in-place on an inference tensor: no increment",
        .misreading = "An inference tensor is never written.",
    },
    RuleText{
        .id = "INF-16",
        .sentence = "Outside inference mode an op may take normal and inference tensors together, if it saves no "
                    "inference tensor for backward.",
        .source = "rfc-0011-final: of what mixes them only 'Saving an inference tensor for backwards' is disabled",
        .misreading = "Taking both is an error.",
        .variants = {{{Profile::draft_1, "The VariableType kernel raises an error if an input is an inference tensor.",
                       "rfc-0011-draft-1, 'Implementation', 3, and the table's rows with ERROR3"},
                      {Profile::draft_2, "Mixing inference and normal tensors is forbidden, for functional ops too.",
                       "rfc-0011-draft-2, line 235"}}},
    },
    RuleText{
        .id = "INF-17",
        .sentence = "A view op on an inference tensor outside inference mode is allowed.",
        .source = "rfc-0011-final, 'Examples': outside, 'View operation … On an inference tensor - allowed'",
        .misreading = "It is an error, like an in-place op.",
        .variants = {{{Profile::draft_1, "The InplaceOrView kernel raises an error where Autograd is not excluded.",
                       "rfc-0011-draft-1, 'Implementation', 4, and the table's rows with ERROR4"}}},
    },
    RuleText{
        .id = "INF-18",
        .sentence =
            "Outside inference mode any op may read a view of a normal tensor that was made inside inference mode.",
        .source = "rfc-0011-final: the creation metadata forbids 'subsequent inplace modification', and nothing else",
        .misreading = "Such a view cannot be used outside inference mode.",
        .variants = {{{Profile::draft_1,
                       "The VariableType kernel raises an error if an input is a view with NO_VARIABLE_TYPE_VIEW "
                       "creation metadata.",
                       "rfc-0011-draft-1, 'Implementation', 5"}}},
    },
    RuleText{
        .id = "INF-19",
        .sentence = "`x.data` is an inference tensor iff x is one, whatever the mode.",
        .source = "torch/csrc/autograd/variable.cpp, VariableHooks::variable_data: the key set is copied",
        .misreading = "It is an inference tensor iff `.data` is read inside inference mode.",
    },
    RuleText{
        .id = "INF-20",
        .sentence = "`x.data = y` makes x an inference tensor iff y is one: x takes y's key set.",
        .source = "torch/csrc/autograd/variable.cpp, VariableHooks::set_data: shallow_copy_from; "
                  "c10/core/TensorImpl.cpp, copy_tensor_metadata_except_version_counter",
        .misreading = "x keeps its key set.",
    },
    RuleText{
        .id = "INF-21",
        .sentence = "`x.set_(y)` does not change whether x is an inference tensor, so an inference tensor and a normal "
                    "tensor can come to share storage.",
        .source = "aten/src/ATen/native/TensorShape.cpp, set_: storage, offset, sizes and strides alone",
        .misreading = "x becomes an inference tensor iff y is one.",
    },
};

}  // namespace

constinit const std::span<const RuleText> kInf{kOfInf};

}  // namespace plumbline::text
