// GEO: copies of views ({view}_copy), and tensors in which the part under a view is replaced (*_scatter).
// Functionalization writes them in place of views and of writes through views.
#pragma once

#include "spec/rules/geo_ops.h"

namespace plumbline {

inline constexpr Rule GEO_76{
    Family::GEO,
    76,
    "A {view}_copy has the view's sizes and elements, in row-major memory of its own.",
    "torchgen/gen_functionalization_type.py, gen_composite_view_copy_kernel: "
    "'.clone(/*memory_format=*/at::MemoryFormat::Contiguous)'",
    "It keeps the view's strides.",
    {{{Profile::torch_1_13, "It has the strides of the view's clone.",
       "torchgen/gen_functionalization_type.py of v1.13.1, gen_composite_view_copy_kernel: '.clone()'", ""}}}};
inline constexpr Rule GEO_77{
    Family::GEO, 77, "view_copy accepts sizes that the strides do not allow for a view, as reshape does.",
    "torchgen/gen_functionalization_type.py, gen_composite_view_copy_kernel: 'self.reshape_symint(size)'",
    "It raises the error that view raises."};
inline constexpr Rule GEO_78{
    Family::GEO,
    78,
    "The result of a *_scatter has the sizes, strides and offset of its first argument, in a copy of the whole "
    "storage; if those strides repeat elements, it is laid out like clone's result.",
    "aten/src/ATen/native/TensorShape.cpp, Note [*_scatter ops preserve strides], clone_preserve_strides",
    "The result is laid out like a clone of the first argument.",
    {{{Profile::torch_1_13,
       "The result is laid out like a clone of the first argument, and the view that is replaced is a view of that "
       "clone.",
       "aten/src/ATen/native/TensorShape.cpp of v1.13.1, slice_scatter: self.clone()",
       "an as_strided_scatter replaces what the as_strided of its first argument sees"}}}};
inline constexpr Rule GEO_79{
    Family::GEO, 79, "The src of a *_scatter must have the sizes of the view that it replaces.",
    "aten/src/ATen/native/TensorShape.cpp, slice_scatter: 'expected src to have a size equal to the slice of self'",
    "src is broadcast to the view, as copy_ does."};
inline constexpr Rule GEO_80{
    Family::GEO,
    80,
    "as_strided_scatter accepts a first argument of any strides.",
    "aten/src/ATen/native/TensorShape.cpp, as_strided_scatter: its values need no row-major strides",
    "The first argument must be row-major.",
    {{{Profile::torch_2_13, "A first argument that requires grad and is not row-major fails an internal assertion.",
       "aten/src/ATen/native/TensorShape.cpp, as_strided_scatter: '!self.requires_grad() || self.is_contiguous()'",
       "functionalization replaces writes through as_strided of any tensor"},
      {Profile::torch_1_13, "A first argument that requires grad and is not row-major fails an internal assertion.",
       "aten/src/ATen/native/TensorShape.cpp of v1.13.1, as_strided_scatter",
       "functionalization replaces writes through as_strided of any tensor"}}}};
inline constexpr Rule GEO_81{
    Family::GEO,
    81,
    "A *_scatter accepts a first argument whose storage does not have a whole number of its elements.",
    "GEO-78: the result has a copy of the whole storage, and `view` to a wider dtype can leave bytes over (GEO-66)",
    "The storage must have a whole number of elements.",
    {{{Profile::torch_2_13, "If the storage does not have a whole number of elements, an internal assertion fails.",
       "aten/src/ATen/native/TensorShape.cpp, clone_preserve_strides: 'nbytes % dtype_size == 0'",
       "functionalization replaces writes through views of any tensor"}}}};

/// Whether a {view}_copy is row-major, or has its view's strides.
template <Domain D>
constexpr Bool<D> view_copy_is_row_major(const Judge<D>& judge) {
  return judge(GEO_76, Bool<D>(true), Bool<D>(false), In{Profile::torch_1_13, Bool<D>(false)});
}
/// Whether view_copy accepts its sizes; `allowed`: the strides allow a view.
template <Domain D>
constexpr Bool<D> view_copy_fits(const Judge<D>& judge, const Bool<D>& allowed) {
  return judge(GEO_77, Bool<D>(true), allowed);
}
/// Whether a scatter's result keeps strides, offset and storage; `repeats`: stride 0 in a dimension of size above 1.
template <Domain D>
constexpr Bool<D> scatter_keeps_layout(const Judge<D>& judge, const Bool<D>& repeats) {
  return judge(GEO_78, !repeats, Bool<D>(false), In{Profile::torch_1_13, Bool<D>(false)});
}
/// Whether a scatter copies the storage of its first argument; `whole`: the storage has a whole number of its elements.
template <Domain D>
constexpr Error<D> check_scatter_storage(const Judge<D>& judge, const Bool<D>& whole) {
  return error_if(judge(GEO_81, Bool<D>(false), !whole, In{Profile::torch_2_13, !whole}), ErrorClass::internal);
}
/// Whether a scatter accepts src; `same`: it has the view's sizes.
template <Domain D>
constexpr Error<D> check_scatter_source(const Judge<D>& judge, const Bool<D>& same) {
  return error_if(judge(GEO_79, !same, Bool<D>(false)), ErrorClass::shape);
}
/// Whether as_strided_scatter accepts its first argument.
template <Domain D>
constexpr Error<D> check_strided_scatter(const Judge<D>& judge, const Bool<D>& row_major,
                                         const Bool<D>& requires_grad) {
  const Bool<D> asserted = !row_major && requires_grad;
  return error_if(
      judge(GEO_80, Bool<D>(false), !row_major, In{Profile::torch_2_13, asserted}, In{Profile::torch_1_13, asserted}),
      ErrorClass::internal);
}

}  // namespace plumbline
