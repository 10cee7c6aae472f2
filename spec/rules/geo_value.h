// GEO: results like an argument, reductions and indices of tensors without dimensions, and what cat writes.
#pragma once

#include "spec/rules/geo_memory.h"
#include "spec/rules/type.h"
#include "spec/rules/value.h"

namespace plumbline {

inline constexpr Rule GEO_49{Family::GEO, 49};
inline constexpr Rule GEO_50{Family::GEO, 50};
inline constexpr Rule GEO_53{Family::GEO, 53};
inline constexpr Rule GEO_55{Family::GEO, 55};
inline constexpr Rule GEO_59{Family::GEO, 59};

/// What cat does with an out: refuses it, writes it, or computes by a stride how much of it to write.
inline constexpr int kCatRefuses = 0;
inline constexpr int kCatWrites = 1;
inline constexpr int kCatCounts = 2;

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
/// Whether a reduction of a tensor without dimensions has a dimension; `keepdim`: as given; `aminmax`: it is aminmax
/// along a dimension.
template <Domain D>
constexpr Bool<D> scalar_gets_dimension(const Judge<D>& judge, const Bool<D>& keepdim, const Bool<D>& aminmax) {
  return judge(GEO_53, Bool<D>(false), keepdim, In{Profile::torch_1_13, keepdim && aminmax});
}
/// What index_select of a tensor without dimensions does; `one`: there is exactly one index.
template <Domain D>
constexpr Num<D> indices_of_scalar(const Judge<D>& judge, const Bool<D>& one) {
  const Num<D> takes = kTakes;
  return judge(GEO_55, select(one, takes, Num<D>(kRefuses)), takes,
               In{Profile::torch_1_13, select(one, takes, Num<D>(kReadsMemory))});
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

}  // namespace plumbline
