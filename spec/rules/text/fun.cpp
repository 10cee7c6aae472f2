// FUN: functionalization. Which tensor is a view of which, when a value is regenerated, and how a write through views
#include "spec/rules/text/texts.h"

namespace plumbline::text {

namespace {

constexpr std::array kOfFun{
    RuleText{
        .id = "FUN-01",
        .sentence =
            "A view of a functional tensor has the same functional storage, and its chain of views is one view longer.",
        .source =
            "PR 63048: 'explaining what view ops were run on the base tensor to get to the view'; "
            "aten/src/ATen/FunctionalTensorWrapper.cpp, FunctionalTensorWrapper::FunctionalTensorWrapper of a view",
        .misreading = "The view gets a functional storage of its own.",
    },
    RuleText{
        .id = "FUN-02",
        .sentence = "A write adds an update to the functional storage and raises the storage's generation.",
        .source = "aten/src/ATen/FunctionalStorageImpl.cpp, add_update; FunctionalTensorWrapper.cpp, mutate_view_meta, "
                  "commit_update",
        .misreading = "The generation does not change.",
    },
    RuleText{
        .id = "FUN-03",
        .sentence =
            "A tensor whose generation is older than its storage's is regenerated from the base before it is read.",
        .source = "aten/src/ATen/FunctionalTensorWrapper.cpp, sync_: is_up_to_date, regenerate_from_base",
        .misreading = "The old value is read.",
    },
    RuleText{
        .id = "FUN-04",
        .sentence = "Before the base is read, all pending updates are applied to it, oldest first.",
        .source = "aten/src/ATen/FunctionalStorageImpl.cpp, apply_updates: 'for (auto& update_data: updates_)'",
        .misreading = "Only the newest update is applied.",
    },
    RuleText{
        .id = "FUN-05",
        .sentence = "When an update is applied, the views between the base and the written tensor are made again from "
                    "the base.",
        .source = "aten/src/ATen/FunctionalStorageImpl.cpp, apply_update: tmp_values",
        .misreading = "The values that these views had when they were made are used.",
    },
    RuleText{
        .id = "FUN-06",
        .sentence = "The inverse of select writes at the selected index.",
        .source = "aten/src/ATen/FunctionalInverses.cpp, select_copy_int_inverse",
        .misreading = "It writes at index 0.",
    },
    RuleText{
        .id = "FUN-07",
        .sentence = "The inverse of slice writes from the slice's start, with its step.",
        .source = "aten/src/ATen/FunctionalInverses.cpp, slice_copy_Tensor_inverse",
        .misreading = "It writes from 0.",
    },
    RuleText{
        .id = "FUN-08",
        .sentence = "The inverse of transpose is the same transpose.",
        .source = "aten/src/ATen/FunctionalInverses.cpp, transpose_copy_int_inverse",
        .misreading = "transpose needs no inverse: the elements are the same.",
    },
    RuleText{
        .id = "FUN-09",
        .sentence = "The inverse of permute is the inverse permutation.",
        .source = "aten/src/ATen/FunctionalInverses.cpp, permute_copy_inverse, permute_inverse",
        .misreading = "It is the same permutation.",
    },
    RuleText{
        .id = "FUN-10",
        .sentence = "The inverse of diagonal writes to the same diagonal.",
        .source = "aten/src/ATen/FunctionalInverses.cpp, diagonal_copy_inverse",
        .misreading = "It writes to the diagonal on the other side of the main one.",
    },
    RuleText{
        .id = "FUN-11",
        .sentence = "The inverse of unfold writes window by window and keeps the elements that are in no window.",
        .source = "the law GetPut (obligation lens.get-put.unfold); aten/src/ATen/FunctionalInverses.cpp, "
                  "unfold_copy_inverse, is unfold_backward, which zeroes what no window has",
        .misreading = "Elements that are in no window become 0.",
        .variants = {{{Profile::torch_2_13,
                       "Elements that are in no window become 0. Elements in several windows become the sum, or the "
                       "write is refused.",
                       "aten/src/ATen/FunctionalInverses.cpp, unfold_inverse: unfold_backward",
                       "a write through unfold loses the elements between windows"},
                      {Profile::torch_1_13,
                       "Elements that are in no window become 0. Elements in several windows become the sum.",
                       "aten/src/ATen/FunctionalInverses.cpp, unfold_copy_inverse: unfold_backward",
                       "a write through unfold loses the elements between windows"}}},
    },
    RuleText{
        .id = "FUN-12",
        .sentence = "The inverse of split, chunk and unbind writes at the place of the result that was written.",
        .source = "aten/src/ATen/FunctionalInverses.cpp, split_copy_Tensor_inverse: mutated_view_idx; PR 63048: "
                  "'torch.split() is a view op that returns multiple output tensors, which will all alias the same "
                  "input tensor'",
        .misreading = "It writes at the place of the first result.",
    },
    RuleText{
        .id = "FUN-13",
        .sentence = "The inverse of view, squeeze and unsqueeze is a view with the sizes of the source.",
        .source = "aten/src/ATen/FunctionalInverses.cpp, view_copy_inverse, unsqueeze_to",
        .misreading = "A squeezed dimension comes back in front.",
    },
    RuleText{
        .id = "FUN-14",
        .sentence = "If a chain has a view that repeats elements, the inverse of the whole chain writes to the places "
                    "that the chain reaches.",
        .source = "GEO-02 and GEO-07: each place of the memory is one element, however many places of the view show it "
                  "(obligation lens.put-get.expand-select)",
        .misreading = "Each view has its own inverse: for expand, the first copy is written back.",
        .variants = {{{Profile::torch_2_13,
                       "Each view has its own inverse. For expand, the sum of the changes in all copies is added. For "
                       "integers the sum is int64, and the conversion back fails an assertion at the end of the body.",
                       "aten/src/ATen/FunctionalInverses.cpp, expand_inverse: base + sum_to(mutated_view - base); "
                       "FunctionalTensorWrapper.cpp, replace_",
                       "a write that changes n copies alike changes the source n times; bool is refused"},
                      {Profile::torch_1_13,
                       "Each view has its own inverse. For expand, the sum of the copies is written back.",
                       "aten/src/ATen/FunctionalInverses.cpp, expand_copy_inverse: sum_to(mutated_view)",
                       "copies that were not written are added too"}}},
    },
    RuleText{
        .id = "FUN-15",
        .sentence = "as_strided addresses the memory of the storage, whatever tensor it is called on.",
        .source = "GEO-12; aten/src/ATen/FunctionalInverses.cpp, as_strided_copy_inverse, scatters into the base of "
                  "the call alone",
        .misreading = "Its offset counts from the tensor that it is called on.",
        .variants = {{{Profile::torch_2_13,
                       "It addresses the value of the tensor that it is called on. A write is refused if as_strided "
                       "follows another view in the chain.",
                       "aten/src/ATen/FunctionalStorageImpl.cpp, add_update: is_as_strided", "pytorch#104505"},
                      {Profile::torch_1_13, "It addresses the value of the tensor that it is called on.",
                       "aten/src/ATen/FunctionalInverses.cpp, as_strided_copy_inverse", "pytorch#104505"},
                      {Profile::pr_63048, "as_strided and as_strided_ of a functional tensor are refused.",
                       "PR 63048: 'The only view ops currently not supported are (a) as_strided' and 'Tried to run the "
                       "functionalization pass on an unsupported view'"}}},
    },
    RuleText{
        .id = "FUN-16",
        .sentence = "The inverse of a view in another dtype is a view in the source's dtype.",
        .source = "aten/src/ATen/FunctionalInverses.cpp, view_copy_dtype_inverse",
        .misreading = "It is a conversion to the source's dtype.",
    },
    RuleText{
        .id = "FUN-17",
        .sentence = "alias and detach are views like all others: a write through them reaches the base.",
        .source = "aten/src/ATen/FunctionalInverses.cpp, detach_copy_inverse, alias_copy_inverse",
        .misreading = "Their result is a value of its own.",
    },
    RuleText{
        .id = "FUN-18",
        .sentence = "An op that is both a view and a mutation (transpose_, as_strided_, …) makes the chain of its "
                    "tensor longer and writes no element.",
        .source = "PR 63048: 'ops that are both views AND mutations'; aten/src/ATen/FunctionalTensorWrapper.cpp, "
                  "mutate_view_meta",
        .misreading = "It changes the tensor's value and leaves the chain as it is.",
    },
    RuleText{
        .id = "FUN-19",
        .sentence =
            "A composite op runs as the ops that it calls, so its results alias what the results of those ops alias.",
        .source = "torchgen/gen_functionalization_type.py: composites are decomposed under Functionalize",
        .misreading = "The result of a composite op is a value of its own.",
    },
    RuleText{
        .id = "FUN-20",
        .sentence = "When the body ends, what it wrote is copied back into the memory of its inputs.",
        .source = "PR 63048: 'functionalize() … call sync_() on every tensor input after the pass completes'; "
                  "torch/_functorch/eager_transforms.py, functionalize",
        .misreading = "The inputs stay as they were.",
    },
    RuleText{
        .id = "FUN-21",
        .sentence = "Two inputs that share memory have one functional storage.",
        .source = "PR 63048: 'copy_() the new value onto the input (which will properly affect all pre-existing "
                  "views)'; no release of PyTorch looks whether inputs are views of one another",
        .misreading = "Each input has a functional storage of its own.",
        .variants = {{{Profile::torch_2_13, "Each input has a functional storage of its own.",
                       "torch/_functorch/eager_transforms.py, functionalize: _wrap_all_tensors_to_functional wraps "
                       "argument by argument",
                       "what is written through one input is not seen through the other"},
                      {Profile::torch_1_13, "Each input has a functional storage of its own.",
                       "torch/_functorch/eager_transforms.py, functionalize: _wrap_all_tensors_to_functional wraps "
                       "argument by argument",
                       "what is written through one input is not seen through the other"}}},
    },
    RuleText{
        .id = "FUN-22",
        .sentence =
            "A result that shares memory with an input is made from that input, after the writes are copied back.",
        .source = "PR 63048: 'accurately report aliasing information', for results; "
                  "torch/_functorch/_aot_autograd/functional_utils.py, gen_alias_from_base",
        .misreading = "It is a value of its own.",
        .variants = {{{Profile::torch_2_13,
                       "A result is a value of its own. An input that was not written is returned as itself.",
                       "torch/_functorch/eager_transforms.py, functionalize: _unwrap_all_tensors_from_functional",
                       "a result that should share memory with an input does not"},
                      {Profile::torch_1_13,
                       "A result is a value of its own. An input that was not written is returned as itself.",
                       "torch/_functorch/eager_transforms.py, functionalize: _unwrap_all_tensors_from_functional",
                       "a result that should share memory with an input does not"}}},
    },
    RuleText{
        .id = "FUN-23",
        .sentence = "Results that share memory with each other are made from one tensor.",
        .source = "PR 63048: 'accurately report aliasing information', for results; "
                  "torch/_functorch/_aot_autograd/schemas.py, OutputType.alias_of_intermediate",
        .misreading = "Each is a value of its own.",
        .variants = {{{Profile::torch_2_13, "Each result is a value of its own.",
                       "torch/_functorch/eager_transforms.py, functionalize: _unwrap_all_tensors_from_functional",
                       "results that should share memory do not"},
                      {Profile::torch_1_13, "Each result is a value of its own.",
                       "torch/_functorch/eager_transforms.py, functionalize: _unwrap_all_tensors_from_functional",
                       "results that should share memory do not"}}},
    },
    RuleText{
        .id = "FUN-24",
        .sentence = "When the body ends, an input gets the sizes, strides and offset that the body gave it.",
        .source = "PR 63048: 'preserve the input mutations after the program finishes running', of transpose_ too; "
                  "torch/_functorch/_aot_autograd/schemas.py, mutates_metadata",
        .misreading = "The input keeps its own sizes, strides and offset.",
        .variants =
            {{{Profile::torch_2_13,
               "If its value has other sizes, an input gets the sizes and strides of the value. Then the elements of "
               "the value are copied into it.",
               "torch/csrc/functorch/init.cpp, _propagate_functional_input_mutation",
               "a body that writes no element (x.t_()) moves the elements under all aliases of its input"},
              {Profile::torch_1_13,
               "If its value has other sizes, an input gets the sizes and strides of the value. Then the elements of "
               "the value are copied into it.",
               "torch/csrc/functorch/init.cpp, _propagate_functional_input_mutation",
               "a body that writes no element (x.t_()) moves the elements under all aliases of its input"},
              {Profile::pr_63048,
               "The input keeps its own sizes, strides and offset. What was written to its elements is copied back.",
               "PR 63048: 'functorch programs that mutate their inputs using ops like transpose_() … I emit a warning "
               "when this happens, and just don't preserve the mutation'",
               "an input is not as it is without functionalization"}}},
    },
    RuleText{
        .id = "FUN-25",
        .sentence = "A result has the strides that it has without functionalization.",
        .source = "PR 63048: 'accurately report stride information'",
        .misreading = "It has the strides that its value happens to have.",
        .variants = {{{Profile::torch_2_13, "A result has the strides of the value that the functional ops computed.",
                       "torch/_functorch/eager_transforms.py, functionalize: _unwrap_all_tensors_from_functional",
                       "a result has other strides than without functionalization"},
                      {Profile::torch_1_13, "A result has the strides of the value that the functional ops computed.",
                       "torch/_functorch/eager_transforms.py, functionalize: _unwrap_all_tensors_from_functional",
                       "a result has other strides than without functionalization"}}},
    },
    RuleText{
        .id = "FUN-26",
        .sentence =
            "A body may read a tensor that it captures instead of taking it as an input, but it may not write it.",
        .source = "aten/src/ATen/FunctionalTensorWrapper.cpp; torchgen/gen_functionalization_type.py: 'mutating a "
                  "non-functional tensor with a functional tensor is not allowed'",
        .misreading = "A write to it is lost.",
        .variants = {{{Profile::torch_2_13,
                       "If no argument of the call is wrapped, a captured tensor is written at once. Otherwise the "
                       "write is refused.",
                       "torchgen/gen_functionalization_type.py: 'case 2: arguments are not functional tensors, so we "
                       "no-op and redispatch'",
                       "a body that raises later has written a captured tensor"},
                      {Profile::torch_1_13,
                       "If no argument of the call is wrapped, a captured tensor is written at once. Otherwise the "
                       "write is refused.",
                       "torchgen/gen_functionalization_type.py: 'case 2: arguments are not functional tensors, so we "
                       "no-op and redispatch'",
                       "a body that raises later has written a captured tensor"}}},
    },
    RuleText{
        .id = "FUN-27",
        .sentence = "The result of an in-place op's functional twin is converted to the dtype of the written tensor.",
        .source = "torchgen/gen_functionalization_type.py: 'tmp_output = at::_to_copy(…)'; GEO-22",
        .misreading = "It keeps the dtype of the computation.",
    },
    RuleText{
        .id = "FUN-28",
        .sentence = "The source of copy_ is expanded to the sizes of the written tensor.",
        .source = "aten/src/ATen/native/Copy.cpp, copy: expand_copy",
        .misreading = "The source keeps its sizes.",
        .variants = {{{Profile::torch_1_13,
                       "A source with the dtype and the sizes of the written tensor is not copied.",
                       "aten/src/ATen/native/Copy.cpp, copy: 'auto r = src.to(self, …)'",
                       "a later write to the source shows in the written tensor"}}},
    },
    RuleText{
        .id = "FUN-29",
        .sentence = "After a write, the name stands for the new value in every later call.",
        .source = "PR 63048: 'replace_'; aten/src/ATen/FunctionalTensorWrapper.cpp, replace_",
        .misreading = "Calls that read use the old value; only the next write uses the new one.",
    },
    RuleText{
        .id = "FUN-30",
        .sentence = "A copy of a view becomes a view again if nothing outside the body sees it and nothing addresses "
                    "its memory.",
        .source = "PR 63048: 'all of the {view}_copy calls are replaced with {view} calls again'; FUN-20: a view of an "
                  "input would show what is copied back later",
        .misreading = "It always becomes a view.",
    },
    RuleText{
        .id = "FUN-31",
        .sentence = "resize_ beyond the storage keeps the elements and adds unspecified ones after them.",
        .source = "aten/src/ATen/native/Resize.cpp, resize_bytes_cpu; GEO-24",
        .misreading = "The old elements are lost.",
        .variants =
            {{{Profile::torch_2_13, "resize_ beyond the storage is refused for a view and for a tensor that has views.",
               "aten/src/ATen/FunctionalTensorWrapper.cpp, maybe_replace_storage", "pytorch#81385"},
              {Profile::torch_1_13, "resize_ beyond the storage is refused for a view and for a tensor that has views.",
               "aten/src/ATen/FunctionalTensorWrapper.cpp, maybe_replace_storage", "pytorch#81385"},
              {Profile::pr_63048,
               "resize_ beyond the storage is refused: the storage of a functional tensor is never resized.",
               "PR 63048: 'you should never resize a functional tensor's storage'"}}},
    },
    RuleText{
        .id = "FUN-32",
        .sentence = "If out= does not have the sizes of the result, it is resized first.",
        .source = "aten/src/ATen/native/Resize.cpp, resize_output",
        .misreading = "It keeps its sizes.",
        .variants = {{{Profile::torch_2_13, "The result replaces out=, whatever sizes and dtype out= had.",
                       "aten/src/ATen/FunctionalTensorWrapper.cpp, replace_",
                       "views of out= are regenerated from a base that no longer fits, which raises or crashes"},
                      {Profile::torch_1_13, "The result replaces out=, whatever sizes and dtype out= had.",
                       "aten/src/ATen/FunctionalTensorWrapper.cpp, replace_",
                       "views of out= are regenerated from a base that no longer fits, which raises"}}},
    },
    RuleText{
        .id = "FUN-33",
        .sentence = "A body that raises leaves its inputs as they were.",
        .source = "torch/_functorch/eager_transforms.py, functionalize: what was written is propagated once the "
                  "function has returned",
        .misreading = "The inputs have what the body had written before.",
    },
    RuleText{
        .id = "FUN-34",
        .sentence = "How often a functionalized body raises a version counter is unspecified.",
        .source = "PR 63048: 'copy_() the new value onto the input', once, however often the body writes",
        .misreading = "Each write of the body raises it once.",
    },
    RuleText{
        .id = "FUN-35",
        .sentence = "A result that shares its memory with nothing else is not a view.",
        .source = "FUN-22 and FUN-23 alone make views; torch/_functorch/eager_transforms.py, functionalize: "
                  "_unwrap_all_tensors_from_functional gives what no one else has",
        .misreading = "It is a view of the tensor that it is a view of in the body.",
    },
    RuleText{
        .id = "FUN-36",
        .sentence = "A body may contain a body. When the inner body ends, its writes are writes of the outer body, "
                    "like all others.",
        .source = "PR 63048: \"nested `functionalize()` calls aren't supported yet (I mostly just need to remove some "
                  "debug asserts and test it)\"",
        .misreading = "A functional tensor cannot be passed to a functionalized body.",
        .variants =
            {{{Profile::torch_2_13,
               "A functional tensor cannot be passed to a functionalized body, and no factory may run in an inner "
               "body.",
               "aten/src/ATen/FunctionalStorageImpl.cpp, FunctionalStorageImpl: !isFunctionalTensor(base_)"},
              {Profile::torch_1_13,
               "A functional tensor cannot be passed to a functionalized body, and no factory may run in an inner "
               "body.",
               "aten/src/ATen/FunctionalTensorWrapper.cpp, FunctionalTensorWrapper: !isFunctionalTensor(value_)"},
              {Profile::pr_63048, "A functionalized body within a functionalized body is refused.",
               "PR 63048: \"nested `functionalize()` calls aren't supported yet\""}}},
    },
    RuleText{
        .id = "FUN-37",
        .sentence =
            "A body may call operators of the program's own, and composite ops that write. What they return and "
            "write is the same as without functionalization.",
        .source = "PR 63048: \"For any unsupported view/mutation ops\" the kernel \"just syncs the inputs and "
                  "redispatches\"",
        .misreading = "A body refuses an operator whose schema says that it aliases or writes.",
        .variants =
            {{{Profile::torch_2_13,
               "A body refuses an operator whose schema says that it aliases or writes. What another one writes or "
               "aliases in secret is not followed.",
               "aten/src/ATen/core/function_schema.h, hasAnyAliasInfo: functionalizeFallback refuses an operator for "
               "which it is true",
               "a program that writes through its own operator raises an error in a body only"},
              {Profile::torch_1_13,
               "A body refuses an operator whose schema says that it aliases or writes. What another one writes or "
               "aliases in secret is not followed.",
               "aten/src/ATen/core/function_schema.h, hasAnyAliasInfo: functionalizeFallback refuses an operator for "
               "which it is true",
               "a program that writes through its own operator raises an error in a body only"}}},
    },
};

}  // namespace

constinit const std::span<const RuleText> kFun{kOfFun};

}  // namespace plumbline::text
