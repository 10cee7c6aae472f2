// GEO: the views that cut and permute. Each rule derives a view's index map from its source's.
#pragma once

#include <algorithm>

#include "spec/rules/rule.h"
#include "spec/vocabulary/geometry.h"

namespace plumbline {

inline constexpr Rule GEO_01{Family::GEO, 1};
inline constexpr Rule GEO_02{Family::GEO, 2};
inline constexpr Rule GEO_03{Family::GEO, 3};
inline constexpr Rule GEO_04{Family::GEO, 4};
inline constexpr Rule GEO_05{Family::GEO, 5};
inline constexpr Rule GEO_06{Family::GEO, 6};
inline constexpr Rule GEO_07{Family::GEO, 7};
inline constexpr Rule GEO_08{Family::GEO, 8};
inline constexpr Rule GEO_09{Family::GEO, 9};
inline constexpr Rule GEO_10{Family::GEO, 10};
inline constexpr Rule GEO_11{Family::GEO, 11};
inline constexpr Rule GEO_12{Family::GEO, 12};
inline constexpr Rule GEO_13{Family::GEO, 13};
inline constexpr Rule GEO_14{Family::GEO, 14};
inline constexpr Rule GEO_15{Family::GEO, 15};
inline constexpr Rule GEO_27{Family::GEO, 27};

/// A dimension as written, brought into range for `rank`, and whether it was in range.
template <Domain D>
struct WrappedDim {
  int dim = 0;
  bool valid = false;
};
template <Domain D>
constexpr WrappedDim<D> wrap_dim(const Judge<D>& judge, std::int64_t dim, int rank) {
  const std::int64_t extent = std::max(rank, 1);
  const bool in_range = dim >= -extent && dim < extent;
  const bool legal = judge(GEO_01, in_range, in_range && dim >= 0);
  return {static_cast<int>(dim < 0 ? dim + extent : dim), legal};
}

template <Domain D>
constexpr Geometry<D> drop_dim(Geometry<D> g, int dim) {
  g.sizes.erase(g.sizes.begin() + dim);
  g.strides.erase(g.strides.begin() + dim);
  return g;
}

/// `dim` is wrapped. A negative index counts from the end.
template <Domain D>
constexpr Viewed<D> select_view(const Judge<D>& judge, const Geometry<D>& g, int dim, const Num<D>& index) {
  const Num<D> size = g.sizes[dim];
  const Num<D> at = select(index < Num<D>(0), index + size, index);
  Geometry<D> view = drop_dim(g, dim);
  view.offset = g.offset + judge(GEO_02, at * g.strides[dim], at);
  return {view, error_if(index < Num<D>(0) - size || index >= size, ErrorClass::index_range)};
}

/// `start` and `end` as written (an omitted end is the size); `step` must be positive.
template <Domain D>
constexpr Viewed<D> slice_view(const Judge<D>& judge, const Geometry<D>& g, int dim, const Num<D>& start,
                               const Num<D>& end, const Num<D>& step) {
  const Num<D> size = g.sizes[dim];
  const Num<D> zero = 0;
  const auto clamp = [&](const Num<D>& i, const Num<D>& low) {
    const Num<D> wrapped = select(i < zero, i + size, i);
    return select(wrapped < low, low, select(wrapped > size, size, wrapped));
  };
  const Num<D> from = clamp(start, zero);
  const Num<D> to = clamp(end, from);
  const Num<D> by = select(step < Num<D>(1), Num<D>(1), step);
  Geometry<D> view = g;
  view.sizes[dim] = judge(GEO_03, (to - from + by - Num<D>(1)) / by, (to - from) / by);
  view.strides[dim] = g.strides[dim] * by;
  view.offset = g.offset + from * g.strides[dim];
  return {view, error_if(step < Num<D>(1), ErrorClass::range)};
}

/// Whether narrow refuses its length before everything else; `negative`: the length is. 1.13 checks it last.
template <Domain D>
constexpr bool narrow_refuses_length_first(const Judge<D>& judge, bool negative) {
  return judge(GEO_04, negative, negative, In{Profile::torch_1_13, false});
}

/// A negative start counts from the end.
template <Domain D>
constexpr Viewed<D> narrow_view(const Judge<D>& judge, const Geometry<D>& g, int dim, const Num<D>& start,
                                const Num<D>& length) {
  const Num<D> size = g.sizes[dim];
  const Num<D> from = select(start < Num<D>(0), start + size, start);
  const Bool<D> outside = length < Num<D>(0) || start < Num<D>(0) - size || start > size;
  const Error<D> right = error_if(outside || from + length > size, ErrorClass::range);
  // 1.13 wraps the start like a dimension: an empty dimension counts as size 1, and a start at the end is allowed.
  const Num<D> places = select(size == Num<D>(0), Num<D>(1), size);
  const Num<D> wrapped = select(start < Num<D>(0), start + places, start);
  const Bool<D> no_dimension = !(start == size) && (start < Num<D>(0) - places || !(start < places));
  const Error<D> early = first_error(error_if(no_dimension, ErrorClass::dim_range),
                                     error_if(length < Num<D>(0) || wrapped + length > size, ErrorClass::range));
  Viewed<D> view = slice_view(judge, g, dim, from, from + length, Num<D>(1));
  view.error = judge(GEO_04, right, error_if(outside, ErrorClass::range), In{Profile::torch_1_13, early});
  return view;
}

template <Domain D>
constexpr Geometry<D> transpose_view(const Judge<D>& judge, Geometry<D> g, int dim0, int dim1) {
  if (g.rank() == 0) return g;
  std::swap(g.sizes[dim0], g.sizes[dim1]);
  const Num<D> s0 = g.strides[dim0];
  const Num<D> s1 = g.strides[dim1];
  g.strides[dim0] = judge(GEO_05, s1, s0);
  g.strides[dim1] = judge(GEO_05, s0, s1);
  return g;
}

/// `dims` is a permutation, wrapped.
template <Domain D>
constexpr Geometry<D> permute_view(const Judge<D>& judge, const Geometry<D>& g, const std::vector<int>& dims) {
  Geometry<D> view = g;
  for (int i = 0; i < g.rank(); ++i) {
    const int inverse = static_cast<int>(std::find(dims.begin(), dims.end(), i) - dims.begin());
    view.sizes[i] = judge(GEO_06, g.sizes[dims[i]], g.sizes[inverse]);
    view.strides[i] = judge(GEO_06, g.strides[dims[i]], g.strides[inverse]);
  }
  return view;
}

/// Whether a view, or a tensor that is resized, may have a negative size. c10 multiplies the sizes in order, as
/// unsigned 64-bit numbers, so that a negative one overflows with any other factor, unless a 0 comes before it.
template <Domain D>
constexpr Error<D> check_negative_size(const Judge<D>& judge, const Dims<D>& sizes) {
  Bool<D> any = false;
  Bool<D> empty = false;
  Bool<D> counted = false;
  Bool<D> one = false;
  Bool<D> many = false;
  for (const Num<D>& size : sizes) {
    const Bool<D> negative = size < Num<D>(0);
    any = any || negative;
    empty = empty || size == Num<D>(0);
    const Bool<D> factor = !empty && !(size == Num<D>(1));
    counted = counted || (factor && negative);
    many = many || (one && factor);
    one = one || factor;
  }
  const Bool<D> overflows = counted && (many || !empty);
  return error_if(
      judge(GEO_27, any, any && !empty, In{Profile::torch_2_13, overflows}, In{Profile::torch_1_13, overflows}),
      ErrorClass::range);
}

/// `sizes` has at least the rank; −1 keeps a dimension.
template <Domain D>
constexpr Viewed<D> expand_view(const Judge<D>& judge, const Geometry<D>& g, const Dims<D>& sizes) {
  const int added = static_cast<int>(sizes.size()) - g.rank();
  Viewed<D> view{{sizes, Dims<D>(sizes.size()), g.offset}};
  for (int i = static_cast<int>(sizes.size()) - 1; i >= 0; --i) {
    const bool fresh = i < added;
    const Num<D> old_size = fresh ? Num<D>(1) : g.sizes[i - added];
    const bool has_inner = fresh && g.rank() > 0;  // in c10 a new dimension has the stride of one of size 1
    const Num<D> new_stride = has_inner ? view.geometry.sizes[i + 1] * view.geometry.strides[i + 1] : Num<D>(0);
    const Num<D> old_stride = fresh ? new_stride : g.strides[i - added];
    const Bool<D> keep = sizes[i] == Num<D>(-1) && Bool<D>(!fresh);
    const Num<D> size = select(keep, old_size, sizes[i]);
    const Bool<D> same = size == old_size;
    view.geometry.sizes[i] = size;
    view.geometry.strides[i] = judge(GEO_07, select(same, old_stride, Num<D>(0)), old_stride);
    view.error = first_error(view.error, error_if(!same && !(old_size == Num<D>(1)), ErrorClass::shape));
    // -1 keeps an existing dimension; for a tensor without dimensions PyTorch does not check this
    if (fresh && g.rank() > 0)
      view.error = first_error(view.error, error_if(sizes[i] == Num<D>(-1), ErrorClass::range));
  }
  view.error = first_error(view.error, check_negative_size(judge, view.geometry.sizes));
  return view;
}

/// Whether squeeze drops a dimension of this size.
template <Domain D>
constexpr Bool<D> squeezes(const Judge<D>& judge, const Num<D>& size) {
  return judge(GEO_08, size == Num<D>(1), size <= Num<D>(1));
}

/// `dim` is wrapped for rank + 1.
template <Domain D>
constexpr Geometry<D> unsqueeze_view(const Judge<D>& judge, Geometry<D> g, int dim) {
  const Num<D> stride = dim < g.rank() ? g.sizes[dim] * g.strides[dim] : Num<D>(1);
  g.sizes.insert(g.sizes.begin() + dim, Num<D>(1));
  g.strides.insert(g.strides.begin() + dim, judge(GEO_09, stride, Num<D>(1)));
  return g;
}

/// Both dimensions are wrapped and differ.
template <Domain D>
constexpr Geometry<D> diagonal_view(const Judge<D>& judge, const Geometry<D>& g, const Num<D>& offset, int dim1,
                                    int dim2) {
  const Num<D> zero = 0;
  const Bool<D> below = judge(GEO_10, offset < zero, Bool<D>(false));
  const Num<D> away = select(offset < zero, zero - offset, offset);
  const Num<D> n1 = select(below, g.sizes[dim1] - away, g.sizes[dim1]);
  const Num<D> n2 = select(below, g.sizes[dim2], g.sizes[dim2] - away);
  const Num<D> least = select(n1 < n2, n1, n2);
  const Num<D> size = select(least < zero, zero, least);
  const Num<D> stride = g.strides[dim1] + g.strides[dim2];
  const Num<D> moved = g.offset + away * select(below, g.strides[dim1], g.strides[dim2]);
  Geometry<D> view = drop_dim(drop_dim(g, std::max(dim1, dim2)), std::min(dim1, dim2));
  view.sizes.push_back(size);
  view.strides.push_back(stride);
  view.offset = select(size == zero, g.offset, moved);
  return view;
}

/// `dim` is wrapped; a tensor without dimensions has one of size 1.
template <Domain D>
constexpr Viewed<D> unfold_view(const Judge<D>& judge, const Geometry<D>& g, int dim, const Num<D>& size,
                                const Num<D>& step) {
  const bool scalar = g.rank() == 0;
  const Num<D> n = scalar ? Num<D>(1) : g.sizes[dim];
  const Num<D> stride = scalar ? Num<D>(1) : g.strides[dim];
  const Num<D> by = select(step < Num<D>(1), Num<D>(1), step);
  Geometry<D> view = g;
  if (!scalar) {
    view.sizes[dim] = judge(GEO_11, (n - size) / by + Num<D>(1), (n + by - Num<D>(1)) / by);
    view.strides[dim] = stride * by;
  }
  view.sizes.push_back(size);
  view.strides.push_back(stride);
  Bool<D> empty = false;
  for (int d = 0; d < g.rank(); ++d) empty = empty || (Bool<D>(d != dim) && g.sizes[d] == Num<D>(0));
  const Bool<D> below = size < Num<D>(0);
  const Bool<D> negative = judge(GEO_27, below, below && !empty, In{Profile::torch_1_13, below && !empty});
  return {view, error_if(negative || size > n || step < Num<D>(1), ErrorClass::range)};
}

template <Domain D>
constexpr Bool<D> empty_of(const Dims<D>& sizes) {
  Bool<D> empty = false;
  for (const Num<D>& size : sizes) empty = empty || size == Num<D>(0);
  return empty;
}

/// `available`: how many elements the storage holds; `own`: how many the tensor has.
template <Domain D>
constexpr Viewed<D> as_strided_view(const Judge<D>& judge, const Geometry<D>& g, const Dims<D>& sizes,
                                    const Dims<D>& strides, const std::optional<Num<D>>& offset,
                                    const Num<D>& available) {
  const Num<D> start = offset ? *offset : judge(GEO_12, g.offset, Num<D>(0));
  Num<D> last = start;
  Bool<D> backwards = false;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    last = last + (sizes[i] - Num<D>(1)) * strides[i];
    // a negative size overflows the bytes that the storage must have, unless its stride is 0
    backwards =
        backwards || strides[i] < Num<D>(0) || (sizes[i] < Num<D>(0) && strides[i] > Num<D>(0) && !empty_of<D>(sizes));
  }
  const Num<D> reach = judge(GEO_13, available, product<D>(g.sizes));
  const Bool<D> outside = last >= reach && !(product<D>(sizes) == Num<D>(0));
  const Bool<D> reach_first = judge(GEO_13, Bool<D>(false), Bool<D>(false), In{Profile::torch_1_13, outside});
  backwards = backwards || (start < Num<D>(0) && !reach_first);
  return {
      {sizes, strides, start},
      first_error(first_error(error_if(backwards, ErrorClass::range), error_if(outside, ErrorClass::storage_bounds)),
                  check_negative_size(judge, sizes))};
}

