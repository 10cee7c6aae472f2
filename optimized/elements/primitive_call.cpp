// Calls of primitives as values: where their operands are, and how the CPU does them.
#include "optimized/elements/primitive_call.h"

#include <cstring>
#include <optional>

#include "optimized/elements/dtypes.h"
#include "optimized/tensor/error.h"
#include "optimized/tensor/pool.h"

namespace plumbline::optimized {

namespace {

/// The lists that Operand points at.
struct Shape {
  DimVector sizes, strides;
};

Shape shape_of(std::span<const CallAxis> levels, std::size_t k) {
  Shape shape{DimVector(levels.size()), DimVector(levels.size())};
  for (std::size_t i = 0; i < levels.size(); ++i) {
    shape.sizes[i] = levels[i].size;
    shape.strides[i] = levels[i].steps[k];
  }
  return shape;
}

/// The loops with the steps of these operands.
template <std::size_t N>
LoopNest<static_cast<int>(N)> nest_of(const CallLoops& loops, const std::array<std::size_t, N>& operands) {
  LoopNest<static_cast<int>(N)> nest(static_cast<int>(loops.levels().size()));
  for (const CallAxis& level : loops.levels()) {
    Steps<static_cast<int>(N)> steps;
    for (std::size_t i = 0; i < N; ++i) steps[i] = level.steps[operands[i]];
    nest.add(level.size, steps);
  }
  return nest;
}

/// A call, done on the CPU's memory. Operands have the dtypes that the CPU's primitives expect.
class OnCpu {
 public:
  explicit OnCpu(PrimitiveCall& call) : call_(call) {
    const auto levels = call.outer.levels();
    sizes_ = shape_of(levels, 0).sizes;
    for (std::size_t k = 0; k < call.operands; ++k) {
      strides_[k] = shape_of(levels, k).strides;
      operands_[k] = {call.operand[k].first(), sizes_, strides_[k], call.operand[k].dtype};
    }
  }

  void run() const {
    switch (call_.primitive) {
      case Primitive::sum:
      case Primitive::extreme:
      case Primitive::search:
      case Primitive::softmax:
        return reduce();
      case Primitive::gather:
      case Primitive::scatter_add:
        return index();
      case Primitive::multiply:
        return multiply();
      case Primitive::move:
        return move();
      default:
        return pointwise();
    }
  }

 private:
  void pointwise() const {
    if (call_.is_pointwise()) return run_pointwise(call_, sizes_, operands_);
    if (call_.primitive != Primitive::add_up) return row();
    const auto& [out, a, b, c] = operands_;
    kCpuPrimitives.add_up(nest_of(call_.outer, std::array<std::size_t, 2>{0, 1}), out, a);
  }
  /// What writes a row, which has one dimension even if it has one element.
  void row() const {
    const std::array<std::int64_t, 1> size{call_.outer.size()};
    const std::array<std::int64_t, 1> stride{call_.outer.innermost().steps[0]};
    const Operand to{operands_[0].data, size, stride, operands_[0].dtype};
    call_.primitive == Primitive::count ? kCpuPrimitives.count(to, call_.number) : kCpuPrimitives.uniform(to);
  }
  void reduce() const {
    const Operand& to = operands_[0];
    const Operand& from = operands_[1];
    const auto kept = nest_of(call_.outer, std::array<std::size_t, 2>{1, 0});
    const CallAxis row = call_.inner.innermost();
    const RowLoops rows{kept, call_.inner.empty() ? 0 : row.size, row.steps[1], row.steps[0]};
    const ReductionLoops loops{kept, nest_of(call_.inner, std::array<std::size_t, 1>{1}), call_.count};
    switch (call_.primitive) {
      case Primitive::sum:
        return kCpuPrimitives.sum(loops, from, to, call_.function != 0);
      case Primitive::extreme:
        return kCpuPrimitives.extreme(loops, from, to, call_.function != 0);
      case Primitive::search:
        return kCpuPrimitives.search(rows, from, to, nullptr);
      default:
        return kCpuPrimitives.softmax(rows, from, to);
    }
  }
  void index() const {
    const auto& [first, index, last, none] = operands_;
    const bool gathers = call_.primitive == Primitive::gather;
    const CallAxis places = call_.inner.innermost();
    const IndexLoops loops{gathers ? nest_of(call_.outer, std::array<std::size_t, 3>{1, 0, 2})
                                   : nest_of(call_.outer, std::array<std::size_t, 3>{1, 2, 0}),
                           places.size, places.steps[gathers ? 2 : 0], call_.dim};
    gathers ? kCpuPrimitives.gather(loops, index, first, last) : kCpuPrimitives.scatter_add(loops, index, last, first);
  }

