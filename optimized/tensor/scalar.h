// A Python number as an argument.
#pragma once

#include <concepts>
#include <cstdint>

#include "spec/vocabulary/dtype.h"

namespace plumbline::optimized {

/// A bool, an integer or a float.
class Scalar {
 public:
  enum class Kind : std::uint8_t { boolean, integer, real };

  // NOLINTBEGIN(google-explicit-constructor): a number reads as a Scalar, as in c10
  constexpr Scalar(bool value) : integer_(value ? 1 : 0), kind_(Kind::boolean) {}
  template <std::integral I>
  constexpr Scalar(I value) : integer_(value), kind_(Kind::integer) {}
  constexpr Scalar(double value) : real_(value), kind_(Kind::real) {}
  // NOLINTEND(google-explicit-constructor)

  constexpr Kind kind() const { return kind_; }
  constexpr bool is_real() const { return kind_ == Kind::real; }
  constexpr double real() const { return is_real() ? real_ : static_cast<double>(integer_); }
  /// A float is truncated; it must fit.
  constexpr std::int64_t integer() const { return is_real() ? static_cast<std::int64_t>(real_) : integer_; }
  constexpr bool truth() const { return is_real() ? real_ != 0 : integer_ != 0; }
  /// The dtype of the tensor that Python makes of it: a float is a float32, an int an int64.
  constexpr Dtype dtype() const {
    if (kind_ == Kind::boolean) return Dtype::boolean;
    return is_real() ? Dtype::float32 : Dtype::int64;
  }
  /// As a C++ number; a float that an integer cannot hold is undefined: check before.
  template <class T>
  constexpr T to() const {
    if constexpr (std::same_as<T, bool>) return truth();
    return is_real() ? static_cast<T>(real_) : static_cast<T>(integer_);
  }

 private:
  union {
    std::int64_t integer_;
    double real_;
  };
  Kind kind_;
};

}  // namespace plumbline::optimized
