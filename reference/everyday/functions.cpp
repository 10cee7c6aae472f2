// Unary ops that compute in floating dtypes: sin, log, sigmoid and their kin.
#include <cmath>
#include <numbers>

#include "reference/everyday/elements.h"
#include "reference/everyday/forms.h"

namespace plumbline::reference::everyday {

namespace {

/// PyTorch's kernels are off by at most 1 unit (Sleef's _u10 functions) or 1.5 (erfc), and by one more for each further
/// rounding [aten/src/ATen/cpu/vec].
PointwiseForm floats(std::string_view name, RealOfOne real, RealFunction function = {.ulps = kFunctionUlps}) {
  return {name, [=](const KernelCall& call) {
            const Input self = input_at(call, 0);
            const Dtype dtype = common_floating_type(call.judge, {&self, 1});
            return Pointwise{{self}, dtype, dtype, [=](std::span<const Element> x) {
                               return real_value(
                                   dtype, function, [=](std::span<const double> at) { return real(at[0]); }, x);
                             }};
          }};
}

/// self · factor, where the factor is rounded to the dtype.
PointwiseForm scaled(std::string_view name, double factor) {
  return {
      name, [=](const KernelCall& call) {
        std::vector<Input> inputs{input_at(call, 0), {{kNoTensor, false, factor, 0}, nullptr, Dtype::float32}};
        const Dtype dtype = common_floating_type(call.judge, inputs);
        const Arithmetic in = call.arithmetic(dtype);
        return Pointwise{
            std::move(inputs), dtype, dtype, [=](std::span<const Element> x) { return in.multiply(x[0], x[1]); }, dtype,
            ResultLayout::self};
      }};
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
/// The kernels multiply by a rounded π, so that sin is off by what that is off [aten/src/ATen/native/cpu/
/// UnaryOpsKernel.cpp, sinc_kernel].
double sinc(double x) { return x == 0 ? 1 : std::sin(std::numbers::pi * x) / (std::numbers::pi * x); }
/// −x · ln x [aten/src/ATen/native/cpu/UnaryOpsKernel.cpp, entr_kernel].
double entropy(double x) {
  if (std::isnan(x)) return x;
  if (x > 0) return -x * std::log(x);
  return x == 0 ? 0 : -std::numeric_limits<double>::infinity();
}

}  // namespace

std::vector<PointwiseForm> function_forms() {
  const RealOfOne sin = [](double x) { return std::sin(x); };
  const RealOfOne cos = [](double x) { return std::cos(x); };
  const RealOfOne tan = [](double x) { return std::tan(x); };
  const RealOfOne asin = [](double x) { return std::asin(x); };
  const RealOfOne acos = [](double x) { return std::acos(x); };
  const RealOfOne atan = [](double x) { return std::atan(x); };
  const RealOfOne sinh = [](double x) { return std::sinh(x); };
  const RealOfOne cosh = [](double x) { return std::cosh(x); };
  const RealOfOne asinh = [](double x) { return std::asinh(x); };
  const RealOfOne acosh = [](double x) { return std::acosh(x); };
  const RealOfOne atanh = [](double x) { return std::atanh(x); };
  const RealOfOne log = [](double x) { return std::log(x); };
  const RealOfOne log2 = [](double x) { return std::log2(x); };
  const RealOfOne log10 = [](double x) { return std::log10(x); };
  const RealOfOne log1p = [](double x) { return std::log1p(x); };
  const RealOfOne expm1 = [](double x) { return std::expm1(x); };
  const RealOfOne exp2 = [](double x) { return std::exp2(x); };
  const RealOfOne erf = [](double x) { return std::erf(x); };
  const RealOfOne erfc = [](double x) { return std::erfc(x); };
  const RealOfOne reciprocal = [](double x) { return 1 / x; };
  const RealOfOne rsqrt = [](double x) { return 1 / std::sqrt(x); };
  const RealFunction poles{.ulps = kFunctionUlps, .jumps = true};
  return {floats("sin", sin),
          floats("cos", cos),
          floats("tan", tan, poles),
          floats("asin", asin),
          floats("acos", acos),
          floats("atan", atan),
          floats("arcsin", asin),
          floats("arccos", acos),
          floats("arctan", atan),
          floats("sinh", sinh, {.ulps = kFunctionUlps, .by_exp = true}),
          floats("cosh", cosh, {.ulps = kFunctionUlps, .by_exp = true}),
          floats("asinh", asinh),
          floats("acosh", acosh),
          floats("atanh", atanh),
          floats("arcsinh", asinh),
          floats("arccosh", acosh),
          floats("arctanh", atanh),
          floats("log", log),
          floats("log2", log2),
          floats("log10", log10),
          floats("log1p", log1p),
          floats("special_log1p", log1p),
          floats("expm1", expm1),
          floats("special_expm1", expm1),
          floats("exp2", exp2),
          floats("special_exp2", exp2),
          floats("erf", erf),
          floats("special_erf", erf),
          floats("erfc", erfc),
          floats("special_erfc", erfc),
          floats("sigmoid", sigmoid, {.ulps = kFunctionUlps, .flushes = true}),
          floats("special_expit", sigmoid, {.ulps = kFunctionUlps, .flushes = true}),
          floats("reciprocal", reciprocal, poles),
          floats("rsqrt", rsqrt, poles),
          floats("sinc", sinc, {.ulps = kFunctionUlps, .absolute = 4, .most = 1e37}),
          floats("special_sinc", sinc, {.ulps = kFunctionUlps, .absolute = 4, .most = 1e37}),
          floats("special_entr", entropy),
          scaled("deg2rad", std::numbers::pi / 180),
          scaled("rad2deg", 180 / std::numbers::pi)};
}

}  // namespace plumbline::reference::everyday
