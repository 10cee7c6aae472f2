// The strides of new results.
#include <algorithm>
#include <numeric>

#include "reference/memory.h"

namespace plumbline::reference {

namespace {

/// The strides of `sizes` with the dimensions stored in `order`, fastest first. Unlike in row-major strides, a size of
/// 0 counts as 0.
Sizes strides_in_order(const Sizes& sizes, const std::vector<std::size_t>& order) {
  Sizes strides(sizes.size());
  std::int64_t step = 1;
  for (const std::size_t dim : order) {
    strides[dim] = step;
    step *= sizes[dim];
  }
  return strides;
}

/// Insertion sort with a `compare` that may call a pair ambiguous (0); such a pair does not end the search for a place.
template <class Compare>
void sort_ambiguously(std::vector<std::size_t>& order, const Compare& compare) {
  for (std::size_t i = 1; i < order.size(); ++i) {
    std::size_t moving = i;
    for (std::size_t j = i; j-- > 0;) {
      const int comparison = compare(order[j], order[moving]);
      if (comparison > 0) {
        std::swap(order[j], order[moving]);
        moving = j;
      } else if (comparison < 0) {
        break;
      }
    }
  }
}

std::vector<std::size_t> reversed_dims(std::size_t rank) {
  std::vector<std::size_t> order(rank);
  std::iota(order.rbegin(), order.rend(), std::size_t{0});
  return order;
}

/// 1: `a` goes after `b`; −1: before; 0: these strides do not decide.
int by_stride(const Sizes& sizes, const Sizes& strides, std::size_t a, std::size_t b) {
  if (strides[a] == 0 || strides[b] == 0) return 0;
  if (strides[a] != strides[b]) return strides[a] < strides[b] ? -1 : 1;
  return sizes[a] > sizes[b] ? 1 : 0;
}

/// The dimensions in channels-last order, fastest first.
std::vector<std::size_t> channels_last_order(std::size_t rank) {
  return rank == 4 ? std::vector<std::size_t>{1, 3, 2, 0} : std::vector<std::size_t>{1, 4, 3, 2, 0};
}

/// Whether a tensor is dense in the order N, H, W, C or N, D, H, W, C.
bool is_channels_last(const Sizes& sizes, const Sizes& strides, std::size_t rank) {
  if (sizes.size() != rank) return false;
  std::int64_t step = 1;
  for (const std::size_t dim : channels_last_order(rank)) {
    if (sizes[dim] == 1) continue;
    if (strides[dim] != step) return false;
    step *= sizes[dim];
  }
  return true;
}

}  // namespace

bool suggests_channels_last(const Sizes& sizes, const Sizes& strides) {
  if ((sizes.size() != 4 && sizes.size() != 5) || strides[1] == 0) return false;
  std::int64_t least = 0;
  for (const std::size_t dim : channels_last_order(sizes.size())) {
    if (sizes[dim] == 0 || strides[dim] < least) return false;
    if (dim == 0 && least == strides[1]) return false;  // ambiguous: taken as row-major
    least = strides[dim] * std::max<std::int64_t>(sizes[dim], 1);
  }
  return true;
}

Sizes channels_last_strides(const Sizes& sizes) { return strides_in_order(sizes, channels_last_order(sizes.size())); }

MemoryFormat suggested_format(const Sizes& sizes, const Sizes& strides) {
  if (!suggests_channels_last(sizes, strides)) return MemoryFormat::contiguous;
  return sizes.size() == 4 ? MemoryFormat::channels_last : MemoryFormat::channels_last_3d;
}

bool is_in_format(const Sizes& sizes, const Sizes& strides, MemoryFormat format) {
  const auto rank = static_cast<std::size_t>(rank_of(format));
  return rank == 0 ? is_row_major(sizes, strides) : is_channels_last(sizes, strides, rank);
}

Sizes pointwise_strides(const Sizes& sizes, std::span<const Geometry> inputs) {
  const auto all = [&](const auto& holds) { return std::all_of(inputs.begin(), inputs.end(), holds); };
  if (all([&](const Geometry& g) { return sizes_of(g) == sizes; })) {
    if (all([&](const Geometry& g) { return is_row_major(sizes, strides_of(g)); })) return row_major(sizes);
    if (all([&](const Geometry& g) { return is_channels_last(sizes, strides_of(g), 4); }))
      return strides_in_order(sizes, {1, 3, 2, 0});
    const Sizes first = strides_of(inputs.front());
    if (all([&](const Geometry& g) { return strides_of(g) == first && is_dense(sizes, first); })) return first;
  }
  std::vector<Sizes> stretched;
  for (const Geometry& input : inputs) stretched.push_back(strides_of(broadcast_to(input, sizes)));
  std::vector<std::size_t> order = reversed_dims(sizes.size());
  sort_ambiguously(order, [&](std::size_t a, std::size_t b) {
    for (const Sizes& strides : stretched)
      if (const int comparison = by_stride(sizes, strides, a, b); comparison != 0) return comparison;
    return 0;
  });
  return order == reversed_dims(sizes.size()) ? row_major(sizes) : strides_in_order(sizes, order);
}

Sizes dense_strides(const Sizes& sizes, const Sizes& strides) {
  if (is_dense(sizes, strides)) return strides;
  std::vector<std::size_t> order = reversed_dims(sizes.size());
  sort_ambiguously(order, [&](std::size_t a, std::size_t b) { return by_stride(sizes, strides, a, b); });
  return strides_in_order(sizes, order);
}

}  // namespace plumbline::reference
