// Comparisons, and tests of single elements: lt, ne, isnan, signbit.
#include <cmath>

#include "reference/everyday/elements.h"
#include "reference/everyday/forms.h"
#include "spec/rules/geo_value.h"

namespace plumbline::reference::everyday {

namespace {

using Compare = std::optional<bool> (*)(const Arithmetic&, const Element&, const Element&);

std::optional<bool> less(const Arithmetic& in, const Element& a, const Element& b) { return in.less(a, b); }
std::optional<bool> greater(const Arithmetic& in, const Element& a, const Element& b) { return in.less(b, a); }
std::optional<bool> equal(const Arithmetic& in, const Element& a, const Element& b) { return in.equal(a, b); }
std::optional<bool> unequal(const Arithmetic& in, const Element& a, const Element& b) {
  const auto same = in.equal(a, b);
  return same ? std::optional(!*same) : std::nullopt;
}
std::optional<bool> at_most(const Arithmetic& in, const Element& a, const Element& b) {
  const auto below = in.less(a, b);
  if (below && *below) return true;
  const auto same = in.equal(a, b);
  return below ? same : std::nullopt;
}
std::optional<bool> at_least(const Arithmetic& in, const Element& a, const Element& b) { return at_most(in, b, a); }

/// Both operands are read in their common dtype; another one compares them, by the rule for mixed operands.
PointwiseForm compares(std::string_view name, Compare compare) {
  return {name,
          [=](const KernelCall& call) {
            std::vector<Input> inputs{input_at(call, 0), input_at(call, 1)};
            const Dtype common = common_type(call.judge, inputs);
            const bool mixed = inputs[0].dtype != inputs[1].dtype;
            const Dtype dtype = mixed ? static_cast<Dtype>(comparison_type<Concrete>(call.judge, common).v) : common;
            const Arithmetic in(dtype);
            return Pointwise{std::move(inputs), dtype, Dtype::boolean,
                             [=](std::span<const Element> x) { return truth(compare(in, x[0], x[1])); }, common};
          },
          OutForm::converts, true, compare == equal || compare == unequal};  // complex numbers have no order
}

using Test = bool (*)(double);

/// A test of floating elements, which is `whole` for each integer; `integers`: whose strides the result for them has.
PointwiseForm tests(std::string_view name, Test test, bool whole, ResultLayout integers = ResultLayout::operands) {
  return {name, [=](const KernelCall& call) {
            const Input self = input_at(call, 0);
            const Dtype dtype = self.dtype;
            return Pointwise{{self},
                             dtype,
                             Dtype::boolean,
                             [=](std::span<const Element> x) {
                               if (!is_floating(dtype)) return Element{.integer = whole ? 1 : 0, .known = x[0].known};
                               const bool result = test(x[0].real);
                               const bool open =
                                   test(x[0].real - x[0].error) != result || test(x[0].real + x[0].error) != result;
                               return Element{.integer = result ? 1 : 0, .known = x[0].known && !open};
                             },
                             dtype,
                             is_floating(dtype) ? ResultLayout::operands : integers};
          }};
}

Pointwise signbit(const KernelCall& call) {
  const Input self = input_at(call, 0);
  const Dtype dtype = self.dtype;
  return {{self}, dtype, Dtype::boolean, [=](std::span<const Element> x) {
            if (!is_floating(dtype)) return Element{.integer = x[0].integer < 0 ? 1 : 0, .known = x[0].known};
            // IEEE leaves the sign of a NaN open
            const bool open = std::isnan(x[0].real) || (x[0].error > 0 && std::fabs(x[0].real) <= x[0].error);
            return Element{.integer = std::signbit(x[0].real) ? 1 : 0, .known = x[0].known && !open};
          }};
}

Pointwise logical_not(const KernelCall& call) {
  const Input self = input_at(call, 0);
  const Dtype dtype = self.dtype;
  return {{self}, dtype, Dtype::boolean, [=](std::span<const Element> x) {
            const auto value = is_true(x[0], dtype);
            return truth(value ? std::optional(!*value) : std::nullopt);
          }};
}

}  // namespace

std::vector<PointwiseForm> comparison_forms() {
  std::vector<PointwiseForm> forms;
  const auto both = [&](std::string_view tensor, std::string_view scalar, Compare compare) {
    forms.push_back(compares(tensor, compare));
    forms.push_back(compares(scalar, compare));
  };
  both("lt.Tensor", "lt.Scalar", less);
  both("le.Tensor", "le.Scalar", at_most);
  both("ne.Tensor", "ne.Scalar", unequal);
  both("eq.Tensor", "eq.Scalar", equal);
  both("gt.Tensor", "gt.Scalar", greater);
  both("ge.Tensor", "ge.Scalar", at_least);
  both("less.Tensor", "less.Scalar", less);
  both("less_equal.Tensor", "less_equal.Scalar", at_most);
  both("not_equal.Tensor", "not_equal.Scalar", unequal);
  both("greater.Tensor", "greater.Scalar", greater);
  both("greater_equal.Tensor", "greater_equal.Scalar", at_least);
  forms.push_back(tests("isnan", [](double x) { return std::isnan(x); }, false));
  forms.push_back(tests("isinf", [](double x) { return std::isinf(x); }, false, ResultLayout::self));
  // ones_like and zeros_like of integers [aten/src/ATen/native/TensorCompare.cpp, isfinite, isinf]
  forms.push_back(tests("isfinite", [](double x) { return std::isfinite(x); }, true, ResultLayout::self));
  forms.push_back(tests("isposinf", [](double x) { return std::isinf(x) && x > 0; }, false));
  forms.push_back(tests("isneginf", [](double x) { return std::isinf(x) && x < 0; }, false));
  forms.push_back({"signbit", signbit});
  forms.push_back({"logical_not", logical_not});
  return forms;
}

}  // namespace plumbline::reference::everyday
