// GEO: reshape, memory read as another dtype, resizing, joining, indices, and ops that write `out`.
#pragma once

#include "spec/rules/geo_exchange.h"

namespace plumbline {

inline constexpr Rule GEO_60{Family::GEO, 60};
inline constexpr Rule GEO_61{Family::GEO, 61};
inline constexpr Rule GEO_62{Family::GEO, 62};
inline constexpr Rule GEO_63{Family::GEO, 63};
inline constexpr Rule GEO_64{Family::GEO, 64};
inline constexpr Rule GEO_65{Family::GEO, 65};
inline constexpr Rule GEO_66{Family::GEO, 66};
inline constexpr Rule GEO_67{Family::GEO, 67};
inline constexpr Rule GEO_68{Family::GEO, 68};
inline constexpr Rule GEO_69{Family::GEO, 69};
inline constexpr Rule GEO_70{Family::GEO, 70};
inline constexpr Rule GEO_71{Family::GEO, 71};
inline constexpr Rule GEO_72{Family::GEO, 72};
inline constexpr Rule GEO_74{Family::GEO, 74};
inline constexpr Rule GEO_75{Family::GEO, 75};

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
/// Whether an out= op checks the overlap of out; `looks`: PyTorch's kernel does.
template <Domain D>
constexpr Bool<D> out_overlap_checked(const Judge<D>& judge, const Bool<D>& looks) {
  return judge(GEO_74, Bool<D>(true), Bool<D>(false), In{Profile::torch_2_13, looks}, In{Profile::torch_1_13, looks});
}
/// Whether what an op changed before it raised an error stays; `changed`: it has changed something.
template <Domain D>
constexpr Bool<D> changes_stay(const Judge<D>& judge, const Bool<D>& changed) {
  return judge(GEO_75, Bool<D>(false), changed, In{Profile::torch_2_13, changed}, In{Profile::torch_1_13, changed});
}

}  // namespace plumbline
