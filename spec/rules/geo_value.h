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

/// What an op does with an argument: refuses it, accepts it, or reads the wrong memory.
inline constexpr int kRefuses = 0;
inline constexpr int kTakes = 1;
inline constexpr int kReadsMemory = 2;

/// What cat does with an out: refuses it, writes it, or computes by a stride how much of it to write.
inline constexpr int kCatRefuses = 0;
inline constexpr int kCatWrites = 1;
inline constexpr int kCatCounts = 2;

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
  const Bool<D> exact = kind_of(common) < Num<D>(2);
  return judge(GEO_43, select(exact, Type(Dtype::float32), common), select(exact, Type(Dtype::float64), common));
}

/// The dtype of a sum of `self`, where no dtype is given.
template <Domain D>
constexpr Choice<D, Dtype> sum_type(const Judge<D>& judge, const Choice<D, Dtype>& self) {
  return judge(GEO_44, select(kind_of(self) < Num<D>(2), Choice<D, Dtype>(Dtype::int64), self), self);
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
/// Whether a reduction chooses this one of two elements, of which one is NaN; `nan`: it is this one.
template <Domain D>
constexpr Bool<D> wins_against_nan(const Judge<D>& judge, const Bool<D>& nan) {
  return judge(GEO_48, nan, !nan);
}

/// The error that masked_fill_ meets for the memory that it writes and the mask that it reads.
template <Domain D>
constexpr Error<D> check_masked_fill(const Judge<D>& judge, OverlapFacts<D> facts) {
  facts.repeats = judge(GEO_49, Bool<D>(false), facts.repeats);
  return check_overlap(judge, facts);
}

/// Whether empty_like and the others keep the strides of their argument; `preserves`: as in `clone_keeps_strides`.
template <Domain D>
constexpr Bool<D> like_keeps_strides(const Judge<D>& judge, const Bool<D>& preserves) {
  return judge(GEO_50, preserves, Bool<D>(false));
}
/// Whether equal extremes share the gradient; `indexed`: the op returns the index of the one that it chose.
template <Domain D>
constexpr Bool<D> equals_share_gradient(const Judge<D>& judge, const Bool<D>& indexed) {
  return judge(GEO_51, !indexed, Bool<D>(false));
}
/// Whether a reduction of a tensor without dimensions has a dimension; `keepdim`: as given; `aminmax`: it is aminmax
/// along a dimension.
template <Domain D>
constexpr Bool<D> scalar_gets_dimension(const Judge<D>& judge, const Bool<D>& keepdim, const Bool<D>& aminmax) {
  return judge(GEO_53, Bool<D>(false), keepdim, In{Profile::torch_1_13, keepdim && aminmax});
}
/// Whether gather, or index_select, accepts indices of this dtype.
template <Domain D>
constexpr Bool<D> takes_indices(const Judge<D>& judge, const Choice<D, Dtype>& dtype, const Bool<D>& gather) {
  using Type = Choice<D, Dtype>;
  const Bool<D> wide = dtype == Type(Dtype::int64);
  const Bool<D> narrow = dtype == Type(Dtype::int32);
  return judge(GEO_54, wide || narrow, wide, In{Profile::torch_1_13, wide || (narrow && !gather)});
}
/// What index_select of a tensor without dimensions does; `one`: there is exactly one index.
template <Domain D>
constexpr Num<D> indices_of_scalar(const Judge<D>& judge, const Bool<D>& one) {
  const Num<D> takes = kTakes;
  return judge(GEO_55, select(one, takes, Num<D>(kRefuses)), takes,
               In{Profile::torch_1_13, select(one, takes, Num<D>(kReadsMemory))});
}
/// What masked_fill does with a mask; `bools`: its dtype is bool.
template <Domain D>
constexpr Num<D> fills_by_mask(const Judge<D>& judge, const Bool<D>& bools) {
  const Num<D> takes = kTakes;
  return judge(GEO_56, select(bools, takes, Num<D>(kRefuses)), takes,
               In{Profile::torch_1_13, select(bools, takes, Num<D>(kReadsMemory))});
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
/// Whether matmul multiplies a stack as one tall matrix; `still`: that moves no data; `needed`: the single matrix
/// requires grad; `turned`: the matrices of the stack are transposed.
template <Domain D>
constexpr Bool<D> matmul_folds(const Judge<D>& judge, const Bool<D>& still, const Bool<D>& needed,
                               const Bool<D>& turned) {
  return judge(GEO_57, still || needed, Bool<D>(false), In{Profile::torch_1_13, !turned});
}
/// Whether matmul multiplies two stacks, or a stack and a vector, as 2.13 does; `two_differ`: the case in which 1.13
/// makes other calls.
template <Domain D>
constexpr Bool<D> matmul_stacks_late(const Judge<D>& judge, const Bool<D>& two_differ) {
  return judge(GEO_57, two_differ, Bool<D>(false), In{Profile::torch_1_13, Bool<D>(false)});
}
/// Whether argmax refuses the dtype; `bools`: it is bool.
template <Domain D>
constexpr Bool<D> argmax_refuses(const Judge<D>& judge, const Bool<D>& bools) {
  return judge(GEO_58, bools, Bool<D>(false), In{Profile::torch_1_13, Bool<D>(false)});
}
/// Whether argmax has no kernel for the dtype; `asked`: it is bool, and there is something to compare.
template <Domain D>
constexpr Bool<D> argmax_lacks_kernel(const Judge<D>& judge, const Bool<D>& asked) {
  return judge(GEO_58, asked, Bool<D>(false), In{Profile::torch_1_13, asked});
}
template <Domain D>
constexpr Bool<D> generator_goes_on(const Judge<D>& judge) {
  return judge(GEO_52, Bool<D>(true), Bool<D>(false));
}

}  // namespace plumbline
