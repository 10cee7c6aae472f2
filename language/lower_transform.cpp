// Lowering `torch.func.functionalize(body, remove=…)(x)`, `torch.vmap(body, …)(x)` and `torch.func.grad(body, …)(x)`:
// body's statements between the transform's begin and its end.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "language/lowerer.h"
#include "language/print.h"

namespace plumbline::program {
namespace {

constexpr std::string_view kForm = "Write `y = torch.func.functionalize(body, remove=\"mutations_and_views\")(x)`";
constexpr std::string_view kGradForm =
    "Write `g = torch.func.grad(body, argnums=0)(x)`, or `g, y = torch.func.grad_and_value(body, argnums=0)(x)`";
constexpr std::string_view kVmapForm = "Write `y = torch.vmap(body, in_dims=0, out_dims=0, randomness=\"error\")(x)`";

}  // namespace

/// What a transform is given beside its body.
class TransformOptions {
 public:
  explicit TransformOptions(const Lowerer& lowerer) : lowerer_(lowerer) {}

  Remove removed(const Invocation& made) const;
  std::vector<std::int64_t> argnums(const Expression& value, bool only_one) const;
  Randomness randomness(const Expression& value) const;
  std::vector<MappedDim> mapped_dims(const Expression& value, std::string_view name, std::size_t count,
                                     std::string_view each) const;

 private:
  [[noreturn]] void fail(Place place, std::string problem, std::string advice) const {
    lowerer_.fail(place, std::move(problem), std::move(advice));
  }

