// Which operands a backend can take, and how an operand becomes one that any backend can take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "optimized/elements/primitive_call.h"
#include "optimized/removal/abilities.h"

namespace plumbline::optimized {

/// The order of a call's loops, from the outermost, in which its operands are row-major; where there is none, its first
/// operands decide. Loops are counted as in Reach. A product's rows come first, then what is added up, then its
/// columns.
std::vector<int> order_of_loops(const PrimitiveCall& call);

/// The parts of a reach in this order of the loops.
std::vector<Reach::Part> ordered(const Reach& reach, std::span<const int> order);

/// Whether it reaches all of a block of this many bytes, in elements of `item` bytes, each once.
bool is_whole(const Reach& reach, std::int64_t item, std::int64_t offset, std::size_t bytes);

/// Whether a backend can take an operand that begins `offset` bytes after the begin of a block.
bool can_take(const Abilities& can, const Reach& reach, std::int64_t item, std::int64_t offset, std::size_t bytes,
              std::span<const int> order);

}  // namespace plumbline::optimized
