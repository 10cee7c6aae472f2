// The larger and the smaller of elements: maximum, fmin, clamp and their kin.
#include <cmath>
#include <limits>

#include "reference/everyday/elements.h"
#include "reference/everyday/forms.h"

namespace plumbline::reference::everyday {

namespace {

/// The larger or smaller of two; `skips_nan`: NaN counts as missing, otherwise it wins.
Element extreme(Dtype dtype, bool larger, bool skips_nan, const Element& a, const Element& b) {
  if (!is_floating(dtype))
    return {.integer = larger ? std::max(a.integer, b.integer) : std::min(a.integer, b.integer),
            .known = a.known && b.known};
  const auto choose = [=](std::span<const double> at) {
    if (std::isnan(at[0]) || std::isnan(at[1])) {
      const bool first = std::isnan(at[0]) != skips_nan;
      return first ? at[0] : at[1];
    }
    return larger ? std::fmax(at[0], at[1]) : std::fmin(at[0], at[1]);
  };
  Element out = real_value(dtype, {}, choose, std::array{a, b});
  // which of two zeros wins depends on the kernel; a bound accepts both
  if (a.real == 0 && b.real == 0 && std::signbit(a.real) != std::signbit(b.real))
    out.error = std::fmax(out.error, std::numeric_limits<double>::denorm_min());
  return out;
}

PointwiseForm extreme_form(std::string_view name, bool larger, bool skips_nan) {
  return {name, [=](const KernelCall& call) {
            std::vector<Input> inputs{input_at(call, 0), input_at(call, 1)};
            const Dtype dtype = common_type(call.judge, inputs);
            return Pointwise{std::move(inputs), dtype, dtype,
                             [=](std::span<const Element> x) { return extreme(dtype, larger, skips_nan, x[0], x[1]); }};
          }};
}

bool is_given(const KernelCall& call, std::size_t i) {
  return !std::holds_alternative<None>(call.arguments.values()[i]);
}

/// No smaller than `low`, then no larger than `high`, each of which may be missing. A NaN among them is the result.
PointwiseForm clamp(std::string_view name, std::optional<std::size_t> low, std::optional<std::size_t> high) {
  return {name, [=](const KernelCall& call) {
            std::vector<Input> inputs{input_at(call, 0)};
            const bool has_low = low && is_given(call, *low);
            const bool has_high = high && is_given(call, *high);
            cover(has_low || has_high);
            if (has_low) inputs.push_back(input_at(call, *low));
            if (has_high) inputs.push_back(input_at(call, *high));
            const Dtype dtype = common_type(call.judge, inputs);
            cover(dtype != Dtype::boolean);
            Pointwise made{inputs, dtype, dtype, [=](std::span<const Element> x) {
                             Element out = x[0];
                             if (has_low) out = extreme(dtype, true, false, out, x[1]);
                             if (has_high) out = extreme(dtype, false, false, out, x[has_low ? 2 : 1]);
                             return out;
                           }};
            // [aten/src/ATen/native/TensorCompare.cpp, TORCH_META_FUNC(clamp)]
            made.layout = ResultLayout::tensors;
            return made;
          }};
}

/// The scalars' dtypes do not count, and bools are refused [aten/src/ATen/native/Activation.cpp, hardtanh_out].
Pointwise hard_limits(const KernelCall& call, const Operand& low, const Operand& high) {
  const Input self = input_at(call, 0);
  const Dtype dtype = self.dtype;
  cover(is_floating(dtype));
  const Element least = element_of(low, dtype);
  const Element most = element_of(high, dtype);
  cover(least.real <= most.real);
  return {{self},
          dtype,
          dtype,
          [=](std::span<const Element> x) {
            return extreme(dtype, false, false, extreme(dtype, true, false, x[0], least), most);
          },
          dtype,
          ResultLayout::self};
}
Pointwise hardtanh(const KernelCall& call) {
  return hard_limits(call, call.arguments.number(1), call.arguments.number(2));
}
Pointwise relu6(const KernelCall& call) { return hard_limits(call, {kNoTensor, true, 0, 0}, {kNoTensor, true, 6, 6}); }

}  // namespace

std::vector<PointwiseForm> extreme_forms() {
  return {extreme_form("maximum", true, false),
          extreme_form("minimum", false, false),
          extreme_form("max.other", true, false),
          extreme_form("min.other", false, false),
          extreme_form("fmax", true, true),
          extreme_form("fmin", false, true),
          clamp("clamp", 1, 2),
          clamp("clamp.Tensor", 1, 2),
          clamp("clip", 1, 2),
          clamp("clip.Tensor", 1, 2),
          clamp("clamp_min", 1, std::nullopt),
          clamp("clamp_min.Tensor", 1, std::nullopt),
          clamp("clamp_max", std::nullopt, 1),
          clamp("clamp_max.Tensor", std::nullopt, 1),
          {"hardtanh", hardtanh},
          {"relu6", relu6}};
}

}  // namespace plumbline::reference::everyday
