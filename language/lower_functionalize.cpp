// Lowering `torch.func.functionalize(body, remove=…)(x)`: body's statements between EnterFunctionalize and
// LeaveFunctionalize.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "language/lowerer.h"
#include "language/print.h"

namespace plumbline::program {
namespace {

constexpr std::string_view kForm = "Write `y = torch.func.functionalize(body, remove=\"mutations_and_views\")(x)`";

}  // namespace

Remove Lowerer::removed(const Invocation& made) {
  if (made.keywords.empty()) return Remove::mutations;
  const auto& [name, value] = made.keywords[0];
  const auto* text = std::get_if<std::string>(&value.node);
  if (made.keywords.size() > 1 || name != "remove")
    fail(start_of(made.keywords.back().value),
         fmt::format("torch.func.functionalize is given {}=", made.keywords.back().name), std::string(kForm));
  const auto found = text == nullptr ? kRemoveNames.end() : std::ranges::find(kRemoveNames, *text);
  if (found == kRemoveNames.end())
    fail(start_of(value), fmt::format("remove= is given {}", print(value)),
         "It is \"mutations\" or \"mutations_and_views\"");
  return static_cast<Remove>(found - kRemoveNames.begin());
}

void Lowerer::functionalize(const Invocation& made, const Invocation& call, const Targets& targets) {
  const Place place = start_of(*made.callee);
  need_import("torch", place);
  if (!contexts_.empty() || into_ != &test_.script.statements)
    fail(place, "torch.func.functionalize is called in a method of a class",
         "Write it in a test or in a function of its own");
  if (made.positional.size() != 1) fail(place, "torch.func.functionalize takes one function", std::string(kForm));
  const NestedFunction body = named_function(made.positional[0]);
  if (body.function == nullptr)
    fail(start_of(made.positional[0]), fmt::format("'{}' is not a function of this file", print(made.positional[0])),
         "Define it with `def`, and write only its name");
  EnterFunctionalize enter{removed(made), {}, {}};
  std::map<std::string, Binding> names = bind_parameters(*body.function, call, place);
  Frame frame = body.home != nullptr ? frame_of(body) : Frame{body.function->name, body.function->name + "_", {}};
  for (const std::string& parameter : body.function->parameters) {
    const Binding& given = names.at(parameter);
    const auto* slot = std::get_if<Slot>(&given);
    if (slot == nullptr) {
      frame.names.insert_or_assign(parameter, given);
      continue;
    }
    need_memory(*slot, place);
    enter.inputs.push_back(*slot);
    const Slot made_slot = scope_.fresh(body.home != nullptr ? parameter : body.function->name + "_" + parameter);
    scope_.holds_new_object(made_slot);
    frame.names.insert_or_assign(parameter, made_slot);
    enter.parameters.push_back(made_slot);
  }
  emit(std::move(enter), targets.line);
  const bool nested = std::exchange(functionalizing_, true);
  const Returned returned = returned_by(*body.function, std::move(frame), place);
  functionalizing_ = nested;
  leave_functionalize(*body.function, returned, targets);
}

void Lowerer::leave_functionalize(const Function& body, const Returned& returned, const Targets& targets) {
  LeaveFunctionalize leave;
  for (const auto& [value, place] : returned.values) {
    if (!value)
      fail(place, fmt::format("{} returns something that is not a tensor", body.name),
           "A functionalized body returns tensors or nothing");
    leave.returned.push_back(*value);
  }
  check_targets(body.name, returned, targets);
  for (std::size_t i = 0; i < leave.returned.size(); ++i) {
    const Slot result = result_slot(targets, i);
    leave.results.push_back(result);
    scope_.holds_some_object(result);
  }
  emit(std::move(leave), targets.line);
}

}  // namespace plumbline::program
