// GEO: the copies of views ({view}_copy), and tensors in which the part that a view sees is replaced (*_scatter): what
// functionalization writes in place of views and of writes through them.
#pragma once

#include "spec/rules/geo_ops.h"

namespace plumbline {

inline constexpr Rule GEO_76{
    Family::GEO,
    76,
    "A {view}_copy has the view's sizes and elements, in row-major memory of its own.",
    "torchgen/gen_functionalization_type.py, gen_composite_view_copy_kernel: '.clone(/*memory_format=*/at::"
    "MemoryFormat::Contiguous)'",
    "It keeps the strides that the view has.",
    {{{Profile::torch_1_13, "It has the strides of the view's clone.",
       "torchgen/gen_functionalization_type.py of v1.13.1, gen_composite_view_copy_kernel: '.clone()'", ""}}}};
inline constexpr Rule GEO_77{
    Family::GEO, 77, "view_copy takes sizes that the strides do not allow for a view, as reshape does.",
    "torchgen/gen_functionalization_type.py, gen_composite_view_copy_kernel: 'self.reshape_symint(size)'",
    "It raises what view raises."};
inline constexpr Rule GEO_78{
    Family::GEO,
    78,
    "A *_scatter's result has the sizes, strides and offset of its first argument, in a copy of the whole storage; "
    "where "
    "that one's strides repeat elements, it is laid out as its clone is.",
    "aten/src/ATen/native/TensorShape.cpp, Note [*_scatter ops preserve strides], clone_preserve_strides",
    "The result is laid out as the first argument's clone is.",
    {{{Profile::torch_1_13, "The result is laid out as the first argument's clone is, and the view is one of that.",
       "aten/src/ATen/native/TensorShape.cpp of v1.13.1, slice_scatter: self.clone()",
       "an as_strided_scatter replaces what the as_strided of its first argument sees"}}}};
inline constexpr Rule GEO_79{Family::GEO, 79, "A *_scatter's src has the sizes of the view that it replaces.",
                             "aten/src/ATen/native/TensorShape.cpp, slice_scatter: 'expected src to have a size equal "
                             "to the slice of self'",
                             "src is broadcast to the view, as copy_ does."};
inline constexpr Rule GEO_80{
    Family::GEO,
    80,
    "as_strided_scatter takes a tensor of any strides.",
    "aten/src/ATen/native/TensorShape.cpp, as_strided_scatter: its values need no row-major strides",
    "The first argument's strides have to be row-major.",
    {{{Profile::torch_2_13, "A first argument that requires grad and is not row-major meets an internal assertion.",
       "aten/src/ATen/native/TensorShape.cpp, as_strided_scatter: '!self.requires_grad() || self.is_contiguous()'",
       "functionalization replaces writes through as_strided of any tensor"},
      {Profile::torch_1_13, "A first argument that requires grad and is not row-major meets an internal assertion.",
       "aten/src/ATen/native/TensorShape.cpp of v1.13.1, as_strided_scatter",
       "functionalization replaces writes through as_strided of any tensor"}}}};
inline constexpr Rule GEO_81{
    Family::GEO,
    81,
    "A *_scatter takes a first argument whose storage does not hold a whole number of its elements.",
    "GEO-78: the result has a copy of the whole storage, and `view` in a wider dtype leaves bytes over (GEO-66)",
    "The storage has to hold a whole number of elements.",
    {{{Profile::torch_2_13, "An internal assertion fails where the storage does not hold a whole number of elements.",
       "aten/src/ATen/native/TensorShape.cpp, clone_preserve_strides: 'nbytes % dtype_size == 0'",
       "functionalization replaces writes through views of any tensor"}}}};

/// Whether a {view}_copy is row-major, or has its view's strides.
template <Domain D>
constexpr Bool<D> view_copy_is_row_major(const Judge<D>& judge) {
  return judge(GEO_76, Bool<D>(true), Bool<D>(false), In{Profile::torch_1_13, Bool<D>(false)});
}
/// Whether view_copy may be of these sizes; `allowed`: the strides allow a view.
template <Domain D>
constexpr Bool<D> view_copy_fits(const Judge<D>& judge, const Bool<D>& allowed) {
  return judge(GEO_77, Bool<D>(true), allowed);
}
/// Whether a scatter's result keeps strides, offset and storage; `repeats`: stride 0 in a dimension of size above 1.
template <Domain D>
constexpr Bool<D> scatter_keeps_layout(const Judge<D>& judge, const Bool<D>& repeats) {
  return judge(GEO_78, !repeats, Bool<D>(false), In{Profile::torch_1_13, Bool<D>(false)});
}
/// Whether a scatter copies the storage of its first argument; `whole`: it holds a whole number of that one's elements.
template <Domain D>
constexpr Error<D> check_scatter_storage(const Judge<D>& judge, const Bool<D>& whole) {
  return error_if(judge(GEO_81, Bool<D>(false), !whole, In{Profile::torch_2_13, !whole}), ErrorClass::internal);
}
/// Whether a scatter takes src; `same`: it has the view's sizes.
template <Domain D>
constexpr Error<D> check_scatter_source(const Judge<D>& judge, const Bool<D>& same) {
  return error_if(judge(GEO_79, !same, Bool<D>(false)), ErrorClass::shape);
}
/// Whether as_strided_scatter takes its first argument.
template <Domain D>
constexpr Error<D> check_strided_scatter(const Judge<D>& judge, const Bool<D>& row_major,
                                         const Bool<D>& requires_grad) {
  const Bool<D> asserted = !row_major && requires_grad;
  return error_if(
      judge(GEO_80, Bool<D>(false), !row_major, In{Profile::torch_2_13, asserted}, In{Profile::torch_1_13, asserted}),
      ErrorClass::internal);
}

}  // namespace plumbline
