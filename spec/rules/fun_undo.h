// FUN: the inverses of views, by which functionalization writes a view's new value back into its source.
#pragma once

#include "spec/rules/fun.h"
#include "spec/vocabulary/geometry.h"

namespace plumbline {

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
/// The dimension with which the inverse of transpose exchanges `first`; `second` is the one of the transpose.
template <Domain D>
constexpr Num<D> undone_transpose(const Judge<D>& judge, const Num<D>& first, const Num<D>& second) {
  return judge(FUN_08, second, first);
}
/// A dimension of the inverse of permute; `inverse` is that of the inverse permutation, `same` that of the permute.
template <Domain D>
constexpr Num<D> undone_permute(const Judge<D>& judge, const Num<D>& inverse, const Num<D>& same) {
  return judge(FUN_09, inverse, same);
}
/// The offset of the diagonal to which the inverse of diagonal writes.
template <Domain D>
constexpr Num<D> undone_diagonal(const Judge<D>& judge, const Num<D>& offset) {
  return judge(FUN_10, offset, Num<D>(0) - offset);
}
/// Whether the inverse of unfold keeps an element of the source; `in_window`: some window has it.
template <Domain D>
constexpr Bool<D> unfold_keeps(const Judge<D>& judge, const Bool<D>& in_window) {
  return judge(FUN_11, !in_window, Bool<D>(false), in_2_13(false), in_1_13(false));
}
/// The result, of several of a view op, at whose place its inverse writes.
template <Domain D>
constexpr Num<D> undone_piece(const Judge<D>& judge, const Num<D>& piece) {
  return judge(FUN_12, piece, Num<D>(0));
}
/// A size of the view that is the inverse of view, squeeze and unsqueeze; `misread`: the misreading's.
template <Domain D>
constexpr Num<D> undone_size(const Judge<D>& judge, const Num<D>& source, const Num<D>& misread) {
  return judge(FUN_13, source, misread);
}
/// The offset of as_strided in the storage; `own` is that of the tensor that it is called on.
template <Domain D>
constexpr Num<D> strided_offset(const Judge<D>& judge, const Num<D>& offset, const Num<D>& own) {
  return judge(FUN_15, offset, own + offset);
}
/// Whether as_strided addresses the memory, and not the value of the tensor that it is called on.
template <Domain D>
constexpr Bool<D> strided_addresses_memory(const Judge<D>& judge) {
  return judge(FUN_15, Bool<D>(true), Bool<D>(false), in_2_13(false), in_1_13(false));
}
/// Whether the inverse of a view in another dtype keeps the bytes; `conversion_keeps`: a conversion would.
template <Domain D>
constexpr Bool<D> undone_dtype_keeps_bytes(const Judge<D>& judge, const Bool<D>& conversion_keeps) {
  return judge(FUN_16, Bool<D>(true), conversion_keeps);
}

}  // namespace plumbline
