// The dtypes of results, and how numbers and elements convert to another dtype.
#include <cmath>
#include <limits>
#include <optional>

#include "optimized/cpu/checks.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

/// How dtypes rank in promotion, of one category of operands.
int rank_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::boolean:
      return 0;
    case Dtype::int32:
      return 1;
    case Dtype::int64:
      return 2;
    case Dtype::float32:
      return 3;
    case Dtype::float64:
      return 4;
    default:
      refuse_dtype(dtype);
  }
}
Dtype promoted(Dtype a, Dtype b) { return rank_of(a) < rank_of(b) ? b : a; }

/// The common dtype of the operands of one category; nothing if there are none.
using Category = std::optional<Dtype>;
void join(Category& category, Dtype dtype) { category = category ? promoted(*category, dtype) : dtype; }

/// [TypeProperties.cpp, combine_categories]
Category combined(Category higher, Category lower) {
  if (!higher) return lower;
  if (!lower || is_floating(*higher)) return higher;
  if (*higher == Dtype::boolean || is_floating(*lower)) return promoted(*higher, *lower);
  return higher;
}

/// The operands seen so far [TypeProperties.h, ResultTypeState].
struct ResultType {
  Category with_dims, without, numbers;

  void meet(const Tensor& tensor) {
    const TensorImpl& impl = tensor.impl();
    if (impl.dim() > 0) {
      join(with_dims, impl.dtype);
    } else if (impl.wrapped_number) {
      join(numbers, is_floating(impl.dtype) ? Dtype::float32 : impl.dtype);
    } else {
      join(without, impl.dtype);
    }
  }
  Dtype result() const { return combined(with_dims, combined(without, numbers)).value_or(Dtype::float32); }
};

}  // namespace

Dtype result_type(const Tensor& a, const Tensor& b) {
  ResultType type;
  type.meet(a);
  type.meet(b);
  return type.result();
}

Dtype result_type(TensorList tensors) {
  ResultType type;
  for (const Tensor& tensor : tensors) type.meet(tensor);
  return type.result();
}

Dtype result_type(const Tensor& a, Scalar b) {
  ResultType type;
  type.meet(a);
  join(type.numbers, b.dtype());
  return type.result();
}

void check_cast(Dtype from, Dtype to) {
  const bool down = (is_floating(from) && !is_floating(to)) || (from != Dtype::boolean && to == Dtype::boolean);
  if (down) raise(ErrorClass::dtype_cast, {scalar_name(from), scalar_name(to)});
}

namespace {

/// As C++ calls the type, which is how the message names it.
const char* cpp_name(Dtype dtype) {
  switch (dtype) {
    case Dtype::float32:
      return "float";
    case Dtype::float64:
      return "double";
    case Dtype::int64:
      return "int64_t";
    case Dtype::int32:
      return "int";
    case Dtype::boolean:
      return "bool";
    default:
      refuse_dtype(dtype);
  }
}

/// A float that an integer cannot hold becomes the lowest one, as x86 converts it.
std::int64_t truncated(double value) {
  constexpr double kLimit = 9223372036854775808.0;
  return value >= -kLimit && value < kLimit ? static_cast<std::int64_t>(value)
                                            : std::numeric_limits<std::int64_t>::min();
}

/// [c10/util/overflow.h, overflows]; 2^63 counts as an int64 that fits, since it is compared as a double.
template <class T>
bool fits_integer(Scalar number) {
  using Limits = std::numeric_limits<T>;
  if (number.is_real())
    return number.real() >= static_cast<double>(Limits::min()) && number.real() <= static_cast<double>(Limits::max());
  return number.integer() >= Limits::min() && number.integer() <= Limits::max();
}

bool fits(Scalar number, Dtype dtype) {
  if (dtype == Dtype::int32) return fits_integer<std::int32_t>(number);
  if (dtype == Dtype::int64) return fits_integer<std::int64_t>(number);
  if (dtype != Dtype::float32) return true;
  return !std::isfinite(number.real()) || std::abs(number.real()) <= std::numeric_limits<float>::max();
}

}  // namespace

Scalar checked_number(Scalar number, Dtype dtype) {
  if (!fits(number, dtype)) raise(ErrorClass::number_cast, {cpp_name(dtype)});
  if (dtype == Dtype::boolean) return number.truth();
  if (dtype == Dtype::float32) return static_cast<double>(number.to<float>());
  if (dtype == Dtype::float64) return number.real();
  return number.is_real() ? Scalar(truncated(number.real())) : Scalar(number.integer());
}

const char* scalar_name(Dtype dtype) {
  switch (dtype) {
    case Dtype::float32:
      return "Float";
    case Dtype::float64:
      return "Double";
    case Dtype::int64:
      return "Long";
    case Dtype::int32:
      return "Int";
    case Dtype::boolean:
      return "Bool";
    default:
      refuse_dtype(dtype);
  }
}

}  // namespace plumbline::optimized