  void multiply() const {
    const auto [rows, columns, inner] = call_.matrix;
    kCpuPrimitives.multiply(call_.dtype, matrix(0, rows, columns), call_.number, matrix(1, rows, inner),
                            matrix(2, inner, columns), call_.added,
                            call_.operands > 3 ? matrix(3, rows, columns) : MatrixOperand{});
  }
  MatrixOperand matrix(std::size_t k, std::int64_t rows, std::int64_t columns) const {
    const auto outer = call_.outer.levels();
    const auto level = [&](bool there, std::size_t at) { return there ? outer[at].steps[k] : 1; };
    const bool has_rows = call_.matrix[0] != 1;
    const std::int64_t by_row = level(has_rows, 0);
    const std::int64_t by_column = level(call_.matrix[1] != 1, has_rows ? 1 : 0);
    const std::int64_t by_inner = call_.matrix[2] != 1 ? call_.inner.levels()[0].steps[k] : 1;
    return {operands_[k].data, rows, columns, k == 2 ? by_inner : by_row, k == 1 ? by_inner : by_column};
  }

  void move() const {
    switch (operands_[0].item()) {
      case 1:
        return move_words<std::uint8_t>();
      case 4:
        return move_words<std::uint32_t>();
      default:
        return move_words<std::uint64_t>();
    }
  }
  template <class Word>
  void move_words() const {
    CallLoops rows = call_.outer;
    const CallAxis row = rows.innermost();
    rows.drop_innermost();
    auto* const to = reinterpret_cast<Word*>(operands_[0].data);
    const auto* const from = reinterpret_cast<const Word*>(operands_[1].data);
    rows.for_each([&](const Steps<4>& at) {
      if (row.steps[0] == 1 && row.steps[1] == 1) {
        std::memmove(to + at[0], from + at[1], static_cast<std::size_t>(row.size) * sizeof(Word));
      } else {
        for (std::int64_t i = 0; i < row.size; ++i) to[at[0] + i * row.steps[0]] = from[at[1] + i * row.steps[1]];
      }
    });
  }

  PrimitiveCall& call_;
  DimVector sizes_;
  std::array<DimVector, PrimitiveCall::kMost> strides_;
  std::array<Operand, PrimitiveCall::kMost> operands_;
};

/// Memory of the CPU for the elements of an operand in another dtype.
class Converted {
 public:
  Converted(PrimitiveCall& call, std::size_t k)
      : old_(call.operand[k]),
        reach_(call, k),
        bytes_(static_cast<std::size_t>(reach_.elements() * item_size(call.dtype))),
        data_(static_cast<std::byte*>(allocate(bytes_))) {
    dense_ = in_a_row({reach_.parts().begin(), reach_.parts().end()});
    move_operand(call, k, data_, dense_);
    call.operand[k].dtype = call.dtype;
    now_ = call.operand[k];
  }
  ~Converted() { release(data_, bytes_); }
  Converted(const Converted&) = delete;
  Converted& operator=(const Converted&) = delete;

  void read() { copy(now_, dense_, old_, reach_.parts()); }
  void write() { copy(old_, reach_.parts(), now_, dense_); }

 private:
  static void copy(CallOperand to, std::span<const Reach::Part> to_parts, CallOperand from,
                   std::span<const Reach::Part> from_parts) {
    PrimitiveCall call = move_call(to.dtype, to.data, to_parts, from.data, from_parts);
    call.primitive = Primitive::copy;
    call.operand[1].dtype = from.dtype;
    OnCpu(call).run();
  }

