// VER: version counters.
#include "spec/rules/text/texts.h"

namespace plumbline::text {

namespace {

constexpr std::array kOfVer{
    RuleText{
        .id = "VER-01",
        .sentence = "A normal tensor made in Python starts at version 0, however it is filled.",
        .source = "torch/csrc/utils/tensor_new.cpp and the generated factories: they run below ADInplaceOrView",
        .misreading = "The fill inside a factory bumps the version.",
        .choice = "a release",
    },
    RuleText{
        .id = "VER-02",
        .sentence = "An inference tensor has no version counter, unless it was a normal tensor before `x.data = y`; "
                    "reading the version of a tensor without a counter is an error.",
        .source = "rfc-0011-final, 'Do not have a version counter', 'Raise an error if you try to read their version'",
        .misreading = "It has one that stays at 0.",
    },
    RuleText{
        .id = "VER-03",
        .sentence = "An in-place op on a normal tensor bumps its version by one, inside inference mode too; detach_ "
                    "and a resize_ that changes nothing do not bump it.",
        .source = "rfc-0011-final: 'Inplace operations on normal tensors still do version counter bumps'",
        .misreading = "Inside inference mode no version is bumped.",
    },
    RuleText{
        .id = "VER-04",
        .sentence = "A view of a normal tensor shares its base's version counter.",
        .source = "rfc-0011-final, 'Examples': 'version counter is propagated'",
        .misreading = "A view has its own counter.",
    },
    RuleText{
        .id = "VER-05",
        .sentence = "`detach` of a normal tensor shares its version counter.",
        .source = "torch/csrc/autograd/variable.h, make_variable_non_differentiable_view: 'shares version counter'",
        .misreading = "A detached tensor has its own counter.",
    },
    RuleText{
        .id = "VER-06",
        .sentence = "`detach` of an inference tensor has no version counter, outside inference mode too.",
        .source = "rfc-0011-final: inference tensors 'do not have a version counter', and a view of one is one",
        .misreading = "Outside inference mode it gets a new counter.",
        .variants = {{{Profile::torch_2_13,
                       "`detach` of an inference tensor outside inference mode has a fresh version counter, so it can "
                       "be written.",
                       "c10/core/TensorImpl.cpp, TensorImpl::TensorImpl makes a counter for the copy in "
                       "shallow_copy_and_detach before the key set is copied",
                       "immutability"},
                      {Profile::torch_1_13,
                       "`detach` of an inference tensor outside inference mode has a fresh version counter, so it can "
                       "be written.",
                       "c10/core/TensorImpl.cpp of v1.13.1, TensorImpl::TensorImpl, as in 2.13", "immutability"}}},
    },
    RuleText{
        .id = "VER-07",
        .sentence = "The result of a functional op has its own version counter, which starts at 0.",
        .source = "rfc-0011-final: 'functional operations are guaranteed to have non-aliasing outputs'",
        .misreading = "It shares its first input's counter.",
    },
    RuleText{
        .id = "VER-08",
        .sentence = "An in-place op on a tensor without elements bumps the version too.",
        .source = "rfc-0011-final, the example kernel add__Tensor: increment_version is unconditional",
        .misreading = "An op that writes no element does not bump the version.",
    },
    RuleText{
        .id = "VER-09",
        .sentence = "An in-place op that raises an error does not bump the version.",
        .source = "rfc-0011-final, the example kernel add__Tensor: increment_version comes after the redispatch",
        .misreading = "The version is bumped before the kernel runs.",
        .choice = "a text",
    },
    RuleText{
        .id = "VER-10",
        .sentence = "Outside inference mode a functional op on inference tensors alone reaches no Autograd kernel, so "
                    "the first version of its result depends on what the backend kernel wrote: it is unspecified, and "
                    "later versions count from it.",
        .source = "rfc-0011-final, 'InplaceOrView': included by default; aten/src/ATen/native/TensorFactories.cpp, "
                  "clone: copy_ inside",
        .misreading = "Such a result has no version counter.",
    },
    RuleText{
        .id = "VER-11",
        .sentence = "A view made below ADInplaceOrView has its own version counter.",
        .source = "tools/autograd/gen_inplace_or_view_type.py: as_view is called in the ADInplaceOrView kernel; "
                  "variable.h, Note [Version Counter Sharing]",
        .misreading = "It shares its base's.",
    },
    RuleText{
        .id = "VER-12",
        .sentence = "`x.data` has its own version counter, which starts at 0.",
        .source = "torch/csrc/autograd/variable.cpp, VariableHooks::variable_data: version_counter=0",
        .misreading = "It shares x's.",
        .choice = "a release",
    },
    RuleText{
        .id = "VER-13",
        .sentence = "`x.data` of an inference tensor has no version counter, outside inference mode too.",
        .source = "rfc-0011-final: inference tensors 'do not have a version counter'",
        .misreading = "Outside inference mode it gets a new counter.",
        .variants =
            {{{Profile::torch_2_13, "Outside inference mode `x.data` of an inference tensor has a new version counter.",
               "c10/core/TensorImpl.cpp, TensorImpl::TensorImpl, as for `detach`", "immutability"},
              {Profile::torch_1_13, "Outside inference mode `x.data` of an inference tensor has a new version counter.",
               "c10/core/TensorImpl.cpp of v1.13.1, TensorImpl::TensorImpl, as for `detach`", "immutability"}}},
    },
    RuleText{
        .id = "VER-14",
        .sentence = "`x.data = y` keeps x's version counter and does not bump it.",
        .source = "torch/csrc/autograd/variable.cpp, VariableHooks::set_data; variable.h, Note [Version Counter "
                  "Sharing]: `x.set_data(y)` does not share",
        .misreading = "x shares y's counter.",
        .choice = "a release",
    },
    RuleText{
        .id = "VER-15",
        .sentence =
            "Backward raises an error if the version of a tensor that it needs has changed since the tensor was saved.",
        .source = "inference-mode-docs: 'PyTorch throws an error when tensors saved for backwards are subsequently "
                  "mutated'; saved_variable.cpp, SavedVariable::unpack",
        .misreading = "Backward uses the tensor as it is.",
    },
    RuleText{
        .id = "VER-16",
        .sentence = "A normal tensor has no version counter if `x.data = y` made it from an inference tensor; it can "
                    "then neither be viewed nor be saved for backward, because both read its version.",
        .source = "torch/csrc/autograd/variable.h, DifferentiableViewMeta: attr_version is current_version(); "
                  "saved_variable.cpp, SavedVariable::SavedVariable: saved_version_",
        .misreading = "Both are allowed, and later writes go unnoticed.",
        .variants =
            {{{Profile::torch_2_13,
               "If no Autograd kernel ran, ops that make a view inside raise that error too: {view}_copy, *_scatter, "
               "index_select, argmax, and stack along a new last dimension.",
               "torchgen/gen_functionalization_type.py, gen_composite_view_copy_kernel; "
               "aten/src/ATen/native/TensorShape.cpp, clone_preserve_strides and get_stack_inputs; "
               "TensorAdvancedIndexing.cpp, "
               "index_select_out_cpu_; ReduceOps.cpp, argmax_argmin_impl: each calls a view op, which dispatches again",
               "a functional op reads no version"},
              {Profile::torch_1_13,
               "If no Autograd kernel ran, ops that make a view inside raise that error too: {view}_copy, "
               "index_select, argmax, and stack along a new last dimension.",
               "torchgen/gen_functionalization_type.py of v1.13.1, gen_composite_view_copy_kernel; "
               "aten/src/ATen/native/TensorShape.cpp, get_stack_inputs; "
               "aten/src/ATen/native/TensorAdvancedIndexing.cpp, index_select_out_cpu_; ReduceOps.cpp, "
               "argmax_argmin_impl",
               "a functional op reads no version"}}},
    },
    RuleText{
        .id = "VER-17",
        .sentence = "The `.grad` that backward makes has a version counter like any other tensor made in its mode; its "
                    "first version is unspecified, and later versions count from it.",
        .source = "torch/csrc/autograd/functions/accumulate_grad.h, AccumulateGrad::accumulateGrad: the gradient is "
                  "stolen or copied",
        .misreading = "It has no version counter.",
    },
    RuleText{
        .id = "VER-18",
        .sentence = "resize_ that changes sizes or strides is a write: it bumps the version, and on an inference "
                    "tensor outside inference mode it is an error.",
        .source = "rfc-0011-final: 'Inplace modifications'; torch/csrc/autograd/VariableTypeManual.cpp of 2.13, "
                  "ADInplaceOrView::resize_: 'If `self` was resized, increment the version'",
        .misreading = "It does not bump the version.",
        .variants =
            {{{Profile::torch_2_13,
               "Only other sizes count: resize_ to the same sizes in another memory format changes the strides, "
               "bumps no version and is never refused for an inference tensor.",
               "torch/csrc/autograd/VariableTypeManual.cpp of 2.13, ADInplaceOrView::resize_: 'org_size != size'",
               "immutability"},
              {Profile::torch_1_13,
               "resize_ has no ADInplaceOrView kernel: it never bumps a version and is never refused for an "
               "inference tensor.",
               "torch/csrc/autograd/VariableTypeManual.cpp of 1.13: resize_ is registered for Autograd alone",
               "immutability"}}},
    },
    RuleText{
        .id = "VER-19",
        .sentence = "A version counter never shows the same number twice.",
        .source = "VER-15: backward notices a write only by that number",
        .misreading = "After 2^32 bumps it starts at 0 again.",
        .variants = {{{Profile::torch_2_13, "A version counter has 32 bits: after 2^32 bumps it starts at 0 again.",
                       "c10/core/TensorImpl.h, VersionCounter: 'std::atomic<uint32_t> version_'",
                       "backward notices every write to a saved tensor"},
                      {Profile::torch_1_13, "A version counter has 32 bits: after 2^32 bumps it starts at 0 again.",
                       "c10/core/TensorImpl.h of v1.13.1, VersionCounter: 'std::atomic<uint32_t> version_'",
                       "backward notices every write to a saved tensor"}}},
    },
};

}  // namespace

constinit const std::span<const RuleText> kVer{kOfVer};

}  // namespace plumbline::text
