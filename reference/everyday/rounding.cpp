// Unary ops that keep the dtype and round nothing: abs, floor, sign, square and their kin.
#include <cmath>

#include "reference/everyday/elements.h"
#include "reference/everyday/forms.h"

namespace plumbline::reference::everyday {

namespace {

using Whole = std::int64_t (*)(std::int64_t);

/// An op with a kernel for floating dtypes and one for integers; `truths`: it takes bools, as the integers 0 and 1.
PointwiseForm keeps(std::string_view name, RealOfOne real, bool jumps, Whole whole, bool truths = false) {
  return {name,
          [=](const KernelCall& call) {
            const Input self = input_at(call, 0);
            cover(is_floating(self.dtype) || (whole != nullptr && (truths || self.dtype != Dtype::boolean)));
            const Dtype dtype = self.dtype;
            return Pointwise{
                {self}, dtype, dtype, [=](std::span<const Element> x) {
                  if (is_floating(dtype))
                    return real_value(
                        dtype, {.jumps = jumps}, [=](std::span<const double> at) { return real(at[0]); }, x);
                  return Element{.integer = wrapped_integer(whole(x[0].integer), dtype), .known = x[0].known};
                }};
          },
          OutForm::exact};
}

std::int64_t same(std::int64_t x) { return x; }
std::int64_t magnitude(std::int64_t x) {
  return x < 0 ? static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(x)) : x;
}
std::int64_t sign_of(std::int64_t x) { return (x > 0 ? 1 : 0) - (x < 0 ? 1 : 0); }
/// 0 for NaN too [aten/src/ATen/native/cpu/UnaryOpsKernel.cpp, sign_kernel].
double sign_of_real(double x) { return (x > 0 ? 1.0 : 0.0) - (x < 0 ? 1.0 : 0.0); }
double absolute(double x) { return std::fabs(x); }
double up(double x) { return std::ceil(x); }
double down(double x) { return std::floor(x); }
double nearest(double x) { return std::nearbyint(x); }
double toward_zero(double x) { return std::trunc(x); }
double fraction(double x) { return x - std::trunc(x); }

/// self · self, as a power: bools become int64.
Pointwise square(const KernelCall& call) {
  const Input self = input_at(call, 0);
  const Dtype dtype = self.dtype == Dtype::boolean ? Dtype::int64 : self.dtype;
  const Arithmetic in = call.arithmetic(dtype);
  return {{self}, dtype, dtype, [in](std::span<const Element> x) { return in.multiply(x[0], x[0]); }};
}

Pointwise negative(const KernelCall& call) {
  const Input self = input_at(call, 0);
  cover(self.dtype != Dtype::boolean);
  const Arithmetic in = call.arithmetic(self.dtype);
  return {{self}, self.dtype, self.dtype, [in](std::span<const Element> x) {
            return in.apply(UnaryFunction::negate, x[0]);
          }};
}

Pointwise bitwise_not(const KernelCall& call) {
  const Input self = input_at(call, 0);
  cover(!is_floating(self.dtype));
  const Dtype dtype = self.dtype;
  return {{self}, dtype, dtype, [dtype](std::span<const Element> x) {
            const std::int64_t flipped = dtype == Dtype::boolean ? 1 - x[0].integer : ~x[0].integer;
            return Element{.integer = wrapped_integer(flipped, dtype), .known = x[0].known};
          }};
}

}  // namespace

std::vector<PointwiseForm> rounding_forms() {
  return {keeps("abs", absolute, false, magnitude),
          keeps("absolute", absolute, false, magnitude),
          keeps("ceil", up, true, same),
          keeps("floor", down, true, same),
          keeps("round", nearest, true, same),
          keeps("trunc", toward_zero, true, same),
          keeps("fix", toward_zero, true, same),
          keeps("sign", sign_of_real, true, sign_of, true),
          keeps("sgn", sign_of_real, true, sign_of, true),
          keeps("frac", fraction, true, nullptr),
          {"square", square},
          {"negative", negative},
          {"bitwise_not", bitwise_not, OutForm::exact}};
}

}  // namespace plumbline::reference::everyday
