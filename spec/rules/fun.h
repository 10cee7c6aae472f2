// FUN: functionalization. What is a view of what, when a value is made again, and how a write through views reaches the
// tensor that they are views of. The passes of reference/functionalize execute these.
#pragma once

#include <cstdint>

#include "spec/rules/rule.h"

namespace plumbline {

inline constexpr Rule FUN_01{
    Family::FUN, 1,
    "A view of a functional tensor is one over the same functional storage, and its chain of views is one longer.",
    "PR 63048: 'explaining what view ops were run on the base tensor to get to the view'; "
    "aten/src/ATen/FunctionalTensorWrapper.cpp, FunctionalTensorWrapper::FunctionalTensorWrapper of a view",
    "It begins a functional storage of its own."};
inline constexpr Rule FUN_02{
    Family::FUN, 2, "A write adds an update to its storage, whose generation it raises.",
    "aten/src/ATen/FunctionalStorageImpl.cpp, add_update; FunctionalTensorWrapper.cpp, mutate_view_meta, commit_update",
    "The generation stays."};
inline constexpr Rule FUN_03{Family::FUN, 3,
                             "A tensor whose generation is older than its storage's is made again from the base before "
                             "it is read.",
                             "aten/src/ATen/FunctionalTensorWrapper.cpp, sync_: is_up_to_date, regenerate_from_base",
                             "It is read as it was."};
inline constexpr Rule FUN_04{Family::FUN, 4,
                             "All updates that wait are applied to the base, oldest first, before it is read.",
                             "aten/src/ATen/FunctionalStorageImpl.cpp, apply_updates: 'for (auto& update_data: "
                             "updates_)'",
                             "The newest one alone is applied."};
inline constexpr Rule FUN_05{
    Family::FUN, 5,
    "The views between a written tensor and its base are made anew from the base when the update is applied.",
    "aten/src/ATen/FunctionalStorageImpl.cpp, apply_update: tmp_values",
    "They are taken as they were when the view was made."};
inline constexpr Rule FUN_06{Family::FUN, 6, "select is undone at its index.",
                             "aten/src/ATen/FunctionalInverses.cpp, select_copy_int_inverse", "At index 0."};
inline constexpr Rule FUN_07{Family::FUN, 7, "slice is undone at its start, with its step.",
                             "aten/src/ATen/FunctionalInverses.cpp, slice_copy_Tensor_inverse", "From 0 on."};
inline constexpr Rule FUN_08{Family::FUN, 8, "transpose is undone by the same transpose.",
                             "aten/src/ATen/FunctionalInverses.cpp, transpose_copy_int_inverse",
                             "It needs no undoing: the elements are the same."};
inline constexpr Rule FUN_09{Family::FUN, 9, "permute is undone by the inverse permutation.",
                             "aten/src/ATen/FunctionalInverses.cpp, permute_copy_inverse, permute_inverse",
                             "By the same permutation."};
inline constexpr Rule FUN_10{Family::FUN, 10, "diagonal is undone on the same diagonal.",
                             "aten/src/ATen/FunctionalInverses.cpp, diagonal_copy_inverse",
                             "On the one on the other side."};
inline constexpr Rule FUN_11{
    Family::FUN,
    11,
    "unfold is undone window by window; what stands between windows stays.",
    "the law GetPut (obligation lens.get-put.unfold); aten/src/ATen/FunctionalInverses.cpp, "
    "unfold_copy_inverse, is unfold_backward, which zeroes what no window has",
    "What no window has becomes 0.",
    {{{Profile::torch_2_13, "What no window has becomes 0; what several have becomes their sum, or is refused.",
       "aten/src/ATen/FunctionalInverses.cpp, unfold_inverse: unfold_backward",
       "a write through unfold loses what stands between windows"},
      {Profile::torch_1_13, "What no window has becomes 0; what several have becomes their sum.",
       "aten/src/ATen/FunctionalInverses.cpp, unfold_copy_inverse: unfold_backward",
       "a write through unfold loses what stands between windows"}}}};
inline constexpr Rule FUN_12{
    Family::FUN, 12, "What split, chunk and unbind give is undone at the place that it has among them.",
    "aten/src/ATen/FunctionalInverses.cpp, split_copy_Tensor_inverse: mutated_view_idx; PR 63048: "
    "'torch.split() is a view op that returns multiple output tensors, which will all alias the same input "
    "tensor'",
    "At the first one's place."};
inline constexpr Rule FUN_13{Family::FUN, 13,
                             "view, squeeze and unsqueeze are undone by a view in the sizes that the source has.",
                             "aten/src/ATen/FunctionalInverses.cpp, view_copy_inverse, unsqueeze_to",
                             "What was squeezed out comes back in front."};
inline constexpr Rule FUN_14{
    Family::FUN,
    14,
    "A chain with a view that repeats elements is undone as a whole, by the places that it reaches.",
    "GEO-02 and GEO-07: each place of the memory is one element, however many places of the view show it "
    "(obligation lens.put-get.expand-select)",
    "View by view: of expand, the first copy is written back.",
    {{{Profile::torch_2_13,
       "View by view: of expand, the sum of what changed in the copies is added; of integers it is int64, and the "
       "conversion back fails an assertion when the body is over.",
       "aten/src/ATen/FunctionalInverses.cpp, expand_inverse: base + sum_to(mutated_view - base); "
       "FunctionalTensorWrapper.cpp, replace_",
       "a write that changes all copies alike changes the source as many times; bool is refused"},
      {Profile::torch_1_13, "View by view: of expand, the sum of the copies is written back.",
       "aten/src/ATen/FunctionalInverses.cpp, expand_copy_inverse: sum_to(mutated_view)",
       "copies that were not written are added, too"}}}};
inline constexpr Rule FUN_15{
    Family::FUN,
    15,
    "as_strided addresses the memory of the storage, whatever it is called on.",
    "GEO-12; aten/src/ATen/FunctionalInverses.cpp, as_strided_copy_inverse, scatters into the base of the call alone",
    "Its offset counts from the tensor that it is called on.",
    {{{Profile::torch_2_13, "It addresses the value that it is called on; a write through it is refused there.",
       "aten/src/ATen/FunctionalStorageImpl.cpp, add_update: is_as_strided", "pytorch#104505"},
      {Profile::torch_1_13, "It addresses the value that it is called on.",
       "aten/src/ATen/FunctionalInverses.cpp, as_strided_copy_inverse", "pytorch#104505"}}}};
inline constexpr Rule FUN_16{Family::FUN, 16, "A view in another dtype is undone by a view in the source's dtype.",
                             "aten/src/ATen/FunctionalInverses.cpp, view_copy_dtype_inverse",
                             "By conversion to the source's dtype."};
inline constexpr Rule FUN_17{Family::FUN, 17,
                             "alias and detach are views like all others: a write through them reaches the base.",
                             "aten/src/ATen/FunctionalInverses.cpp, detach_copy_inverse, alias_copy_inverse",
                             "What they give is a value of its own."};
inline constexpr Rule FUN_18{
    Family::FUN, 18,
    "An op that is a view and a mutation (transpose_, as_strided_, …) makes the chain of its tensor longer, and writes "
    "nothing.",
    "PR 63048: 'ops that are both views AND mutations'; aten/src/ATen/FunctionalTensorWrapper.cpp, "
    "mutate_view_meta",
    "It changes the tensor's value, and its chain stays."};
inline constexpr Rule FUN_19{Family::FUN, 19, "A composite op runs as the ops that it calls: what they alias, it does.",
                             "torchgen/gen_functionalization_type.py: composites are decomposed under Functionalize",
                             "What a composite op gives is a value of its own."};
inline constexpr Rule FUN_20{
    Family::FUN, 20, "What the body wrote is copied back into the memory of its inputs when it ends.",
    "PR 63048: 'functionalize() … call sync_() on every tensor input after the pass completes'; "
    "torch/_functorch/eager_transforms.py, functionalize",
    "Inputs stay as they are."};
inline constexpr Rule FUN_21{
    Family::FUN,
    21,
    "Two inputs have one functional storage where they share memory.",
    "PR 63048: 'copy_() the new value onto the input (which will properly affect all pre-existing views)'; "
    "no release of PyTorch looks whether inputs are views of one another",
    "Each input has one of its own.",
    {{{Profile::torch_2_13, "Each input has a functional storage of its own.",
       "torch/_functorch/eager_transforms.py, functionalize: _wrap_all_tensors_to_functional "
       "wraps argument by argument",
       "what is written through one input is not read through another"},
      {Profile::torch_1_13, "Each input has a functional storage of its own.",
       "torch/_functorch/eager_transforms.py, functionalize: _wrap_all_tensors_to_functional "
       "wraps argument by argument",
       "what is written through one input is not read through another"}}}};
inline constexpr Rule FUN_22{
    Family::FUN,
    22,
    "A result that shares memory with an input is made from that input, once what was written "
    "is copied back.",
    "PR 63048: 'accurately report aliasing information', for results; "
    "torch/_functorch/_aot_autograd/functional_utils.py, gen_alias_from_base",
    "It is a value of its own.",
    {{{Profile::torch_2_13, "A result is a value of its own; an input that was not written is itself.",
       "torch/_functorch/eager_transforms.py, functionalize: _unwrap_all_tensors_from_functional",
       "a result that should share memory with an input does not"},
      {Profile::torch_1_13, "A result is a value of its own; an input that was not written is itself.",
       "torch/_functorch/eager_transforms.py, functionalize: _unwrap_all_tensors_from_functional",
       "a result that should share memory with an input does not"}}}};
inline constexpr Rule FUN_23{
    Family::FUN,
    23,
    "Results that share memory with each other are made from one tensor.",
    "PR 63048: 'accurately report aliasing information', for results; "
    "torch/_functorch/_aot_autograd/schemas.py, OutputType.alias_of_intermediate",
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
    "What the body did to an input's sizes, strides and offset is done to the input when it "
    "ends.",
    "PR 63048: 'preserve the input mutations after the program finishes running', of transpose_ too; "
    "torch/_functorch/_aot_autograd/schemas.py, mutates_metadata",
    "The input keeps those that it had.",
    {{{Profile::torch_2_13,
       "An input has the sizes of its value, and strides that fit them; its elements are copied there.",
       "torch/csrc/functorch/init.cpp, _propagate_functional_input_mutation",
       "a body that writes no value (x.t_()) moves the elements under all aliases of its input"},
      {Profile::torch_1_13,
       "An input has the sizes of its value, and strides that fit them; its elements are copied there.",
       "torch/csrc/functorch/init.cpp, _propagate_functional_input_mutation",
       "a body that writes no value (x.t_()) moves the elements under all aliases of its input"}}}};
inline constexpr Rule FUN_25{
    Family::FUN,
    25,
    "A result has the strides that it has without functionalization.",
    "PR 63048: 'accurately report stride information'",
    "It has those that its value happens to have.",
    {{{Profile::torch_2_13, "A result has the strides of the value that the core computed.",
       "torch/_functorch/eager_transforms.py, functionalize: _unwrap_all_tensors_from_functional",
       "a result has other strides than without functionalization"},
      {Profile::torch_1_13, "A result has the strides of the value that the core computed.",
       "torch/_functorch/eager_transforms.py, functionalize: _unwrap_all_tensors_from_functional",
       "a result has other strides than without functionalization"}}}};
inline constexpr Rule FUN_26{
    Family::FUN,
    26,
    "A captured tensor, which is no input, may be read, and not be written.",
    "aten/src/ATen/FunctionalTensorWrapper.cpp; torchgen/gen_functionalization_type.py: 'mutating a non-functional "
    "tensor with a functional tensor is not allowed'",
    "What is written to it is lost.",
    {{{Profile::torch_2_13,
       "A captured tensor is written at once where no argument of the call is wrapped, else it is refused.",
       "torchgen/gen_functionalization_type.py: 'case 2: arguments are not functional tensors, so we no-op and "
       "redispatch'",
       "a body that raises later has written what it captured"},
      {Profile::torch_1_13,
       "A captured tensor is written at once where no argument of the call is wrapped, else it is refused.",
       "torchgen/gen_functionalization_type.py: 'case 2: arguments are not functional tensors, so we no-op and "
       "redispatch'",
       "a body that raises later has written what it captured"}}}};
inline constexpr Rule FUN_27{Family::FUN, 27,
                             "What an in-place op's functional twin gives is converted to the dtype of what is "
                             "written.",
                             "torchgen/gen_functionalization_type.py: 'tmp_output = at::_to_copy(…)'; GEO-22",
                             "It keeps the dtype of the computation."};
inline constexpr Rule FUN_28{Family::FUN,
                             28,
                             "What is copied is expanded to the sizes of what is written.",
                             "aten/src/ATen/native/Copy.cpp, copy: expand_copy",
                             "It keeps its sizes.",
                             {{{Profile::torch_1_13, "What has the dtype and the sizes of what is written is no copy.",
                                "aten/src/ATen/native/Copy.cpp, copy: 'auto r = src.to(self, …)'",
                                "a later write to what was copied shows in the copy"}}}};
inline constexpr Rule FUN_29{Family::FUN, 29, "Behind a write the name stands for the new value, in every later call.",
                             "PR 63048: 'replace_'; aten/src/ATen/FunctionalTensorWrapper.cpp, replace_",
                             "Calls that read go on with the old value; the next write alone takes the new one."};
inline constexpr Rule FUN_30{
    Family::FUN, 30,
    "A copy of a view becomes a view again where nothing outside of the body sees it, or addresses its memory.",
    "PR 63048: 'all of the {view}_copy calls are replaced with {view} calls again'; FUN-20: a view of an "
    "input would show what is copied back later",
    "It becomes a view everywhere."};
inline constexpr Rule FUN_31{
    Family::FUN,
    31,
    "resize_ beyond the memory keeps what is there and adds unspecified elements behind it.",
    "aten/src/ATen/native/Resize.cpp, resize_bytes_cpu; GEO-24",
    "It begins memory of its own.",
    {{{Profile::torch_2_13, "resize_ beyond the memory is refused for a view, and for what has one.",
       "aten/src/ATen/FunctionalTensorWrapper.cpp, maybe_replace_storage", "pytorch#81385"},
      {Profile::torch_1_13, "resize_ beyond the memory is refused for a view, and for what has one.",
       "aten/src/ATen/FunctionalTensorWrapper.cpp, maybe_replace_storage", "pytorch#81385"}}}};
inline constexpr Rule FUN_32{Family::FUN,
                             32,
                             "An out= that does not have the result's sizes is resized first.",
                             "aten/src/ATen/native/Resize.cpp, resize_output",
                             "It is left as it is.",
                             {{{Profile::torch_2_13, "The result takes its place, whatever its sizes and dtype were.",
                                "aten/src/ATen/FunctionalTensorWrapper.cpp, replace_",
                                "views are made again of what no longer fits, which raises, or dies"},
                               {Profile::torch_1_13, "The result takes its place, whatever its sizes and dtype were.",
                                "aten/src/ATen/FunctionalTensorWrapper.cpp, replace_",
                                "views are made again of what no longer fits, which raises"}}}};

inline constexpr Rule FUN_33{Family::FUN, 33, "A body that raises leaves its inputs as they were.",
                             "torch/_functorch/eager_transforms.py, functionalize: what was written is propagated "
                             "once the function has returned",
                             "What it had written before is in them."};
inline constexpr Rule FUN_34{Family::FUN, 34,
                             "How often a version counter counts what a functionalized body did is free.",
                             "PR 63048: 'copy_() the new value onto the input', once, however often the body writes",
                             "As often as the body wrote."};
inline constexpr Rule FUN_35{Family::FUN, 35, "A result that shares its memory with nothing is no view.",
                             "FUN-22 and FUN-23 alone make views; torch/_functorch/eager_transforms.py, functionalize: "
                             "_unwrap_all_tensors_from_functional gives what no one else has",
                             "It is a view of the tensor in the body that it is one of."};

inline constexpr Rule FUN_36{
    Family::FUN,
    36,
    "A body may stand in a body: what the inner one wrote, its end writes in the outer one, like every other write.",
    "PR 63048: \"nested `functionalize()` calls aren't supported yet (I mostly just need to remove some debug asserts "
    "and "
    "test it)\"",
    "What is functional already cannot be given to a body.",
    {{{Profile::torch_2_13, "What is functional already cannot be given to a body, nor does one take what it made.",
       "aten/src/ATen/FunctionalStorageImpl.cpp, FunctionalStorageImpl: !isFunctionalTensor(base_)", ""},
      {Profile::torch_1_13, "What is functional already cannot be given to a body, nor does one take what it made.",
       "aten/src/ATen/FunctionalTensorWrapper.cpp, FunctionalTensorWrapper: !isFunctionalTensor(value_)", ""}}}};

/// Whether the profile's variant of `rule` is followed, where what PyTorch ships runs (reference/functorch).
template <Domain D>
constexpr bool departs(const Judge<D>& judge, const Rule& rule) {
  const bool varies = rule.variant(judge.profile) != nullptr;
  return judge(rule, false, true, In{Profile::torch_2_13, varies}, In{Profile::torch_1_13, varies});
}
/// The decisions of the passes that are yes or no in every domain: `rule` is followed, or misread. What a profile does
/// in place of a rule is not the passes' affair: reference/functorch does that.
template <Domain D>
constexpr bool follows(const Judge<D>& judge, const Rule& rule) {
  return judge(rule, true, false);
}
/// Where a select, or a slice that begins at `start`, is undone.
template <Domain D>
constexpr Num<D> undone_index(const Judge<D>& judge, const Num<D>& index) {
  return judge(FUN_06, index, Num<D>(0));
}
template <Domain D>
constexpr Num<D> undone_start(const Judge<D>& judge, const Num<D>& start) {
  return judge(FUN_07, start, Num<D>(0));
}
/// The offset of the diagonal on which a write to one is undone.
template <Domain D>
constexpr Num<D> undone_diagonal(const Judge<D>& judge, const Num<D>& offset) {
  return judge(FUN_10, offset, Num<D>(0) - offset);
}
/// Which of several results of a view op a write is undone as.
template <Domain D>
constexpr Num<D> undone_piece(const Judge<D>& judge, const Num<D>& piece) {
  return judge(FUN_12, piece, Num<D>(0));
}
/// The offset of as_strided in its storage, `own` being that of the tensor that it is called on.
template <Domain D>
constexpr Num<D> strided_offset(const Judge<D>& judge, const Num<D>& offset, const Num<D>& own) {
  return judge(FUN_15, offset, own + offset);
}

}  // namespace plumbline
