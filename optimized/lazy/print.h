// A graph as a program of the language, without views and in-place ops.
#pragma once

#include <span>
#include <string>

#include "optimized/lazy/plan.h"

namespace plumbline::optimized::lazy {

/// The elements of a tensor inside a value.
struct Shown {
  int value = 0;
  Dtype dtype = Dtype::float32;
  IntList sizes;
  IntList strides;
  std::int64_t offset = 0;  ///< in elements
};

/// A test whose last value, `out`, are the elements of `shown`. `leaves` is what the leaves hold. Values are
/// one-dimensional in it: as_strided_copy reads elements of one, and as_strided_scatter makes one with other elements.
/// The graph is an unrolled one (unrolled.h). Raises ErrorClass::unclassified if an operand begins within an element.
std::string program_of(const Graph& graph, std::span<const std::byte* const> leaves, const Shown& shown);

/// Of a leaf with more elements, the program has zeros instead.
inline constexpr std::int64_t kMostShown = 1024;

}  // namespace plumbline::optimized::lazy
