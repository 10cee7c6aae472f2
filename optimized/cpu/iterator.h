// Loops over the elements of tensors of any strides, and the strides that a pointwise result has.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "optimized/cpu/parallel.h"
#include "optimized/elements/operand.h"
#include "optimized/tensor/dim_vector.h"

namespace plumbline::optimized {

/// The strides of the fresh result of a pointwise op: those of the inputs if they agree, else in the order of the
/// inputs' strides [aten/src/ATen/TensorIterator.cpp, 'NOTE: [Computing output strides]'].
DimVector result_strides(IntList sizes, std::span<const Operand> inputs);

/// The elements of several operands that lie at the same place, once all are broadcast to some sizes.
class StridedLoop {
 public:
  static constexpr std::size_t kMost = 4;

  /// The operand that is written comes first; each one's sizes broadcast to `sizes`.
  StridedLoop(IntList sizes, std::span<const Operand> operands);

  /// The steps with which every row is called.
  const std::int64_t* steps() const { return inner_.data(); }

  /// Calls `row(data, steps, n)`: n elements, of operand k from `data[k]` on, `steps[k]` bytes apart.
  template <class Row>
  void run(const Row& row) const {
    if (empty_) return;
    if (dims_ <= 1) return run_alone(row);
    DimVector at(dims_);
    std::array<std::byte*, kMost> data = data_;
    do run_rows(row, data);
    while (advance(at, data));
  }

 private:
  /// One row, in pieces if it is long.
  template <class Row>
  void run_alone(const Row& row) const {
    parallel_for(dims_ == 0 ? 1 : sizes_[0], [&](std::int64_t begin, std::int64_t end) {
      std::array<std::byte*, kMost> data = data_;
      for (std::size_t k = 0; k < operands_; ++k) data[k] += begin * inner_[k];
      row(data.data(), inner_.data(), end - begin);
    });
  }
  /// The rows of the second dimension.
  template <class Row>
  void run_rows(const Row& row, std::array<std::byte*, kMost> data) const {
    for (std::int64_t i = 0; i < sizes_[1]; ++i) {
      row(data.data(), inner_.data(), sizes_[0]);
      for (std::size_t k = 0; k < operands_; ++k) data[k] += outer_[k];
    }
  }
  /// Goes to the next place in the third and later dimensions; false after the last.
  bool advance(DimVector& at, std::array<std::byte*, kMost>& data) const;
  void coalesce();

  std::size_t operands_;
  bool empty_ = false;
  std::size_t dims_ = 0;                ///< that are left
  DimVector sizes_;                     ///< the fastest dimension first
  std::array<DimVector, kMost> steps_;  ///< in bytes, by operand
  std::array<std::byte*, kMost> data_{};
  std::array<std::int64_t, kMost> inner_{};  ///< of the fastest dimension
  std::array<std::int64_t, kMost> outer_{};  ///< of the second
};

}  // namespace plumbline::optimized
