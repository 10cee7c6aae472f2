// GEO: copies of views ({view}_copy), and tensors in which the part under a view is replaced (*_scatter).
// Functionalization writes them in place of views and of writes through views.
#pragma once

#include "spec/rules/geo_ops.h"

namespace plumbline {

inline constexpr Rule GEO_76{Family::GEO, 76};
inline constexpr Rule GEO_77{Family::GEO, 77};
inline constexpr Rule GEO_78{Family::GEO, 78};
inline constexpr Rule GEO_79{Family::GEO, 79};
inline constexpr Rule GEO_80{Family::GEO, 80};
inline constexpr Rule GEO_81{Family::GEO, 81};

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
