// TYPE: the dtype in which an op computes, and the dtypes that ops take.
#pragma once

#include <array>
#include <optional>

#include "spec/vocabulary/dtype.h"
#include "spec/vocabulary/tensor_meta.h"

namespace plumbline {

inline constexpr Rule TYPE_32{Family::TYPE, 32};
inline constexpr Rule TYPE_33{Family::TYPE, 33};
inline constexpr Rule TYPE_40{Family::TYPE, 40};
inline constexpr Rule TYPE_41{Family::TYPE, 41};
inline constexpr Rule TYPE_42{Family::TYPE, 42};
inline constexpr Rule TYPE_43{Family::TYPE, 43};
inline constexpr Rule TYPE_44{Family::TYPE, 44};
inline constexpr Rule TYPE_45{Family::TYPE, 45};
inline constexpr Rule TYPE_46{Family::TYPE, 46};
inline constexpr Rule TYPE_54{Family::TYPE, 54};
inline constexpr Rule TYPE_56{Family::TYPE, 56};
inline constexpr Rule TYPE_58{Family::TYPE, 58};
inline constexpr Rule TYPE_73{Family::TYPE, 73};

/// What an op does with an argument: refuses it, accepts it, or reads the wrong memory.
inline constexpr int kRefuses = 0;
inline constexpr int kTakes = 1;
inline constexpr int kReadsMemory = 2;

/// 0: bool, 1: integers, 2: floats, 3: complex numbers.
template <Domain D>
constexpr Num<D> kind_of(const Choice<D, Dtype>& dtype) {
  using Type = Choice<D, Dtype>;
  const Bool<D> half = dtype == Type(Dtype::float16) || dtype == Type(Dtype::bfloat16);
  const Bool<D> floating = dtype == Type(Dtype::float32) || dtype == Type(Dtype::float64) || half;
  const Bool<D> complex = dtype == Type(Dtype::complex64) || dtype == Type(Dtype::complex128);
  const Num<D> exact = select(dtype == Type(Dtype::boolean), Num<D>(0), Num<D>(1));
  return select(complex, Num<D>(3), select(floating, Num<D>(2), exact));
}
/// The least dtype of one kind that holds the numbers of two different ones [c10/core/ScalarType.cpp, promoteTypes]:
/// uint8 and int8 need an int16, float16 and bfloat16 a float32.
template <Domain D>
constexpr Choice<D, Dtype> joined(const Choice<D, Dtype>& a, const Choice<D, Dtype>& b) {
  using Type = Choice<D, Dtype>;
  const auto one_is = [&](Dtype dtype) { return a == Type(dtype) || b == Type(dtype); };
  const Type integer = select(one_is(Dtype::int64), Type(Dtype::int64),
                              select(one_is(Dtype::int32), Type(Dtype::int32), Type(Dtype::int16)));
  const Type floating = select(one_is(Dtype::float64), Type(Dtype::float64), Type(Dtype::float32));
  return select(kind_of(a) == Num<D>(1), integer, select(kind_of(a) == Num<D>(2), floating, Type(Dtype::complex128)));
}
/// The complex dtype whose parts hold the numbers of a floating dtype [c10/core/ScalarType.h, toComplexType].
template <Domain D>
constexpr Choice<D, Dtype> complex_of(const Choice<D, Dtype>& floating) {
  using Type = Choice<D, Dtype>;
  return select(floating == Type(Dtype::float64), Type(Dtype::complex128), Type(Dtype::complex64));
}
/// The common dtype of two operands of one rank.
template <Domain D>
constexpr Choice<D, Dtype> promoted(const Judge<D>& judge, const Choice<D, Dtype>& a, const Choice<D, Dtype>& b) {
  using Type = Choice<D, Dtype>;
  const Type higher = select(kind_of(a) < kind_of(b), b, a);
  const Bool<D> one_kind = kind_of(a) == kind_of(b);
  const Bool<D> mixed = kind_of(higher) == Num<D>(2) && (kind_of(a) == Num<D>(1) || kind_of(b) == Num<D>(1));
  const Bool<D> doubles = kind_of(higher) == Num<D>(3) && (a == Type(Dtype::float64) || b == Type(Dtype::float64));
  const Type holding = select(doubles, Type(Dtype::complex128), higher);
  const Type unlike = judge(TYPE_41, holding, select(mixed, Type(Dtype::float64), holding));
  return select(a == b, a, select(one_kind, joined<D>(a, b), unlike));
}
/// The common dtypes of all tensors with dimensions, of all without, and of all numbers; at least one is present.
template <Domain D>
using RankedDtypes = std::array<std::optional<Choice<D, Dtype>>, 3>;

/// The dtype in which an op computes.
template <Domain D>
constexpr Choice<D, Dtype> result_type(const Judge<D>& judge, const RankedDtypes<D>& ranks) {
  std::optional<Choice<D, Dtype>> result;
  for (std::size_t i = ranks.size(); i-- > 0;) {
    if (!ranks[i]) continue;
    if (!result) {
      result = ranks[i];
      continue;
    }
    const Choice<D, Dtype> higher = select(kind_of(*ranks[i]) < kind_of(*result), *result, *ranks[i]);
    // Floats stay as wide as they are beside complex numbers of a lower rank [aten/src/ATen/native/TypeProperties.cpp,
    // combine_categories].
    const Bool<D> with_parts = kind_of(*ranks[i]) == Num<D>(2) && kind_of(*result) == Num<D>(3);
    const Choice<D, Dtype> above = select(with_parts, complex_of<D>(*ranks[i]), higher);
    result = judge(TYPE_40, above, promoted(judge, *ranks[i], *result));
  }
  return *result;
}
/// Whether a result of dtype `from` may be written into a tensor of dtype `to`.
template <Domain D>
constexpr Error<D> check_cast(const Judge<D>& judge, const Choice<D, Dtype>& from, const Choice<D, Dtype>& to) {
  return error_if(judge(TYPE_42, kind_of(from) > kind_of(to), Bool<D>(false)), ErrorClass::dtype_cast);
}
/// The dtype in which a floating function computes operands whose common dtype is `common`.
template <Domain D>
constexpr Choice<D, Dtype> floating_type(const Judge<D>& judge, const Choice<D, Dtype>& common) {
  using Type = Choice<D, Dtype>;
  const Bool<D> exact = kind_of(common) < Num<D>(2);
  return judge(TYPE_43, select(exact, Type(Dtype::float32), common), select(exact, Type(Dtype::float64), common));
}
/// The dtype of a sum of `self`, where no dtype is given.
template <Domain D>
constexpr Choice<D, Dtype> sum_type(const Judge<D>& judge, const Choice<D, Dtype>& self) {
  return judge(TYPE_44, select(kind_of(self) < Num<D>(2), Choice<D, Dtype>(Dtype::int64), self), self);
}
/// Whether mean accepts this dtype: the one given, or else the input's.
template <Domain D>
constexpr Error<D> check_mean(const Judge<D>& judge, const Choice<D, Dtype>& dtype) {
  return error_if(judge(TYPE_45, kind_of(dtype) < Num<D>(2), Bool<D>(false)), ErrorClass::dtype_op);
}
/// The dtype in which operands whose common dtype is `common` are compared.
template <Domain D>
constexpr Choice<D, Dtype> comparison_type(const Judge<D>& judge, const Choice<D, Dtype>& common) {
  using Type = Choice<D, Dtype>;
  return judge(TYPE_46, common, select(common == Type(Dtype::float32), Type(Dtype::float64), common));
}
/// Whether mm accepts the dtypes of its matrices; `nothing`: there is nothing to multiply.
template <Domain D>
constexpr Error<D> check_product_dtypes(const Judge<D>& judge, const Bool<D>& same, const Bool<D>& nothing) {
  const Bool<D> seen = !same && !nothing;
  return error_if(judge(TYPE_33, !same, seen, In{Profile::torch_1_13, seen}), ErrorClass::dtype_mismatch);
}
/// Whether mm reports that it has no kernel before it reports two different dtypes; `lacks`: it has none for the first.
template <Domain D>
constexpr Bool<D> lacks_product_first(const Judge<D>& judge, const Bool<D>& lacks) {
  return judge(TYPE_33, Bool<D>(false), Bool<D>(false), In{Profile::torch_1_13, lacks});
}
/// Whether `x.set_(y)` is allowed; `same`: x and y have one dtype.
template <Domain D>
constexpr Error<D> check_set_dtype(const Judge<D>& judge, const Bool<D>& same) {
  return error_if(judge(TYPE_32, !same, Bool<D>(false)), ErrorClass::dtype_mismatch);
}
/// Whether gather, or index_select, accepts indices of this dtype.
template <Domain D>
constexpr Bool<D> takes_indices(const Judge<D>& judge, const Choice<D, Dtype>& dtype, const Bool<D>& gather) {
  using Type = Choice<D, Dtype>;
  const Bool<D> wide = dtype == Type(Dtype::int64);
  const Bool<D> narrow = dtype == Type(Dtype::int32);
  return judge(TYPE_54, wide || narrow, wide, In{Profile::torch_1_13, wide || (narrow && !gather)});
}
/// What masked_fill does with a mask; `bools`: its dtype is bool.
template <Domain D>
constexpr Num<D> fills_by_mask(const Judge<D>& judge, const Bool<D>& bools) {
  const Num<D> takes = kTakes;
  return judge(TYPE_56, select(bools, takes, Num<D>(kRefuses)), takes,
               In{Profile::torch_1_13, select(bools, takes, Num<D>(kReadsMemory))});
}
/// Whether argmax refuses the dtype; `bools`: it is bool.
template <Domain D>
constexpr Bool<D> argmax_refuses(const Judge<D>& judge, const Bool<D>& bools) {
  return judge(TYPE_58, bools, Bool<D>(false), In{Profile::torch_1_13, Bool<D>(false)});
}
/// Whether argmax has no kernel for the dtype; `asked`: it is bool, and there is something to compare.
template <Domain D>
constexpr Bool<D> argmax_lacks_kernel(const Judge<D>& judge, const Bool<D>& asked) {
  return judge(TYPE_58, asked, Bool<D>(false), In{Profile::torch_1_13, asked});
}
/// Whether out's dtype is accepted; `castable`: can_cast allows it; `exact`: the op requires the result's dtype.
template <Domain D>
constexpr Bool<D> out_dtype_fits(const Judge<D>& judge, const Bool<D>& same, const Bool<D>& castable,
                                 const Bool<D>& exact) {
  return judge(TYPE_73, same || (castable && !exact), same);
}

}  // namespace plumbline