  const Lowerer& lowerer_;
};

Remove TransformOptions::removed(const Invocation& made) const {
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
  const NestedFunction body = body_of(made, kFunctionalize, kForm);
  EnterFunctionalize enter{TransformOptions(*this).removed(made), {}, {}};
  Frame frame = enter_body(body, enter, call, start_of(*made.callee));
  emit(std::move(enter), targets.line);
  LeaveFunctionalize leave;
  leave_body(body, leave, returned_by_body(body, std::move(frame), start_of(*made.callee)), targets);
  emit(std::move(leave), targets.line);
}

void Lowerer::vmap(const Invocation& made, const Invocation& call, const Targets& targets) {
  const Place place = start_of(*made.callee);
  const NestedFunction body = body_of(made, dotted_name(*made.callee), kVmapForm);
  Vmap how;
  const TransformOptions options(*this);
  Expression in_dims{std::int64_t{0}, place}, out_dims{std::int64_t{0}, place};
  for (const auto& [name, value] : made.keywords) {
    if (name == "in_dims")
      in_dims = value;
    else if (name == "out_dims")
      out_dims = value;
    else if (name == "randomness")
      how.randomness = options.randomness(value);
    else
      fail(start_of(value), fmt::format("torch.vmap is given {}=", name), std::string(kVmapForm));
  }
  EnterTransform enter{how, {}, {}};
  Frame frame = enter_body(body, enter, call, place);
  if (std::holds_alternative<NoneLiteral>(in_dims.node))
    fail(start_of(in_dims), "in_dims= is given None", "Write a tuple with an int or None for each argument");
  how.in_dims = options.mapped_dims(in_dims, "in_dims", enter.inputs.size(), "argument");
  enter.transform = std::move(how);
  emit(std::move(enter), targets.line);
  LeaveTransform leave;
  leave_body(body, leave, returned_by_body(body, std::move(frame), place), targets);
  leave.out_dims = options.mapped_dims(out_dims, "out_dims", leave.returned.size(), "result");
  emit(std::move(leave), targets.line);
}

void Lowerer::func_grad(const Invocation& made, const Invocation& call, const Targets& targets) {
  const Place place = start_of(*made.callee);
  const std::string name = dotted_name(*made.callee);
  const NestedFunction body = body_of(made, name, kGradForm);
  Grad grad{{0}, name == kGradAndValue};
  for (const auto& [keyword, value] : made.keywords) {
    if (keyword != "argnums")
      fail(start_of(value), fmt::format("{} is given {}=", name, keyword), std::string(kGradForm));
    grad.argnums = TransformOptions(*this).argnums(value, grad.value);
  }
  const std::size_t results = grad.argnums.size() + (grad.value ? 1 : 0);
  EnterTransform enter{std::move(grad), {}, {}};
  Frame frame = enter_body(body, enter, call, place);
  emit(std::move(enter), targets.line);
  LeaveTransform leave{.out_dims = {}, .returned = {}, .results = {}, .differentiates = true};
  const Returned returned = returned_by_body(body, std::move(frame), place);
  leave.returned = returned_slots(body, returned);
  if (leave.returned.size() != 1 || returned.tuple)
    fail(place, fmt::format("{} returns {}", body.function->name, leave.returned.empty() ? "nothing" : "a tuple"),
         fmt::format("The body of {} returns one tensor", name));
  Returned gradients{std::vector(results, returned.values.front()), results > 1};
  check_targets(name, gradients, targets);
  for (std::size_t i = 0; i < results; ++i) {
    leave.results.push_back(result_slot(targets, i));
    scope_.holds_some_object(leave.results.back());
  }
  emit(std::move(leave), targets.line);
}

std::vector<std::int64_t> TransformOptions::argnums(const Expression& value, bool only_one) const {
  if (const auto* number = std::get_if<std::int64_t>(&value.node)) return {*number};
  const auto refuse = [&] {
    fail(start_of(value), fmt::format("argnums= is given {}", print(value)),
         only_one ? "Write an int" : "Write an int, or a tuple of two ints or more");
  };
  const auto* tuple = std::get_if<Tuple>(&value.node);
  if (only_one || tuple == nullptr || tuple->items.size() < 2) refuse();
  std::vector<std::int64_t> numbers;
  for (const Expression& item : tuple->items) {
    const auto* number = std::get_if<std::int64_t>(&item.node);
    if (number == nullptr) refuse();
    numbers.push_back(*number);
  }
  return numbers;
}

Randomness TransformOptions::randomness(const Expression& value) const {
  const auto* text = std::get_if<std::string>(&value.node);
  const auto found = text == nullptr ? kRandomnessNames.end() : std::ranges::find(kRandomnessNames, *text);
  if (found == kRandomnessNames.end())
    fail(start_of(value), fmt::format("randomness= is given {}", print(value)),
         "It is \"error\", \"different\" or \"same\"");
  return static_cast<Randomness>(found - kRandomnessNames.begin());
}

std::vector<MappedDim> TransformOptions::mapped_dims(const Expression& value, std::string_view name, std::size_t count,
                                                     std::string_view each) const {
  const auto dim = [&](const Expression& one) -> MappedDim {
    if (std::holds_alternative<NoneLiteral>(one.node)) return std::nullopt;
    if (const auto* number = std::get_if<std::int64_t>(&one.node)) return *number;
    fail(start_of(one), fmt::format("{}= is given {}", name, print(one)),
         fmt::format("Write an int, or a tuple with an int or None for each {}", each));
  };
  const auto* tuple = std::get_if<Tuple>(&value.node);
  if (tuple == nullptr) return std::vector<MappedDim>(count, dim(value));
  if (tuple->items.size() != count)
    fail(start_of(value), fmt::format("{}= has {} entries", name, tuple->items.size()),
         fmt::format("Write {} of them, one for each {}", count, each));
  std::vector<MappedDim> dims;
  for (const Expression& item : tuple->items) dims.push_back(dim(item));
  return dims;
}

NestedFunction Lowerer::body_of(const Invocation& made, std::string_view name, std::string_view form) {
  const Place place = start_of(*made.callee);
  need_import("torch", place);
  if (!contexts_.empty() || into_ != &test_.script.statements)
    fail(place, fmt::format("{} is called in a method of a class", name),
         "Write it in a test or in a function of its own");
  if (made.positional.size() != 1) fail(place, fmt::format("{} takes one function", name), std::string(form));
  const NestedFunction body = named_function(made.positional[0]);
  if (body.function == nullptr)
    fail(start_of(made.positional[0]), fmt::format("'{}' is not a function of this file", print(made.positional[0])),
         "Define it with `def`, and write only its name");
  return body;
}

template <class Enter>
Frame Lowerer::enter_body(const NestedFunction& body, Enter& enter, const Invocation& call, Place place) {
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
  return frame;
}

Lowerer::Returned Lowerer::returned_by_body(const NestedFunction& body, Frame frame, Place place) {
  const bool nested = std::exchange(transforming_, true);
  const Returned returned = returned_by(*body.function, std::move(frame), place);
  transforming_ = nested;
  return returned;
}

std::vector<Slot> Lowerer::returned_slots(const NestedFunction& body, const Returned& returned) const {
  std::vector<Slot> slots;
  for (const auto& [value, place] : returned.values) {
    if (!value)
      fail(place, fmt::format("{} returns something that is not a tensor", body.function->name),
           "The body of a transform returns tensors or nothing");
    slots.push_back(*value);
  }
  return slots;
}

template <class Leave>
void Lowerer::leave_body(const NestedFunction& body, Leave& leave, const Returned& returned, const Targets& targets) {
  leave.returned = returned_slots(body, returned);
  check_targets(body.function->name, returned, targets);
  for (std::size_t i = 0; i < leave.returned.size(); ++i) {
    const Slot result = result_slot(targets, i);
    leave.results.push_back(result);
    scope_.holds_some_object(result);
  }
}

}  // namespace plumbline::program
