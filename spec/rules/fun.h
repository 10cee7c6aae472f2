// FUN: functionalization. Which tensor is a view of which, when a value is regenerated, and how a write through views
// reaches their base. The passes of reference/functionalize execute these rules.
#pragma once

#include <cstdint>

#include "spec/rules/rule.h"

namespace plumbline {

inline constexpr Rule FUN_01{
    Family::FUN, 1,
    "A view of a functional tensor has the same functional storage, and its chain of views is one view longer.",
    "PR 63048: 'explaining what view ops were run on the base tensor to get to the view'; "
    "aten/src/ATen/FunctionalTensorWrapper.cpp, FunctionalTensorWrapper::FunctionalTensorWrapper of a view",
    "The view gets a functional storage of its own."};
inline constexpr Rule FUN_02{
    Family::FUN, 2, "A write adds an update to the functional storage and raises the storage's generation.",
    "aten/src/ATen/FunctionalStorageImpl.cpp, add_update; FunctionalTensorWrapper.cpp, mutate_view_meta, commit_update",
    "The generation does not change."};
inline constexpr Rule FUN_03{
    Family::FUN, 3,
    "A tensor whose generation is older than its storage's is regenerated from the base before it is read.",
    "aten/src/ATen/FunctionalTensorWrapper.cpp, sync_: is_up_to_date, regenerate_from_base", "The old value is read."};
inline constexpr Rule FUN_04{
    Family::FUN, 4, "Before the base is read, all pending updates are applied to it, oldest first.",
    "aten/src/ATen/FunctionalStorageImpl.cpp, apply_updates: 'for (auto& update_data: updates_)'",
    "Only the newest update is applied."};
inline constexpr Rule FUN_05{
    Family::FUN, 5,
    "When an update is applied, the views between the base and the written tensor are made again from the base.",
    "aten/src/ATen/FunctionalStorageImpl.cpp, apply_update: tmp_values",
    "The values that these views had when they were made are used."};
inline constexpr Rule FUN_06{Family::FUN, 6, "The inverse of select writes at the selected index.",
                             "aten/src/ATen/FunctionalInverses.cpp, select_copy_int_inverse", "It writes at index 0."};
inline constexpr Rule FUN_07{Family::FUN, 7, "The inverse of slice writes from the slice's start, with its step.",
                             "aten/src/ATen/FunctionalInverses.cpp, slice_copy_Tensor_inverse", "It writes from 0."};
inline constexpr Rule FUN_08{Family::FUN, 8, "The inverse of transpose is the same transpose.",
                             "aten/src/ATen/FunctionalInverses.cpp, transpose_copy_int_inverse",
                             "transpose needs no inverse: the elements are the same."};
inline constexpr Rule FUN_09{Family::FUN, 9, "The inverse of permute is the inverse permutation.",
                             "aten/src/ATen/FunctionalInverses.cpp, permute_copy_inverse, permute_inverse",
                             "It is the same permutation."};
inline constexpr Rule FUN_10{Family::FUN, 10, "The inverse of diagonal writes to the same diagonal.",
                             "aten/src/ATen/FunctionalInverses.cpp, diagonal_copy_inverse",
                             "It writes to the diagonal on the other side of the main one."};
inline constexpr Rule FUN_11{
    Family::FUN,
    11,
    "The inverse of unfold writes window by window and keeps the elements that are in no window.",
    "the law GetPut (obligation lens.get-put.unfold); aten/src/ATen/FunctionalInverses.cpp, unfold_copy_inverse, is "
    "unfold_backward, which zeroes what no window has",
    "Elements that are in no window become 0.",
    {{{Profile::torch_2_13,
       "Elements that are in no window become 0. Elements in several windows become the sum, or the write is refused.",
       "aten/src/ATen/FunctionalInverses.cpp, unfold_inverse: unfold_backward",
       "a write through unfold loses the elements between windows"},
      {Profile::torch_1_13, "Elements that are in no window become 0. Elements in several windows become the sum.",
       "aten/src/ATen/FunctionalInverses.cpp, unfold_copy_inverse: unfold_backward",
       "a write through unfold loses the elements between windows"}}}};
inline constexpr Rule FUN_12{
    Family::FUN, 12, "The inverse of split, chunk and unbind writes at the place of the result that was written.",
    "aten/src/ATen/FunctionalInverses.cpp, split_copy_Tensor_inverse: mutated_view_idx; PR 63048: 'torch.split() is a "
    "view op that returns multiple output tensors, which will all alias the same input tensor'",
    "It writes at the place of the first result."};
inline constexpr Rule FUN_13{Family::FUN, 13,
                             "The inverse of view, squeeze and unsqueeze is a view with the sizes of the source.",
                             "aten/src/ATen/FunctionalInverses.cpp, view_copy_inverse, unsqueeze_to",
                             "A squeezed dimension comes back in front."};
inline constexpr Rule FUN_14{
    Family::FUN,
    14,
    "If a chain has a view that repeats elements, the inverse of the whole chain writes to the places that the chain "
    "reaches.",
    "GEO-02 and GEO-07: each place of the memory is one element, however many places of the view show it (obligation "
    "lens.put-get.expand-select)",
    "Each view has its own inverse: for expand, the first copy is written back.",
    {{{Profile::torch_2_13,
       "Each view has its own inverse. For expand, the sum of the changes in all copies is added. For integers the sum "
       "is int64, and the conversion back fails an assertion at the end of the body.",
       "aten/src/ATen/FunctionalInverses.cpp, expand_inverse: base + sum_to(mutated_view - base); "
       "FunctionalTensorWrapper.cpp, replace_",
       "a write that changes n copies alike changes the source n times; bool is refused"},
      {Profile::torch_1_13, "Each view has its own inverse. For expand, the sum of the copies is written back.",
       "aten/src/ATen/FunctionalInverses.cpp, expand_copy_inverse: sum_to(mutated_view)",
       "copies that were not written are added too"}}}};
inline constexpr Rule FUN_15{
    Family::FUN,
    15,
    "as_strided addresses the memory of the storage, whatever tensor it is called on.",
    "GEO-12; aten/src/ATen/FunctionalInverses.cpp, as_strided_copy_inverse, scatters into the base of the call alone",
    "Its offset counts from the tensor that it is called on.",
    {{{Profile::torch_2_13,
       "It addresses the value of the tensor that it is called on. A write is refused if as_strided follows another "
       "view in the chain.",
       "aten/src/ATen/FunctionalStorageImpl.cpp, add_update: is_as_strided", "pytorch#104505"},
      {Profile::torch_1_13, "It addresses the value of the tensor that it is called on.",
       "aten/src/ATen/FunctionalInverses.cpp, as_strided_copy_inverse", "pytorch#104505"},
      {Profile::pr_63048, "as_strided and as_strided_ of a functional tensor are refused.",
       "PR 63048: 'The only view ops currently not supported are (a) as_strided' and 'Tried to run the "
       "functionalization pass on an unsupported view'",
       ""}}}};
inline constexpr Rule FUN_16{Family::FUN, 16, "The inverse of a view in another dtype is a view in the source's dtype.",
                             "aten/src/ATen/FunctionalInverses.cpp, view_copy_dtype_inverse",
                             "It is a conversion to the source's dtype."};
inline constexpr Rule FUN_17{Family::FUN, 17,
                             "alias and detach are views like all others: a write through them reaches the base.",
                             "aten/src/ATen/FunctionalInverses.cpp, detach_copy_inverse, alias_copy_inverse",
                             "Their result is a value of its own."};
inline constexpr Rule FUN_18{
    Family::FUN, 18,
    "An op that is both a view and a mutation (transpose_, as_strided_, …) makes the chain of its tensor longer and "
    "writes no element.",
    "PR 63048: 'ops that are both views AND mutations'; aten/src/ATen/FunctionalTensorWrapper.cpp, mutate_view_meta",
    "It changes the tensor's value and leaves the chain as it is."};
inline constexpr Rule FUN_19{
    Family::FUN, 19,
    "A composite op runs as the ops that it calls, so its results alias what the results of those ops alias.",
    "torchgen/gen_functionalization_type.py: composites are decomposed under Functionalize",
    "The result of a composite op is a value of its own."};
inline constexpr Rule FUN_20{Family::FUN, 20,
                             "When the body ends, what it wrote is copied back into the memory of its inputs.",
                             "PR 63048: 'functionalize() … call sync_() on every tensor input after the pass "
                             "completes'; torch/_functorch/eager_transforms.py, functionalize",
                             "The inputs stay as they were."};
inline constexpr Rule FUN_21{
    Family::FUN,
    21,
    "Two inputs that share memory have one functional storage.",
    "PR 63048: 'copy_() the new value onto the input (which will properly affect all pre-existing views)'; no release "
    "of PyTorch looks whether inputs are views of one another",
    "Each input has a functional storage of its own.",
    {{{Profile::torch_2_13, "Each input has a functional storage of its own.",
       "torch/_functorch/eager_transforms.py, functionalize: _wrap_all_tensors_to_functional wraps argument by "
       "argument",
       "what is written through one input is not seen through the other"},
      {Profile::torch_1_13, "Each input has a functional storage of its own.",
       "torch/_functorch/eager_transforms.py, functionalize: _wrap_all_tensors_to_functional wraps argument by "
       "argument",
       "what is written through one input is not seen through the other"}}}};
inline constexpr Rule FUN_22{
    Family::FUN,
    22,
    "A result that shares memory with an input is made from that input, after the writes are copied back.",
    "PR 63048: 'accurately report aliasing information', for results; "
    "torch/_functorch/_aot_autograd/functional_utils.py, gen_alias_from_base",
    "It is a value of its own.",
    {{{Profile::torch_2_13, "A result is a value of its own. An input that was not written is returned as itself.",
       "torch/_functorch/eager_transforms.py, functionalize: _unwrap_all_tensors_from_functional",
       "a result that should share memory with an input does not"},
      {Profile::torch_1_13, "A result is a value of its own. An input that was not written is returned as itself.",
       "torch/_functorch/eager_transforms.py, functionalize: _unwrap_all_tensors_from_functional",
       "a result that should share memory with an input does not"}}}};
inline constexpr Rule FUN_23{
    Family::FUN,
    23,
    "Results that share memory with each other are made from one tensor.",
    "PR 63048: 'accurately report aliasing information', for results; torch/_functorch/_aot_autograd/schemas.py, "
    "OutputType.alias_of_intermediate",
    "Each is a value of its own.",
    {{{Profile::torch_2_13, "Each result is a value of its own.",
       "torch/_functorch/eager_transforms.py, functionalize: _unwrap_all_tensors_from_functional",
       "results that should share memory do not"},
      {Profile::torch_1_13, "Each result is a value of its own.",
       "torch/_functorch/eager_transforms.py, functionalize: _unwrap_all_tensors_from_functional",
       "results that should share memory do not"}}}};
inline constexpr Rule FUN_24{
    Family::FUN,
    24,
    "When the body ends, an input gets the sizes, strides and offset that the body gave it.",
    "PR 63048: 'preserve the input mutations after the program finishes running', of transpose_ too; "
    "torch/_functorch/_aot_autograd/schemas.py, mutates_metadata",
    "The input keeps its own sizes, strides and offset.",
    {{{Profile::torch_2_13,
       "If its value has other sizes, an input gets the sizes and strides of the value. Then the elements of the value "
       "are copied into it.",
       "torch/csrc/functorch/init.cpp, _propagate_functional_input_mutation",
       "a body that writes no element (x.t_()) moves the elements under all aliases of its input"},
      {Profile::torch_1_13,
       "If its value has other sizes, an input gets the sizes and strides of the value. Then the elements of the value "
       "are copied into it.",
       "torch/csrc/functorch/init.cpp, _propagate_functional_input_mutation",
       "a body that writes no element (x.t_()) moves the elements under all aliases of its input"},
      {Profile::pr_63048,
       "The input keeps its own sizes, strides and offset. What was written to its elements is copied back.",
       "PR 63048: 'functorch programs that mutate their inputs using ops like transpose_() … I emit a warning when "
       "this happens, and just don't preserve the mutation'",
       "an input is not as it is without functionalization"}}}};
inline constexpr Rule FUN_25{
    Family::FUN,
    25,
    "A result has the strides that it has without functionalization.",
    "PR 63048: 'accurately report stride information'",
    "It has the strides that its value happens to have.",
    {{{Profile::torch_2_13, "A result has the strides of the value that the functional ops computed.",
       "torch/_functorch/eager_transforms.py, functionalize: _unwrap_all_tensors_from_functional",
       "a result has other strides than without functionalization"},
      {Profile::torch_1_13, "A result has the strides of the value that the functional ops computed.",
       "torch/_functorch/eager_transforms.py, functionalize: _unwrap_all_tensors_from_functional",
       "a result has other strides than without functionalization"}}}};
inline constexpr Rule FUN_26{
    Family::FUN,
    26,
    "A body may read a tensor that it captures instead of taking it as an input, but it may not write it.",
    "aten/src/ATen/FunctionalTensorWrapper.cpp; torchgen/gen_functionalization_type.py: 'mutating a non-functional "
    "tensor with a functional tensor is not allowed'",
    "A write to it is lost.",
    {{{Profile::torch_2_13,
       "If no argument of the call is wrapped, a captured tensor is written at once. Otherwise the write is refused.",
       "torchgen/gen_functionalization_type.py: 'case 2: arguments are not functional tensors, so we no-op and "
       "redispatch'",
       "a body that raises later has written a captured tensor"},
      {Profile::torch_1_13,
       "If no argument of the call is wrapped, a captured tensor is written at once. Otherwise the write is refused.",
       "torchgen/gen_functionalization_type.py: 'case 2: arguments are not functional tensors, so we no-op and "
       "redispatch'",
       "a body that raises later has written a captured tensor"}}}};
inline constexpr Rule FUN_27{
    Family::FUN, 27, "The result of an in-place op's functional twin is converted to the dtype of the written tensor.",
    "torchgen/gen_functionalization_type.py: 'tmp_output = at::_to_copy(…)'; GEO-22",
    "It keeps the dtype of the computation."};
inline constexpr Rule FUN_28{
    Family::FUN,
    28,
    "The source of copy_ is expanded to the sizes of the written tensor.",
    "aten/src/ATen/native/Copy.cpp, copy: expand_copy",
    "The source keeps its sizes.",
    {{{Profile::torch_1_13, "A source with the dtype and the sizes of the written tensor is not copied.",
       "aten/src/ATen/native/Copy.cpp, copy: 'auto r = src.to(self, …)'",
       "a later write to the source shows in the written tensor"}}}};
inline constexpr Rule FUN_29{Family::FUN, 29, "After a write, the name stands for the new value in every later call.",
                             "PR 63048: 'replace_'; aten/src/ATen/FunctionalTensorWrapper.cpp, replace_",
                             "Calls that read use the old value; only the next write uses the new one."};
inline constexpr Rule FUN_30{
    Family::FUN, 30,
    "A copy of a view becomes a view again if nothing outside the body sees it and nothing addresses its memory.",
    "PR 63048: 'all of the {view}_copy calls are replaced with {view} calls again'; FUN-20: a view of an input would "
    "show what is copied back later",
    "It always becomes a view."};
inline constexpr Rule FUN_31{
    Family::FUN,
    31,
    "resize_ beyond the storage keeps the elements and adds unspecified ones after them.",
    "aten/src/ATen/native/Resize.cpp, resize_bytes_cpu; GEO-24",
    "The old elements are lost.",
    {{{Profile::torch_2_13, "resize_ beyond the storage is refused for a view and for a tensor that has views.",
       "aten/src/ATen/FunctionalTensorWrapper.cpp, maybe_replace_storage", "pytorch#81385"},
      {Profile::torch_1_13, "resize_ beyond the storage is refused for a view and for a tensor that has views.",
       "aten/src/ATen/FunctionalTensorWrapper.cpp, maybe_replace_storage", "pytorch#81385"},
      {Profile::pr_63048, "resize_ beyond the storage is refused: the storage of a functional tensor is never resized.",
       "PR 63048: 'you should never resize a functional tensor's storage'", ""}}}};
inline constexpr Rule FUN_32{
    Family::FUN,
    32,
    "If out= does not have the sizes of the result, it is resized first.",
    "aten/src/ATen/native/Resize.cpp, resize_output",
    "It keeps its sizes.",
    {{{Profile::torch_2_13, "The result replaces out=, whatever sizes and dtype out= had.",
       "aten/src/ATen/FunctionalTensorWrapper.cpp, replace_",
       "views of out= are regenerated from a base that no longer fits, which raises or crashes"},
      {Profile::torch_1_13, "The result replaces out=, whatever sizes and dtype out= had.",
       "aten/src/ATen/FunctionalTensorWrapper.cpp, replace_",
       "views of out= are regenerated from a base that no longer fits, which raises"}}}};

inline constexpr Rule FUN_33{Family::FUN, 33, "A body that raises leaves its inputs as they were.",
                             "torch/_functorch/eager_transforms.py, functionalize: what was written is propagated once "
                             "the function has returned",
                             "The inputs have what the body had written before."};
inline constexpr Rule FUN_34{Family::FUN, 34,
                             "How often a functionalized body raises a version counter is unspecified.",
                             "PR 63048: 'copy_() the new value onto the input', once, however often the body writes",
                             "Each write of the body raises it once."};
inline constexpr Rule FUN_35{Family::FUN, 35, "A result that shares its memory with nothing else is not a view.",
                             "FUN-22 and FUN-23 alone make views; torch/_functorch/eager_transforms.py, functionalize: "
                             "_unwrap_all_tensors_from_functional gives what no one else has",
                             "It is a view of the tensor that it is a view of in the body."};

inline constexpr Rule FUN_36{
    Family::FUN,
    36,
    "A body may contain a body. When the inner body ends, its writes are writes of the outer body, like all others.",
    "PR 63048: \"nested `functionalize()` calls aren't supported yet (I mostly just need to remove some debug asserts "
    "and test it)\"",
    "A functional tensor cannot be passed to a functionalized body.",
    {{{Profile::torch_2_13,
       "A functional tensor cannot be passed to a functionalized body, and no factory may run in an inner body.",
       "aten/src/ATen/FunctionalStorageImpl.cpp, FunctionalStorageImpl: !isFunctionalTensor(base_)", ""},
      {Profile::torch_1_13,
       "A functional tensor cannot be passed to a functionalized body, and no factory may run in an inner body.",
       "aten/src/ATen/FunctionalTensorWrapper.cpp, FunctionalTensorWrapper: !isFunctionalTensor(value_)", ""},
      {Profile::pr_63048, "A functionalized body within a functionalized body is refused.",
       "PR 63048: \"nested `functionalize()` calls aren't supported yet\"", ""}}}};

/// Whether the variant of `rule` in a profile of a release is followed: reference/functorch runs those.
template <Domain D>
constexpr bool departs(const Judge<D>& judge, const Rule& rule) {
  const bool varies = rule.variant(judge.profile) != nullptr;
  return judge(rule, false, true, In{Profile::torch_2_13, varies}, In{Profile::torch_1_13, varies});
}
/// A yes-or-no decision of the passes, the same in every domain: `rule` is followed, or misread. The passes know no
/// variant of a release: reference/functorch runs those.
template <Domain D>
constexpr bool follows(const Judge<D>& judge, const Rule& rule) {
  return judge(rule, true, false);
}

// What the profile pr-63048 does instead (reference/functionalized_pr.cpp). The misreadings of these rules are
// executed elsewhere, so here they change nothing.
template <Domain D>
constexpr bool refuses_as_strided(const Judge<D>& judge) {
  return judge(FUN_15, false, false, In{Profile::pr_63048, true});
}
template <Domain D>
constexpr bool input_keeps_layout(const Judge<D>& judge) {
  return judge(FUN_24, false, false, In{Profile::pr_63048, true});
}
template <Domain D>
constexpr bool refuses_longer_storage(const Judge<D>& judge) {
  return judge(FUN_31, false, false, In{Profile::pr_63048, true});
}
template <Domain D>
constexpr bool refuses_inner_body(const Judge<D>& judge) {
  return judge(FUN_36, false, false, In{Profile::pr_63048, true});
}

/// The index at which the inverse of select writes.
template <Domain D>
constexpr Num<D> undone_index(const Judge<D>& judge, const Num<D>& index) {
  return judge(FUN_06, index, Num<D>(0));
}
/// The start from which the inverse of slice writes.
template <Domain D>
constexpr Num<D> undone_start(const Judge<D>& judge, const Num<D>& start) {
  return judge(FUN_07, start, Num<D>(0));
}
/// The offset of the diagonal to which the inverse of diagonal writes.
template <Domain D>
constexpr Num<D> undone_diagonal(const Judge<D>& judge, const Num<D>& offset) {
  return judge(FUN_10, offset, Num<D>(0) - offset);
}
/// The result, of several of a view op, at whose place its inverse writes.
template <Domain D>
constexpr Num<D> undone_piece(const Judge<D>& judge, const Num<D>& piece) {
  return judge(FUN_12, piece, Num<D>(0));
}
/// The offset of as_strided in the storage; `own` is that of the tensor that it is called on.
template <Domain D>
constexpr Num<D> strided_offset(const Judge<D>& judge, const Num<D>& offset, const Num<D>& own) {
  return judge(FUN_15, offset, own + offset);
}

}  // namespace plumbline
