// FUN: what the caller of a functionalized body sees: its inputs and the results.
#pragma once

#include "spec/rules/fun.h"
#include "spec/vocabulary/tensor_meta.h"

namespace plumbline {

/// The functional storage of an input; `shared` is that of an earlier input that shares its memory, `own` a new one.
template <Domain D>
constexpr Num<D> storage_of_input(const Judge<D>& judge, const Num<D>& shared, const Num<D>& own) {
  return judge(FUN_21, shared, own, in_2_13(own), in_1_13(own));
}
/// Whether an input's memory gets the base's elements when the body ends; `generation`: its functional storage's.
template <Domain D>
constexpr Bool<D> is_copied_back(const Judge<D>& judge, const Num<D>& generation) {
  return judge(FUN_20, generation != Num<D>(0), Bool<D>(false));
}
/// The same of a body that raises an error.
template <Domain D>
constexpr Bool<D> is_copied_back_on_error(const Judge<D>& judge, const Num<D>& generation) {
  return judge(FUN_33, Bool<D>(false), generation != Num<D>(0));
}
/// Whether a result is made from an input; `shares`: it shares memory with the input.
template <Domain D>
constexpr Bool<D> is_made_from_input(const Judge<D>& judge, const Bool<D>& shares) {
  return judge(FUN_22, shares, Bool<D>(false), in_2_13(false), in_1_13(false));
}
/// Whether results are made from one tensor; `shares`: they share memory.
template <Domain D>
constexpr Bool<D> is_made_from_one(const Judge<D>& judge, const Bool<D>& shares) {
  return judge(FUN_23, shares, Bool<D>(false), in_2_13(false), in_1_13(false));
}
/// Whether an input gets the sizes, strides and offset that the body gave it; `changed`: they differ from its own.
template <Domain D>
constexpr Bool<D> input_gets_layout(const Judge<D>& judge, const Bool<D>& changed) {
  return judge(FUN_24, changed, Bool<D>(false), in_2_13(false), in_1_13(false));
}
/// Whether a result gets the strides that it has without functionalization; `other`: the value that the functional ops
/// compute may have others.
template <Domain D>
constexpr Bool<D> result_gets_strides(const Judge<D>& judge, const Bool<D>& other) {
  return judge(FUN_25, other, Bool<D>(false), in_2_13(false), in_1_13(false));
}
/// Whether a body may write a tensor; `captured`: the caller has its memory, and it is no input's.
template <Domain D>
constexpr Error<D> check_captured_write(const Judge<D>& judge, const Bool<D>& captured) {
  return error_if(judge(FUN_26, captured, Bool<D>(false)), ErrorClass::captured_write);
}
/// Whether a release writes a captured tensor at once. Only releases have wrappers, of which this is asked.
template <Domain D>
constexpr Bool<D> writes_captured_at_once(const Judge<D>& judge) {
  return judge(FUN_26, Bool<D>(false), Bool<D>(false), in_2_13(true), in_1_13(true));
}
/// Whether the versions of what a body wrote are unspecified after it; `written`: it wrote or made the tensor.
template <Domain D>
constexpr Bool<D> version_is_free(const Judge<D>& judge, const Bool<D>& written) {
  return judge(FUN_34, written, Bool<D>(false));
}
/// Whether a result is a view; `alone`: no input and no other result shares its memory.
template <Domain D>
constexpr Bool<D> result_is_view(const Judge<D>& judge, const Bool<D>& alone) {
  return judge(FUN_35, !alone, Bool<D>(true));
}

// What the profile pr-63048 does instead (reference/functionalized_pr.cpp). The misreadings of these rules are executed
// elsewhere, so here they change nothing.
template <Domain D>
constexpr Bool<D> input_keeps_layout(const Judge<D>& judge) {
  return judge(FUN_24, Bool<D>(false), Bool<D>(false), In{Profile::pr_63048, true});
}
template <Domain D>
constexpr bool refuses_as_strided(const Judge<D>& judge) {
  return judge(FUN_15, false, false, In{Profile::pr_63048, true});
}
template <Domain D>
constexpr bool refuses_longer_storage(const Judge<D>& judge) {
  return judge(FUN_31, false, false, In{Profile::pr_63048, true});
}
template <Domain D>
constexpr bool refuses_inner_body(const Judge<D>& judge) {
  return judge(FUN_36, false, false, In{Profile::pr_63048, true});
}
/// Whether a functional tensor may be an input of a body.
template <Domain D>
constexpr Bool<D> accepts_functional_input(const Judge<D>& judge) {
  return judge(FUN_36, Bool<D>(true), Bool<D>(false), in_2_13(false), in_1_13(false));
}
/// Whether a body refuses an operator of the program's own; `aliases`: its schema says that it aliases or writes.
template <Domain D>
constexpr Bool<D> refuses_operator(const Judge<D>& judge, const Bool<D>& aliases) {
  return judge(FUN_37, Bool<D>(false), aliases, in_2_13(aliases), in_1_13(aliases));
}

}  // namespace plumbline
