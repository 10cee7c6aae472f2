// What a backend computes on the elements in its memory. The kernels of ops check, lay out results, and call this.
#pragma once

#include <cstdint>
#include <functional>

#include "optimized/elements/computed.h"
#include "optimized/elements/loop_nest.h"
#include "optimized/elements/operand.h"
#include "optimized/tensor/scalar.h"

namespace plumbline::optimized {

/// Loops over the elements of a reduction's result (steps in the tensor and in the result), and over the elements that
/// are reduced to one of them (steps in the tensor).
struct ReductionLoops {
  LoopNest<2> kept;
  LoopNest<1> reduced;
  std::int64_t count = 1;  ///< how many are reduced to one; for a tensor without elements: whether any
};

/// Rows of `n` elements along one dimension of a tensor, and what is made of each.
struct RowLoops {
  LoopNest<2> rows;  ///< steps in the tensor and in the result
  std::int64_t n = 1;
  std::int64_t from_step = 1;
  std::int64_t to_step = 1;  ///< where the result is a row, too
};

/// Loops over the elements of an index tensor. Each names a place of one dimension of another tensor.
struct IndexLoops {
  LoopNest<3> places;     ///< steps in the index, in the other operand, and in the indexed tensor but for the dimension
  std::int64_t size = 1;  ///< of the dimension
  std::int64_t step = 0;  ///< of the dimension, in the indexed tensor
  int dim = 0;            ///< for messages
};

/// A matrix of some dtype: element (i, j) stands `i * row_step + j * column_step` elements after the first.
struct MatrixOperand {
  std::byte* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t row_step = 0;
  std::int64_t column_step = 0;
};

/// Each function has checked operands: they broadcast to `sizes`, which are those of the first, written one. `dtype` is
/// that in which it computes, and on the CPU that of the operands; on another device they may have any dtype, and
/// elements are converted as they are read and written. Elements that are written are at different places, except in
/// `fill` and `fill_where`.
struct Primitives {
  /// Elements of any two dtypes.
  void (*copy)(IntList sizes, const Operand& to, const Operand& from);
  /// A number that its dtype can hold.
  void (*fill)(const Operand& to, Scalar number);
  /// In a row: `first`, one more, and so on. Integers count in 64 bits, floats in double.
  void (*count)(const Operand& to, Scalar first);
  /// div of integers or bools, and sub of bools, are refused before.
  void (*arithmetic)(Arithmetic op, IntList sizes, const Operand& out, const Operand& a, const Operand& b, Dtype dtype,
                     Scalar alpha);
  /// Never of bools; exp, tanh and sqrt of floats alone.
  void (*unary)(UnaryFunction function, IntList sizes, const Operand& out, const Operand& in, Dtype dtype);
  /// Never of bools; tanh's of floats alone.
  void (*slope)(Slope slope, IntList sizes, const Operand& out, const Operand& a, const Operand& b, Dtype dtype,
                Scalar limit);
  /// Into bools.
  void (*compare)(Relation relation, IntList sizes, const Operand& out, const Operand& a, const Operand& b,
                  Dtype dtype);
  /// `yes` where the bools of `condition` are true, else `no`.
  void (*choose)(IntList sizes, const Operand& out, const Operand& condition, const Operand& yes, const Operand& no,
                 Dtype dtype);
  /// The number where the bools of `mask` are true.
  void (*fill_where)(IntList sizes, const Operand& to, const Operand& mask, Scalar number);
  /// Of floats of one dtype, or of bools or integers to integers, which wrap; divided by the count where `mean`.
  void (*sum)(const ReductionLoops& loops, const Operand& from, const Operand& to, bool mean);
  /// The largest or smallest elements, of one dtype; not-a-number if there is one.
  void (*extreme)(const ReductionLoops& loops, const Operand& from, const Operand& to, bool largest);
  /// Where the first of the largest elements of each row is (int64), and, if `values` is not null, what it is.
  void (*search)(const RowLoops& loops, const Operand& from, const Operand& indices, const Operand* values);
  /// Of floats of one dtype.
  void (*softmax)(const RowLoops& loops, const Operand& from, const Operand& to);
  /// `out[…, k, …] = self[…, index[…, k, …], …]`. The CPU raises ErrorClass::index_range at the first index that is out
  /// of range; for another device, the indices were checked before.
  void (*gather)(const IndexLoops& loops, const Operand& index, const Operand& out, const Operand& self);
  /// `to[…, index[…, k, …], …] += from[…, k, …]`, of floats, in some order, where several may go to one place. The
  /// indices were checked before.
  void (*scatter_add)(const IndexLoops& loops, const Operand& index, const Operand& from, const Operand& to);
  /// `to += from`, of floats, in some order, where several elements of `to` may be at one place; the steps are those of
  /// `to` and `from`.
  void (*add_up)(const LoopNest<2>& places, const Operand& to, const Operand& from);
  /// out = factor · (left @ right) + added_factor · added. A factor of 0 drops its term, not-a-number included.
  /// Integers wrap; bools have `and` and `or`. `out` shares no memory with what is read; a step of a dimension of size
  /// 1 may be anything.
  void (*multiply)(Dtype dtype, const MatrixOperand& out, Scalar factor, const MatrixOperand& left,
                   const MatrixOperand& right, Scalar added_factor, const MatrixOperand& added);
  /// The next numbers of the device's generator, of [0, 1), in a row of floats.
  void (*uniform)(const Operand& to);
  /// Begins the device's generator again.
  void (*seed)(std::uint64_t seed);
};

/// Those of the CPU.
extern const Primitives kCpuPrimitives;

/// Those of the thread's device. Raises ErrorClass::option if it has none here.
const Primitives& primitives();

/// Calls `visit` with those of each device that has some.
void for_each_primitives(const std::function<void(const Primitives&)>& visit);

/// Whether the device of this number in c10::DeviceType has some here.
bool has_primitives(std::int64_t device);

/// Gives a device its primitives, before any thread uses it.
void set_primitives(Backend device, const Primitives& all);

}  // namespace plumbline::optimized
