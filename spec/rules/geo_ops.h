// GEO: reshape, memory read as another dtype, resizing, joining, indices, and ops that write `out`.
#pragma once

#include "spec/rules/geo_exchange.h"

namespace plumbline {

inline constexpr Rule GEO_60{
    Family::GEO,
    60,
    "reshape returns a view if the strides allow one, and a copy otherwise.",
    "aten/src/ATen/native/TensorShape.cpp, reshape: computeStride",
    "reshape always copies.",
    {{{Profile::torch_1_13, "It checks the sizes before it asks for the view's history.",
       "aten/src/ATen/native/TensorShape.cpp of 1.13, reshape: infer_size_dv comes first", ""}}}};
inline constexpr Rule GEO_61{Family::GEO, 61,
                             "contiguous() of a tensor with row-major strides returns the tensor itself.",
                             "aten/src/ATen/native/TensorProperties.cpp, contiguous", "contiguous always copies."};
inline constexpr Rule GEO_62{Family::GEO, 62,
                             "to() with the tensor's own dtype returns the tensor itself, unless copy=True is given.",
                             "aten/src/ATen/native/TensorConversions.cpp, to_will_alias", "to() always copies."};
inline constexpr Rule GEO_63{
    Family::GEO, 63, "cat skips an empty tensor of one dimension, but its dtype counts.",
    "aten/src/ATen/native/TensorShape.h, cat_should_skip_tensor; TensorShape.cpp, cat: result_type(tensors)",
    "Every tensor must have the same number of dimensions."};
inline constexpr Rule GEO_64{
    Family::GEO, 64,
    "resize_ to the tensor's own sizes changes nothing; to other sizes it makes the strides row-major.",
    "aten/src/ATen/native/Resize.h, resize_impl_cpu_: 'if (self->sizes() == size …) return self'",
    "resize_ always makes the strides row-major."};
inline constexpr Rule GEO_65{
    Family::GEO, 65,
    "resize_ and out= enlarge a storage that is too small, and the new elements are unspecified; they never shrink it.",
    "aten/src/ATen/native/Resize.h, maybe_resize_storage_cpu", "resize_ beyond the storage is an error."};
inline constexpr Rule GEO_66{
    Family::GEO, 66, "view(dtype) reads the same bytes as numbers of another dtype.",
    "torch.Tensor.view: 'Returns a new tensor with the same data as the self tensor but of a different dtype'",
    "view(dtype) converts each number, as to(dtype) does."};
inline constexpr Rule GEO_67{
    Family::GEO, 67, "view(dtype) to smaller elements makes the last dimension longer, and to larger elements shorter.",
    "torch.Tensor.view: 'the size of the last dimension of the output will be scaled proportionally'",
    "view(dtype) to smaller elements keeps the sizes."};
inline constexpr Rule GEO_68{Family::GEO, 68,
                             "The sizes given to split_with_sizes must add up to the dimension's size.",
                             "aten/src/ATen/native/TensorShape.cpp, split_with_sizes: 'to sum exactly to'",
                             "If they add up to less, the rest is dropped."};
inline constexpr Rule GEO_69{
    Family::GEO, 69,
    "The pieces of unsafe_split share the tensor's storage, although autograd treats them as new tensors.",
    "native_functions.yaml, unsafe_split; aten/src/ATen/native/TensorShape.cpp, unsafe_split",
    "The pieces are copies."};
inline constexpr Rule GEO_70{Family::GEO, 70,
                             "index_fill counts a negative index from the end; index_select and gather refuse one.",
                             "aten/src/ATen/native/cpu/IndexKernel.cpp, index_fill_kernel: 'idx += self_dim_size'; "
                             "TensorAdvancedIndexing.cpp, index_select: 'index out of range in self'",
                             "index_select and gather count a negative index from the end as well."};
inline constexpr Rule GEO_71{Family::GEO, 71,
                             "gather's result has the sizes of index, which may be smaller than self's except in dim.",
                             "torch.gather: 'index.size(d) <= input.size(d) for all dimensions d != dim'",
                             "index must have the sizes of self except in dim."};
inline constexpr Rule GEO_72{
    Family::GEO, 72,
    "An out= op resizes an out of other sizes to the result's sizes and strides; an out of the right sizes keeps its "
    "strides.",
    "aten/src/ATen/native/Resize.h, resize_output; 'Out= semantics' of the documentation: 'resized to match the shape'",
    "An out of other sizes is an error."};
inline constexpr Rule GEO_73{Family::GEO, 73,
                             "out may have any dtype to which the result's dtype can be cast; neg, mm, bmm and sum "
                             "with dtype= require exactly the result's dtype.",
                             "aten/src/ATen/TensorIterator.cpp, compute_types: canCast; "
                             "torchgen/dest/register_dispatch_key.py, resize_out: 'Expected out tensor to have dtype'",
                             "out must have the result's dtype."};
inline constexpr Rule GEO_74{
    Family::GEO,
    74,
    "An out= op is an error if out overlaps itself or partly overlaps an input; mm, bmm, cat and sum, which read an "
    "element more than once or late, also refuse an out that is an input.",
    "'Out= semantics' of the documentation; aten/src/ATen/MemoryOverlap.h, assert_no_overlap",
    "The inputs are read before anything is written.",
    {{{Profile::torch_2_13, "mm, bmm and sum do not check: the result of an overlap is unspecified.",
       "aten/src/ATen/native/LinearAlgebra.cpp, mm_out_cpu; aten/src/ATen/native/ReduceOpsUtils.h, "
       "make_reduction_from_out_ty: set_check_mem_overlap(false)",
       "the result of a program without errors is specified"},
      {Profile::torch_1_13, "mm, bmm and sum do not check: the result of an overlap is unspecified.",
       "the same files of 1.13", "the result of a program without errors is specified"}}}};
inline constexpr Rule GEO_75{
    Family::GEO,
    75,
    "An op that raises an error changes nothing: neither out's sizes nor an element.",
    "INF-06 and VER-09: what raises has written nothing, so checks come before writes",
    "out is resized before its overlap is checked.",
    {{{Profile::torch_2_13,
       "cat's out= is resized before its overlap is checked, and that of mm and bmm before the dtypes of their inputs "
       "are; index_fill_ writes up to the first index that is out of range.",
       "aten/src/ATen/native/TensorShape.cpp, cat's meta function: set_output before assert_no_overlap; "
       "aten/src/ATen/native/cpu/IndexKernel.cpp, index_fill_kernel",
       "an op that raises an error writes nothing"},
      {Profile::torch_1_13,
       "cat's out= is resized before its overlap is checked, and that of mm and bmm before the dtypes of their inputs "
       "are; index_fill_ writes up to the first index that is out of range.",
       "the same files of 1.13", "an op that raises an error writes nothing"}}}};

/// Whether reshape is a view; `allowed`: the strides allow one.
template <Domain D>
constexpr Bool<D> reshape_is_view(const Judge<D>& judge, const Bool<D>& allowed) {
  return judge(GEO_60, allowed, Bool<D>(false));
}
/// Whether reshape checks its sizes before it calls view.
template <Domain D>
constexpr Bool<D> reshape_checks_first(const Judge<D>& judge) {
  return judge(GEO_60, Bool<D>(false), Bool<D>(false), In{Profile::torch_1_13, Bool<D>(true)});
}
/// Whether contiguous() returns the tensor itself; `row_major`: its strides are row-major.
template <Domain D>
constexpr Bool<D> contiguous_is_self(const Judge<D>& judge, const Bool<D>& row_major) {
  return judge(GEO_61, row_major, Bool<D>(false));
}
/// Whether to() returns the tensor itself; `same`: the dtype is its own; `copy`: as given.
template <Domain D>
constexpr Bool<D> to_is_self(const Judge<D>& judge, const Bool<D>& same, const Bool<D>& copy) {
  return judge(GEO_62, same && !copy, Bool<D>(false));
}
/// Whether cat skips a tensor of this rank; `empty`: it has no elements.
template <Domain D>
constexpr Bool<D> cat_skips(const Judge<D>& judge, const Bool<D>& empty, const Num<D>& rank) {
  return judge(GEO_63, empty && rank == Num<D>(1), Bool<D>(false));
}
/// Whether resize_ does nothing; `same`: the sizes are the tensor's.
template <Domain D>
constexpr Bool<D> resize_keeps_strides(const Judge<D>& judge, const Bool<D>& same) {
  return judge(GEO_64, same, Bool<D>(false));
}
/// Whether a storage of `held` elements may be resized to `needed` elements.
template <Domain D>
constexpr Error<D> check_resize(const Judge<D>& judge, const Num<D>& needed, const Num<D>& held) {
  return error_if(judge(GEO_65, Bool<D>(false), needed > held), ErrorClass::storage_bounds);
}
template <Domain D>
constexpr Bool<D> view_dtype_shares_bytes(const Judge<D>& judge) {
  return judge(GEO_66, Bool<D>(true), Bool<D>(false));
}

/// view(dtype) from elements of `from` bytes to elements of `to` bytes. One size divides the other; the caller has
/// checked that the last dimension has stride 1 and that everything is divisible.
template <Domain D>
constexpr Geometry<D> retyped_view(const Judge<D>& judge, const Geometry<D>& g, std::int64_t from, std::int64_t to) {
  const auto scaled = [&](const Num<D>& n) { return n * Num<D>(from) / Num<D>(to); };
  Geometry<D> view = g;
  for (Num<D>& stride : view.strides) stride = scaled(stride);
  if (from != to && g.rank() > 0) {
    view.strides.back() = Num<D>(1);
    view.sizes.back() = judge(GEO_67, scaled(g.sizes.back()), to < from ? g.sizes.back() : scaled(g.sizes.back()));
  }
  view.offset = scaled(g.offset);
  return view;
}

/// `sum` of the pieces' sizes, and the dimension's `size`.
template <Domain D>
constexpr Error<D> check_pieces(const Judge<D>& judge, const Num<D>& sum, const Num<D>& size) {
  return error_if(judge(GEO_68, !(sum == size), sum > size), ErrorClass::range);
}
template <Domain D>
constexpr Bool<D> unsafe_split_shares_storage(const Judge<D>& judge) {
  return judge(GEO_69, Bool<D>(true), Bool<D>(false));
}

/// The place of an index in a dimension of `size`, and an error if it is outside; `wraps`: the op is index_fill.
template <Domain D>
struct Indexed {
  Num<D> place;
  Error<D> error;
};
template <Domain D>
constexpr Indexed<D> index_place(const Judge<D>& judge, const Num<D>& index, const Num<D>& size, bool wraps) {
  const Bool<D> counts = judge(GEO_70, Bool<D>(wraps), Bool<D>(true));
  const Num<D> place = select(counts && index < Num<D>(0), index + size, index);
  return {place, error_if(place < Num<D>(0) || place >= size, ErrorClass::index_range)};
}
/// Whether gather accepts a size of index in a dimension other than `dim`.
template <Domain D>
constexpr Bool<D> gather_fits(const Judge<D>& judge, const Num<D>& index, const Num<D>& self) {
  return judge(GEO_71, index <= self, index == self);
}

/// Whether an out= op may resize out; `same`: the sizes are the result's.
template <Domain D>
constexpr Error<D> check_out_sizes(const Judge<D>& judge, const Bool<D>& same) {
  return error_if(judge(GEO_72, Bool<D>(false), !same), ErrorClass::shape);
}
/// Whether out's dtype is accepted; `castable`: can_cast allows it; `exact`: the op requires the result's dtype.
template <Domain D>
constexpr Bool<D> out_dtype_fits(const Judge<D>& judge, const Bool<D>& same, const Bool<D>& castable,
                                 const Bool<D>& exact) {
  return judge(GEO_73, same || (castable && !exact), same);
}
/// Whether an out= op checks the overlap of out; `looks`: PyTorch's kernel does.
template <Domain D>
constexpr Bool<D> out_overlap_checked(const Judge<D>& judge, const Bool<D>& looks) {
  return judge(GEO_74, Bool<D>(true), Bool<D>(false), In{Profile::torch_2_13, looks}, In{Profile::torch_1_13, looks});
}
/// Whether an op may have changed something when it raises an error.
template <Domain D>
constexpr Bool<D> error_leaves_changes(const Judge<D>& judge) {
  return judge(GEO_75, Bool<D>(false), Bool<D>(true), In{Profile::torch_2_13, Bool<D>(true)},
               In{Profile::torch_1_13, Bool<D>(true)});
}

}  // namespace plumbline
