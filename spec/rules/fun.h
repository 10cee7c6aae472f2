// FUN: functionalization. Functional storages: which tensor is a view of which, when a write reaches the base, and when
// a value is made again. spec/machine/functional.h asks most of these rules.
#pragma once

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

/// What decides whether the result of a view op is a view for functionalization.
template <Domain D>
struct ViewStep {
  Bool<D> composite;  ///< a composite op called the view op
  Bool<D> whole;      ///< it has the source's indices: alias, detach
};
/// The functional storage of a view of a tensor that has `source`; `own` is a new one.
template <Domain D>
constexpr Num<D> storage_of_view(const Judge<D>& judge, const ViewStep<D>& step, const Num<D>& source,
                                 const Num<D>& own) {
  const Bool<D> through_composite = judge(FUN_19, Bool<D>(true), !step.composite);
  const Bool<D> through_alias = judge(FUN_17, Bool<D>(true), !step.whole);
  return select(through_composite && through_alias, judge(FUN_01, source, own), own);
}
/// How many views a tensor's chain has after an op that is both a view and a mutation; `links`: before it.
template <Domain D>
constexpr Num<D> links_after_layout_change(const Judge<D>& judge, const Num<D>& links) {
  return judge(FUN_18, links + Num<D>(1), links);
}
/// A functional storage's generation after a write to one of its tensors.
template <Domain D>
constexpr Num<D> generation_after_write(const Judge<D>& judge, const Num<D>& generation) {
  return judge(FUN_02, generation + Num<D>(1), generation);
}
/// Whether a tensor is regenerated from the base before it is read; `storage`: its storage's generation.
template <Domain D>
constexpr Bool<D> is_regenerated(const Judge<D>& judge, const Num<D>& tensor, const Num<D>& storage) {
  return judge(FUN_03, tensor != storage, Bool<D>(false));
}
/// Whether a pending update is applied before the base is read; `newest`: no update comes after it.
template <Domain D>
constexpr Bool<D> is_applied(const Judge<D>& judge, const Bool<D>& newest) {
  return judge(FUN_04, Bool<D>(true), newest);
}
/// Whether a view between the base and the written tensor is made again to apply an update; `written`: the base may
/// have been written since the view was made.
template <Domain D>
constexpr Bool<D> is_made_again(const Judge<D>& judge, const Bool<D>& written) {
  return judge(FUN_05, written, Bool<D>(false));
}
/// Whether an update writes to the places of the memory, and not through the inverse of each view of its chain;
/// `one_to_one`: no view of the chain repeats an element.
template <Domain D>
constexpr Bool<D> writes_places(const Judge<D>& judge, const Bool<D>& one_to_one) {
  return judge(FUN_14, !one_to_one, Bool<D>(false), in_2_13(false), in_1_13(false));
}
/// Whether memory that a view shows may grow.
template <Domain D>
constexpr Bool<D> grows_viewed_memory(const Judge<D>& judge) {
  return judge(FUN_31, Bool<D>(true), Bool<D>(false), in_2_13(false), in_1_13(false));
}
/// Whether a place of the memory keeps its element when the memory grows; `had`: it is within the old memory.
template <Domain D>
constexpr Bool<D> keeps_when_grown(const Judge<D>& judge, const Bool<D>& had) {
  return judge(FUN_31, had, Bool<D>(false));
}
/// Which value a later call reads after a write; `before` is the one from before the write.
template <Domain D>
constexpr Num<D> value_read_after_write(const Judge<D>& judge, const Num<D>& now, const Num<D>& before) {
  return judge(FUN_29, now, before);
}
/// Whether the result of an in-place op's functional twin is converted to the written tensor's dtype; `other`: it may
/// have another one.
template <Domain D>
constexpr Bool<D> twin_is_converted(const Judge<D>& judge, const Bool<D>& other) {
  return judge(FUN_27, other, Bool<D>(false));
}
/// Whether the source of copy_ is expanded; `other`: it does not have the sizes of the written tensor.
template <Domain D>
constexpr Bool<D> source_is_expanded(const Judge<D>& judge, const Bool<D>& other) {
  return judge(FUN_28, other, Bool<D>(false));
}
/// Whether copy_ makes a copy of a source that has the written tensor's dtype and sizes.
template <Domain D>
constexpr Bool<D> fitting_source_is_copied(const Judge<D>& judge) {
  return judge(FUN_28, Bool<D>(true), Bool<D>(false), in_1_13(false));
}
/// Whether a tensor that is given as out= is resized first; `fits`: it has the sizes of the result.
template <Domain D>
constexpr Bool<D> out_is_resized(const Judge<D>& judge, const Bool<D>& fits) {
  return judge(FUN_32, !fits, Bool<D>(false), in_2_13(false), in_1_13(false));
}
/// Whether a copy of a view becomes a view again; `seen`: something outside the body sees it, or something addresses
/// its memory.
template <Domain D>
constexpr Bool<D> copy_becomes_view(const Judge<D>& judge, const Bool<D>& seen) {
  return judge(FUN_30, !seen, Bool<D>(true));
}

}  // namespace plumbline
