// Activation functions on floating dtypes: leaky_relu, elu, silu, softplus, hardswish and their kin.
#include <array>
#include <cmath>
#include <numbers>

#include "reference/everyday/elements.h"
#include "reference/everyday/forms.h"

namespace plumbline::reference::everyday {

namespace {

using RealOfNumbers = double (*)(double, const double*);
constexpr std::size_t kMostNumbers = 3;

/// A function of an element and of numbers, which are rounded to the dtype first. `given`: how many numbers the call
/// has after self.
PointwiseForm activation(std::string_view name, std::size_t given, RealFunction function, RealOfNumbers real) {
  return {name, [=](const KernelCall& call) {
            const Input self = input_at(call, 0);
            const Dtype dtype = self.dtype;
            cover(is_floating(dtype));
            std::array<double, kMostNumbers> numbers{};
            for (std::size_t i = 0; i < given; ++i) numbers[i] = element_of(call.arguments.number(i + 1), dtype).real;
            return Pointwise{{self}, dtype, dtype, [=](std::span<const Element> x) {
                               return real_value(
                                   dtype, function,
                                   [&](std::span<const double> at) { return real(at[0], numbers.data()); }, x);
                             }};
          }};
}

double leaky_relu(double x, const double* n) { return x > 0 ? x : x * n[0]; }
double threshold(double x, const double* n) { return x <= n[0] ? n[1] : x; }
double hardshrink(double x, const double* n) { return x >= -n[0] && x <= n[0] ? 0 : x; }
/// x · 0 where it is shrunk, which has the sign of x [aten/src/ATen/native/cpu/Activation.cpp, softshrink_kernel].
double softshrink(double x, const double* n) { return x > n[0] ? x - n[0] : x < -n[0] ? x + n[0] : x * 0; }
double elu(double x, const double* n) { return x <= 0 ? std::expm1(x * n[2]) * n[0] * n[1] : x * n[1]; }
double celu(double x, const double* n) { return x <= 0 ? std::expm1(x / n[0]) * n[0] : x; }
/// [aten/src/ATen/native/Activation.cpp, SELU_ALPHA, SELU_SCALE]
double selu(double x, const double*) {
  constexpr double kAlpha = 1.6732632423543772848170429916717;
  constexpr double kScale = 1.0507009873554804934193349852946;
  return x <= 0 ? std::expm1(x) * kAlpha * kScale : x * kScale;
}
double softplus(double x, const double* n) { return x * n[0] > n[1] ? x : std::log1p(std::exp(x * n[0])) / n[0]; }
double silu(double x, const double*) { return x / (1 + std::exp(-x)); }
double mish(double x, const double*) { return x * std::tanh(std::log1p(std::exp(x))); }
double hardsigmoid(double x, const double*) { return std::isnan(x) ? x : std::fmin(std::fmax(x + 3, 0.0), 6.0) / 6; }
double hardswish(double x, const double*) { return std::isnan(x) ? x : x * std::fmin(std::fmax(x + 3, 0.0), 6.0) / 6; }

constexpr RealFunction kComposed{.ulps = 2 * kFunctionUlps, .most = 1e37};

/// [aten/src/ATen/native/Activation.cpp, threshold's meta function: set_check_mem_overlap(false)]
PointwiseForm unchecked(PointwiseForm form) {
  form.checks_overlap = false;
  return form;
}

}  // namespace

std::vector<PointwiseForm> activation_forms() {
  const RealFunction rounds{.ulps = kFunctionUlps};
  const RealFunction jumps{.jumps = true};
  return {activation("leaky_relu", 1, {.ulps = 1}, leaky_relu),
          unchecked(activation("threshold", 2, jumps, threshold)),
          activation("hardshrink", 1, jumps, hardshrink),
          activation("softshrink", 1, {.ulps = 1}, softshrink),
          activation("elu", 3, {.ulps = 2 * kFunctionUlps}, elu),
          activation("celu", 1, {.ulps = 2 * kFunctionUlps}, celu),
          activation("selu", 0, {.ulps = 2 * kFunctionUlps}, selu),
          activation("softplus", 2, kComposed, softplus),
          activation("silu", 0, kComposed, silu),
          activation("mish", 0, kComposed, mish),
          activation("hardsigmoid", 0, rounds, hardsigmoid),
          activation("hardswish", 0, kComposed, hardswish)};
}

}  // namespace plumbline::reference::everyday
