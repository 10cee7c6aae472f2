// Reads the arguments of a program's own operators.
#include "reference/given.h"

#include <stdexcept>
#include <type_traits>
#include <utility>

#include "reference/call.h"
#include "spec/rules/dsp_entry.h"
#include "spec/vocabulary/schema.h"

namespace plumbline::reference {

namespace {

Given number_of(const State& state, NumberOf wanted) {
  if (state.kernel)
    for (std::size_t i = 0; i < state.kernel->parameters.size(); ++i)
      if (state.kernel->parameters[i] == wanted.parameter) return state.kernel->arguments.at(i);
  throw std::logic_error("the script reads a number that no kernel was given");
}

Given given(const State& state, const Value& value) {
  return std::visit(
      [&state]<class T>(const T& one) -> Given {
        if constexpr (std::is_same_v<T, Slot>)
          return held(state, one);
        else if constexpr (std::is_same_v<T, std::vector<Slot>>)
          return held_all(state, one);
        else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::int64_t> || std::is_same_v<T, double>)
          return one;
        else
          return None{};
      },
      value);
}

Value value_of(const Given& given) {
  if (const auto* truth = std::get_if<bool>(&given)) return *truth;
  if (const auto* integer = std::get_if<std::int64_t>(&given)) return *integer;
  if (const auto* real = std::get_if<double>(&given)) return *real;
  throw std::logic_error("the script reads a parameter that is no number as one");
}

/// Calls `see` for each tensor of the arguments, by reference.
template <class Arguments, class See>
void each_tensor(Arguments& arguments, const See& see) {
  for (auto& argument : arguments) {
    if (auto* one = std::get_if<TensorId>(&argument)) see(*one);
    if (auto* all = std::get_if<std::vector<TensorId>>(&argument))
      for (auto& one : *all) see(one);
  }
}

}  // namespace

std::vector<Given> given_values(const State& state, const CustomOperator& op, const std::vector<Value>& values) {
  std::vector<Given> all;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto* number = std::get_if<NumberOf>(&values[i]);
    const bool real = op.arguments.at(i).kind == SchemaValue::Kind::real;
    all.push_back(given(state, number != nullptr ? as_real(value_of(number_of(state, *number)), real) : values[i]));
  }
  return all;
}

Call with_numbers(const State& state, Call call) {
  return plumbline::with_numbers(std::move(call),
                                 [&state](NumberOf wanted) { return value_of(number_of(state, wanted)); });
}

std::vector<TensorId> tensors_in(const std::vector<Given>& arguments) {
  std::vector<TensorId> all;
  each_tensor(arguments, [&all](TensorId tensor) { all.push_back(tensor); });
  return all;
}

std::vector<Given> with_tensors(std::vector<Given> arguments, const std::vector<TensorId>& tensors) {
  std::size_t next = 0;
  each_tensor(arguments, [&](TensorId& tensor) { tensor = tensors.at(next++); });
  return arguments;
}

KeySet<Concrete> keys_of_arguments(const Judge& judge, const State& state, const std::vector<Given>& arguments) {
  std::vector<KeySet<Concrete>> all;
  for (const Given& argument : arguments) {
    if (const auto* one = std::get_if<TensorId>(&argument)) all.push_back(keys_of(judge, state, *one));
    const auto* list = std::get_if<std::vector<TensorId>>(&argument);
    if (list == nullptr) continue;
    std::vector<KeySet<Concrete>> keys;
    for (const TensorId tensor : *list) keys.push_back(keys_of(judge, state, tensor));
    all.push_back(argument_keys<Concrete>(judge, keys, true));
  }
  return argument_keys<Concrete>(judge, all, false);
}

}  // namespace plumbline::reference