  CallOperand old_;
  CallOperand now_;
  Reach reach_;
  std::vector<Reach::Part> dense_;
  std::size_t bytes_;
  std::byte* data_;
};

}  // namespace

bool is_computed_with(const PrimitiveCall& call, std::size_t k) {
  switch (call.primitive) {
    case Primitive::arithmetic:
    case Primitive::unary:
    case Primitive::slope:
      return true;
    case Primitive::compare:
      return k != 0;
    case Primitive::choose:
      return k != 1;
    default:
      return false;
  }
}

Reach::Reach(const PrimitiveCall& call, std::size_t k) {
  int loop = 0;
  bool empty = false;
  for (const CallLoops* const loops : {&call.outer, &call.inner})
    for (const CallAxis& level : loops->levels()) {
      empty = empty || level.size == 0;
      if (level.steps[k] != 0) parts_.push_back({level.size, level.steps[k], loop});
      ++loop;
    }
  for (const Part& part : parts_) {
    elements_ *= part.size;
    extent_ += (part.size - 1) * part.step;
  }
  if (empty) elements_ = extent_ = 0;
}

bool Reach::is_distinct() const {
  if (parts_.size() <= 1 || elements_ == 0) return true;
  std::vector<Part> sorted = parts_;
  std::ranges::sort(sorted, {}, &Part::step);
  std::int64_t covered = 1;
  for (const Part& part : sorted) {
    if (part.step < covered) return false;
    covered += (part.size - 1) * part.step;
  }
  return true;
}

std::vector<Reach::Part> in_a_row(std::vector<Reach::Part> parts) {
  std::int64_t step = 1;
  for (std::size_t i = parts.size(); i-- > 0; step *= parts[i].size) parts[i].step = step;
  return parts;
}

void move_operand(PrimitiveCall& call, std::size_t k, std::byte* data, std::span<const Reach::Part> parts) {
  call.operand[k].data = data;
  int loop = 0;
  for (CallLoops* const loops : {&call.outer, &call.inner}) {
    CallLoops changed(static_cast<int>(loops->levels().size()));
    for (CallAxis level : loops->levels()) {
      const auto part = std::ranges::find(parts, loop++, &Reach::Part::loop);
      level.steps[k] = part == parts.end() ? 0 : part->step;
      changed.add(level.size, level.steps);
    }
    *loops = std::move(changed);
  }
}

PrimitiveCall move_call(Dtype dtype, std::byte* to, std::span<const Reach::Part> to_parts, std::byte* from,
                        std::span<const Reach::Part> from_parts) {
  PrimitiveCall call;
  call.primitive = Primitive::move;
  call.dtype = dtype;
  call.operands = 2;
  call.operand[0] = {to, dtype};
  call.operand[1] = {from, dtype};
  call.outer = CallLoops(static_cast<int>(to_parts.size()));
  for (std::size_t i = 0; i < to_parts.size(); ++i)
    call.outer.add(to_parts[i].size, {to_parts[i].step, from_parts[i].step});
  return call;
}

void run_pointwise(const PrimitiveCall& call, IntList sizes,
                   const std::array<Operand, PrimitiveCall::kMost>& operands) {
  const auto& [out, a, b, c] = operands;
  const Primitives& cpu = kCpuPrimitives;
  switch (call.primitive) {
    case Primitive::copy:
      return cpu.copy(sizes, out, a);
    case Primitive::fill:
      return cpu.fill(out, call.number);
    case Primitive::arithmetic:
      return cpu.arithmetic(static_cast<Arithmetic>(call.function), sizes, out, a, b, call.dtype, call.number);
    case Primitive::unary:
      return cpu.unary(static_cast<UnaryFunction>(call.function), sizes, out, a, call.dtype);
    case Primitive::slope:
      return cpu.slope(static_cast<Slope>(call.function), sizes, out, a, b, call.dtype, call.number);
    case Primitive::compare:
      return cpu.compare(static_cast<Relation>(call.function), sizes, out, a, b, call.dtype);
    case Primitive::choose:
      return cpu.choose(sizes, out, a, b, c, call.dtype);
    case Primitive::fill_where:
      return cpu.fill_where(sizes, out, a, call.number);
    default:
      raise_saying(ErrorClass::unclassified, "internal fault: the call is not pointwise");
  }
}

void run_on_cpu(PrimitiveCall call) {
  if (call.is_empty()) return;
  std::array<std::optional<Converted>, PrimitiveCall::kMost> converted;
  for (std::size_t k = 0; k < call.operands; ++k)
    if (call.operand[k].dtype != call.dtype && is_computed_with(call, k)) {
      converted[k].emplace(call, k);
      if (k != 0) converted[k]->read();
    }
  OnCpu(call).run();
  if (converted[0]) converted[0]->write();
}

}  // namespace plumbline::optimized
