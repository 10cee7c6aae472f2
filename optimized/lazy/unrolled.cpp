// A graph without calls that write an element at several places of their loops.
#include "optimized/lazy/unrolled.h"

#include <algorithm>
#include <utility>

namespace plumbline::optimized::lazy {

namespace {

/// A call for some of the runs of another one's loops.
struct Part {
  std::vector<CallAxis> loops;                               ///< those that are left
  std::array<std::int64_t, PrimitiveCall::kMost> offsets{};  ///< in bytes, further than those of the whole
};

class Unrolling {
 public:
  explicit Unrolling(const Graph& from) : from_(from) { made_.leaves = from.leaves; }

  Graph run(int& value) {
    for (const GraphCall& it : from_.calls) numbers_.push_back(made_of(it));
    const auto calls = static_cast<int>(made_.calls.size());
    const auto settle = [&](int& one) {
      if (one <= kFirstLeaf) one = calls + (kFirstLeaf - one);
    };
    for (GraphCall& it : made_.calls) {
      for (int& one : it.values) settle(one);
      settle(it.before);
    }
    value = mapped(value);
    settle(value);
    return std::move(made_);
  }

 private:
  static constexpr int kFirstLeaf = GraphCall::kNone - 1;  ///< and downwards, until all calls are numbered

  int mapped(int value) const {
    if (value == GraphCall::kNone) return value;
    const auto calls = static_cast<int>(from_.calls.size());
    return value < calls ? numbers_[static_cast<std::size_t>(value)] : kFirstLeaf - (value - calls);
  }
  int add(GraphCall it) {
    made_.calls.push_back(std::move(it));
    return static_cast<int>(made_.calls.size()) - 1;
  }

  int made_of(GraphCall it) {
    for (int& value : it.values) value = mapped(value);
    it.before = mapped(it.before);
    if (!it.call.reads_what_it_writes()) return add(std::move(it));
    if (it.before == GraphCall::kNone) it.before = zeros(it);
    for (const Part& part : parts_of(it)) it.before = done(it, part);
    return it.before;
  }

  /// Loops over places that do not repeat, for each run of the others.
  static std::vector<Part> parts_of(const GraphCall& it) {
    const auto levels = it.call.outer.levels();
    std::vector<CallAxis> left;
    std::vector<CallAxis> taken;
    for (const CallAxis& level : levels) (level.steps[0] == 0 ? taken : left).push_back(level);
    std::size_t more = 0;
    while (!is_distinct(it, std::span(left).subspan(more))) ++more;
    taken.clear();
    std::size_t seen = 0;
    for (const CallAxis& level : levels)
      if (level.steps[0] == 0 || seen++ < more) taken.push_back(level);
    left.erase(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(more));
    std::vector<Part> parts{{left, {}}};
    for (const CallAxis& level : taken) {
      std::vector<Part> next;
      for (const Part& part : parts)
        for (std::int64_t i = 0; i < level.size; ++i) {
          next.push_back(part);
          for (std::size_t k = 0; k < it.call.operands; ++k)
            next.back().offsets[k] += i * level.steps[k] * it.call.operand[k].item();
        }
      parts = std::move(next);
    }
    return parts;
  }
  /// Whether these loops, and those of the dimension that is indexed, reach each element of operand 0 once.
  static bool is_distinct(const GraphCall& it, std::span<const CallAxis> loops) {
    PrimitiveCall call;
    call.operand[0] = it.call.operand[0];
    call.outer = CallLoops(static_cast<int>(loops.size()) + 1);
    for (const CallAxis& level : loops) call.outer.add(level.size, level.steps);
    for (const CallAxis& level : it.call.inner.levels()) call.outer.add(level.size, level.steps);
    return Reach(call, 0).is_distinct();
  }

  int done(const GraphCall& it, const Part& part) {
    if (it.call.primitive == Primitive::scatter_add) return scattered(it, part);
    GraphCall one = it;
    for (std::size_t k = 0; k < it.call.operands; ++k) one.offsets[k] += part.offsets[k];
    if (it.call.primitive == Primitive::fill_where) {
      one.call.outer = loops_of(part.loops, {0, 1, kNoOperand, kNoOperand});
      return add(std::move(one));
    }
    one.call = made(Primitive::arithmetic, static_cast<std::uint8_t>(Arithmetic::add),
                    {it.call.operand[0], it.call.operand[0], it.call.operand[1]});
    one.call.outer = loops_of(part.loops, {0, 0, 1, kNoOperand});
    one.values = {GraphCall::kNone, it.before, it.values[1], GraphCall::kNone};
    one.offsets = {one.offsets[0], one.offsets[0], one.offsets[1], 0};
    return add(std::move(one));
  }

