// A functionalized body: its core, and the epilogue that applies the body's effects for the caller.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reference/functionalize/body.h"

namespace plumbline::reference::functionalize {

/// What is known of a value of the core.
struct Value {
  Sizes sizes;
  Dtype dtype = Dtype::float32;
  bool row_major = false;  ///< it is certainly row-major, from offset 0, in memory of its own
};

/// Slots are numbered from 0: first the body's inputs and captured tensors, as its variables, then the new values.
struct Program {
  std::vector<Slot> inputs, captured;
  std::vector<Statement> core;
  /// What the caller does after the core: `input.copy_(…)`, changes of inputs' sizes and strides, and views that make
  /// results from inputs or values.
  std::vector<Statement> epilogue;
  std::vector<Slot> returned;
  std::vector<Value> values;  ///< by slot
  std::vector<std::string> names;
};

/// Whether a slot is one of the program's inputs or captured tensors.
bool is_outside(const Program& program, Slot slot);

/// A call's arguments; a braced list would copy each of them.
template <class... Arguments>
std::vector<plumbline::Value> arguments_of(Arguments&&... arguments) {
  std::vector<plumbline::Value> all;
  all.reserve(sizeof...(arguments));
  (all.emplace_back(std::forward<Arguments>(arguments)), ...);
  return all;
}

/// Emits calls, and keeps what is known of their results.
class Writer {
 public:
  explicit Writer(Program& program) : program_(program) {}

  /// A new value; several may have one name until `number_names`.
  Slot fresh(const std::string& stem, Value value);
  /// Adds a call with one result.
  Slot call(OpId op, std::vector<plumbline::Value> arguments, const std::string& stem, Value value);
  void add(Call call) { into().emplace_back(std::move(call), line_); }

  /// Whether a call certainly has a row-major result of `sizes`: its operands are row-major and have these sizes.
  bool gives_row_major(const Call& call, const Sizes& sizes);

  Value& value(Slot slot) { return program_.values[static_cast<std::size_t>(slot)]; }
  const std::string& name(Slot slot) const { return program_.names[static_cast<std::size_t>(slot)]; }
  /// Sets the program's current line.
  void set_line(int line) { line_ = line; }
  /// From here on, calls belong to the epilogue.
  void begin_epilogue() { in_epilogue_ = true; }

 private:
  std::vector<Statement>& into() { return in_epilogue_ ? program_.epilogue : program_.core; }

  Program& program_;
  int line_ = 0;
  bool in_epilogue_ = false;
};

/// Makes each name unique: "x", "x_1", "x_2".
void number_names(Program& program);
/// Removes calls with unused results, if the op writes nothing and draws no random numbers.
void remove_unused(Program& program);

}  // namespace plumbline::reference::functionalize
