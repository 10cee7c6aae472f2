// Sizes of the tensors that programs make: mostly a few elements, sometimes thousands, seldom a million.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fuzz/gene.h"
#include "reference/state.h"
#include "spec/ops/ops.h"

namespace plumbline::fuzz {

using Sizes = std::vector<std::int64_t>;

/// Up to this many elements a tensor is written as nested lists.
inline constexpr std::int64_t kMostInLiteral = 64;
/// A result has at most this many elements, or twice as many as the largest argument.
inline constexpr double kMostInResult = 8192;
/// An implementation reads a tensor's values up to this many elements.
inline constexpr double kMostReadable = 1 << 20;

/// Sizes as many as the gene's extent says: rank 0 to 3 with few elements, zeros and ones among them; rank 1 to 5 with
/// up to 2048 elements; or two dimensions with about 2^20 elements.
Sizes choose_sizes(Choices& choices);

/// The same; in half of the cases the sizes of the newest tensor, so that the two can be operands of one op.
Sizes sizes_like_newest(const reference::State& state, const std::vector<Slot>& live, Choices& choices);

/// Up to five factors whose product is `count`, which is not negative.
Sizes factors_of(std::int64_t count, Choices& choices);

/// The product of sizes, of which one may be -1; as a double, because it may not fit in an integer.
/// How many elements a snapshot may have; an answer of the process protocol has at most 2^22 values.
inline constexpr double kMostToRead = 2 << 20;

double elements_in(std::span<const std::int64_t> sizes);
double elements_in(const reference::Tensor& tensor);

/// The sizes of a tensor as plain integers.
Sizes sizes_of(const reference::Tensor& tensor);

/// The number of its dimensions.
inline std::size_t rank_of(const reference::Tensor& tensor) { return tensor.geometry.sizes.size(); }

/// The tensor in a slot that holds one.
const reference::Tensor& tensor_in(const reference::State& state, Slot slot);

}  // namespace plumbline::fuzz
