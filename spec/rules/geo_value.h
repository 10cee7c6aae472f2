// GEO: a result's dtype, which values a reduction returns, and where rand's elements come from.
#pragma once

#include <array>
#include <optional>

#include "spec/rules/geo_memory.h"
#include "spec/vocabulary/dtype.h"

namespace plumbline {

inline constexpr Rule GEO_40{Family::GEO, 40};
inline constexpr Rule GEO_41{Family::GEO, 41};
inline constexpr Rule GEO_42{Family::GEO, 42};
inline constexpr Rule GEO_43{Family::GEO, 43};
inline constexpr Rule GEO_44{Family::GEO, 44};
inline constexpr Rule GEO_45{Family::GEO, 45};
inline constexpr Rule GEO_46{Family::GEO, 46};
inline constexpr Rule GEO_47{Family::GEO, 47};
inline constexpr Rule GEO_48{Family::GEO, 48};
inline constexpr Rule GEO_49{Family::GEO, 49};
inline constexpr Rule GEO_50{Family::GEO, 50};
inline constexpr Rule GEO_51{Family::GEO, 51};
inline constexpr Rule GEO_52{Family::GEO, 52};
inline constexpr Rule GEO_53{Family::GEO, 53};
inline constexpr Rule GEO_54{Family::GEO, 54};
inline constexpr Rule GEO_55{Family::GEO, 55};
inline constexpr Rule GEO_56{Family::GEO, 56};
inline constexpr Rule GEO_57{Family::GEO, 57};
inline constexpr Rule GEO_58{Family::GEO, 58};
inline constexpr Rule GEO_59{Family::GEO, 59};

/// What an op does with an unexpected argument: refuses it, accepts it as the misreading says, or reads the wrong
/// memory.
inline constexpr int kRefuses = 0;
inline constexpr int kTakes = 1;
inline constexpr int kReadsMemory = 2;

/// What cat does with an out: refuses it, writes it, or computes by a stride how much of it to write.
inline constexpr int kCatRefuses = 0;
inline constexpr int kCatWrites = 1;
inline constexpr int kCatCounts = 2;

/// When matmul takes a stack of matrices as one tall matrix.
inline constexpr int kFoldsByNeed = 0;
inline constexpr int kFoldsNever = 1;
inline constexpr int kFoldsAlways = 2;  ///< unless its matrices are transposed

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

/// Bytes of one element of an integer, floating or complex dtype.
template <Domain D>
constexpr Num<D> width_of(const Choice<D, Dtype>& dtype) {
  using Type = Choice<D, Dtype>;
  const Bool<D> one = dtype == Type(Dtype::uint8) || dtype == Type(Dtype::int8);
  const Bool<D> four = dtype == Type(Dtype::float32) || dtype == Type(Dtype::int32);
  const Bool<D> eight = dtype == Type(Dtype::float64) || dtype == Type(Dtype::int64) || dtype == Type(Dtype::complex64);
  const Num<D> other = select(dtype == Type(Dtype::complex128), Num<D>(16), Num<D>(2));
  return select(one, Num<D>(1), select(four, Num<D>(4), select(eight, Num<D>(8), other)));
}

/// The least dtype of one kind, integers or floats, that holds the numbers of both [c10/core/ScalarType.cpp,
/// promoteTypes]: uint8 and int8 need an int16, float16 and bfloat16 a float32.
template <Domain D>
constexpr Choice<D, Dtype> joined(const Choice<D, Dtype>& a, const Choice<D, Dtype>& b) {
  using Type = Choice<D, Dtype>;
  const Type wider = select(width_of(a) < width_of(b), b, a);
  const Type both = select(kind_of(a) == Num<D>(2), Type(Dtype::float32), Type(Dtype::int16));
  return select(width_of(a) == width_of(b), both, wider);
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
  const Type lower = select(kind_of(a) < kind_of(b), a, b);
  const Bool<D> with_parts = kind_of(higher) == Num<D>(3) && kind_of(lower) == Num<D>(2);
  const Type whole = select(with_parts, joined<D>(higher, complex_of<D>(lower)), higher);
  const Type holding = select(higher == complex_of<D>(lower), higher, whole);
  const Type unlike = judge(GEO_41, holding, select(mixed, Type(Dtype::float64), holding));
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
    result = judge(GEO_40, above, promoted(judge, *ranks[i], *result));
  }
  return *result;
}

/// Whether a result of dtype `from` may be written into a tensor of dtype `to`.
template <Domain D>
constexpr Error<D> check_cast(const Judge<D>& judge, const Choice<D, Dtype>& from, const Choice<D, Dtype>& to) {
  return error_if(judge(GEO_42, kind_of(from) > kind_of(to), Bool<D>(false)), ErrorClass::dtype_cast);
}

/// The dtype in which a floating function computes operands whose common dtype is `common`.
template <Domain D>
constexpr Choice<D, Dtype> floating_type(const Judge<D>& judge, const Choice<D, Dtype>& common) {
  using Type = Choice<D, Dtype>;
  return select(kind_of(common) >= Num<D>(2), common, judge(GEO_43, Type(Dtype::float32), Type(Dtype::float64)));
}

