// Lowering calls of the program's own operators: their arguments, and what they return.
#include <fmt/format.h>

#include <algorithm>

#include "language/convert.h"
#include "language/guards.h"
#include "language/key_steps.h"
#include "language/lowerer.h"
#include "spec/vocabulary/schema.h"

namespace plumbline::program {
namespace {

constexpr std::string_view kPacketOf = "torch.ops.";

}  // namespace

std::vector<KeyStep> Lowerer::redispatched_keys(const Expression& keys) {
  const auto is_key_set = [this](const std::string& name) {
    const Binding* bound = find(name);
    return bound != nullptr && std::holds_alternative<KernelKeys>(*bound);
  };
  const auto refuse_start = [this](const Expression& e) {
    fail(start_of(e), "a redispatch is not given a key set",
         fmt::format("Write {}({}CPU), or in a kernel that is registered with_keyset=True its first parameter, as in "
                     "`.redispatch(ks & {}, x)`",
                     kKeySet, kKeyPrefix, kAfterAutograd));
  };
  return read_key_steps(keys, {is_key_set, refuse_start, refusing()});
}

std::vector<Value> Lowerer::operator_arguments(const CustomOperator& op, bool redispatches, const Invocation& call,
                                               Place place) {
  const std::string advice = fmt::format("The schema is {}", schema_text(op));
  const std::size_t before = redispatches ? 1 : 0, count = op.arguments.size();
  std::vector<const Expression*> given(count);
  const auto wrong_number = [&] {
    fail(place, fmt::format("{} is not given {}{} arguments", op.name, redispatches ? "a key set and " : "", count),
         advice);
  };
  if (call.positional.size() < before || call.positional.size() > count + before) wrong_number();
  for (std::size_t i = before; i < call.positional.size(); ++i) given[i - before] = &call.positional[i];
  for (const auto& [name, value] : call.keywords) {
    const auto found = std::ranges::find(op.arguments, name, &SchemaValue::name);
    const Expression** const into =
        found == op.arguments.end() ? nullptr : &given[static_cast<std::size_t>(found - op.arguments.begin())];
    if (into == nullptr || *into != nullptr)
      fail(start_of(value), fmt::format("{} has no argument '{}', or has it already", op.name, name), advice);
    *into = &value;
  }
  if (std::ranges::find(given, nullptr) != given.end()) wrong_number();
  std::vector<Value> values;
  for (std::size_t i = 0; i < count; ++i) {
    const SchemaValue& argument = op.arguments[i];
    const Actual actual = evaluate(*given[i]);
    auto value = convert(argument.kind, actual);
    if (!value)
      fail(actual.place,
           fmt::format("the argument '{}' of {} is {}, not {}", argument.name, op.name, wanted(argument.kind),
                       kind_of(actual)),
           advice);
    values.push_back(std::move(*value));
  }
  return values;
}

void Lowerer::invoke(const std::string& callee, const Invocation& call, Place place, const Targets& targets) {
  constexpr std::string_view kDefault = ".default", kRedispatch = ".default.redispatch";
  std::string name = callee.substr(kPacketOf.size());
  const bool redispatches = name.ends_with(kRedispatch);
  if (redispatches)
    name.resize(name.size() - kRedispatch.size());
  else if (name.ends_with(kDefault))
    name.resize(name.size() - kDefault.size());
  const std::size_t dot = name.find('.');
  if (dot == std::string::npos || name.find('.', dot + 1) != std::string::npos) unknown_call(*call.callee);
  const std::int32_t number = operator_named(name.substr(0, dot) + "::" + name.substr(dot + 1), place);
  if (passes_arguments(call)) return pass_on(number, redispatches, call, place, targets);
  const CustomOperator& op = test_.script.operators[static_cast<std::size_t>(number)];
  Invoke made{number, operator_arguments(op, redispatches, call, place), {}};
  if (redispatches) made.redispatch = redispatched_keys(call.positional[0]);
  const std::size_t returns = op.returns.size(), names = targets.names.size();
  if (names != 0 && (targets.unpack != (returns > 1) || names != returns))
    fail(targets.place,
         fmt::format("{} returns {} tensors, but {} {} assigned", op.name, returns, names,
                     names == 1 ? "name is" : "names are"),
         fmt::format("The schema is {}", schema_text(op)));
  for (const std::string& target : targets.names) {
    made.results.push_back(scope_.assign(*targets.frame, target));
    scope_.holds_some_object(made.results.back());
  }
  emit(std::move(made), targets.line);
}

bool Lowerer::invoke_called(const Expression& callee, const Invocation& call, const Targets& targets) {
  const auto* method = std::get_if<Attribute>(&callee.node);
  const auto* name = std::get_if<Name>(method != nullptr ? &method->value->node : &callee.node);
  const Binding* binding = name == nullptr ? nullptr : find(name->id);
  if (binding == nullptr || !std::holds_alternative<CalledOperator>(*binding)) return false;
  const bool redispatches = method != nullptr && method->name == "redispatch";
  if ((method != nullptr && !redispatches) || !passes_arguments(call))
    fail(callee.place, fmt::format("the operator {} is not given the fallback's arguments", name->id),
         fmt::format("Write `{0}(*args)` or `{0}.redispatch(KEYS, *args)`", name->id));
  pass_on(kCalledOperator, redispatches, call, callee.place, targets);
  return true;
}

void Lowerer::pass_on(std::int32_t op, bool redispatches, const Invocation& call, Place place, const Targets& targets) {
  if (!call.keywords.empty() || call.positional.size() != (redispatches ? 2U : 1U))
    fail(place, "a kernel passes on other arguments beside its own",
         redispatches ? "Write `.redispatch(KEYS, *args)`" : "Write `(*args)`");
  if (!targets.names.empty())
    fail(targets.place, "what a call with `*args` returns is assigned to a name",
         "Write the call alone, or `return` before it as the kernel's last statement");
  Invoke made{op, {}, {}};
  made.passes_arguments = true;
  if (redispatches) made.redispatch = redispatched_keys(call.positional[0]);
  emit(std::move(made), targets.line);
}

bool passes_arguments(const Invocation& call) {
  return !call.positional.empty() && std::holds_alternative<Starred>(call.positional.back().node);
}

}  // namespace plumbline::program
