// Choosing sizes.
#include "fuzz/sizes.h"

#include <algorithm>
#include <array>

namespace plumbline::fuzz {

namespace {

/// Counted values of so many elements stay exact in every dtype through a product of two.
constexpr std::int64_t kMostOfThousands = 2048;
constexpr std::size_t kHighestRank = 5;

Sizes few(Choices& choices) {
  constexpr std::array<std::int64_t, 10> extents{2, 3, 1, 2, 3, 4, 2, 1, 3, 0};
  constexpr std::array<std::size_t, 8> ranks{1, 2, 2, 2, 3, 0, 1, 2};
  const std::size_t drawn = ranks[choices.below(ranks.size())];
  Sizes sizes(choices.last() % 16 == 7 ? 4 + drawn % 2 : drawn);  // seldom with channels
  for (std::int64_t& size : sizes) size = extents[choices.below(extents.size())];
  return sizes;
}

/// Around the widths of vector registers, of unrolled loops and of cache lines.
Sizes thousands(Choices& choices) {
  constexpr std::array<std::size_t, 8> ranks{1, 2, 2, 3, 4, kHighestRank, 1, 2};
  const std::size_t rank = ranks[choices.below(ranks.size())];
  if (rank == 1) {
    constexpr std::array<std::int64_t, 12> lengths{65, 127, 2048, 1000, 64, 129, 1023, 1025, 255, 7, 16, 33};
    return {lengths[choices.below(lengths.size())]};
  }
  constexpr std::array<std::int64_t, 16> extents{8, 5, 16, 7, 9, 17, 3, 64, 33, 15, 31, 32, 63, 2, 1, 65};
  Sizes sizes(rank);
  std::int64_t left = kMostOfThousands;
  for (std::int64_t& size : sizes) {
    size = extents[choices.below(extents.size())];
    while (size > left) size = (size + 1) / 2;
    left /= size;
  }
  return sizes;
}

Sizes million(Choices& choices) {
  constexpr std::array<std::array<std::int64_t, 2>, 4> sizes{{{1024, 1024}, {1000, 1003}, {512, 2048}, {1023, 1025}}};
  const auto& picked = sizes[choices.below(sizes.size())];
  return {picked.begin(), picked.end()};
}

double factor_of(std::int64_t size) { return size < 0 ? 1 : static_cast<double>(size); }

}  // namespace

Sizes choose_sizes(Choices& choices) {
  switch (choices.extent()) {
    case Extent::thousands:
      return thousands(choices);
    case Extent::million:
      return million(choices);
    default:
      return few(choices);
  }
}

Sizes sizes_like_newest(const reference::State& state, const std::vector<Slot>& live, Choices& choices) {
  if (live.empty() || !choices.one_in(2)) return choose_sizes(choices);
  Sizes sizes = sizes_of(tensor_in(state, live.back()));
  std::erase_if(sizes, [](std::int64_t size) { return size < 0; });  // torch-2.13 lets such views through (GEO-27)
  return sizes;
}

Sizes factors_of(std::int64_t count, Choices& choices) {
  Sizes sizes;
  for (const std::int64_t prime : {2, 3, 5, 7, 11}) {
    while (count > 1 && count % prime == 0 && sizes.size() + 1 < kHighestRank) {
      std::int64_t factor = prime;
      if (choices.one_in(2) && count % (prime * prime) == 0) factor *= prime;
      sizes.push_back(factor);
      count /= factor;
    }
  }
  sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(choices.below(sizes.size() + 1)), count);
  return sizes;
}

double elements_in(std::span<const std::int64_t> sizes) {
  double product = 1;
  for (const std::int64_t size : sizes) product *= factor_of(size);
  return product;
}

double elements_in(const reference::Tensor& tensor) {
  double product = 1;
  for (const auto& size : tensor.geometry.sizes) product *= factor_of(size.v);
  return product;
}

const reference::Tensor& tensor_in(const reference::State& state, Slot slot) {
  return state.tensors[static_cast<std::size_t>(state.slots[static_cast<std::size_t>(slot)])];
}

Sizes sizes_of(const reference::Tensor& tensor) {
  Sizes sizes;
  for (const auto& size : tensor.geometry.sizes) sizes.push_back(size.v);
  return sizes;
}

}  // namespace plumbline::fuzz
