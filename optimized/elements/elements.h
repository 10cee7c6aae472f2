// Elements as C++ numbers: read, written, and converted from one type to another as PyTorch does.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "optimized/elements/dtypes.h"
#include "optimized/elements/host_device.h"

namespace plumbline::optimized {

/// A bool is any byte but 0: `view(dtype)` shows other bytes than 0 and 1 as bools.
template <class T>
PLUMBLINE_HOST_DEVICE T loaded(const std::byte* at) {
  if constexpr (std::same_as<T, bool>) return *at != std::byte{0};
  if constexpr (!std::same_as<T, bool>) return *reinterpret_cast<const T*>(at);
}
template <class T>
PLUMBLINE_HOST_DEVICE void store(std::byte* at, T value) {
  *reinterpret_cast<T*>(at) = value;
}

/// As C++ converts; a float that an integer cannot hold becomes the lowest one, which is what x86 makes of it.
template <class To, class From>
PLUMBLINE_HOST_DEVICE constexpr To converted(From value) {
  if constexpr (std::same_as<To, bool>) {
    return value != From(0);
  } else if constexpr (std::floating_point<From> && std::integral<To>) {
    constexpr From kLowest = static_cast<From>(std::numeric_limits<To>::min());
    return value >= kLowest && value < -kLowest ? static_cast<To>(value) : std::numeric_limits<To>::min();
  } else {
    return static_cast<To>(value);
  }
}

/// `first + i`, counted in double or, where 64 bits may wrap, in integers.
template <class T>
PLUMBLINE_HOST_DEVICE T counted(double first, std::uint64_t i) {
  return converted<T>(first + static_cast<double>(i));
}
template <class T>
PLUMBLINE_HOST_DEVICE T counted(std::int64_t first, std::uint64_t i) {
  return converted<T>(static_cast<std::int64_t>(static_cast<std::uint64_t>(first) + i));
}

/// An element of any dtype, as a T.
template <class T>
PLUMBLINE_HOST_DEVICE T loaded_as(Dtype dtype, const std::byte* at) {
  return visit_dtype(dtype, [at]<class From>(From) { return converted<T>(loaded<From>(at)); });
}
/// Writes a T as an element of any dtype.
template <class T>
PLUMBLINE_HOST_DEVICE void store_as(Dtype dtype, std::byte* at, T value) {
  visit_dtype(dtype, [at, value]<class To>(To) { store(at, converted<To>(value)); });
}

}  // namespace plumbline::optimized
