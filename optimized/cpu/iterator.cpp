// Loops over the elements of tensors of any strides, and the strides that a pointwise result has.
#include "optimized/cpu/iterator.h"

#include <algorithm>

#include "optimized/cpu/checks.h"
#include "optimized/cpu/layout.h"

namespace plumbline::optimized {

namespace {

/// [TensorIterator.cpp, reorder_dimensions]: the first operand for which it matters decides.
int comes_after(IntList sizes, std::span<const Operand> operands, std::size_t a, std::size_t b) {
  for (const Operand& operand : operands) {
    const std::int64_t of_a = broadcast_stride(operand, sizes, a) * operand.item();
    const std::int64_t of_b = broadcast_stride(operand, sizes, b) * operand.item();
    if (of_a == 0 || of_b == 0) continue;
    if (of_a != of_b) return of_a < of_b ? -1 : 1;
    if (sizes[a] > sizes[b]) return 1;
  }
  return 0;
}

/// The dimensions, from the one that runs fastest.
DimVector dims_by_stride(IntList sizes, std::span<const Operand> operands) {
  DimVector order(sizes.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int64_t>(order.size() - 1 - i);
  sort_dims(order, [&](std::size_t a, std::size_t b) { return comes_after(sizes, operands, a, b); });
  return order;
}

/// Without gaps, so that dimension `d` runs slower than those checked before; `expected` is updated.
bool goes_on(const Operand& operand, std::size_t d, std::int64_t& expected) {
  if (operand.sizes[d] == 1) return true;
  if (operand.strides[d] != expected) return false;
  expected *= operand.sizes[d];
  return true;
}

constexpr std::array<std::size_t, 4> kChannelsLast{1, 3, 2, 0};

bool goes_channels_last(const Operand& operand) {
  std::int64_t expected = 1;
  return operand.sizes.size() == kChannelsLast.size() &&
         std::ranges::all_of(kChannelsLast, [&](std::size_t d) { return goes_on(operand, d, expected); });
}
bool goes_row_major(const Operand& operand) {
  std::int64_t expected = 1;
  for (std::size_t d = operand.sizes.size(); d-- > 0;)
    if (!goes_on(operand, d, expected)) return std::ranges::find(operand.sizes, 0) != operand.sizes.end();
  return true;
}

/// Strides without gaps in this order. `empty_counts`: after a dimension of size 0 all are 0.
template <class Order>
DimVector strides_in_order(IntList sizes, const Order& order, bool empty_counts) {
  DimVector strides(sizes.size());
  std::int64_t stride = 1;
  for (const auto dim : order) {
    const auto d = static_cast<std::size_t>(dim);
    strides[d] = stride;
    stride = stride_product(stride, empty_counts ? sizes[d] : std::max<std::int64_t>(sizes[d], 1));
  }
  return strides;
}

bool is_last_to_first(const DimVector& order) {
  for (std::size_t i = 0; i < order.size(); ++i)
    if (order[i] != static_cast<std::int64_t>(order.size() - 1 - i)) return false;
  return true;
}

}  // namespace

DimVector result_strides(IntList sizes, std::span<const Operand> inputs) {
  const auto all = [&](const auto& hold) { return std::ranges::all_of(inputs, hold); };
  if (all([&](const Operand& in) { return std::ranges::equal(in.sizes, sizes); })) {
    if (all(goes_row_major)) return row_major_strides(sizes);
    if (all(goes_channels_last)) return strides_in_order(sizes, kChannelsLast, false);
    if (all([&](const Operand& in) {
          return is_dense(in.sizes, in.strides) && std::ranges::equal(in.strides, inputs.front().strides);
        }))
      return inputs.front().strides;
  }
  const DimVector order = dims_by_stride(sizes, inputs);
  return is_last_to_first(order) ? row_major_strides(sizes) : strides_in_order(sizes, order, true);
}

StridedLoop::StridedLoop(IntList sizes, std::span<const Operand> operands) : operands_(operands.size()) {
  empty_ = std::ranges::find(sizes, 0) != sizes.end();
  if (empty_) return;
  for (std::size_t k = 0; k < operands_; ++k) data_[k] = operands[k].data;
  const DimVector order = dims_by_stride(sizes, operands);
  sizes_ = DimVector(sizes.size());
  for (std::size_t k = 0; k < operands_; ++k) steps_[k] = DimVector(sizes.size());
  for (const std::int64_t dim : order) {
    const auto d = static_cast<std::size_t>(dim);
    if (sizes[d] == 1) continue;
    sizes_[dims_] = sizes[d];
    for (std::size_t k = 0; k < operands_; ++k)
      steps_[k][dims_] = broadcast_stride(operands[k], sizes, d) * operands[k].item();
    ++dims_;
  }
  if (dims_ == 0) return;
  coalesce();
  for (std::size_t k = 0; k < operands_; ++k) {
    inner_[k] = steps_[k][0];
    if (dims_ > 1) outer_[k] = steps_[k][1];
  }
}

/// Joins dimensions that are contiguous in every operand.
void StridedLoop::coalesce() {
  std::size_t last = 0;
  for (std::size_t d = 1; d < dims_; ++d) {
    bool joins = true;
    for (std::size_t k = 0; k < operands_; ++k) joins = joins && steps_[k][last] * sizes_[last] == steps_[k][d];
    if (joins) {
      sizes_[last] *= sizes_[d];
      continue;
    }
    sizes_[++last] = sizes_[d];
    for (std::size_t k = 0; k < operands_; ++k) steps_[k][last] = steps_[k][d];
  }
  dims_ = last + 1;
}

bool StridedLoop::advance(DimVector& at, std::array<std::byte*, kMost>& data) const {
  for (std::size_t d = 2; d < dims_; ++d) {
    const bool within = ++at[d] < sizes_[d];
    for (std::size_t k = 0; k < operands_; ++k) data[k] += within ? steps_[k][d] : -steps_[k][d] * (sizes_[d] - 1);
    if (within) return true;
    at[d] = 0;
  }
  return false;
}

}  // namespace plumbline::optimized
