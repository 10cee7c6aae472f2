// GEO: broadcasting, `view` on the same memory, the layout of new results, and writes to overlapping memory.
#pragma once

#include "spec/rules/geo.h"

namespace plumbline {

inline constexpr Rule GEO_16{
    Family::GEO, 16, "view gives new sizes to the same memory; if the strides do not allow them, it is an error.",
    "aten/src/ATen/TensorUtils.cpp, computeStride",
    "view is allowed for any strides, and its result has row-major strides."};
inline constexpr Rule GEO_17{Family::GEO, 17, "One size of view may be -1: it is computed from the other sizes.",
                             "aten/src/ATen/InferSize.h, infer_size", "-1 means 1."};
inline constexpr Rule GEO_18{Family::GEO, 18,
                             "Broadcasting matches sizes from the last dimension, and a size of 1 stretches.",
                             "aten/src/ATen/ExpandUtils.cpp, infer_size; 'Broadcasting semantics' of the documentation",
                             "Sizes are matched from the first dimension."};
inline constexpr Rule GEO_19{
    Family::GEO, 19,
    "Writing a tensor that has stride 0 in a dimension of size above 1 raises an error before anything is written.",
    "aten/src/ATen/MemoryOverlap.cpp, has_internal_overlap, assert_no_internal_overlap",
    "The last value written stays."};
inline constexpr Rule GEO_20{
    Family::GEO, 20,
    "Writing a dense tensor that partly overlaps a dense input raises an error before anything is written.",
    "aten/src/ATen/MemoryOverlap.cpp, get_overlap_status, assert_no_overlap",
    "The input is read before anything is written."};
inline constexpr Rule GEO_21{Family::GEO, 21,
                             "fill_ and zero_ may write overlapping memory, because every order gives the same result.",
                             "aten/src/ATen/native/Fill.cpp: 'Fill is idempotent, so overlap is okay'",
                             "fill_ is like every other in-place op."};
inline constexpr Rule GEO_22{Family::GEO, 22,
                             "If a write meets an overlap that the check does not see, the elements that depend on the "
                             "order of writing are unspecified.",
                             "aten/src/ATen/MemoryOverlap.h, MemOverlap::TooHard: 'not certain', and the write goes on",
                             "Such a write is an error."};
inline constexpr Rule GEO_23{
    Family::GEO, 23, "clone keeps the strides of a tensor whose elements are dense and do not overlap.",
    "aten/src/ATen/native/TensorFactories.cpp, clone: MemoryFormat::Preserve", "clone is always row-major."};
inline constexpr Rule GEO_24{Family::GEO, 24, "A pointwise result follows the order of its inputs' strides.",
                             "aten/src/ATen/TensorIterator.cpp, 'NOTE: [Computing output strides]'",
                             "A pointwise result is always row-major."};
inline constexpr Rule GEO_25{Family::GEO, 25, "The elements of empty are unspecified.",
                             "torch.empty: 'filled with uninitialized data'",
                             "empty is filled with zeros, and the fill bumps the version."};
inline constexpr Rule GEO_26{Family::GEO, 26, "clone and every functional result have their own storage.",
                             "rfc-0011-final: 'functional operations are guaranteed to have non-aliasing outputs'",
                             "clone shares storage until it is written."};

inline constexpr Rule GEO_28{
    Family::GEO,
    28,
    "copy_ of a tensor onto a view of the very same elements writes nothing, and is not an error even if they overlap.",
    "aten/src/ATen/native/Copy.cpp, copy_impl: is_same_data",
    "It is a write like any other.",
    {{{Profile::torch_1_13, "It is a write like any other, and an error if they overlap.",
       "aten/src/ATen/native/Copy.cpp of v1.13.1, copy_impl: only self.is_same(src) is asked", ""}}}};
inline constexpr Rule GEO_33{
    Family::GEO,
    33,
    "mm requires matrices of one dtype, even if there is nothing to multiply.",
    "aten/src/ATen/native/LinearAlgebra.cpp, addmm_impl_cpu_: 'expected m1 and m2 to have the same dtype'",
    "If there is nothing to multiply, the dtypes are not checked.",
    {{{Profile::torch_1_13,
       "If there is nothing to multiply, the dtypes are not checked; else the error for a first dtype without a kernel "
       "comes before the error for two dtypes.",
       "aten/src/ATen/native/LinearAlgebra.cpp of v1.13.1, addmm_impl_cpu_ returns before its kernel asks", ""}}}};

/// The size that two sizes broadcast to, and whether they do.
template <Domain D>
struct Broadcast {
  Num<D> size;
  Bool<D> fits;
};
template <Domain D>
constexpr Broadcast<D> broadcast(const Num<D>& a, const Num<D>& b) {
  return {select(a == Num<D>(1), b, a), a == b || a == Num<D>(1) || b == Num<D>(1)};
}

/// Whether shorter sizes are padded with 1 in front.
template <Domain D>
constexpr Bool<D> pads_in_front(const Judge<D>& judge) {
  return judge(GEO_18, Bool<D>(true), Bool<D>(false));
}

/// Facts about the memory of a write, found by enumeration.
template <Domain D>
struct OverlapFacts {
  Bool<D> repeats;     ///< the written tensor has stride 0 in a dimension of size above 1
  Bool<D> partial;     ///< it and an input are dense and overlap partly
  Bool<D> hidden;      ///< elements overlap so that the order of writing matters, and the check does not see it
  Bool<D> idempotent;  ///< every element gets the same value (fill_)
};

/// The error of a write.
template <Domain D>
constexpr Error<D> check_overlap(const Judge<D>& judge, const OverlapFacts<D>& facts) {
  const Bool<D> checked = judge(GEO_21, !facts.idempotent, Bool<D>(true));
  const Error<D> internal =
      error_if(judge(GEO_19, facts.repeats, Bool<D>(false)) && checked, ErrorClass::overlap_internal);
  const Error<D> partial =
      error_if(judge(GEO_20, facts.partial, Bool<D>(false)) && checked, ErrorClass::overlap_partial);
  const Error<D> unseen =
      error_if(judge(GEO_22, Bool<D>(false), facts.hidden && !facts.idempotent), ErrorClass::overlap_internal);
  return first_error(first_error(internal, partial), unseen);
}

/// Whether elements are unspecified after the write, because they depend on its order.
template <Domain D>
constexpr Bool<D> order_unspecified(const OverlapFacts<D>& facts) {
  return facts.hidden && !facts.idempotent;
}

template <Domain D>
constexpr Bool<D> copy_onto_itself_does_nothing(const Judge<D>& judge) {
  return judge(GEO_28, Bool<D>(true), Bool<D>(false), In{Profile::torch_1_13, Bool<D>(false)});
}

/// Whether mm accepts the dtypes of its matrices; `nothing`: there is nothing to multiply.
template <Domain D>
constexpr Error<D> check_product_dtypes(const Judge<D>& judge, const Bool<D>& same, const Bool<D>& nothing) {
  const Bool<D> seen = !same && !nothing;
  return error_if(judge(GEO_33, !same, seen, In{Profile::torch_1_13, seen}), ErrorClass::dtype_mismatch);
}
/// Whether mm reports a first dtype without a kernel before it reports two different dtypes.
template <Domain D>
constexpr Bool<D> product_kernel_asked_first(const Judge<D>& judge) {
  return judge(GEO_33, Bool<D>(false), Bool<D>(false), In{Profile::torch_1_13, Bool<D>(true)});
}
template <Domain D>
constexpr Bool<D> clone_keeps_strides(const Judge<D>& judge) {
  return judge(GEO_23, Bool<D>(true), Bool<D>(false));
}
template <Domain D>
constexpr Bool<D> result_follows_strides(const Judge<D>& judge) {
  return judge(GEO_24, Bool<D>(true), Bool<D>(false));
}
/// The first version of the result of `empty`, whose elements stay unspecified.
template <Domain D>
constexpr Num<D> empty_version(const Judge<D>& judge) {
  return judge(GEO_25, Num<D>(0), Num<D>(1));
}
template <Domain D>
constexpr Bool<D> result_owns_storage(const Judge<D>& judge) {
  return judge(GEO_26, Bool<D>(true), Bool<D>(false));
}

template <Domain D>
constexpr Bool<D> view_keeps_memory(const Judge<D>& judge, const Bool<D>& strides_allow) {
  return judge(GEO_16, strides_allow, Bool<D>(true));
}
/// The size that -1 stands for: `elements` over the product `rest` of the other sizes.
template <Domain D>
constexpr Num<D> inferred_size(const Judge<D>& judge, const Num<D>& elements, const Num<D>& rest) {
  return judge(GEO_17, elements / rest, Num<D>(1));
}

}  // namespace plumbline
