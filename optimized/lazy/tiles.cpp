// Pointwise calls that are done together, some thousand elements at a time.
#include "optimized/lazy/tiles.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "optimized/cpu/parallel.h"

namespace plumbline::optimized::lazy {

namespace {

/// Elements of a tile. Measured: fewer cost more calls than they save, more leave the first cache.
constexpr std::int64_t kTile = 2048;

/// Copies `n` elements at the places of operand k, from the `begin`-th run of the loops on.
template <class Word>
void load_words(const CallLoops& loops, std::size_t k, const std::byte* first, std::int64_t begin, std::int64_t n,
                std::byte* to) {
  const auto* const from = reinterpret_cast<const Word*>(first);
  auto* out = reinterpret_cast<Word*>(to);
  const auto levels = loops.levels();
  const auto [size, steps] = levels.back();
  while (n > 0) {
    std::int64_t place = 0;
    std::int64_t rest = begin / size;
    for (std::size_t i = levels.size() - 1; i-- > 0; rest /= levels[i].size)
      place += rest % levels[i].size * levels[i].steps[k];
    const std::int64_t at = begin % size;
    const std::int64_t run = std::min(n, size - at);
    const Word* const row = from + place + at * steps[k];
    if (steps[k] == 1) {
      std::memcpy(out, row, static_cast<std::size_t>(run) * sizeof(Word));
    } else {
      for (std::int64_t i = 0; i < run; ++i) out[i] = row[i * steps[k]];
    }
    out += run;
    begin += run;
    n -= run;
  }
}
/// The same of elements of `item` bytes.
void load(const CallLoops& loops, std::size_t k, std::int64_t item, const std::byte* first, std::int64_t begin,
          std::int64_t n, std::byte* to) {
  if (item == 1) return load_words<std::uint8_t>(loops, k, first, begin, n, to);
  if (item == sizeof(float)) return load_words<std::uint32_t>(loops, k, first, begin, n, to);
  load_words<std::uint64_t>(loops, k, first, begin, n, to);
}

using Source = TileProgram::Source;
using Member = TileProgram::Member;

class Programmer {
 public:
  Programmer(const Plan& plan, const Plan::Step& step) : plan_(plan) {
    for (const int i : step.calls) {
      const GraphCall& it = call_of(i);
      for (const int value : it.values) last_user_[value] = i;
      last_user_[it.before] = i;
    }
    program_.elements = tiled_elements(call_of(step.calls.front()));
    for (const int i : step.calls) add(i);
  }

  TileProgram program() { return std::move(program_); }

 private:
  const GraphCall& call_of(int i) const { return plan_.calls[static_cast<std::size_t>(i)]; }

  void add(int i) {
    const GraphCall& it = call_of(i);
    Member made;
    made.call = i;
    for (std::size_t k = 1; k < it.call.operands; ++k) made.operands[k] = operand(it, k);
    if (it.before != GraphCall::kNone) made.before = value_operand(it.before, Source::row);
    made.operands[0].source = Source::row;
    made.operands[0].value = i;
    if (plan_.in_memory[static_cast<std::size_t>(i)] == 0) {
      tile_of_[i] = take_tile();
      made.operands[0] = value_operand(i, Source::row);
    }
    for (std::size_t k = 0; k < it.call.operands; ++k)
      made.operands[k].converts = it.call.operand[k].dtype != it.call.dtype && is_computed_with(it.call, k);
    program_.members.push_back(made);
    for (const int value : it.values) give_back(value, i);
    give_back(it.before, i);
  }
  /// A value in its tile, or else in memory.
  TileProgram::Operand value_operand(int value, Source in_memory) const {
    const auto tile = tile_of_.find(value);
    if (tile == tile_of_.end()) return {in_memory, value, 0, false};
    return {Source::tile, value, tile->second, false};
  }
  TileProgram::Operand operand(const GraphCall& it, std::size_t k) const {
    if (it.values[k] == GraphCall::kNone) return {Source::number, GraphCall::kNone, 0, false};
    const auto repeats = [k](const CallAxis& level) { return level.steps[k] == 0; };
    if (std::ranges::all_of(it.call.outer.levels(), repeats)) return value_operand(it.values[k], Source::repeated);
    return value_operand(it.values[k], is_flat(it, k) ? Source::row : Source::anywhere);
  }

  std::size_t take_tile() {
    if (free_.empty()) return program_.tiles++;
    const std::size_t tile = free_.back();
    free_.pop_back();
    return tile;
  }
  /// The tile of a value that no call after this one uses.
  void give_back(int value, int i) {
    const auto tile = tile_of_.find(value);
    if (tile == tile_of_.end() || last_user_.at(value) != i) return;
    free_.push_back(tile->second);
    tile_of_.erase(tile);
  }

  const Plan& plan_;
  TileProgram program_;
  std::unordered_map<int, int> last_user_;
  std::unordered_map<int, std::size_t> tile_of_;  ///< of the values that are in tiles now
  std::vector<std::size_t> free_;
};

/// Does a program on some elements, in scratch of its own.
class Runner {
 public:
  Runner(const Plan& plan, const TileProgram& program, std::span<const std::shared_ptr<Memory>> memories,
         std::byte* scratch)
      : plan_(plan), program_(program), memories_(memories), scratch_(scratch) {}

