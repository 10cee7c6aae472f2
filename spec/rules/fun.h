// FUN: functionalization. Which tensor is a view of which, when a value is regenerated, and how a write through views
// reaches their base. The passes of reference/functionalize execute these rules.
#pragma once

#include <cstdint>

#include "spec/rules/rule.h"

namespace plumbline {

inline constexpr Rule FUN_01{Family::FUN, 1};
inline constexpr Rule FUN_02{Family::FUN, 2};
inline constexpr Rule FUN_03{Family::FUN, 3};
inline constexpr Rule FUN_04{Family::FUN, 4};
inline constexpr Rule FUN_05{Family::FUN, 5};
inline constexpr Rule FUN_06{Family::FUN, 6};
inline constexpr Rule FUN_07{Family::FUN, 7};
inline constexpr Rule FUN_08{Family::FUN, 8};
inline constexpr Rule FUN_09{Family::FUN, 9};
inline constexpr Rule FUN_10{Family::FUN, 10};
inline constexpr Rule FUN_11{Family::FUN, 11};
inline constexpr Rule FUN_12{Family::FUN, 12};
inline constexpr Rule FUN_13{Family::FUN, 13};
inline constexpr Rule FUN_14{Family::FUN, 14};
inline constexpr Rule FUN_15{Family::FUN, 15};
inline constexpr Rule FUN_16{Family::FUN, 16};
inline constexpr Rule FUN_17{Family::FUN, 17};
inline constexpr Rule FUN_18{Family::FUN, 18};
inline constexpr Rule FUN_19{Family::FUN, 19};
inline constexpr Rule FUN_20{Family::FUN, 20};
inline constexpr Rule FUN_21{Family::FUN, 21};
inline constexpr Rule FUN_22{Family::FUN, 22};
inline constexpr Rule FUN_23{Family::FUN, 23};
inline constexpr Rule FUN_24{Family::FUN, 24};
inline constexpr Rule FUN_25{Family::FUN, 25};
inline constexpr Rule FUN_26{Family::FUN, 26};
inline constexpr Rule FUN_27{Family::FUN, 27};
inline constexpr Rule FUN_28{Family::FUN, 28};
inline constexpr Rule FUN_29{Family::FUN, 29};
inline constexpr Rule FUN_30{Family::FUN, 30};
inline constexpr Rule FUN_31{Family::FUN, 31};
inline constexpr Rule FUN_32{Family::FUN, 32};
inline constexpr Rule FUN_33{Family::FUN, 33};
inline constexpr Rule FUN_34{Family::FUN, 34};
inline constexpr Rule FUN_35{Family::FUN, 35};
inline constexpr Rule FUN_36{Family::FUN, 36};
inline constexpr Rule FUN_37{Family::FUN, 37};

/// Whether the variant of `rule` in a profile of a release is followed: reference/functorch runs those. 2.13 departs
/// from all the rules that are asked here but FUN-28.
template <Domain D>
constexpr bool departs(const Judge<D>& judge, const Rule& rule) {
  return judge(rule, false, true, In{Profile::torch_2_13, rule.index() != FUN_28.index()},
               In{Profile::torch_1_13, true});
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
