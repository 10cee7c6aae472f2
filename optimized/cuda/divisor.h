// Division by a number that is known before a kernel starts.
#pragma once

#include <bit>
#include <cstdint>

#include "optimized/elements/host_device.h"

namespace plumbline::optimized::cuda {

/// Divides by a multiplication and a shift [Granlund and Montgomery, 'Division by Invariant Integers using
/// Multiplication', PLDI 1994, figure 4.1].
class Divisor {
 public:
  /// What it divides, and what it divides by, is less than this.
  static constexpr std::uint32_t kEnd = std::uint32_t{1} << 31U;

  constexpr Divisor() : Divisor(1) {}
  /// `by` is at least 1.
  constexpr explicit Divisor(std::uint32_t by)
      : by_(by), shift_(static_cast<std::uint32_t>(std::bit_width(by - 1))), factor_(factor_of(by, shift_)) {}

  PLUMBLINE_HOST_DEVICE constexpr std::uint32_t by() const { return by_; }
  PLUMBLINE_HOST_DEVICE constexpr std::uint32_t quotient(std::uint32_t n) const {
    const auto high = static_cast<std::uint32_t>((std::uint64_t{n} * factor_) >> 32U);
    return (high + n) >> shift_;
  }

 private:
  static constexpr std::uint32_t factor_of(std::uint32_t by, std::uint32_t shift) {
    const std::uint64_t missing = (std::uint64_t{1} << shift) - by;
    return static_cast<std::uint32_t>((missing << 32U) / by + 1);
  }

  std::uint32_t by_;
  std::uint32_t shift_;
  std::uint32_t factor_;
};

}  // namespace plumbline::optimized::cuda
