// A functionalized body: its core, and the epilogue by which the caller sees what the body did.
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
  bool row_major = false;  ///< it is surely laid out so, from offset 0, in memory of its own
};

/// Slots are numbered from 0: the body's inputs and captured tensors as its variables, then the values that are made.
struct Program {
  std::vector<Slot> inputs, captured;
  std::vector<Statement> core;
  /// What the caller does behind the core: `input.copy_(…)`, changes of inputs' sizes and strides, and views, which
  /// make results of inputs or of values.
  std::vector<Statement> epilogue;
  std::vector<Slot> returned;
  std::vector<Value> values;  ///< by slot
  std::vector<Slot> copies;   ///< what the body's own calls of {view}_copy give
  std::vector<std::string> names;
};

/// Whether it is one of the program's inputs or captured tensors.
bool is_outside(const Program& program, Slot slot);

/// A call's arguments; a list of them in braces would copy each.
template <class... Arguments>
std::vector<plumbline::Value> arguments_of(Arguments&&... arguments) {
  std::vector<plumbline::Value> all;
  all.reserve(sizeof...(arguments));
  (all.emplace_back(std::forward<Arguments>(arguments)), ...);
  return all;
}

/// Writes calls, and keeps what is known of what they give.
class Writer {
 public:
  explicit Writer(Program& program) : program_(program) {}

  /// A value that nothing has made yet; several may have one name until `number_names`.
  Slot fresh(const std::string& stem, Value value);
  /// Adds a call that gives one value.
  Slot call(OpId op, std::vector<plumbline::Value> arguments, const std::string& stem, Value value);
  void add(Call call) { into().emplace_back(std::move(call), line_); }

  /// Whether a call surely gives a row-major result of `sizes`: its operands are so, and have these sizes.
  bool gives_row_major(const Call& call, const Sizes& sizes);

  Value& value(Slot slot) { return program_.values[static_cast<std::size_t>(slot)]; }
  const std::string& name(Slot slot) const { return program_.names[static_cast<std::size_t>(slot)]; }
  /// Of the program's line that is worked on.
  void set_line(int line) { line_ = line; }
  /// What comes now belongs to the epilogue.
  void begin_epilogue() { in_epilogue_ = true; }

 private:
  std::vector<Statement>& into() { return in_epilogue_ ? program_.epilogue : program_.core; }

  Program& program_;
  int line_ = 0;
  bool in_epilogue_ = false;
};

/// Makes each name unique: "x", "x_1", "x_2".
void number_names(Program& program);
/// Removes calls whose results nothing uses, of ops that write nothing and take no random numbers.
void remove_unused(Program& program);

}  // namespace plumbline::reference::functionalize
