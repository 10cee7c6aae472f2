// A call of a primitive as a value, which can be changed, kept, and done later.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "optimized/elements/primitives.h"

namespace plumbline::optimized {

/// The primitives whose calls are values: those of Primitives, except `seed`, and `move`, which takes elements from one
/// place to another with the bytes that they have.
enum class Primitive : std::uint8_t {
  copy,
  fill,
  count,
  arithmetic,
  unary,
  slope,
  compare,
  choose,
  fill_where,
  sum,
  extreme,
  search,
  softmax,
  gather,
  scatter_add,
  add_up,
  multiply,
  uniform,
  move,
};

/// Where the elements are that a call reads or writes: those of a device, or one number.
struct CallOperand {
  std::byte* data = nullptr;  ///< the first element; null for a number
  Dtype dtype = Dtype::float32;
  bool is_number = false;
  std::uint64_t number = 0;  ///< the bytes of a number

  /// Bytes of an element.
  std::int64_t item() const { return item_size(dtype); }
  /// The first element, in memory that the CPU can read if it is a number.
  std::byte* first() { return is_number ? reinterpret_cast<std::byte*>(&number) : data; }
};

/// The loops of a call: a step for each operand.
using CallLoops = LoopNest<4>;
using CallAxis = Axis<4>;

/// A call of a primitive. It writes operand 0 alone. Elements of operand k are at the places that its steps reach in
/// the loops; those of 0 repeat an element.
struct PrimitiveCall {
  static constexpr std::size_t kMost = 4;

  Primitive primitive = Primitive::copy;
  std::uint8_t function = 0;             ///< which Arithmetic, UnaryFunction, Slope or Relation; `mean`; `largest`
  Dtype dtype = Dtype::float32;          ///< in which it computes
  std::uint8_t operands = 1;             ///< how many there are
  int dim = 0;                           ///< for messages of indices
  Scalar number = 0;                     ///< alpha, limit, factor, or what fills
  Scalar added = 0;                      ///< the added factor of a product
  std::int64_t count = 1;                ///< how many are reduced to one
  std::array<std::int64_t, 3> matrix{};  ///< rows, columns and inner size of a product
  CallLoops outer{0};  ///< over the elements that are written; of a product over rows and columns, in order
  CallLoops inner{0};  ///< over those that are reduced, a row's, a dimension's places, or what a product adds up
  std::array<CallOperand, kMost> operand{};

  std::span<CallOperand> all() { return {operand.data(), operands}; }
  std::span<const CallOperand> all() const { return {operand.data(), operands}; }
  /// Whether nothing is written.
  bool is_empty() const { return outer.empty(); }
  /// Whether what operand 0 holds before counts.
  bool reads_what_it_writes() const {
    return primitive == Primitive::fill_where || primitive == Primitive::scatter_add || primitive == Primitive::add_up;
  }
  /// Whether each element that is written depends on one element of each operand.
  bool is_pointwise() const { return primitive <= Primitive::fill_where && primitive != Primitive::count; }
};

/// How the elements of operand k are reached, by loop: sizes and steps, from the outermost loop to the innermost;
/// without loops in which it repeats an element or that run once.
class Reach {
 public:
  Reach(const PrimitiveCall& call, std::size_t k);

  struct Part {
    std::int64_t size = 1;
    std::int64_t step = 0;
    int loop = 0;  ///< counted from the outermost: those of `outer`, then those of `inner`
    bool operator==(const Part&) const = default;
  };
  std::span<const Part> parts() const { return parts_; }
  /// How many elements are reached, where no two places reach the same one; 0 if there are none.
  std::int64_t elements() const { return elements_; }
  /// One after the last element that is reached, counted from the first one.
  std::int64_t extent() const { return extent_; }
  /// Whether no two places of the loops reach the same element; false as well where that is hard to see.
  bool is_distinct() const;
  /// Whether it reaches each of its elements once, without gaps, in some order.
  bool is_dense() const { return is_distinct() && extent_ == elements_; }

 private:
  std::int64_t elements_ = 1;
  std::int64_t extent_ = 1;
  std::vector<Part> parts_;
};

/// The same parts with the steps of a row that has no gaps.
std::vector<Reach::Part> in_a_row(std::vector<Reach::Part> parts);

/// Lets operand k begin at `data`, with other steps: those of `parts`, and 0 in every other loop.
void move_operand(PrimitiveCall& call, std::size_t k, std::byte* data, std::span<const Reach::Part> parts);

/// A call that moves elements of this dtype between places that loops of these sizes reach, with two steps for each.
PrimitiveCall move_call(Dtype dtype, std::byte* to, std::span<const Reach::Part> to_parts, std::byte* from,
                        std::span<const Reach::Part> from_parts);

/// Whether the CPU computes with operand k in the dtype of the call, so that another dtype is converted before or
/// after.
bool is_computed_with(const PrimitiveCall& call, std::size_t k);
/// Computes a pointwise call for some of its elements by the primitives of the CPU: those of these operands, which it
/// can reach, and which have `sizes` and the dtypes that it expects.
void run_pointwise(const PrimitiveCall& call, IntList sizes, const std::array<Operand, PrimitiveCall::kMost>& operands);
/// Computes by the primitives of the CPU, on memory that it can reach. Operands may have any dtype, as on other devices
/// than the CPU.
void run_on_cpu(PrimitiveCall call);

}  // namespace plumbline::optimized
