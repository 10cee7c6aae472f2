// The arguments of a call, read by their place in the schema.
#include "reference/arguments.h"

#include "reference/raise.h"

namespace plumbline::reference {

TensorId held(const State& state, Slot slot) {
  const auto index = static_cast<std::size_t>(slot);
  if (index < state.slots.size() && state.slots[index] != kNoTensor) return state.slots[index];
  raise(ErrorClass::unclassified,
        text("cannot access local variable number ", index, " where it is not associated with a value"),
        "UnboundLocalError");
}

std::vector<TensorId> held_all(const State& state, const std::vector<Slot>& slots) {
  std::vector<TensorId> tensors;
  for (const Slot slot : slots) tensors.push_back(held(state, slot));
  return tensors;
}

std::optional<TensorId> held_if_any(const State& state, std::optional<Slot> slot) {
  return slot ? std::optional(held(state, *slot)) : std::nullopt;
}

void Arguments::wrong_type(std::size_t i) const {
  throw std::logic_error(
      text("argument ", i, " of ", qualified_name(op_), " has a value of another type than its schema: ", op_.schema));
}

Operand Arguments::operand(std::size_t i) const {
  if (const Slot* slot = std::get_if<Slot>(&values_[i])) return {held(state_, *slot)};
  return number(i);
}

TensorId Arguments::tensor(std::size_t i) const {
  if (const Slot* slot = std::get_if<Slot>(&values_[i])) return held(state_, *slot);
  wrong_type(i);
}

std::vector<TensorId> Arguments::tensors(std::size_t i) const {
  const auto* slots = std::get_if<std::vector<Slot>>(&values_[i]);
  if (slots == nullptr) wrong_type(i);
  std::vector<TensorId> tensors;
  for (const Slot slot : *slots) tensors.push_back(held(state_, slot));
  return tensors;
}

std::int64_t Arguments::integer(std::size_t i) const {
  if (const auto* value = std::get_if<std::int64_t>(&values_[i])) return *value;
  wrong_type(i);
}

std::optional<std::int64_t> Arguments::optional_integer(std::size_t i) const {
  if (std::holds_alternative<None>(values_[i])) return std::nullopt;
  return integer(i);
}

std::vector<std::int64_t> Arguments::integers(std::size_t i) const {
  if (const auto* list = std::get_if<std::vector<std::int64_t>>(&values_[i])) return *list;
  if (std::holds_alternative<None>(values_[i])) return {};
  return {integer(i)};
}

bool Arguments::flag(std::size_t i) const {
  if (const bool* value = std::get_if<bool>(&values_[i])) return *value;
  wrong_type(i);
}

std::optional<Dtype> Arguments::dtype(std::size_t i) const {
  if (const Dtype* value = std::get_if<Dtype>(&values_[i])) return *value;
  if (std::holds_alternative<None>(values_[i])) return std::nullopt;
  wrong_type(i);
}

Operand Arguments::number(std::size_t i) const {
  if (const auto* integer = std::get_if<std::int64_t>(&values_[i]))
    return {kNoTensor, true, static_cast<double>(*integer), *integer};
  if (const bool* truth = std::get_if<bool>(&values_[i]))
    return {kNoTensor, true, *truth ? 1.0 : 0.0, *truth ? 1 : 0, true};
  if (const auto* real = std::get_if<double>(&values_[i])) return {kNoTensor, false, *real, 0};
  if (const auto* number = std::get_if<Complex>(&values_[i]))
    return {.real = number->real, .complex = true, .imag = number->imag};
  wrong_type(i);
}

std::size_t Arguments::place(std::string_view name) const {
  for (std::size_t i = 0; i < op_.arguments.size(); ++i)
    if (op_.arguments[i].name == name) return i;
  throw std::logic_error(text("the schema of ", qualified_name(op_), " has no argument ", name));
}

}  // namespace plumbline::reference