  static std::size_t scratch_bytes(const TileProgram& program) {
    return (program.tiles + 2 * PrimitiveCall::kMost) * tile_bytes(program);
  }

  void run(std::int64_t begin, std::int64_t end) const {
    for (; begin < end; begin += kTile)
      for (const Member& one : program_.members) run_tile(one, begin, std::min(kTile, end - begin));
  }

 private:
  static std::size_t tile_bytes(const TileProgram& program) {
    return static_cast<std::size_t>(std::min(kTile, program.elements)) * sizeof(std::int64_t);
  }
  std::byte* tile(std::size_t number) const { return scratch_ + number * tile_bytes(program_); }
  /// Where operand k of a call is loaded, and where it is converted.
  std::byte* loaded_tile(std::size_t k) const { return tile(program_.tiles + k); }
  std::byte* converted_tile(std::size_t k) const { return tile(program_.tiles + PrimitiveCall::kMost + k); }
  std::byte* memory_of(int value) const { return memories_[static_cast<std::size_t>(value)]->data(); }

  /// Where the elements of a row from `begin` on are.
  std::byte* row(const TileProgram::Operand& operand, std::int64_t begin, std::int64_t item) const {
    return operand.source == Source::tile ? tile(operand.tile) : memory_of(operand.value) + begin * item;
  }

  void run_tile(const Member& one, std::int64_t begin, std::int64_t n) const {
    static constexpr std::array<std::int64_t, 1> kOne{1};
    static constexpr std::array<std::int64_t, 1> kRepeated{0};
    const GraphCall& it = plan_.calls[static_cast<std::size_t>(one.call)];
    const Dtype dtype = it.call.operand[0].dtype;
    std::byte* const out = row(one.operands[0], begin, item_size(dtype));
    if (one.before.source != Source::none)
      std::memmove(out, row(one.before, begin, item_size(dtype)), static_cast<std::size_t>(n * item_size(dtype)));
    const std::array<std::int64_t, 1> sizes{n};
    std::array<Operand, PrimitiveCall::kMost> operands;
    std::array<CallOperand, PrimitiveCall::kMost> numbers;
    for (std::size_t k = 0; k < it.call.operands; ++k) {
      const Source source = one.operands[k].source;
      const bool repeats = source == Source::number || source == Source::repeated;
      operands[k] = {nullptr, sizes, repeats ? IntList(kRepeated) : IntList(kOne),
                     one.operands[k].converts ? it.call.dtype : it.call.operand[k].dtype};
      if (source == Source::number) numbers[k] = it.call.operand[k];
      if (k != 0)
        operands[k].data = source == Source::number ? numbers[k].first() : read(it, one.operands[k], k, begin, n);
    }
    operands[0].data = one.operands[0].converts ? converted_tile(0) : out;
    run_pointwise(it.call, sizes, operands);
    if (one.operands[0].converts) convert(out, dtype, converted_tile(0), it.call.dtype, n);
  }
  /// Where the elements of operand k are in a row, or the only one, in the dtype in which the call wants them.
  std::byte* read(const GraphCall& it, const TileProgram::Operand& operand, std::size_t k, std::int64_t begin,
                  std::int64_t n) const {
    const Dtype dtype = it.call.operand[k].dtype;
    std::byte* data = nullptr;
    if (operand.source == Source::repeated) {
      data = memory_of(operand.value) + it.offsets[k];
    } else if (operand.source == Source::anywhere) {
      data = loaded_tile(k);
      load(it.call.outer, k, item_size(dtype), memory_of(operand.value) + it.offsets[k], begin, n, data);
    } else {
      data = row(operand, begin, item_size(dtype));
      if (operand.source == Source::row) data += it.offsets[k];
    }
    if (!operand.converts) return data;
    convert(converted_tile(k), it.call.dtype, data, dtype, operand.source == Source::repeated ? 1 : n);
    return converted_tile(k);
  }
  static void convert(std::byte* to, Dtype to_dtype, std::byte* from, Dtype from_dtype, std::int64_t n) {
    static constexpr std::array<std::int64_t, 1> kStep{1};
    const std::array<std::int64_t, 1> size{n};
    kCpuPrimitives.copy(size, {to, size, kStep, to_dtype}, {from, size, kStep, from_dtype});
  }

  const Plan& plan_;
  const TileProgram& program_;
  std::span<const std::shared_ptr<Memory>> memories_;
  std::byte* scratch_;
};

}  // namespace

TileProgram tile_program(const Plan& plan, const Plan::Step& step) { return Programmer(plan, step).program(); }

void run_tiled(const Plan& plan, const TileProgram& program, std::span<const std::shared_ptr<Memory>> memories) {
  const std::int64_t elements = program.elements;
  const std::int64_t pieces = elements < kParallelElements ? 1 : num_threads();
  const std::size_t bytes = Runner::scratch_bytes(program);
  const Memory scratch(bytes * static_cast<std::size_t>(pieces));
  const std::int64_t size = (elements + pieces - 1) / pieces;
  const auto run = [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i)
      Runner(plan, program, memories, scratch.data() + static_cast<std::size_t>(i) * bytes)
          .run(i * size, std::min(elements, (i + 1) * size));
  };
  pieces == 1 ? run(0, 1) : share(pieces, run);
}

}  // namespace plumbline::optimized::lazy
