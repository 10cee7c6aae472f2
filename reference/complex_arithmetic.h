// Arithmetic on complex elements, by parts. One bound holds for both parts of a result; each part is on the tape.
#pragma once

#include <optional>
#include <span>

#include "reference/arithmetic.h"

namespace plumbline::reference {

/// a + b, and the sum of all terms in any order.
Element complex_sum(Dtype dtype, const Element& a, const Element& b, Tape* tape);
Element complex_sum(Dtype dtype, std::span<const Element> terms, Tape* tape);
/// (ac − bd) + (ad + bc)i [c10/util/complex.h, operator*=]; vectors may fuse a product with the sum.
Element complex_product(Dtype dtype, const Element& a, const Element& b, Tape* tape);
/// a / b, with a bound that holds for scalars and for vectors, which scale in other ways [c10/util/complex.h,
/// operator/=]. Unknown where a step of either may overflow or underflow.
Element complex_quotient(Dtype dtype, const Element& a, const Element& b, Tape* tape);
/// −a. Other functions of complex numbers throw std::logic_error: no kernel that needs them takes complex elements.
Element complex_negative(Dtype dtype, UnaryFunction function, const Element& a, Tape* tape);
/// Whether both parts are equal; nothing if the bounds leave it open.
std::optional<bool> complex_equal(Dtype dtype, const Element& a, const Element& b);

}  // namespace plumbline::reference