  /// Where the index is the place in the dimension, the sum; elsewhere what was there.
  int scattered(const GraphCall& it, const Part& part) {
    std::vector<CallAxis> loops = part.loops;
    const CallAxis dim = it.call.inner.innermost();
    loops.push_back({dim.size, {dim.steps[0], 0, 0, 1}});  // operand 3 counts places
    const CallOperand& to = it.call.operand[0];
    const std::int64_t at = it.offsets[0] + part.offsets[0];
    const CallOperand places{nullptr, Dtype::int64};
    const CallOperand found{nullptr, Dtype::boolean};
    const CallLoops row = in_a_row(loops);

    GraphCall is_here;
    is_here.call =
        made(Primitive::compare, static_cast<std::uint8_t>(Relation::eq), {found, it.call.operand[1], places});
    is_here.call.dtype = Dtype::int64;
    is_here.call.outer = loops_of(loops, {kNoOperand, 1, 3, kNoOperand}, row);
    is_here.values = {GraphCall::kNone, it.values[1], counted(dim.size), GraphCall::kNone};
    is_here.offsets[1] = it.offsets[1] + part.offsets[1];
    is_here.bytes = static_cast<std::size_t>(is_here.call.outer.size());

    GraphCall sum;
    sum.call = made(Primitive::arithmetic, static_cast<std::uint8_t>(Arithmetic::add), {to, to, it.call.operand[2]});
    sum.call.outer = loops_of(loops, {kNoOperand, 0, 2, kNoOperand}, row);
    sum.values = {GraphCall::kNone, it.before, it.values[2], GraphCall::kNone};
    sum.offsets = {0, at, it.offsets[2] + part.offsets[2], 0};
    sum.bytes = static_cast<std::size_t>(sum.call.outer.size() * to.item());

    GraphCall chosen = it;
    chosen.call = made(Primitive::choose, 0, {to, found, to, to});
    chosen.call.outer = loops_of(loops, {0, kNoOperand, kNoOperand, 0}, row);
    chosen.values = {GraphCall::kNone, add(std::move(is_here)), add(std::move(sum)), it.before};
    chosen.offsets = {at, 0, 0, at};
    return add(std::move(chosen));
  }

  static constexpr std::size_t kNoOperand = PrimitiveCall::kMost;  ///< it is in a row

  static PrimitiveCall made(Primitive primitive, std::uint8_t function, const std::vector<CallOperand>& operands) {
    PrimitiveCall call;
    call.primitive = primitive;
    call.function = function;
    call.dtype = operands.front().dtype;
    call.operands = static_cast<std::uint8_t>(operands.size());
    std::ranges::copy(operands, call.operand.begin());
    return call;
  }
  /// The same loops, whose operand k has the steps of operand `of[k]`, or those of `row`.
  static CallLoops loops_of(const std::vector<CallAxis>& loops, const std::array<std::size_t, PrimitiveCall::kMost>& of,
                            const CallLoops& row = CallLoops(0)) {
    CallLoops all(static_cast<int>(loops.size()));
    std::size_t in_row = 0;
    for (const CallAxis& level : loops) {
      Steps<PrimitiveCall::kMost> steps{};
      const std::int64_t step = level.size == 1 || row.levels().empty() ? 0 : row.levels()[in_row++].steps[0];
      for (std::size_t k = 0; k < steps.size(); ++k) steps[k] = of[k] == kNoOperand ? step : level.steps[of[k]];
      all.add(level.size, steps);
    }
    return all;
  }
  static CallLoops in_a_row(const std::vector<CallAxis>& loops) {
    std::int64_t step = 1;
    for (const CallAxis& level : loops) step *= level.size;
    CallLoops row(static_cast<int>(loops.size()));
    for (const CallAxis& level : loops) {
      step /= level.size;
      row.add(level.size, {step, step, step, step});
    }
    return row;
  }

  int zeros(const GraphCall& it) {
    GraphCall made_here;
    made_here.call = made(Primitive::fill, 0, {it.call.operand[0]});
    const std::int64_t elements = static_cast<std::int64_t>(it.bytes) / it.call.operand[0].item();
    made_here.call.outer = CallLoops(1);
    made_here.call.outer.add(elements, {1});
    made_here.bytes = it.bytes;
    return add(std::move(made_here));
  }
  /// 0, 1, 2 and so on.
  int counted(std::int64_t count) {
    GraphCall it;
    it.call = made(Primitive::count, 0, {CallOperand{nullptr, Dtype::int64}});
    it.call.outer = CallLoops(1);
    it.call.outer.add(count, {1});
    it.bytes = static_cast<std::size_t>(count) * sizeof(std::int64_t);
    return add(std::move(it));
  }

  const Graph& from_;
  Graph made_;
  std::vector<int> numbers_;  ///< of the calls of `from_`
};

}  // namespace

Graph unrolled(const Graph& graph, int& value) { return Unrolling(graph).run(value); }

}  // namespace plumbline::optimized::lazy
