// Primitives that do nothing but make a value of each call, and hand it on.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "optimized/elements/primitive_call.h"

namespace plumbline::optimized {

/// As the members of Primitives, but `seed`. `Handler::handle(call)` gets each call. Operands that count for nothing
/// are left out, numbers have the dtype of the computation, and a search for values is a search for places and a
/// gather.
template <class Handler>
struct Calls {
  static void copy(IntList sizes, const Operand& to, const Operand& from) {
    PrimitiveCall call = pointwise(Primitive::copy, sizes, std::array{to, from});
    Handler::handle(call);
  }
  static void fill(const Operand& to, Scalar number) {
    PrimitiveCall call = pointwise(Primitive::fill, to.sizes, std::array{to});
    call.number = number;
    Handler::handle(call);
  }
  static void count(const Operand& to, Scalar first) {
    PrimitiveCall call = pointwise(Primitive::count, to.sizes, std::array{to});
    call.number = first;
    Handler::handle(call);
  }
  static void arithmetic(Arithmetic op, IntList sizes, const Operand& out, const Operand& a, const Operand& b,
                         Dtype dtype, Scalar alpha) {
    PrimitiveCall call = pointwise(Primitive::arithmetic, sizes, std::array{out, a, b});
    call.function = static_cast<std::uint8_t>(op);
    call.number = alpha;
    handle_in(call, dtype);
  }
  static void unary(UnaryFunction function, IntList sizes, const Operand& out, const Operand& in, Dtype dtype) {
    PrimitiveCall call = pointwise(Primitive::unary, sizes, std::array{out, in});
    call.function = static_cast<std::uint8_t>(function);
    handle_in(call, dtype);
  }
  static void slope(Slope slope, IntList sizes, const Operand& out, const Operand& a, const Operand& b, Dtype dtype,
                    Scalar limit) {
    PrimitiveCall call = pointwise(Primitive::slope, sizes, std::array{out, a, b});
    call.function = static_cast<std::uint8_t>(slope);
    call.number = limit;
    handle_in(call, dtype);
  }
  static void compare(Relation relation, IntList sizes, const Operand& out, const Operand& a, const Operand& b,
                      Dtype dtype) {
    PrimitiveCall call = pointwise(Primitive::compare, sizes, std::array{out, a, b});
    call.function = static_cast<std::uint8_t>(relation);
    handle_in(call, dtype);
  }
  static void choose(IntList sizes, const Operand& out, const Operand& condition, const Operand& yes, const Operand& no,
                     Dtype dtype) {
    PrimitiveCall call = pointwise(Primitive::choose, sizes, std::array{out, condition, yes, no});
    handle_in(call, dtype);
  }
  static void fill_where(IntList sizes, const Operand& to, const Operand& mask, Scalar number) {
    PrimitiveCall call = pointwise(Primitive::fill_where, sizes, std::array{to, mask});
    call.number = number;
    Handler::handle(call);
  }
  static void sum(const ReductionLoops& loops, const Operand& from, const Operand& to, bool mean) {
    reduce(Primitive::sum, loops, from, to, mean);
  }
  static void extreme(const ReductionLoops& loops, const Operand& from, const Operand& to, bool largest) {
    reduce(Primitive::extreme, loops, from, to, largest);
  }
  static void search(const RowLoops& loops, const Operand& from, const Operand& indices, const Operand* values) {
    PrimitiveCall call = made(Primitive::search, std::array{indices, from});
    add_rows(call, loops);
    call.inner = CallLoops(1);
    call.inner.add(loops.n, {0, loops.from_step});
    Handler::handle(call);
    if (values == nullptr) return;
    PrimitiveCall found = made(Primitive::gather, std::array{*values, indices, from});
    found.outer = CallLoops(static_cast<int>(loops.rows.levels().size()));
    for (const Axis<2>& level : loops.rows.levels())
      found.outer.add(level.size, {level.steps[1], level.steps[1], level.steps[0]});
    found.inner = CallLoops(1);
    found.inner.add(loops.n, {0, 0, loops.from_step});
    Handler::handle(found);
  }
  static void softmax(const RowLoops& loops, const Operand& from, const Operand& to) {
    PrimitiveCall call = made(Primitive::softmax, std::array{to, from});
    add_rows(call, loops);
    call.inner = CallLoops(1);
    call.inner.add(loops.n, {loops.to_step, loops.from_step});
    Handler::handle(call);
  }
  static void gather(const IndexLoops& loops, const Operand& index, const Operand& out, const Operand& self) {
    PrimitiveCall call = made(Primitive::gather, std::array{out, index, self});
    add_places(call, loops, {1, 0, 2});
    Handler::handle(call);
  }
  static void scatter_add(const IndexLoops& loops, const Operand& index, const Operand& from, const Operand& to) {
    PrimitiveCall call = made(Primitive::scatter_add, std::array{to, index, from});
    add_places(call, loops, {1, 2, 0});
    Handler::handle(call);
  }
  static void add_up(const LoopNest<2>& places, const Operand& to, const Operand& from) {
    PrimitiveCall call = made(Primitive::add_up, std::array{to, from});
    call.outer = CallLoops(static_cast<int>(places.levels().size()));
    for (const Axis<2>& level : places.levels()) call.outer.add(level.size, {level.steps[0], level.steps[1]});
    Handler::handle(call);
  }
  static void multiply(Dtype dtype, const MatrixOperand& out, Scalar factor, const MatrixOperand& left,
                       const MatrixOperand& right, Scalar added_factor, const MatrixOperand& added) {
    PrimitiveCall call;
    call.primitive = Primitive::multiply;
    call.dtype = dtype;
    call.number = factor;
    call.added = added_factor;
    call.matrix = {out.rows, out.columns, left.columns};
    const bool adds = added_factor.truth();
    call.operands = adds ? 4 : 3;
    const std::array matrices{&out, &left, &right, &added};
    for (std::size_t k = 0; k < call.operands; ++k) call.operand[k] = {matrices[k]->data, dtype};
    call.outer = CallLoops(2);
    call.outer.add(out.rows, {out.row_step, left.row_step, 0, adds ? added.row_step : 0});
    call.outer.add(out.columns, {out.column_step, 0, right.column_step, adds ? added.column_step : 0});
    call.inner = CallLoops(1);
    call.inner.add(left.columns, {0, left.column_step, right.row_step, 0});
    Handler::handle(call);
  }
  static void uniform(const Operand& to) {
    PrimitiveCall call = pointwise(Primitive::uniform, to.sizes, std::array{to});
    Handler::handle(call);
  }

