// Pointwise calls that are done together, some thousand elements at a time.
#include "optimized/lazy/tiles.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <unordered_map>

#include "optimized/cpu/parallel.h"

namespace plumbline::optimized::lazy {

namespace {

/// Elements of a tile. Three tiles of floats fit the first cache of most processors.
constexpr std::int64_t kTile = 4096;
constexpr std::size_t kTileBytes = kTile * sizeof(std::int64_t);

/// Copies `n` elements at the places of operand k, from the `begin`-th run of the loops on.
template <class Word>
void load(const CallLoops& loops, std::size_t k, const std::byte* first, std::int64_t begin, std::int64_t n,
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

/// A call of the group, and where its operands are.
struct Member {
  enum class Source : std::uint8_t { number, repeated, row, tile, anywhere };

  const GraphCall* whole = nullptr;
  PrimitiveCall call;  ///< of one tile
  std::array<Source, PrimitiveCall::kMost> sources{};
  std::array<std::byte*, PrimitiveCall::kMost> memory{};
  std::array<std::size_t, PrimitiveCall::kMost> tiles{};
  std::array<Dtype, PrimitiveCall::kMost> dtypes{};
  std::array<bool, PrimitiveCall::kMost> converts{};
  const std::byte* before = nullptr;  ///< null: nothing counts, or it is in a tile
  bool before_in_tile = false;
  std::size_t before_tile = 0;
};

class Group {
 public:
  Group(const Plan& plan, const Plan::Step& step, std::span<const std::shared_ptr<Memory>> memories)
      : plan_(plan), memories_(memories), elements_(tiled_elements(plan.calls[static_cast<std::size_t>(step.calls.front())])) {
    std::unordered_map<int, int> last_user;
    for (const int i : step.calls) {
      const GraphCall& it = call_of(i);
      for (const int value : it.values) last_user[value] = i;
      last_user[it.before] = i;
    }
    for (const int i : step.calls) {
      add(i);
      give_back_tiles(call_of(i), i, last_user);
    }
  }

  void run() {
    const std::int64_t pieces = elements_ < kParallelElements ? 1 : num_threads();
    const std::size_t bytes = (tiles_ + 2 * PrimitiveCall::kMost) * kTileBytes;
    std::vector<std::unique_ptr<Memory>> scratch;
    std::vector<std::vector<Member>> members;
    for (std::int64_t i = 0; i < pieces; ++i) {
      scratch.push_back(std::make_unique<Memory>(bytes));
      members.push_back(members_);
    }
    if (pieces == 1) return run_piece(members.front(), scratch.front()->data(), 0, elements_);
    const std::int64_t size = (elements_ + pieces - 1) / pieces;
    share(pieces, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i)
        run_piece(members[static_cast<std::size_t>(i)], scratch[static_cast<std::size_t>(i)]->data(), i * size,
                  std::min(elements_, (i + 1) * size));
    });
  }

 private:
  const GraphCall& call_of(int i) const { return plan_.calls[static_cast<std::size_t>(i)]; }
  /// Whether a value is in a tile while the group runs.
  bool is_in_tile(int value) const { return tile_of_.contains(value); }

  void add(int i) {
    const GraphCall& it = call_of(i);
    Member made;
    made.whole = &it;
    made.call = it.call;
    for (std::size_t k = 0; k < it.call.operands; ++k) {
      made.dtypes[k] = it.call.operand[k].dtype;
      made.converts[k] = made.dtypes[k] != it.call.dtype && is_computed_with(it.call, k);
      if (made.converts[k]) made.call.operand[k].dtype = it.call.dtype;
      if (k != 0) place(made, k, it.values[k]);
    }
    if (it.before != GraphCall::kNone) {
      made.before_in_tile = is_in_tile(it.before);
      if (made.before_in_tile) made.before_tile = tile_of_.at(it.before);
      if (!made.before_in_tile) made.before = memory_of(it.before);
    }
    if (plan_.in_memory[static_cast<std::size_t>(i)] != 0) {
      made.sources[0] = Member::Source::row;
      made.memory[0] = memory_of(i);
    } else {
      made.sources[0] = Member::Source::tile;
      made.tiles[0] = tile_of_[i] = take_tile();
    }
    members_.push_back(made);
  }
  void place(Member& made, std::size_t k, int value) {
    if (value == GraphCall::kNone) {
      made.sources[k] = Member::Source::number;
    } else if (is_in_tile(value)) {
      made.sources[k] = Member::Source::tile;
      made.tiles[k] = tile_of_.at(value);
    } else {
      made.memory[k] = memory_of(value) + made.whole->offsets[k];
      const auto levels = made.whole->call.outer.levels();
      const bool repeats = std::ranges::all_of(levels, [k](const CallAxis& level) { return level.steps[k] == 0; });
      made.sources[k] = repeats                   ? Member::Source::repeated
                        : is_flat(*made.whole, k) ? Member::Source::row
                                                  : Member::Source::anywhere;
    }
  }
  std::byte* memory_of(int value) const { return memories_[static_cast<std::size_t>(value)]->data(); }
  std::size_t take_tile() {
    if (free_.empty()) return tiles_++;
    const std::size_t tile = free_.back();
    free_.pop_back();
    return tile;
  }
  void give_back_tiles(const GraphCall& it, int i, const std::unordered_map<int, int>& last_user) {
    const auto give_back = [&](int value) {
      if (value == GraphCall::kNone || !is_in_tile(value) || last_user.at(value) != i) return;
      free_.push_back(tile_of_.at(value));
      tile_of_.erase(value);
    };
    std::ranges::for_each(it.values, give_back);
    give_back(it.before);
  }

