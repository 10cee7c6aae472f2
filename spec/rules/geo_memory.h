// GEO: broadcasting, `view` on the same memory, the layout of new results, and writes to overlapping memory.
#pragma once

#include "spec/rules/geo.h"

namespace plumbline {

inline constexpr Rule GEO_16{Family::GEO, 16};
inline constexpr Rule GEO_17{Family::GEO, 17};
inline constexpr Rule GEO_18{Family::GEO, 18};
inline constexpr Rule GEO_19{Family::GEO, 19};
inline constexpr Rule GEO_20{Family::GEO, 20};
inline constexpr Rule GEO_21{Family::GEO, 21};
inline constexpr Rule GEO_22{Family::GEO, 22};
inline constexpr Rule GEO_23{Family::GEO, 23};
inline constexpr Rule GEO_24{Family::GEO, 24};
inline constexpr Rule GEO_25{Family::GEO, 25};
inline constexpr Rule GEO_26{Family::GEO, 26};
inline constexpr Rule GEO_28{Family::GEO, 28};

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
/// Whether copy_ writes nothing; `same`: source and target are the same elements of the same memory.
template <Domain D>
constexpr Bool<D> copy_does_nothing(const Judge<D>& judge, const Bool<D>& same) {
  return judge(GEO_28, same, Bool<D>(false), In{Profile::torch_1_13, Bool<D>(false)});
}
/// Whether clone keeps the strides of its argument, if they are dense, or their order; `preserves`: it is given no
/// memory format, or torch.preserve_format.
template <Domain D>
constexpr Bool<D> clone_keeps_strides(const Judge<D>& judge, const Bool<D>& preserves) {
  return judge(GEO_23, preserves, Bool<D>(false));
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
/// Whether a functional op's result has a storage of its own; `clones`: the op is clone.
template <Domain D>
constexpr Bool<D> result_owns_storage(const Judge<D>& judge, const Bool<D>& clones) {
  return judge(GEO_26, Bool<D>(true), !clones);
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
