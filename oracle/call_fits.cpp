// Whether a call, or a new tensor, has what it needs.
#include "oracle/call_fits.h"

#include <algorithm>
#include <cmath>

namespace plumbline {

namespace {

bool fits(const Value& value, const Argument& argument) {
  if (std::holds_alternative<None>(value))
    return argument.optional || argument.type == ArgType::Layout || argument.type == ArgType::Device ||
           argument.type == ArgType::MemoryFormat;
  const bool given = std::holds_alternative<NumberOf>(value);
  const bool number = given || std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value) ||
                      std::holds_alternative<bool>(value);
  switch (argument.type) {
    case ArgType::Tensor:
      return number || std::holds_alternative<Complex>(value) || std::holds_alternative<Slot>(value);
    case ArgType::TensorList:
      return std::holds_alternative<std::vector<Slot>>(value);
    case ArgType::Int:
      return given || std::holds_alternative<std::int64_t>(value);
    case ArgType::IntList:
      return std::holds_alternative<std::vector<std::int64_t>>(value) || std::holds_alternative<std::int64_t>(value);
    case ArgType::Scalar:
      return number || std::holds_alternative<Complex>(value);
    case ArgType::Float:
      return number;
    case ArgType::Bool:
      return given || std::holds_alternative<bool>(value);
    case ArgType::Dtype:
      return std::holds_alternative<Dtype>(value);
    default:
      return true;
  }
}

}  // namespace

bool call_fits(const Call& call) {
  const Op& called = op(call.op);
  const auto arguments = called.arguments;
  if (call.arguments.size() != arguments.size()) return false;
  if (!called.many_results && !call.results.empty() && call.results.size() != called.results) return false;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (!fits(call.arguments[i], arguments[i])) return false;
  return true;
}

bool elements_fit(const MakeTensor& made) {
  std::int64_t elements = 1;
  for (const std::int64_t size : made.sizes) {
    if (size < 0 || size > 1 << 20) return false;
    elements *= size;
    if (elements > 1 << 20) return false;
  }
  const auto fits = [&](double value) {
    if (is_inexact(made.dtype)) return true;
    if (std::trunc(value) != value) return false;
    const IntegerRange range = range_of(made.dtype);
    return item_size(made.dtype) > 4 ||
           (value >= static_cast<double>(range.least) && value <= static_cast<double>(range.greatest));
  };
  return static_cast<std::size_t>(elements) * numbers_in(made.dtype) == made.values.size() &&
         std::ranges::all_of(made.values, fits);
}

}  // namespace plumbline
