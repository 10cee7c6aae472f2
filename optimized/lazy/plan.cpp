// A graph of calls as it will be done: equal calls once, and pointwise calls in groups, tile by tile.
#include "optimized/lazy/plan.h"

#include <algorithm>
#include <bit>
#include <map>

#include "optimized/lazy/tiles.h"

namespace plumbline::optimized::lazy {

namespace {

std::uint64_t word_of(Scalar number) {
  return number.is_real() ? std::bit_cast<std::uint64_t>(number.real()) : static_cast<std::uint64_t>(number.integer());
}

void append_loops(std::vector<std::uint64_t>& words, const CallLoops& loops, std::size_t operands) {
  words.push_back(loops.levels().size());
  for (const CallAxis& level : loops.levels()) {
    words.push_back(static_cast<std::uint64_t>(level.size));
    for (std::size_t k = 0; k < operands; ++k) words.push_back(static_cast<std::uint64_t>(level.steps[k]));
  }
}

/// Calls `change` with the place of each value that a call reads.
template <class Call, class Change>
void each_value(Call& it, const Change& change) {
  for (std::size_t k = 1; k < it.call.operands; ++k)
    if (it.values[k] != GraphCall::kNone) change(it.values[k]);
  if (it.before != GraphCall::kNone) change(it.before);
}

class Planner {
 public:
  explicit Planner(Graph graph) : count_(static_cast<int>(graph.calls.size())) {
    plan_.calls = std::move(graph.calls);
    done_by_.resize(plan_.calls.size());
    plan_.in_memory.assign(plan_.calls.size(), 1);
    last_use_.assign(plan_.calls.size() + graph.leaves.size(), -1);
  }

  Plan plan() {
    merge_equal_calls();
    make_steps();
    find_last_uses();
    for (std::size_t s = 0; s < plan_.steps.size(); ++s) finish(static_cast<int>(s));
    for (Plan::Step& step : plan_.steps)
      if (step.tiled) step.program = tile_program(plan_, step);
    return std::move(plan_);
  }

 private:
  GraphCall& call(int value) { return plan_.calls[static_cast<std::size_t>(value)]; }
  bool is_call(int value) const { return value < count_; }

  void merge_equal_calls() {
    std::map<std::vector<std::uint64_t>, int> known;
    for (int i = 0; i < count_; ++i) {
      GraphCall& it = call(i);
      each_value(it, [&](int& value) {
        if (is_call(value)) value = done_by_[static_cast<std::size_t>(value)];
      });
      std::vector<std::uint64_t> words{it.bytes, static_cast<std::uint64_t>(it.before)};
      append_words(words, it.call);
      for (std::size_t k = 0; k < it.call.operands; ++k) {
        words.push_back(static_cast<std::uint64_t>(it.values[k]));
        words.push_back(static_cast<std::uint64_t>(it.offsets[k]));
      }
      const int first = known.emplace(std::move(words), i).first->second;
      done_by_[static_cast<std::size_t>(i)] = first;
      if (first != i) ++plan_.merged;
      if (it.kept) {
        call(first).kept = true;
        plan_.results.emplace_back(i, first);
      }
    }
  }

  void make_steps() {
    last_user_.assign(last_use_.size(), -1);
    for (int i = 0; i < count_; ++i)
      if (done_by_[static_cast<std::size_t>(i)] == i)
        each_value(call(i), [&](int value) { last_user_[static_cast<std::size_t>(value)] = i; });
    step_of_.assign(plan_.calls.size(), -1);
    for (int i = 0; i < count_; ++i) {
      if (done_by_[static_cast<std::size_t>(i)] != i) continue;
      const std::int64_t elements = tiled_elements(call(i));
      if (elements == 0 || !joins_last(i, elements)) plan_.steps.push_back({{}, elements != 0, false, {}, {}});
      plan_.steps.back().calls.push_back(i);
      step_of_[static_cast<std::size_t>(i)] = static_cast<int>(plan_.steps.size()) - 1;
    }
  }
  /// Whether a call can be done together with the last ones.
  bool joins_last(int i, std::int64_t elements) {
    if (plan_.steps.empty() || !plan_.steps.back().tiled) return false;
    const int last = static_cast<int>(plan_.steps.size()) - 1;
    if (tiled_elements(call(plan_.steps.back().calls.front())) != elements) return false;
    if (live_in_last(i) >= kMostTiles) return false;
    const GraphCall& it = call(i);
    for (std::size_t k = 1; k < it.call.operands; ++k) {
      const int value = it.values[k];
      if (value == GraphCall::kNone || !is_call(value) || step_of_[static_cast<std::size_t>(value)] != last) continue;
      if (!is_flat(it, k) || it.offsets[k] != 0 || call(value).call.operand[0].item() != it.call.operand[k].item())
        return false;
    }
    return true;
  }

