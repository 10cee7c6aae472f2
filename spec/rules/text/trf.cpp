// TRF: the transforms of torch.func: what an op does in the body of vmap or grad, and what the
// body takes and returns.
#include "spec/rules/text/texts.h"

namespace plumbline::text {

namespace {

constexpr std::array kOfTrf{
    RuleText{
        .id = "TRF-01",
        .sentence = "In a mapped body an op computes each example of its result from that example of its arguments.",
        .source = "torch/_functorch/apis.py, vmap: 'vmap is the vectorizing map; vmap(func) returns a new function "
                  "that'; aten/src/ATen/functorch/BatchedFallback.h, batchedTensorForLoopFallback",
        .misreading = "It computes each example of its result from the first example of its arguments.",
    },
    RuleText{
        .id = "TRF-02",
        .sentence =
            "In a mapped body a view op gives a view of the tensor of all examples: a write to it is a write to "
            "that tensor.",
        .source = "aten/src/ATen/functorch/BatchedTensorImpl.h, BatchedTensorImpl: it holds a tensor, and a view op "
                  "runs on that",
        .misreading = "It gives a copy.",
    },
    RuleText{
        .id = "TRF-03",
        .sentence = "In a mapped body an op that writes a tensor without examples raises an error if another argument "
                    "has examples.",
        .source = "aten/src/ATen/functorch/BatchRulesHelper.h, vmapIncompatibleInplaceError",
        .misreading = "It writes the last example.",
        .variants = {Variant{Profile::torch_2_13,
                             "The rule for add_ does not look, so the error is that of add_ on the tensors of all "
                             "examples: their sizes do not fit.",
                             "aten/src/ATen/functorch/BatchRulesBinaryOps.cpp, binary_pointwise_inplace_batch_rule"},
                     Variant{Profile::torch_1_13,
                             "The rule for add_ does not look, so the error is that of add_ on the tensors of all "
                             "examples: their sizes do not fit.",
                             "aten/src/ATen/functorch/BatchRulesBinaryOps.cpp, binary_pointwise_inplace_batch_rule"}},
    },
    RuleText{
        .id = "TRF-04",
        .sentence = "In a mapped body an op whose arguments have no examples runs once.",
        .source =
            "aten/src/ATen/functorch/PlumbingHelper.h, isBatchedAtLevel: a call of tensors without this level goes on "
            "to the next one",
        .misreading = "It runs once for each example.",
    },
    RuleText{
        .id = "TRF-05",
        .sentence = "In a mapped body an op with out= raises an error if one of its arguments has examples.",
        .source = "aten/src/ATen/functorch/BatchedFallback.h, batchedTensorForLoopFallback: out= has no rule",
        .misreading = "It writes out.",
    },
    RuleText{
        .id = "TRF-06",
        .sentence = "In a mapped body an op that writes counts one version of the tensor of all examples.",
        .source = "aten/src/ATen/functorch/BatchRulesBinaryOps.cpp, binary_pointwise_inplace_batch_rule: one op "
                  "writes all examples",
        .misreading = "It counts one version for each example.",
    },
    RuleText{
        .id = "TRF-07",
        .sentence = "torch.vmap puts the examples of a result in the dimension that out_dims says: a view of what the "
                    "body computed.",
        .source =
            "torch/_functorch/apis.py, vmap: 'out_dims (int or Tuple[int]): Specifies where the mapped dimension'",
        .misreading = "It puts them in the first dimension.",
    },
    RuleText{
        .id = "TRF-08",
        .sentence = "A result that has no examples is repeated for each one, in the dimension that out_dims says: an "
                    "expanded view.",
        .source = "torch/csrc/functorch/init.cpp, _remove_batch_dim: it adds the dimension if the level is not there",
        .misreading = "The caller gets it as it is.",
        .variants = {Variant{Profile::torch_2_13,
                             "It is expanded to those sizes without the new dimension, so it is repeated along the "
                             "first dimension, or raises an error if its sizes do not fit.",
                             "torch/csrc/functorch/init.cpp, _remove_batch_dim: pull request 178495"},
                     Variant{Profile::torch_1_13,
                             "It is expanded to those sizes without the new dimension, so it is repeated along the "
                             "first dimension, or raises an error if its sizes do not fit.",
                             "the same files of 1.13"}},
    },
    RuleText{
        .id = "TRF-09",
        .sentence = "Where out_dims says None, the result must have no examples, and the caller gets it as it is.",
        .source = "torch/_functorch/vmap.py, _maybe_remove_batch_dim: 'BatchedTensor when out_dim is None'",
        .misreading = "The caller gets the tensor of all examples.",
        .variants = {Variant{Profile::torch_2_13, "The result must not have examples of a body around it either.",
                             "torch/_functorch/vmap.py, _maybe_remove_batch_dim: 'is_batchedtensor('"},
                     Variant{Profile::torch_1_13, "The result must not have examples of a body around it either.",
                             "functorch/_src/vmap.py, _maybe_remove_batch_dim"}},
    },
    RuleText{
        .id = "TRF-10",
        .sentence = "With randomness=\"error\" a random op in a mapped body raises an error.",
        .source = "torch/_functorch/apis.py, vmap: 'random functions will error'",
        .misreading = "It gives all examples the same numbers.",
    },
    RuleText{
        .id = "TRF-11",
        .sentence = "With randomness=\"different\" a random op in a mapped body gives each example numbers of its own.",
        .source = "torch/_functorch/apis.py, vmap: 'the randomness for each batch will be different'",
        .misreading = "It gives all examples the same numbers.",
    },
    RuleText{
        .id = "TRF-12",
        .sentence = "With randomness=\"same\" a random op in a mapped body gives all examples the same numbers.",
        .source = "torch/_functorch/apis.py, vmap: 'randomness will be the same across batches'",
        .misreading = "It gives each example numbers of its own.",
    },
    RuleText{
        .id = "TRF-13",
        .sentence = "Inputs with different numbers of examples raise an error.",
        .source = "torch/_functorch/vmap.py, _validate_and_get_batch_size: 'Expected all tensors to have the same size "
                  "in the mapped'",
        .misreading = "The smallest number is taken.",
    },
    RuleText{
        .id = "TRF-14",
        .sentence = "A dimension in in_dims that the input does not have raises an error.",
        .source = "torch/_functorch/vmap.py, _process_batched_inputs: 'for some input, but that input is a Tensor'",
        .misreading = "It is taken modulo the number of dimensions.",
    },
    RuleText{
        .id = "TRF-15",
        .sentence = "in_dims that are all None raise an error.",
        .source = "torch/_functorch/vmap.py, _validate_and_get_batch_size: 'Expected at least one Tensor to vmap over'",
        .misreading = "The body runs for one example.",
    },
    RuleText{
        .id = "TRF-16",
        .sentence = "Of what an op computed from examples it is unspecified whether it is a view of a tensor without a "
                    "name, and which strides dimensions of one element have; of an error that it raises, which message "
                    "the error has.",
        .source = "aten/src/ATen/functorch/BatchRulesHelper.h, moveBatchDimToFront: no text says what it leaves",
        .misreading = "It is a view exactly if the op gives one, with its strides.",
    },
    RuleText{
        .id = "TRF-17",
        .sentence = "as_strided in a mapped body raises an error if it reaches beyond the memory of an example.",
        .source = "aten/src/ATen/functorch/LegacyBatchingRegistrations.cpp, checkBasicAsStridedValidForSlice",
        .misreading = "It gives what lies there.",
    },
    RuleText{
        .id = "TRF-18",
        .sentence = "torch.func.grad takes the gradient of one number: a body that returns a tensor with dimensions "
                    "raises an error.",
        .source =
            "torch/_functorch/eager_transforms.py, grad_and_value_impl: 'to return a scalar Tensor, got tensor with'",
        .misreading = "It takes the gradient of the sum.",
    },
    RuleText{
        .id = "TRF-19",
        .sentence = "In the body of torch.func.grad an op that writes in place raises an error if its tensor has "
                    "memory from outside that the body was not given.",
        .source = "aten/src/ATen/functorch/ADInterpreters.cpp, checkForInvalidMutationOnCaptures",
        .misreading = "It writes.",
    },
    RuleText{
        .id = "TRF-20",
        .sentence = "In the body of torch.func.grad exactly the inputs that argnums says are leaves that require grad.",
        .source = "torch/_functorch/eager_transforms.py, grad_and_value_impl, _create_differentiable: it is given what "
                  "argnums slices",
        .misreading = "All inputs are.",
    },
    RuleText{
        .id = "TRF-21",
        .sentence = "In the body of torch.func.grad grad mode is on when it begins.",
        .source = "torch/_functorch/eager_transforms.py, NOTE [grad and vjp interaction with no_grad]",
        .misreading = "It is as where the transform is called.",
    },
    RuleText{
        .id = "TRF-22",
        .sentence = "The gradient by an input on which the result does not depend is zeros.",
        .source = "torch/_functorch/eager_transforms.py, _autograd_grad: 'torch.zeros_like(inp) if gi is None else gi'",
        .misreading = "There is none.",
    },
    RuleText{
        .id = "TRF-23",
        .sentence = "What the body of torch.func.grad computed has a history after it exactly if that leads to a "
                    "tensor outside that requires grad.",
        .source = "aten/src/ATen/functorch/TensorWrapper.h, TensorWrapper: each level has 'its own AutogradMeta and'",
        .misreading = "It keeps its history.",
    },
    RuleText{
        .id = "TRF-24",
        .sentence = "If grad mode is off where torch.func.grad is called, nothing that its body computed has a history "
                    "after it, and its views are as made with grad mode off.",
        .source = "torch/_functorch/eager_transforms.py, NOTE [grad and vjp interaction with no_grad]",
        .misreading = "Grad mode outside does not matter.",
    },
    RuleText{
        .id = "TRF-25",
        .sentence = "argnums that says an input that there is not raises an error.",
        .source = "torch/_functorch/eager_transforms.py, _validate_and_wrap_argnum: ', but only {num_args} positional "
                  "inputs'",
        .misreading = "The number is taken modulo the number of inputs.",
    },
    RuleText{
        .id = "TRF-26",
        .sentence = "argnums that says an input twice raises an error.",
        .source = "torch/_functorch/eager_transforms.py, _check_unique_non_empty: 'argnums elements must be unique, "
                  "got {argnums}'",
        .misreading = "The caller gets its gradient twice.",
    },
    RuleText{
        .id = "TRF-27",
        .sentence = "In the body of torch.func.grad inference mode is off when it begins.",
        .source = "torch/_functorch/eager_transforms.py, grad_increment_nesting: _grad_increment_nesting sets it to "
                  "false",
        .misreading = "It is as where the transform is called.",
        .variants = {Variant{Profile::torch_1_13,
                             "It is as where the transform is called, so the gradient is zeros in inference mode.",
                             "the same files of 1.13"}},
    },
    RuleText{
        .id = "TRF-28",
        .sentence =
            "Of a gradient that has examples, or went back through a mapped op, it is unspecified whether it is "
            "a view of a tensor without a name, and which strides and version it has.",
        .source = "torch/_functorch/eager_transforms.py, grad: no text says it",
        .misreading = "It is row-major, and no view.",
    },
    RuleText{
        .id = "TRF-29",
        .sentence = "In a functionalized body inside a mapped one, an op may write memory that the functionalized body "
                    "made and that has no examples from arguments that have some: then the memory has them, too.",
        .source = "PR 63048: 'should \"promote\" the input to be a batched tensor'; "
                  "aten/src/ATen/FunctionalTensorWrapper.h, replace_",
        .misreading = "It may not, as outside of a functionalized body.",
    },
};

}  // namespace

constinit const std::span<const RuleText> kTrf{kOfTrf};

}  // namespace plumbline::text
