// OP: the laws of every operator, whatever it computes.
#include "spec/rules/text/texts.h"

namespace plumbline::text {

namespace {

constexpr std::array kOfOp{
    RuleText{
        .id = "OP-01",
        .sentence = "An argument that the schema does not annotate as written keeps its elements, its geometry and its "
                    "version.",
        .source = "aten/src/ATen/native/README.md, 'annotations': 'A write annotation, as indicated by an exclamation "
                  "mark, indicates that they both *may* also be written to'; torch/_library/utils.py, MutationChecker: "
                  "'Check if an operator mutated its arguments'",
        .misreading = "No argument changes, annotated or not.",
    },
    RuleText{
        .id = "OP-02",
        .sentence = "A result without an annotation shares memory with no argument.",
        .source = "aten/src/ATen/native/README.md, 'annotations': '`abs(Tensor self) -> Tensor` stays the same as it "
                  "will always allocate new memory'; torch/_library/utils.py, check_aliasing_constraint",
        .misreading = "No result shares memory with an argument, annotated or not.",
    },
    RuleText{
        .id = "OP-03",
        .sentence =
            "A result that is annotated as written is the argument with the same annotation, and no other tensor.",
        .source = "aten/src/ATen/native/README.md, 'annotations': '`self` may be written to and returned'; "
                  "torch/library.py: 'Must return exactly one Tensor aliasing the first arg', 'All returns must alias "
                  "the mutable args in declaration order'",
        .misreading = "A result that is annotated as written is a new tensor with its memory.",
    },
    RuleText{
        .id = "OP-04",
        .sentence = "A call that changes the elements of an argument raises its version.",
        .source = "tools/autograd/gen_inplace_or_view_type.py: 'increment_version({r});' for each argument that an op "
                  "writes; torch/csrc/autograd/VariableTypeUtils.h, increment_version",
        .misreading = "A call raises the version of each of its arguments.",
    },
    RuleText{
        .id = "OP-05",
        .sentence = "A call outside inference mode that changes an inference tensor raises an error.",
        .source = "rfc-0011-final: 'Inplace modifications on inference tensors outside of inference mode' are disabled",
        .misreading = "A call outside inference mode raises an error if an argument is an inference tensor.",
    },
    RuleText{
        .id = "OP-06",
        .sentence = "A write to an inference tensor that is refused changes nothing.",
        .source =
            "rfc-0011-final, 'The immutable invariant': 'Inference tensors are immutable outside of inference mode'",
        .misreading = "A write to an inference tensor is refused after it was made.",
    },
    RuleText{
        .id = "OP-07",
        .sentence = "With grad mode off, a call gives the same elements and the same errors.",
        .source = "torch/autograd/grad_mode.py, no_grad: 'Context-manager that disables gradient calculation', and "
                  "nothing else",
        .misreading = "With grad mode off, a write raises no version.",
    },
    RuleText{
        .id = "OP-08",
        .sentence = "Inside inference mode, a call gives the same elements and raises no other error.",
        .source = "rfc-0011-final: 'if inference mode does not throw an error, then it behaves the same way as no grad "
                  "mode'; the only error that it adds inside is that of a read version (VER-02)",
        .misreading = "Inside inference mode, a call raises an error if an argument is a normal tensor.",
    },
    RuleText{
        .id = "OP-09",
        .sentence = "Inside inference mode, new results are inference tensors, and results that alias a normal tensor "
                    "are normal.",
        .source = "rfc-0011-final: 'A non-view tensor is an inference tensor if and only if it was allocated during "
                  "inference mode', 'A view tensor is an inference tensor if and only if the tensor it is a view of is "
                  "an inference tensor'",
        .misreading = "Inside inference mode, all results are inference tensors.",
    },
    RuleText{
        .id = "OP-10",
        .sentence =
            "A result that shares memory with an argument is that argument, or a view of it that autograd tracks.",
        .source = "torch/csrc/autograd/variable.h, 'Many operations return Variable that shares storage with an input "
                  "Variable'; torch/csrc/autograd/VariableTypeUtils.h, as_view",
        .misreading = "A result that shares memory with an argument is that argument.",
    },
    RuleText{
        .id = "OP-11",
        .sentence = "A call that raises an error changes no tensor.",
        .source = "GEO-75, which says it of the ops that the reference has; an error's caller goes on with the tensors "
                  "that it had",
        .misreading = "A call that raises an error has counted the writes that it did not make.",
    },
    RuleText{
        .id = "OP-12",
        .sentence = "On the device meta, results have the dtype, sizes and strides that they have on the CPU, and the "
                    "same errors.",
        .source = "'Meta device' of the documentation: an operation on meta tensors gives 'new meta tensors that "
                  "describe what the result would have been' on a real tensor",
        .misreading = "On the device meta, results are row-major.",
    },
    RuleText{
        .id = "OP-13",
        .sentence = "A call that writes gives the written tensor what the functional operator of this name returns.",
        .source = "torchgen/model.py, FunctionSchema.signature: schemas of one signature are 'inplace/out/functional "
                  "versions of the same function'",
        .misreading = "A call that writes returns, in a new tensor, what the functional operator of this name returns.",
    },
    RuleText{
        .id = "OP-14",
        .sentence = "The same call on equal tensors gives equal elements, unless a tag says otherwise.",
        .source = "aten/src/ATen/native/tags.yaml, 'nondeterministic_seeded'; aten/src/ATen/native/tags.yaml, "
                  "'nondeterministic_bitwise': the ops without these tags",
        .misreading = "A call gives equal elements whatever the seed of random numbers is.",
    },
    RuleText{
        .id = "OP-15",
        .sentence = "Elements do not depend on the strides and offsets of the arguments.",
        .source = "torch/_tensor_docs.py: 'Stride is the jump necessary to go from one element to the next one in the' "
                  "dimension: strides say where elements lie, and not what they are",
        .misreading = "Neither elements nor strides of results depend on the strides of the arguments.",
    },
    RuleText{
        .id = "OP-16",
        .sentence = "A call that writes to a tensor whose elements share memory raises an error, or gives it what the "
                    "functional operator returns.",
        .source =
            "aten/src/ATen/MemoryOverlap.h, assert_no_internal_overlap; torch/_tensor_docs.py, expand: 'memory "
            "location. As a result, in-place operations (especially ones that' are vectorized may give wrong elements",
        .misreading = "A call that writes to a tensor whose elements share memory raises an error.",
    },
    RuleText{
        .id = "OP-17",
        .sentence =
            "Under functionalization, a call gives the same elements, and its arguments end with the same elements.",
        .source =
            "torch/_functorch/eager_transforms.py, functionalize: 'returns a new function with the same semantics'",
        .misreading = "Under functionalization, a call gives the same elements, and leaves its arguments as they were.",
    },
    RuleText{
        .id = "OP-18",
        .sentence = "A backward after a write to an argument or a result gives the same gradients, or raises an error.",
        .source =
            "'In-place correctness checks' of the documentation: who uses in-place functions and sees no error 'can be "
            "sure that the computed gradients are correct'; torch/csrc/autograd/saved_variable.h, saved_version_",
        .misreading = "A backward after a write to an argument or a result raises an error.",
    },
    RuleText{
        .id = "OP-19",
        .sentence = "Under vmap, a call gives for each example what it gives for that example alone.",
        .source = "torch/_functorch/apis.py, vmap: 'over some dimension of the inputs. Semantically, vmap'",
        .misreading = "Under vmap, a call gives for each example what it gives for the first.",
    },
    RuleText{
        .id = "OP-20",
        .sentence = "The operator {view}_copy returns the sizes and elements of {view}.",
        .source = "aten/src/ATen/native/tags.yaml: 'then it should have the name {op}_copy, where {op} is a view "
                  "operator'; torchgen/gen_functionalization_type.py, 'return output.clone(': the view, then a clone",
        .misreading = "The operator {view}_copy returns a tensor with the strides of the view.",
    },
    RuleText{
        .id = "OP-21",
        .sentence =
            "A result has the dispatch keys of a new tensor of its device that is an inference tensor as it is.",
        .source = "rfc-0011-final: 'An inference tensor is a tensor that does not have the Autograd or InplaceOrView "
                  "dispatch keys'; KEY-02 and KEY-03 for a normal one",
        .misreading = "A result has the dispatch keys of the first tensor argument.",
    },
    RuleText{
        .id = "OP-22",
        .sentence = "Under FakeTensorMode, results have the dtype, sizes and strides that they have on the CPU, and "
                    "the same errors.",
        .source = "torch/library.py, opcheck: 'test_faketensor: If the operator has a FakeTensor kernel' it must be "
                  "correct; torch/library.py, register_fake: 'what the properties of the output Tensors are'",
        .misreading = "Under FakeTensorMode, results are row-major.",
    },
    RuleText{
        .id = "OP-23",
        .sentence = "A result that is annotated as an alias of an argument shares memory with it for some arguments.",
        .source = "aten/src/ATen/native/README.md, 'annotations': 'If two Tensors carry the same annotation, they both "
                  "*may* represent the same memory'",
        .misreading = "A result that is annotated as an alias of an argument always shares memory with it.",
    },
};

}  // namespace

constinit const std::span<const RuleText> kOp{kOfOp};

}  // namespace plumbline::text
