// A graph of calls as it will be done: equal calls once, and pointwise calls in groups, tile by tile.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "optimized/elements/primitive_call.h"

namespace plumbline::optimized::lazy {

/// A call whose operands are values of a graph.
struct GraphCall {
  static constexpr int kNone = -1;

  PrimitiveCall call;
  std::array<int, PrimitiveCall::kMost> values{kNone, kNone, kNone, kNone};  ///< kNone for numbers, and for operand 0
  std::array<std::int64_t, PrimitiveCall::kMost> offsets{};                  ///< in bytes
  int before = kNone;     ///< what its value holds before it is written
  std::size_t bytes = 0;  ///< of its value
  bool kept = false;      ///< someone needs the value afterwards
};

/// Values are numbered: first one for each call, then the leaves, which are there before.
struct Graph {
  std::vector<GraphCall> calls;
  std::vector<std::size_t> leaves;  ///< their bytes
};

/// How a group of pointwise calls is done, tile by tile.
struct TileProgram {
  enum class Source : std::uint8_t { none, number, repeated, row, tile, anywhere };

  struct Operand {
    Source source = Source::none;
    int value = GraphCall::kNone;  ///< whose memory it is
    std::size_t tile = 0;
    bool converts = false;  ///< it has another dtype than the computation
  };
  struct Member {
    int call = 0;
    std::array<Operand, PrimitiveCall::kMost> operands{};  ///< the first is written
    Operand before;
  };

  std::vector<Member> members;
  std::size_t tiles = 0;  ///< how many are in use at a time
  std::int64_t elements = 0;
};

/// What is done, in order. It depends on the structure and the sizes of a graph alone.
struct Plan {
  struct Step {
    std::vector<int> calls;  ///< one, or several that are done together, tile by tile
    bool tiled = false;
    bool takes_over = false;  ///< it writes the memory of what it began with, which no one else needs
    std::vector<int> dead;    ///< values that no one needs after it
    TileProgram program;      ///< if it is tiled
  };

  std::vector<GraphCall> calls;
  std::vector<Step> steps;
  std::vector<std::pair<int, int>> results;  ///< a call whose value is kept, and the call that computes it
  std::vector<char> in_memory;               ///< for each call: whether its value needs memory
  std::size_t merged = 0;                    ///< calls that are done by an equal one
  std::size_t fused = 0;                     ///< values that never need memory
};

Plan plan_of(Graph graph);

/// Appends what a call is, but for its operands' memory: equal words are equal calls.
void append_words(std::vector<std::uint64_t>& words, const PrimitiveCall& call);

/// How many elements a call computes that can be done tile by tile; 0 if it cannot. Then element i of its value is the
/// i-th of its loops.
std::int64_t tiled_elements(const GraphCall& it);

/// Whether operand k is the i-th element of a value in the i-th run of the loops.
bool is_flat(const GraphCall& it, std::size_t k);

/// So many values of a group are at most in tiles at a time.
inline constexpr std::size_t kMostTiles = 16;

}  // namespace plumbline::optimized::lazy
