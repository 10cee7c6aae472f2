// The arguments of a call, read by their place in the schema.
#pragma once

#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "reference/state.h"

namespace plumbline::reference {

/// A tensor argument: a tensor, or a Python number in a tensor's place.
struct Operand {
  TensorId tensor = kNoTensor;
  bool integral = false;  ///< for a number: it is an integer
  double real = 0;
  std::int64_t integer = 0;
  bool truth = false;  ///< a Python bool, which is integral too
  bool complex = false;
  double imag = 0;  ///< of a complex number

  /// For a number: Python's int is an int64, its float a float32, its complex a complex64
  /// [aten/src/ATen/native/TypeProperties.cpp, update_result_type_state].
  Dtype dtype() const {
    if (truth) return Dtype::boolean;
    if (complex) return Dtype::complex64;
    return integral ? Dtype::int64 : Dtype::float32;
  }
  bool is_number() const { return tensor == kNoTensor; }
};

/// Typed access to a call's values. A value whose type is not the schema's throws std::logic_error: the parser and the
/// protocol have checked the types.
class Arguments {
 public:
  Arguments(const State& state, const Op& op, std::span<const Value> values)
      : state_(state), op_(op), values_(values) {}

  /// Raises NameError for a variable that holds nothing.
  Operand operand(std::size_t i) const;
  TensorId tensor(std::size_t i) const;
  std::vector<TensorId> tensors(std::size_t i) const;
  std::int64_t integer(std::size_t i) const;
  std::optional<std::int64_t> optional_integer(std::size_t i) const;
  /// A list; a single number is a list of one, `None` an empty one.
  std::vector<std::int64_t> integers(std::size_t i) const;
  bool flag(std::size_t i) const;
  std::optional<Dtype> dtype(std::size_t i) const;
  /// A Scalar.
  Operand number(std::size_t i) const;
  /// The place of the argument called `name`; throws std::logic_error if the schema has no such argument.
  std::size_t place(std::string_view name) const;
  const Op& op() const { return op_; }
  std::span<const Value> values() const { return values_; }

 private:
  [[noreturn]] void wrong_type(std::size_t i) const;

  const State& state_;
  const Op& op_;
  std::span<const Value> values_;
};

/// The tensor that a slot holds; raises NameError if it holds nothing.
TensorId held(const State& state, Slot slot);
/// The same for several slots, and for a slot that may be missing.
std::vector<TensorId> held_all(const State& state, const std::vector<Slot>& slots);
std::optional<TensorId> held_if_any(const State& state, std::optional<Slot> slot);

}  // namespace plumbline::reference
