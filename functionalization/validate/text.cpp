// Writing bodies and programs as lines of calls.
#include "functionalization/validate/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace plumbline::validate {

namespace passes = reference::functionalize;

std::string text_of(const Value& value, const std::function<std::string(Slot)>& name) {
  return std::visit(
      [&]<class T>(const T& one) -> std::string {
        if constexpr (std::is_same_v<T, None>) {
          return "None";
        } else if constexpr (std::is_same_v<T, Slot>) {
          return name(one);
        } else if constexpr (std::is_same_v<T, std::vector<Slot>>) {
          std::vector<std::string> all;
          for (const Slot slot : one) all.push_back(name(slot));
          return fmt::format("[{}]", fmt::join(all, ", "));
        } else if constexpr (std::is_same_v<T, Dtype>) {
          return std::string(name_of(one));
        } else if constexpr (std::is_same_v<T, Complex>) {
          return fmt::format("complex({}, {})", one.real, one.imag);
        } else if constexpr (std::is_same_v<T, NumberOf>) {
          return name(one.parameter);
        } else if constexpr (std::is_same_v<T, std::vector<std::int64_t>>) {
          return fmt::format("[{}]", fmt::join(one, ", "));
        } else {
          return fmt::format("{}", one);
        }
      },
      value);
}

namespace {

std::string name_in(const std::vector<std::string>& names, Slot slot) {
  const auto i = static_cast<std::size_t>(slot);
  return i < names.size() ? names[i] : fmt::format("v{}", i);
}

std::string call_text(const std::vector<std::string>& names, const Call& call) {
  std::string results, arguments;
  for (const Slot slot : call.results) results += (results.empty() ? "" : ", ") + name_in(names, slot);
  const auto name = [&](Slot slot) { return name_in(names, slot); };
  for (const Value& value : call.arguments) arguments += (arguments.empty() ? "" : ", ") + text_of(value, name);
  return fmt::format("{}{}{}({})", results, results.empty() ? "" : " = ", qualified_name(op(call.op)), arguments);
}

std::string returned_text(const std::vector<std::string>& names, const std::vector<Slot>& returned) {
  std::string all;
  for (const Slot slot : returned) all += (all.empty() ? "" : ", ") + name_in(names, slot);
  return "return " + all + "\n";
}

std::string made_text(const std::vector<std::string>& names, const MakeTensor& made) {
  return fmt::format("{} = tensor of [{}]", name_in(names, made.result), fmt::join(made.sizes, ", "));
}

}  // namespace

std::string text_of(const passes::Body& body) {
  std::string text;
  for (std::size_t i = 0; i < body.outside.size(); ++i) {
    const passes::Facts& facts = body.outside[i];
    text += fmt::format("{}: {} [{}], strides [{}], offset {}, in m{} of {}\n", body.names[i], name_of(facts.dtype),
                        fmt::join(facts.sizes, ", "), fmt::join(facts.strides, ", "), facts.offset, facts.storage,
                        body.storages[static_cast<std::size_t>(facts.storage)]);
  }
  for (const passes::Step& step : body.steps)
    text += (step.made ? made_text(body.names, *step.made) : call_text(body.names, step.call)) + "\n";
  return text + returned_text(body.names, body.returned);
}

std::string text_of(const passes::Program& program) {
  std::string text;
  const auto add = [&](const std::vector<Statement>& statements) {
    for (const Statement& statement : statements) {
      const auto* made = std::get_if<MakeTensor>(&statement.kind);
      text += (made != nullptr ? made_text(program.names, *made)
                               : call_text(program.names, std::get<Call>(statement.kind))) +
              "\n";
    }
  };
  add(program.core);
  text += "-- epilogue\n";
  add(program.epilogue);
  return text + returned_text(program.names, program.returned);
}

}  // namespace plumbline::validate
