// Powers, and other functions of two real numbers: pow, atan2, hypot, xlogy, copysign, logaddexp.
#include <array>
#include <cmath>
#include <limits>

#include "reference/everyday/elements.h"
#include "reference/everyday/forms.h"

namespace plumbline::reference::everyday {

namespace {

/// By repeated squaring, which wraps. A negative exponent leaves only 1 and −1 [aten/src/ATen/native/Pow.h, powi].
std::int64_t whole_power(std::int64_t base, std::int64_t exponent) {
  if (exponent < 0) {
    if (base == 1) return 1;
    return base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0;
  }
  std::uint64_t result = 1;
  for (auto factor = static_cast<std::uint64_t>(base); exponent != 0; exponent /= 2, factor *= factor)
    if (exponent % 2 != 0) result *= factor;
  return static_cast<std::int64_t>(result);
}

/// An exponent that is a number ½ takes the root, which has another sign for −0 and no value for −∞
/// [aten/src/ATen/native/cpu/PowKernel.cpp, pow_tensor_scalar_optimized_kernel].
double real_power(double base, double exponent, bool number) {
  if (number && exponent == 0.5) return std::sqrt(base);
  if (number && exponent == -0.5) return 1 / std::sqrt(base);
  return std::pow(base, exponent);
}

Element power(Dtype dtype, std::span<const Element> x, bool number) {
  if (!is_floating(dtype))
    return {.integer = wrapped_integer(whole_power(x[0].integer, x[1].integer), dtype),
            .known = x[0].known && x[1].known};
  const auto at = [=](std::span<const double> point) { return real_power(point[0], point[1], number); };
  Element out = real_value(dtype, {.ulps = kFunctionUlps}, at, x);
  if (x[1].real == 0 || x[1].real == 1 || x[0].real == 1)
    out.error = x[1].error == 0 && x[0].error == 0 ? 0 : out.error;
  return out;
}

/// `number`: which operand is a Scalar, if one is. `floats`: the power is computed in float64.
PointwiseForm powers(std::string_view name, std::optional<std::size_t> number, bool floats = false) {
  return {name, [=](const KernelCall& call) {
            std::vector<Input> inputs{input_at(call, 0), input_at(call, 1)};
            const Dtype dtype = floats ? Dtype::float64 : common_type(call.judge, inputs);
            cover(dtype != Dtype::boolean);
            if (floats && op(call.op).kind == OpKind::Inplace) cover(inputs[0].dtype == dtype);
            if (number == std::size_t{1}) {
              if (!is_floating(dtype)) cover(inputs[1].operand.integer >= 0);
              const Element exponent = element_of(inputs[1].operand, dtype);
              inputs.pop_back();
              return Pointwise{std::move(inputs), dtype, dtype, [=](std::span<const Element> x) {
                                 return power(dtype, std::array{x[0], exponent}, true);
                               }};
            }
            Pointwise made{std::move(inputs), dtype, dtype,
                           [=](std::span<const Element> x) { return power(dtype, x, false); }};
            if (number == std::size_t{0})
              made.layout = ResultLayout::row_major;  // [aten/src/ATen/native/Pow.cpp, pow.Scalar's meta function]
            return made;
          }};
}

/// A function of two elements of the common dtype, which is floating: an integer dtype becomes the default one, if
/// `promotes`, and is refused otherwise.
PointwiseForm reals(std::string_view name, bool promotes, RealFunction function, RealOfTwo real) {
  return {name, [=](const KernelCall& call) {
            std::vector<Input> inputs{input_at(call, 0), input_at(call, 1)};
            const Dtype dtype = promotes ? common_floating_type(call.judge, inputs) : common_type(call.judge, inputs);
            cover(is_floating(dtype));
            return Pointwise{std::move(inputs), dtype, dtype, [=](std::span<const Element> x) {
                               return real_value(
                                   dtype, function, [=](std::span<const double> at) { return real(at[0], at[1]); }, x);
                             }};
          }};
}

double angle(double y, double x) { return std::atan2(y, x); }
double length(double a, double b) { return std::hypot(a, b); }
/// 0 where x is 0, NaN where y is NaN [aten/src/ATen/native/cpu/BinaryOpsKernel.cpp, xlogy_kernel].
double xlogy(double x, double y) { return std::isnan(y) ? y : x == 0 ? 0 : x * std::log(y); }
double xlog1py(double x, double y) { return std::isnan(y) ? y : x == 0 ? 0 : x * std::log1p(y); }
double with_sign(double magnitude, double sign) { return std::copysign(magnitude, sign); }
double logaddexp(double a, double b) {
  if (std::isinf(a) && a == b) return a;
  return std::fmax(a, b) + std::log1p(std::exp(-std::fabs(a - b)));
}

/// The sign of a NaN is open.
PointwiseForm copysigns(std::string_view name) {
  PointwiseForm form = reals(name, true, {.jumps = true}, with_sign);
  return {name, [prepare = form.prepare](const KernelCall& call) {
            Pointwise made = prepare(call);
            made.each = [each = made.each](std::span<const Element> x) {
              Element out = each(x);
              out.known = out.known && !std::isnan(x[1].real);
              return out;
            };
            return made;
          }};
}

}  // namespace

std::vector<PointwiseForm> power_forms() {
  const RealFunction rounds{.ulps = kFunctionUlps};
  return {powers("pow.Tensor_Tensor", std::nullopt),
          powers("pow.Tensor_Scalar", 1),
          powers("pow.Scalar", 0),
          powers("float_power.Tensor_Tensor", std::nullopt, true),
          powers("float_power.Tensor_Scalar", 1, true),
          powers("float_power.Scalar", 0, true),
          reals("atan2", true, {.ulps = kFunctionUlps, .jumps = true}, angle),
          reals("arctan2", true, {.ulps = kFunctionUlps, .jumps = true}, angle),
          reals("hypot", false, rounds, length),
          reals("xlogy.Tensor", true, rounds, xlogy),
          reals("xlogy.Scalar_Self", true, rounds, xlogy),
          reals("xlogy.Scalar_Other", true, rounds, xlogy),
          reals("special_xlogy", true, rounds, xlogy),
          reals("special_xlogy.self_scalar", true, rounds, xlogy),
          reals("special_xlogy.other_scalar", true, rounds, xlogy),
          reals("special_xlog1py", true, rounds, xlog1py),
          reals("special_xlog1py.self_scalar", true, rounds, xlog1py),
          reals("special_xlog1py.other_scalar", true, rounds, xlog1py),
          reals("logaddexp", false, {.ulps = kFunctionUlps, .absolute = 2, .most = 1e37}, logaddexp),
          copysigns("copysign.Tensor"),
          copysigns("copysign.Scalar")};
}

}  // namespace plumbline::reference::everyday