/// The dtype of a sum of `self`, where no dtype is given.
template <Domain D>
constexpr Choice<D, Dtype> sum_type(const Judge<D>& judge, const Choice<D, Dtype>& self) {
  return select(kind_of(self) >= Num<D>(2), self, judge(GEO_44, Choice<D, Dtype>(Dtype::int64), self));
}

/// Whether mean accepts this dtype: the one given, or else the input's.
template <Domain D>
constexpr Error<D> check_mean(const Judge<D>& judge, const Choice<D, Dtype>& dtype) {
  return error_if(judge(GEO_45, kind_of(dtype) < Num<D>(2), Bool<D>(false)), ErrorClass::dtype_op);
}

/// The dtype in which operands whose common dtype is `common` are compared.
template <Domain D>
constexpr Choice<D, Dtype> comparison_type(const Judge<D>& judge, const Choice<D, Dtype>& common) {
  using Type = Choice<D, Dtype>;
  return judge(GEO_46, common, select(common == Type(Dtype::float32), Type(Dtype::float64), common));
}

template <Domain D>
constexpr Bool<D> first_of_equals(const Judge<D>& judge) {
  return judge(GEO_47, Bool<D>(true), Bool<D>(false));
}
template <Domain D>
constexpr Bool<D> keeps_not_a_number(const Judge<D>& judge) {
  return judge(GEO_48, Bool<D>(true), Bool<D>(false));
}

/// The error that masked_fill_ meets for the memory that it writes and the mask that it reads.
template <Domain D>
constexpr Error<D> check_masked_fill(const Judge<D>& judge, OverlapFacts<D> facts) {
  facts.repeats = judge(GEO_49, Bool<D>(false), facts.repeats);
  return check_overlap(judge, facts);
}

template <Domain D>
constexpr Bool<D> like_keeps_strides(const Judge<D>& judge) {
  return judge(GEO_50, Bool<D>(true), Bool<D>(false));
}
template <Domain D>
constexpr Bool<D> equals_share_gradient(const Judge<D>& judge) {
  return judge(GEO_51, Bool<D>(true), Bool<D>(false));
}
/// Whether keepdim adds a dimension to a reduction of a tensor without dimensions; `aminmax`: it is aminmax along a
/// dimension.
template <Domain D>
constexpr Bool<D> keepdim_adds_dimension(const Judge<D>& judge, const Bool<D>& aminmax) {
  return judge(GEO_53, Bool<D>(false), Bool<D>(true), In{Profile::torch_1_13, aminmax});
}
/// Whether gather, or index_select, accepts int32 indices.
template <Domain D>
constexpr Bool<D> takes_int32_indices(const Judge<D>& judge, const Bool<D>& gather) {
  return judge(GEO_54, Bool<D>(true), Bool<D>(false), In{Profile::torch_1_13, !gather});
}
/// What index_select of a tensor without dimensions does if the number of indices is not one.
template <Domain D>
constexpr Num<D> many_indices_of_scalar(const Judge<D>& judge) {
  return judge(GEO_55, Num<D>(kRefuses), Num<D>(kTakes), In{Profile::torch_1_13, Num<D>(kReadsMemory)});
}
/// What masked_fill does with a mask whose dtype is not bool.
template <Domain D>
constexpr Num<D> mask_of_numbers(const Judge<D>& judge) {
  return judge(GEO_56, Num<D>(kRefuses), Num<D>(kTakes), In{Profile::torch_1_13, Num<D>(kReadsMemory)});
}
/// What cat does with an out whose strides are not the result's; `counted`: by them cat writes too little; `rows`: cat
/// joins row-major tensors along the first dimension.
template <Domain D>
constexpr Num<D> cat_into_strides(const Judge<D>& judge, const Bool<D>& counted, const Bool<D>& rows) {
  const Num<D> right(kCatWrites);
  return judge(GEO_59, right, Num<D>(kCatRefuses),
               In{Profile::torch_2_13, select(counted && !rows, Num<D>(kCatCounts), right)},
               In{Profile::torch_1_13, select(counted, Num<D>(kCatCounts), right)});
}
/// Whether aminmax has a derivative.
template <Domain D>
constexpr Bool<D> aminmax_has_derivative(const Judge<D>& judge) {
  return judge(GEO_51, Bool<D>(true), Bool<D>(true), In{Profile::torch_1_13, Bool<D>(false)});
}
template <Domain D>
constexpr Num<D> matmul_folds(const Judge<D>& judge) {
  return judge(GEO_57, Num<D>(kFoldsByNeed), Num<D>(kFoldsNever), In{Profile::torch_1_13, Num<D>(kFoldsAlways)});
}
/// Whether argmax always refuses bools; whether it refuses them only if it needs a kernel.
template <Domain D>
constexpr Bool<D> argmax_refuses_bools(const Judge<D>& judge) {
  return judge(GEO_58, Bool<D>(true), Bool<D>(false), In{Profile::torch_1_13, Bool<D>(false)});
}
template <Domain D>
constexpr Bool<D> argmax_lacks_bools(const Judge<D>& judge) {
  return judge(GEO_58, Bool<D>(true), Bool<D>(false), In{Profile::torch_1_13, Bool<D>(true)});
}
template <Domain D>
constexpr Bool<D> generator_goes_on(const Judge<D>& judge) {
  return judge(GEO_52, Bool<D>(true), Bool<D>(false));
}

}  // namespace plumbline