  void run_piece(std::vector<Member>& members, std::byte* scratch, std::int64_t begin, std::int64_t end) const {
    for (; begin < end; begin += kTile) {
      const std::int64_t n = std::min(kTile, end - begin);
      for (Member& one : members) run_tile(one, scratch, begin, n);
    }
  }
  void run_tile(Member& one, std::byte* scratch, std::int64_t begin, std::int64_t n) const {
    const auto tile = [&](std::size_t number) { return scratch + number * kTileBytes; };
    const auto own_tile = [&](std::size_t k) { return tile(tiles_ + k); };
    std::byte* const out = one.sources[0] == Member::Source::tile ? tile(one.tiles[0])
                                                                  : one.memory[0] + begin * item_size(one.dtypes[0]);
    if (const std::byte* const before = one.before_in_tile ? tile(one.before_tile) : one.before) {
      const std::int64_t skipped = one.before_in_tile ? 0 : begin * item_size(one.dtypes[0]);
      std::memmove(out, before + skipped, static_cast<std::size_t>(n * item_size(one.dtypes[0])));
    }
    Steps<PrimitiveCall::kMost> steps{1};
    for (std::size_t k = 1; k < one.call.operands; ++k) steps[k] = prepare(one, k, tile(one.tiles[k]), own_tile(k), begin, n);
    one.call.operand[0].data = one.converts[0] ? own_tile(0) : out;
    one.call.outer = CallLoops(1);
    one.call.outer.add(n, steps);
    run_unconverted(one.call);
    if (one.converts[0]) convert(out, one.dtypes[0], own_tile(0), one.call.dtype, n);
  }
  /// Lets operand k of a tile be there, in the dtype of the call; returns its step. `own` is a tile for what is loaded,
  /// and the one kMost tiles later for what is converted.
  static std::int64_t prepare(Member& one, std::size_t k, std::byte* tile, std::byte* own, std::int64_t begin,
                              std::int64_t n) {
    const Dtype dtype = one.dtypes[k];
    std::byte* data = one.memory[k];
    switch (one.sources[k]) {
      case Member::Source::number:
        return 0;
      case Member::Source::repeated:
        break;
      case Member::Source::row:
        data += begin * item_size(dtype);
        break;
      case Member::Source::tile:
        data = tile;
        break;
      case Member::Source::anywhere:
        load_any(one, k, begin, n, own);
        data = own;
        break;
    }
    const bool repeats = one.sources[k] == Member::Source::repeated;
    one.call.operand[k].data = data;
    if (one.converts[k]) {
      std::byte* const converted = own + PrimitiveCall::kMost * kTileBytes;
      convert(converted, one.call.dtype, data, dtype, repeats ? 1 : n);
      one.call.operand[k].data = converted;
    }
    return repeats ? 0 : 1;
  }
  static void load_any(const Member& one, std::size_t k, std::int64_t begin, std::int64_t n, std::byte* to) {
    const CallLoops& loops = one.whole->call.outer;
    switch (item_size(one.dtypes[k])) {
      case 1:
        return load<std::uint8_t>(loops, k, one.memory[k], begin, n, to);
      case 4:
        return load<std::uint32_t>(loops, k, one.memory[k], begin, n, to);
      default:
        return load<std::uint64_t>(loops, k, one.memory[k], begin, n, to);
    }
  }
  static void convert(std::byte* to, Dtype to_dtype, std::byte* from, Dtype from_dtype, std::int64_t n) {
    static constexpr std::array<std::int64_t, 1> kStep{1};
    const std::array<std::int64_t, 1> size{n};
    kCpuPrimitives.copy(size, {to, size, kStep, to_dtype}, {from, size, kStep, from_dtype});
  }

  const Plan& plan_;
  std::span<const std::shared_ptr<Memory>> memories_;
  std::int64_t elements_;
  std::vector<Member> members_;
  std::unordered_map<int, std::size_t> tile_of_;  ///< values that are in tiles now
  std::vector<std::size_t> free_;
  std::size_t tiles_ = 0;
};

}  // namespace

void run_tiled(const Plan& plan, const Plan::Step& step, std::span<const std::shared_ptr<Memory>> memories) {
  Group(plan, step, memories).run();
}

}  // namespace plumbline::optimized::lazy