 private:
  static CallOperand operand_of(const Operand& operand) {
    if (operand.device != Backend::CPU) return {operand.data, operand.dtype};
    CallOperand number{nullptr, operand.dtype, true};
    std::memcpy(&number.number, operand.data, static_cast<std::size_t>(operand.item()));
    return number;
  }
  template <std::size_t N>
  static PrimitiveCall made(Primitive primitive, const std::array<Operand, N>& operands) {
    PrimitiveCall call;
    call.primitive = primitive;
    call.dtype = operands.front().dtype;
    call.operands = static_cast<std::uint8_t>(N);
    std::ranges::transform(operands, call.operand.begin(), operand_of);
    return call;
  }
  template <std::size_t N>
  static PrimitiveCall pointwise(Primitive primitive, IntList sizes, const std::array<Operand, N>& operands) {
    PrimitiveCall call = made(primitive, operands);
    call.outer = CallLoops(static_cast<int>(sizes.size()));
    for (std::size_t d = 0; d < sizes.size(); ++d) {
      Steps<PrimitiveCall::kMost> steps{};
      for (std::size_t k = 0; k < N; ++k) steps[k] = broadcast_stride(operands[k], sizes, d);
      call.outer.add(sizes[d], steps);
    }
    call.outer.sort();
    call.outer.merge();
    return call;
  }
  static void reduce(Primitive primitive, const ReductionLoops& loops, const Operand& from, const Operand& to,
                     bool chosen) {
    PrimitiveCall call = made(primitive, std::array{to, from});
    call.function = chosen ? 1 : 0;
    call.count = loops.count;
    call.outer = CallLoops(static_cast<int>(loops.kept.levels().size()));
    for (const Axis<2>& level : loops.kept.levels()) call.outer.add(level.size, {level.steps[1], level.steps[0]});
    call.inner = CallLoops(static_cast<int>(loops.reduced.levels().size()));
    for (const Axis<1>& level : loops.reduced.levels()) call.inner.add(level.size, {0, level.steps[0]});
    Handler::handle(call);
  }
  static void add_rows(PrimitiveCall& call, const RowLoops& loops) {
    call.outer = CallLoops(static_cast<int>(loops.rows.levels().size()));
    for (const Axis<2>& level : loops.rows.levels()) call.outer.add(level.size, {level.steps[1], level.steps[0]});
  }
  /// `operands[i]` is which operand has the i-th steps of the loops; the last one is the indexed tensor.
  static void add_places(PrimitiveCall& call, const IndexLoops& loops, const std::array<std::size_t, 3>& operands) {
    call.dim = loops.dim;
    call.outer = CallLoops(static_cast<int>(loops.places.levels().size()));
    for (const Axis<3>& level : loops.places.levels()) {
      Steps<PrimitiveCall::kMost> steps{};
      for (std::size_t i = 0; i < operands.size(); ++i) steps[operands[i]] = level.steps[i];
      call.outer.add(level.size, steps);
    }
    Steps<PrimitiveCall::kMost> step{};
    step[operands.back()] = loops.step;
    call.inner = CallLoops(1);
    call.inner.add(loops.size, step);
  }
  static void handle_in(PrimitiveCall& call, Dtype dtype) {
    call.dtype = dtype;
    for (CallOperand& one : call.all())
      if (one.is_number && one.dtype != dtype && !(call.primitive == Primitive::choose && &one == &call.operand[1]))
        convert(one, dtype);
    Handler::handle(call);
  }
  static void convert(CallOperand& number, Dtype dtype) {
    CallOperand other{nullptr, dtype, true};
    kCpuPrimitives.copy({}, {other.first(), {}, {}, dtype}, {number.first(), {}, {}, number.dtype});
    number = other;
  }
};

/// All of them, and `seed`.
template <class Handler>
constexpr Primitives calls_to(void (*seed)(std::uint64_t)) {
  using To = Calls<Handler>;
  return {To::copy,        To::fill,       To::count,    To::arithmetic, To::unary,  To::slope,   To::compare,
          To::choose,      To::fill_where, To::sum,      To::extreme,    To::search, To::softmax, To::gather,
          To::scatter_add, To::add_up,     To::multiply, To::uniform,    seed};
}

}  // namespace plumbline::optimized
