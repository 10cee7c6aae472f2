// TRF: the transforms of torch.func: what an op does in the body of vmap or grad, and what the body takes and returns.
#pragma once

#include "spec/rules/rule.h"
#include "spec/vocabulary/errors.h"
#include "spec/vocabulary/tensor_meta.h"

namespace plumbline {

inline constexpr Rule TRF_01{Family::TRF, 1};
inline constexpr Rule TRF_02{Family::TRF, 2};
inline constexpr Rule TRF_03{Family::TRF, 3};
inline constexpr Rule TRF_04{Family::TRF, 4};
inline constexpr Rule TRF_05{Family::TRF, 5};
inline constexpr Rule TRF_06{Family::TRF, 6};
inline constexpr Rule TRF_07{Family::TRF, 7};
inline constexpr Rule TRF_08{Family::TRF, 8};
inline constexpr Rule TRF_09{Family::TRF, 9};
inline constexpr Rule TRF_10{Family::TRF, 10};
inline constexpr Rule TRF_11{Family::TRF, 11};
inline constexpr Rule TRF_12{Family::TRF, 12};
inline constexpr Rule TRF_13{Family::TRF, 13};
inline constexpr Rule TRF_14{Family::TRF, 14};
inline constexpr Rule TRF_15{Family::TRF, 15};
inline constexpr Rule TRF_16{Family::TRF, 16};
inline constexpr Rule TRF_17{Family::TRF, 17};
inline constexpr Rule TRF_18{Family::TRF, 18};
inline constexpr Rule TRF_19{Family::TRF, 19};
inline constexpr Rule TRF_20{Family::TRF, 20};
inline constexpr Rule TRF_21{Family::TRF, 21};
inline constexpr Rule TRF_22{Family::TRF, 22};
inline constexpr Rule TRF_23{Family::TRF, 23};
inline constexpr Rule TRF_24{Family::TRF, 24};
inline constexpr Rule TRF_25{Family::TRF, 25};
inline constexpr Rule TRF_26{Family::TRF, 26};
inline constexpr Rule TRF_27{Family::TRF, 27};
inline constexpr Rule TRF_28{Family::TRF, 28};
inline constexpr Rule TRF_29{Family::TRF, 29};

/// The example of an argument from which an op computes the example `number` of its result.
template <Domain D>
constexpr Num<D> example_read(const Judge<D>& judge, const Num<D>& number) {
  return judge(TRF_01, number, Num<D>(0));
}
/// Whether a view op in a mapped body gives a view of the whole tensor; `view`: for one example it gives a view.
template <Domain D>
constexpr Bool<D> gives_view_of_whole(const Judge<D>& judge, const Bool<D>& view) {
  return judge(TRF_02, view, Bool<D>(false));
}
/// Whether an op may write its argument; `other`: another argument has examples of a body, of which the written one
/// has none.
template <Domain D>
constexpr Error<D> check_mapped_write(const Judge<D>& judge, const Bool<D>& other) {
  return error_if(judge(TRF_03, other, Bool<D>(false)), ErrorClass::mapped_write);
}
/// Whether PyTorch leaves that error to the kernel that runs on the whole tensors; `unchecked`: its rule for the op
/// does not look.
template <Domain D>
constexpr Bool<D> kernel_refuses_mapped_write(const Judge<D>& judge, const Bool<D>& unchecked) {
  return judge(TRF_03, Bool<D>(false), Bool<D>(false), in_2_13(unchecked), in_1_13(unchecked));
}
/// How often an op runs that writes a tensor without examples, from arguments without examples.
template <Domain D>
constexpr Num<D> runs_of_unmapped_write(const Judge<D>& judge, const Num<D>& examples) {
  return judge(TRF_04, Num<D>(1), examples);
}
/// Whether an op may write `out=`; `batched`: one of its arguments has examples.
template <Domain D>
constexpr Error<D> check_mapped_out(const Judge<D>& judge, const Bool<D>& batched) {
  return error_if(judge(TRF_05, batched, Bool<D>(false)), ErrorClass::mapped_out);
}
/// How often an op counts the version of what it writes.
template <Domain D>
constexpr Num<D> versions_of_mapped_write(const Judge<D>& judge, const Num<D>& examples) {
  return judge(TRF_06, Num<D>(1), examples);
}
/// The dimension of a result in which the examples are; `out_dim` is asked for.
template <Domain D>
constexpr Num<D> dim_of_examples(const Judge<D>& judge, const Num<D>& out_dim) {
  return judge(TRF_07, out_dim, Num<D>(0));
}
/// Whether a result without examples is repeated for each one.
template <Domain D>
constexpr Bool<D> repeats_unmapped_result(const Judge<D>& judge) {
  return judge(TRF_08, Bool<D>(true), Bool<D>(false));
}
/// Whether it first gets a new dimension there, so that its others stay where they are.
template <Domain D>
constexpr Bool<D> repeats_in_new_dim(const Judge<D>& judge) {
  return judge(TRF_08, Bool<D>(true), Bool<D>(true), in_2_13(false), in_1_13(false));
}
/// Whether a result may have these examples, for which out_dims says None; `own`: of the body, `outer`: of one around
/// it.
template <Domain D>
constexpr Error<D> check_none_result(const Judge<D>& judge, const Bool<D>& own, const Bool<D>& outer) {
  return error_if(judge(TRF_09, own, Bool<D>(false), in_2_13(own || outer), in_1_13(own || outer)),
                  ErrorClass::mapped_none);
}
/// Whether a random op may run in a mapped body; `error`: its randomness is "error".
template <Domain D>
constexpr Error<D> check_randomness(const Judge<D>& judge, const Bool<D>& error) {
  return error_if(judge(TRF_10, error, Bool<D>(false)), ErrorClass::mapped_random);
}
/// Whether each example gets random numbers of its own; `different`: the randomness is "different".
template <Domain D>
constexpr Bool<D> draws_for_each(const Judge<D>& judge, const Bool<D>& different) {
  return judge(TRF_11, different, Bool<D>(false));
}
/// Whether all examples get the same random numbers; `same`: the randomness is "same".
template <Domain D>
constexpr Bool<D> draws_once(const Judge<D>& judge, const Bool<D>& same) {
  return judge(TRF_12, same, Bool<D>(false));
}
/// Whether inputs may have these numbers of examples; `differ`: two of them are not equal.
template <Domain D>
constexpr Error<D> check_examples(const Judge<D>& judge, const Bool<D>& differ) {
  return error_if(judge(TRF_13, differ, Bool<D>(false)), ErrorClass::mapped_sizes);
}
/// Whether an input has the dimension that in_dims says; `outside`: it is not one of its dimensions.
template <Domain D>
constexpr Error<D> check_in_dim(const Judge<D>& judge, const Bool<D>& outside) {
  return error_if(judge(TRF_14, outside, Bool<D>(false)), ErrorClass::mapped_dim);
}
/// Whether a body may be mapped over inputs of which `none` has examples.
template <Domain D>
constexpr Error<D> check_any_examples(const Judge<D>& judge, const Bool<D>& none) {
  return error_if(judge(TRF_15, none, Bool<D>(false)), ErrorClass::mapped_nothing);
}

/// Whether it is unspecified if a tensor is a view; `computed`: an op computed it from examples.
template <Domain D>
constexpr Bool<D> mapped_view_is_free(const Judge<D>& judge, const Bool<D>& computed) {
  return judge(TRF_16, computed, Bool<D>(false));
}
/// Whether as_strided may make this of an example; `outside`: it reaches beyond the memory of that example.
template <Domain D>
constexpr Error<D> check_mapped_strided(const Judge<D>& judge, const Bool<D>& outside) {
  return error_if(judge(TRF_17, outside, Bool<D>(false)), ErrorClass::mapped_outside);
}

/// Whether the body of torch.func.grad may return this; `many`: it has dimensions.
template <Domain D>
constexpr Error<D> check_scalar(const Judge<D>& judge, const Bool<D>& many) {
  return error_if(judge(TRF_18, many, Bool<D>(false)), ErrorClass::grad_scalar);
}
/// Whether it may write a tensor in place; `captured`: its memory is from outside, and it was not given to the body.
template <Domain D>
constexpr Error<D> check_grad_write(const Judge<D>& judge, const Bool<D>& captured) {
  return error_if(judge(TRF_19, captured, Bool<D>(false)), ErrorClass::grad_write);
}
/// Whether an input is a leaf that requires grad in the body; `chosen`: argnums says it.
template <Domain D>
constexpr Bool<D> is_differentiated(const Judge<D>& judge, const Bool<D>& chosen) {
  return judge(TRF_20, chosen, Bool<D>(true));
}
/// The grad mode in the body; `outer`: that of the caller.
template <Domain D>
constexpr Bool<D> grad_body_records(const Judge<D>& judge, const Bool<D>& outer) {
  return judge(TRF_21, Bool<D>(true), outer);
}
/// Whether the caller gets zeros; `unused`: what the body returned does not depend on the input.
template <Domain D>
constexpr Bool<D> gives_zeros(const Judge<D>& judge, const Bool<D>& unused) {
  return judge(TRF_22, unused, Bool<D>(false));
}
/// Whether a tensor that the body computed keeps its history; `leads`: it leads to a tensor outside that requires grad.
template <Domain D>
constexpr Bool<D> keeps_history(const Judge<D>& judge, const Bool<D>& leads) {
  return judge(TRF_23, leads, Bool<D>(true));
}
/// Whether what the body computes may have a history outside it; `outer`: the caller's grad mode.
template <Domain D>
constexpr Bool<D> records_outside(const Judge<D>& judge, const Bool<D>& outer) {
  return judge(TRF_24, outer, Bool<D>(true));
}
/// Whether there is an input that argnums says; `outside`: there are fewer.
template <Domain D>
constexpr Error<D> check_argnum(const Judge<D>& judge, const Bool<D>& outside) {
  return error_if(judge(TRF_25, outside, Bool<D>(false)), ErrorClass::grad_argnum);
}
/// Whether argnums may say these inputs; `twice`: one of them twice.
template <Domain D>
constexpr Error<D> check_argnums(const Judge<D>& judge, const Bool<D>& twice) {
  return error_if(judge(TRF_26, twice, Bool<D>(false)), ErrorClass::grad_argnums);
}
/// Whether inference mode is on in the body; `outer`: it is on where the transform is called.
template <Domain D>
constexpr Bool<D> grad_body_inference(const Judge<D>& judge, const Bool<D>& outer) {
  return judge(TRF_27, Bool<D>(false), outer, in_1_13(outer));
}
/// Whether it is unspecified how a gradient lies in memory; `mapped`: it has examples, or went back through
/// a mapped op.
template <Domain D>
constexpr Bool<D> gradient_layout_is_free(const Judge<D>& judge, const Bool<D>& mapped) {
  return judge(TRF_28, mapped, Bool<D>(false));
}

/// Whether memory without examples gets them when it is written from some; `made_inside`: a functionalized body inside
/// the mapped one made it.
template <Domain D>
constexpr Bool<D> gets_examples(const Judge<D>& judge, const Bool<D>& made_inside) {
  return judge(TRF_29, made_inside, Bool<D>(false));
}

}  // namespace plumbline
