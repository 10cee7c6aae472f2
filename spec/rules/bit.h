// BIT: the keys Conjugate and Negative. A tensor that has one stands for the conjugate, or the negative, of its memory.
#pragma once

#include "spec/vocabulary/tensor_meta.h"

namespace plumbline {

inline constexpr Rule BIT_01{Family::BIT, 1};
inline constexpr Rule BIT_02{Family::BIT, 2};
inline constexpr Rule BIT_03{Family::BIT, 3};
inline constexpr Rule BIT_04{Family::BIT, 4};
inline constexpr Rule BIT_05{Family::BIT, 5};
inline constexpr Rule BIT_06{Family::BIT, 6};
inline constexpr Rule BIT_07{Family::BIT, 7};
inline constexpr Rule BIT_08{Family::BIT, 8};
inline constexpr Rule BIT_09{Family::BIT, 9};
inline constexpr Rule BIT_10{Family::BIT, 10};
inline constexpr Rule BIT_11{Family::BIT, 11};
inline constexpr Rule BIT_12{Family::BIT, 12};
inline constexpr Rule BIT_13{Family::BIT, 13};
inline constexpr Rule BIT_14{Family::BIT, 14};
inline constexpr Rule BIT_15{Family::BIT, 15};
inline constexpr Rule BIT_16{Family::BIT, 16};
inline constexpr Rule BIT_17{Family::BIT, 17};
inline constexpr Rule BIT_18{Family::BIT, 18};
inline constexpr Rule BIT_19{Family::BIT, 19};
inline constexpr Rule BIT_20{Family::BIT, 20};
inline constexpr Rule BIT_21{Family::BIT, 21};
inline constexpr Rule BIT_22{Family::BIT, 22};

/// The bits among keys: Conjugate and Negative.
template <Domain D>
constexpr KeySet<D> bits_among(const KeySet<D>& keys) {
  return keys & (KeySet<D>(Functionality::Conjugate) | Functionality::Negative);
}
/// Which parts of an element a tensor shows with the sign that memory does not have.
template <Domain D>
struct Signs {
  Bool<D> real;
  Bool<D> imag;
};
/// What the bits mean: the conjugate of memory, its negative, or both. Showing and writing turn the same signs.
template <Domain D>
constexpr Signs<D> turned_signs(const KeySet<D>& bits) {
  const Bool<D> negative = bits.has_any(Functionality::Negative);
  return {negative, bits.has_any(Functionality::Conjugate) != negative};
}
/// Whether conj makes a view; `complex`: of complex numbers.
template <Domain D>
constexpr Bool<D> conj_shares_memory(const Judge<D>& judge, const Bool<D>& complex) {
  return judge(BIT_01, complex, Bool<D>(false));
}
/// The bits of a view that conjugates or negates what it views.
template <Domain D>
constexpr KeySet<D> turned_bits(const Judge<D>& judge, const KeySet<D>& bits, Functionality bit) {
  const KeySet<D> set = bits | bit;
  return judge(BIT_02, select(bits.has_any(bit), bits - KeySet<D>(bit), set), set);
}
/// Whether conj, real and conj_physical return the tensor itself; `complex`: it has complex numbers.
template <Domain D>
constexpr Bool<D> part_is_self(const Judge<D>& judge, const Bool<D>& complex) {
  return judge(BIT_03, !complex, Bool<D>(false));
}
/// Whether imag refuses the tensor; `complex`: it has complex numbers.
template <Domain D>
constexpr Bool<D> imag_refuses(const Judge<D>& judge, const Bool<D>& complex) {
  return judge(BIT_04, !complex, Bool<D>(false));
}
/// The bits of a view of the real or imaginary parts, or of both; `imaginary`: of the imaginary ones alone.
template <Domain D>
constexpr KeySet<D> part_bits(const Judge<D>& judge, const KeySet<D>& bits, bool imaginary) {
  const KeySet<D> kept = judge(BIT_06, bits - KeySet<D>(Functionality::Conjugate), KeySet<D>());
  if (!imaginary) return kept;
  const KeySet<D> turned = turned_bits(judge, kept, Functionality::Negative);
  return judge(BIT_05, select(bits.has_any(Functionality::Conjugate), turned, kept), kept);
}
/// The bits of any other view; `bits`: those of the tensor that it views.
template <Domain D>
constexpr KeySet<D> view_bits(const Judge<D>& judge, const KeySet<D>& bits) {
  return judge(BIT_07, bits, KeySet<D>());
}
/// The bits of a new tensor; `bits`: those of the first argument.
template <Domain D>
constexpr KeySet<D> new_tensor_bits(const Judge<D>& judge, const KeySet<D>& bits) {
  return judge(BIT_08, KeySet<D>(), bits);
}
/// Whether resolve_conj and resolve_neg copy; `set`: the tensor has the bit that they resolve.
template <Domain D>
constexpr Bool<D> resolve_copies(const Judge<D>& judge, const Bool<D>& set) {
  return judge(BIT_09, set, Bool<D>(true));
}
/// Whether view_as_real accepts a tensor with these bits.
template <Domain D>
constexpr Error<D> check_view_as_real(const Judge<D>& judge, const KeySet<D>& bits) {
  return error_if(judge(BIT_10, bits.has_any(Functionality::Conjugate), Bool<D>(false)), ErrorClass::math_bit);
}
/// Whether an op gets its arguments as they are, with their bits; `registered`: PyTorch registers that; `view`: it is a
/// view op.
template <Domain D>
constexpr Bool<D> carries_bits(const Judge<D>& judge, bool registered, bool view) {
  return judge(BIT_11, Bool<D>(registered || view), Bool<D>(registered && !view));
}
/// The bits whose signs are turned in the memory of the copy that another op gets for an argument with these bits.
template <Domain D>
constexpr KeySet<D> copy_turns(const Judge<D>& judge, const KeySet<D>& bits) {
  return judge(BIT_12, bits, KeySet<D>());
}
/// Whether such an op gets a copy of an argument with bits; `written`: it writes the argument.
template <Domain D>
constexpr Bool<D> gets_a_copy(const Judge<D>& judge, const Bool<D>& written) {
  return judge(BIT_13, Bool<D>(true), !written);
}
/// The bits whose signs are turned as the copy is copied back into the memory of the written argument.
template <Domain D>
constexpr KeySet<D> copying_back_turns(const Judge<D>& judge, const KeySet<D>& bits) {
  return judge(BIT_14, bits, KeySet<D>());
}
/// Whether the memory of an argument is checked for overlap before the op runs; `written`: as above.
template <Domain D>
constexpr Bool<D> overlap_checked_first(const Judge<D>& judge, const Bool<D>& written) {
  return judge(BIT_15, Bool<D>(false), written);
}
/// Whether the written argument may be given what the op made of the copy; `same`: that has the argument's sizes.
template <Domain D>
constexpr Error<D> check_copied_back(const Judge<D>& judge, const Bool<D>& same) {
  return error_if(judge(BIT_16, Bool<D>(false), !same), ErrorClass::shape);
}
/// How many versions a write to a tensor with a bit counts; `versions`: to another tensor.
template <Domain D>
constexpr Num<D> versions_with_bits(const Judge<D>& judge, const Num<D>& versions) {
  return judge(BIT_17, versions, versions + Num<D>(1));
}
/// Whether two tensors on the same memory are the same elements to copy_.
template <Domain D>
constexpr Bool<D> bits_agree(const Judge<D>& judge, const KeySet<D>& a, const KeySet<D>& b) {
  return judge(BIT_18, a == b, Bool<D>(true));
}
/// Whether conj_physical_ checks the memory that it is given for overlap; `complex`: it has complex numbers.
template <Domain D>
constexpr Bool<D> conj_checks_overlap(const Judge<D>& judge, const Bool<D>& complex) {
  return judge(BIT_19, complex, Bool<D>(true));
}
/// Whether view(dtype) accepts a tensor with these bits; `other`: the dtype is not the tensor's own.
template <Domain D>
constexpr Error<D> check_retyped_bits(const Judge<D>& judge, const KeySet<D>& bits, const Bool<D>& other) {
  const Bool<D> some = !bits.empty();
  return error_if(judge(BIT_20, some && other, Bool<D>(false), In{Profile::torch_2_13, some}), ErrorClass::math_bit);
}
/// Whether view_as_complex accepts the last dimension; `together`: it has stride 1; `apart`: a greater one.
template <Domain D>
constexpr Bool<D> pairs_fit(const Judge<D>& judge, const Bool<D>& together, const Bool<D>& apart) {
  return judge(BIT_21, together, together || apart);
}
/// Whether view_as_complex accepts another dimension; `even`: its stride is; `single`: its size is 1.
template <Domain D>
constexpr Bool<D> pair_stride_fits(const Judge<D>& judge, const Bool<D>& even, const Bool<D>& single) {
  return judge(BIT_22, even || single, even, In{Profile::torch_1_13, even});
}

}  // namespace plumbline