  /// How many values of the last step a tile has to hold for call i and those after it.
  std::size_t live_in_last(int i) const {
    const auto is_live = [&](int value) { return last_user_[static_cast<std::size_t>(value)] >= i; };
    return static_cast<std::size_t>(std::ranges::count_if(plan_.steps.back().calls, is_live));
  }

  void find_last_uses() {
    for (std::size_t s = 0; s < plan_.steps.size(); ++s)
      for (const int i : plan_.steps[s].calls) {
        each_value(call(i), [&](int value) { last_use_[static_cast<std::size_t>(value)] = static_cast<int>(s); });
        if (call(i).kept) continue;
        int& use = last_use_[static_cast<std::size_t>(i)];
        use = std::max(use, static_cast<int>(s));
      }
  }
  bool dies_in(int value, int step) const {
    return last_use_[static_cast<std::size_t>(value)] == step &&
           !(is_call(value) && plan_.calls[static_cast<std::size_t>(value)].kept);
  }
  void finish(int s) {
    Plan::Step& step = plan_.steps[static_cast<std::size_t>(s)];
    if (step.tiled)
      for (const int i : step.calls)
        if (dies_in(i, s)) {
          plan_.in_memory[static_cast<std::size_t>(i)] = 0;
          ++plan_.fused;
        }
    const int before = call(step.calls.front()).before;
    step.takes_over = !step.tiled && before != GraphCall::kNone && is_call(before) && dies_in(before, s) &&
                      !reads(call(step.calls.front()), before);
    for (const int i : step.calls) {
      const auto died = [&](int value) {
        if (dies_in(value, s) && std::ranges::find(step.dead, value) == step.dead.end()) step.dead.push_back(value);
      };
      each_value(call(i), died);
      died(i);
    }
  }
  static bool reads(const GraphCall& it, int value) { return std::ranges::find(it.values, value) != it.values.end(); }

  Plan plan_;
  int count_;
  std::vector<int> done_by_;  ///< the first call that is equal to each
  std::vector<int> step_of_;
  std::vector<int> last_user_;  ///< the call that uses each value last
  std::vector<int> last_use_;   ///< its step
};

}  // namespace

void append_words(std::vector<std::uint64_t>& words, const PrimitiveCall& call) {
  const auto byte = [](auto part, unsigned at) { return static_cast<std::uint64_t>(part) << (8 * at); };
  words.push_back(byte(call.primitive, 0) | byte(call.function, 1) | byte(call.dtype, 2) | byte(call.operands, 3) |
                  byte(call.number.kind(), 4) | byte(call.added.kind(), 5));
  words.push_back(word_of(call.number));
  words.push_back(word_of(call.added));
  words.push_back(static_cast<std::uint64_t>(call.count));
  words.push_back(static_cast<std::uint64_t>(call.dim));
  for (const std::int64_t size : call.matrix) words.push_back(static_cast<std::uint64_t>(size));
  append_loops(words, call.outer, call.operands);
  append_loops(words, call.inner, call.operands);
  for (const CallOperand& operand : call.all()) {
    words.push_back(byte(operand.dtype, 0) | byte(operand.is_number, 1));
    words.push_back(operand.number);
  }
}

bool is_flat(const GraphCall& it, std::size_t k) {
  std::int64_t step = 1;
  const auto levels = it.call.outer.levels();
  for (std::size_t i = levels.size(); i-- > 0; step *= levels[i].size)
    if (levels[i].steps[k] != step) return false;
  return true;
}

std::int64_t tiled_elements(const GraphCall& it) {
  if (!it.call.is_pointwise() || it.offsets[0] != 0 || !is_flat(it, 0)) return 0;
  const std::int64_t elements = it.call.outer.size();
  return static_cast<std::size_t>(elements * it.call.operand[0].item()) == it.bytes ? elements : 0;
}

Plan plan_of(Graph graph) { return Planner(std::move(graph)).plan(); }

}  // namespace plumbline::optimized::lazy
