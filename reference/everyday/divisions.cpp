// Division with a rounding mode, and remainders: div.Tensor_mode, floor_divide, remainder, fmod, gcd.
#include <cmath>
#include <limits>
#include <numeric>

#include "reference/everyday/elements.h"
#include "reference/everyday/forms.h"

namespace plumbline::reference::everyday {

namespace {

enum class DivisionKind : std::uint8_t { truncate, floor, remainder, fmod };

/// The quotient's floor by way of the remainder, which is exact [c10/util/generic_math.h, div_floor_floating].
double floor_quotient(double a, double b) {
  if (b == 0) return a / b;
  const double rest = std::fmod(a, b);
  double quotient = (a - rest) / b;
  if (rest != 0 && (b < 0) != (rest < 0)) quotient -= 1;
  if (quotient == 0) return std::copysign(0.0, a / b);
  const double down = std::floor(quotient);
  return quotient - down > 0.5 ? down + 1 : down;
}

double real_of(DivisionKind kind, Dtype dtype, double a, double b) {
  switch (kind) {
    case DivisionKind::truncate:
      return std::trunc(Arithmetic(dtype).divide(Element{.real = a}, Element{.real = b}).real);
    case DivisionKind::floor:
      return floor_quotient(a, b);
    case DivisionKind::fmod:
      return std::fmod(a, b);
    case DivisionKind::remainder: {
      const double rest = std::fmod(a, b);
      return rest != 0 && (b < 0) != (rest < 0) ? rest + b : rest;
    }
  }
  throw std::logic_error("no such division");
}

/// For a divisor that is not 0. The least integer divided by −1 wraps.
std::int64_t whole_of(DivisionKind kind, std::int64_t a, std::int64_t b) {
  const bool quotient = kind == DivisionKind::truncate || kind == DivisionKind::floor;
  if (b == -1) return quotient ? static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(a)) : 0;
  const std::int64_t rest = a % b;
  const bool other_sign = rest != 0 && (b < 0) != (rest < 0);
  if (quotient) return a / b - (kind == DivisionKind::floor && other_sign ? 1 : 0);
  return rest + (kind == DivisionKind::remainder && other_sign ? b : 0);
}

/// How large a quotient may be for its rounding to be the same in every kernel.
double most_exact(Dtype dtype) { return dtype == Dtype::float32 ? 4194304.0 : 1125899906842624.0; }

Element divided(DivisionKind kind, Dtype dtype, std::span<const Element> x) {
  const Arithmetic in(dtype);
  if (!is_floating(dtype)) {
    cover(x[1].integer != 0);  // ZeroDivisionError
    return {.integer = wrapped_integer(whole_of(kind, x[0].integer, x[1].integer), dtype),
            .known = x[0].known && x[1].known};
  }
  Element out = real_value(
      dtype, {.jumps = true}, [=](std::span<const double> at) { return real_of(kind, dtype, at[0], at[1]); }, x);
  out.known = out.known && x[0].error == 0 && x[1].error == 0;
  // vectors' fmod is NaN where a quotient is as large as by a subnormal divisor [Sleef, fmod]
  if (std::isfinite(x[0].real) && std::fabs(x[0].real / x[1].real) > 1e30) out.known = false;
  const bool quotient = kind == DivisionKind::truncate || kind == DivisionKind::floor;
  if (quotient && std::isfinite(out.real) && std::fabs(out.real) > most_exact(dtype)) out.known = false;
  if (quotient && std::isinf(x[0].real) != std::isinf(out.real)) out.known = out.known && std::isnan(out.real);
  return out;
}

Pointwise division(const KernelCall& call, DivisionKind kind) {
  std::vector<Input> inputs{input_at(call, 0), input_at(call, 1)};
  const Dtype dtype = common_type(call.judge, inputs);
  cover(dtype != Dtype::boolean);
  return {std::move(inputs), dtype, dtype, [=](std::span<const Element> x) { return divided(kind, dtype, x); }};
}

PointwiseForm divides(std::string_view name, DivisionKind kind) {
  return {name, [=](const KernelCall& call) { return division(call, kind); }};
}

/// `rounding_mode` None is true division.
PointwiseForm divides_by_mode(std::string_view name) {
  return {name, [=](const KernelCall& call) {
            const Value& mode = call.arguments.values()[2];
            if (const auto* word = std::get_if<std::string>(&mode)) {
              cover(*word == "trunc" || *word == "floor");
              return division(call, *word == "trunc" ? DivisionKind::truncate : DivisionKind::floor);
            }
            cover(std::holds_alternative<None>(mode));
            std::vector<Input> inputs{input_at(call, 0), input_at(call, 1)};
            const Dtype dtype = common_floating_type(call.judge, inputs);
            const Arithmetic in = call.arithmetic(dtype);
            return Pointwise{std::move(inputs), dtype, dtype,
                             [in](std::span<const Element> x) { return in.divide(x[0], x[1]); }};
          }};
}

/// The greatest common divisor, or the least common multiple, of integers.
PointwiseForm divisors(std::string_view name, bool multiple) {
  return {name, [=](const KernelCall& call) {
            std::vector<Input> inputs{input_at(call, 0), input_at(call, 1)};
            const Dtype dtype = common_type(call.judge, inputs);
            cover(!is_floating(dtype) && dtype != Dtype::boolean);
            return Pointwise{std::move(inputs), dtype, dtype, [=](std::span<const Element> x) {
                               constexpr std::int64_t kMost = std::int64_t{1} << 31;
                               const std::int64_t a = std::abs(x[0].integer);
                               const std::int64_t b = std::abs(x[1].integer);
                               cover(a < kMost && b < kMost && a >= 0 && b >= 0);
                               const std::int64_t common = std::gcd(a, b);
                               const std::int64_t value = !multiple ? common : common == 0 ? 0 : a / common * b;
                               return Element{.integer = wrapped_integer(value, dtype),
                                              .known = x[0].known && x[1].known};
                             }};
          }};
}

}  // namespace

std::vector<PointwiseForm> division_forms() {
  return {divides_by_mode("div.Tensor_mode"),
          divides_by_mode("div.Scalar_mode"),
          divides_by_mode("divide.Tensor_mode"),
          divides_by_mode("divide.Scalar_mode"),
          divides("floor_divide", DivisionKind::floor),
          divides("floor_divide.Scalar", DivisionKind::floor),
          divides("remainder.Tensor", DivisionKind::remainder),
          divides("remainder.Scalar", DivisionKind::remainder),
          divides("remainder.Scalar_Tensor", DivisionKind::remainder),
          divides("fmod.Tensor", DivisionKind::fmod),
          divides("fmod.Scalar", DivisionKind::fmod),
          divisors("gcd", false),
          divisors("lcm", true)};
}

}  // namespace plumbline::reference::everyday