/// How many pieces `split(size)` makes of `n` elements.
template <Domain D>
constexpr Num<D> split_pieces(const Judge<D>& judge, const Num<D>& n, const Num<D>& size) {
  const Num<D> by = select(size < Num<D>(1), Num<D>(1), size);
  const Num<D> all = (n + by - Num<D>(1)) / by;
  const Num<D> pieces = judge(GEO_14, all, n / by);
  return select(pieces < Num<D>(1), Num<D>(1), pieces);
}

/// Piece `number` of split(size), counted from 0: at most `size` indices of `dim` (wrapped).
template <Domain D>
constexpr Geometry<D> split_view(const Judge<D>& judge, const Geometry<D>& g, int dim, const Num<D>& size,
                                 const Num<D>& number) {
  const Num<D> n = g.sizes[dim];
  const auto within = [&](const Num<D>& end) { return select(end < n, end, n); };
  const Num<D> start = within(number * size);
  return slice_view(judge, g, dim, start, within(start + size), Num<D>(1)).geometry;
}

/// The view for one index of unbind.
template <Domain D>
constexpr Geometry<D> unbind_view(const Judge<D>& judge, const Geometry<D>& g, int dim, const Num<D>& index) {
  Geometry<D> piece = select_view(judge, g, dim, index).geometry;
  const bool keeps = judge(GEO_15, false, true);
  if (!keeps) return piece;
  piece.sizes.insert(piece.sizes.begin() + dim, Num<D>(1));
  piece.strides.insert(piece.strides.begin() + dim, g.strides[dim]);
  return piece;
}

}  // namespace plumbline
