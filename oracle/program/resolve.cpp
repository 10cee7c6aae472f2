// Overload resolution: which op of the table a call means, as PyTorch decides it.
#include "oracle/program/resolve.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "oracle/program/refusal.h"

namespace plumbline::program {
namespace {

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

std::string_view kind_of(const Actual& actual) {
  if (const auto* dropped = std::get_if<Dropped>(&actual.value))
    return *dropped == Dropped::device ? "the device" : "a layout";
  return std::visit(
      Overloaded{[](None) { return "None"; }, [](bool) { return "a bool"; }, [](std::int64_t) { return "an int"; },
                 [](double) { return "a float"; }, [](Dtype) { return "a dtype"; },
                 [](const std::vector<std::int64_t>&) { return "a list of ints"; }, [](Slot) { return "a tensor"; },
                 [](const std::vector<Slot>&) { return "a list of tensors"; }},
      std::get<Value>(actual.value));
}

std::string_view wanted(const Argument& argument) {
  switch (argument.type) {
    case ArgType::Tensor:
      return "a tensor";
    case ArgType::TensorList:
      return "a list of tensors, which come in a later part of Plumbline";
    case ArgType::Int:
      return "an int";
    case ArgType::IntList:
      return "a list of ints";
    case ArgType::Scalar:
      return "a number";
    case ArgType::Bool:
      return "True or False";
    case ArgType::Float:
      return "a float";
    case ArgType::Dtype:
      return "a dtype such as torch.float32";
    case ArgType::Layout:
      return "torch.strided";
    case ArgType::Device:
      return "the test's parameter `device`";
    case ArgType::MemoryFormat:
      return "None (leave it out)";
  }
  return "";
}

/// Ops that take a number where the schema says Tensor
/// [torch/csrc/utils/python_arg_parser.cpp, should_allow_numbers_as_tensors].
bool takes_wrapped_numbers(const Op& op) {
  constexpr std::array<std::string_view, 7> kNames{"add", "add_", "sub", "sub_", "mul", "mul_", "copy_"};
  return std::find(kNames.begin(), kNames.end(), op.name) != kNames.end();
}

/// `int[1] dim` in the schema: one int stands for a list of it.
bool takes_one_int(const Op& op, const Argument& argument) {
  return op.schema.find(fmt::format("[1] {}", argument.name)) != std::string_view::npos ||
         op.schema.find(fmt::format("[1]? {}", argument.name)) != std::string_view::npos;
}

std::optional<Value> convert(const Op& op, const Argument& argument, const Actual& actual) {
  if (const auto* dropped = std::get_if<Dropped>(&actual.value)) {
    const bool fits = argument.type == (*dropped == Dropped::device ? ArgType::Device : ArgType::Layout);
    return fits ? std::optional<Value>(None{}) : std::nullopt;
  }
  const Value& value = std::get<Value>(actual.value);
  const auto is = [&value]<class T>(std::type_identity<T>) { return std::holds_alternative<T>(value); };
  const bool integer = is(std::type_identity<std::int64_t>{}), real = is(std::type_identity<double>{});
  if (argument.optional && is(std::type_identity<None>{})) return value;
  switch (argument.type) {
    case ArgType::Tensor:
      if (is(std::type_identity<Slot>{}) || ((integer || real) && takes_wrapped_numbers(op))) return value;
      return std::nullopt;
    case ArgType::Int:
      return integer ? std::optional(value) : std::nullopt;
    case ArgType::IntList:
      if (is(std::type_identity<std::vector<std::int64_t>>{})) return value;
      if (integer && takes_one_int(op, argument)) return std::vector{std::get<std::int64_t>(value)};
      return std::nullopt;
    case ArgType::Scalar:
      return integer || real ? std::optional(value) : std::nullopt;
    case ArgType::Bool:
      return is(std::type_identity<bool>{}) ? std::optional(value) : std::nullopt;
    case ArgType::Float:
      if (integer) return static_cast<double>(std::get<std::int64_t>(value));
      return real ? std::optional(value) : std::nullopt;
    case ArgType::Dtype:
      return is(std::type_identity<Dtype>{}) ? std::optional(value) : std::nullopt;
    default:
      return std::nullopt;
  }
}

std::string sequence(const Actuals& actuals, std::size_t skip) {
  std::vector<std::string> kinds;
  for (std::size_t i = skip; i < actuals.positional.size(); ++i) kinds.emplace_back(kind_of(actuals.positional[i]));
  for (const auto& [name, actual] : actuals.keywords) kinds.push_back(fmt::format("{}={}", name, kind_of(actual)));
  return kinds.empty() ? "no arguments" : fmt::format("({})", fmt::join(kinds, ", "));
}

/// Binds the arguments of one call to the schema of one op.
class Binder {
 public:
  Binder(const Op& op, CallForm form, const Actuals& actuals)
      : op_(op), form_(form), actuals_(actuals), values_(op.arguments.size()) {}

  std::variant<Resolved, Mismatch> run(OpId id) {
    positional(varargs());
    for (const auto& [name, actual] : actuals_.keywords) keyword(name, actual);
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const Argument& argument = op_.arguments[i];
      if (values_[i]) continue;
      if (argument.default_value) {
        values_[i] = default_of(argument);
      } else {
        differ(actuals_.place, fmt::format("the argument '{}' of {} is missing", shown(argument), qualified_name(op_)));
      }
    }
    if (mismatch_) return *mismatch_;
    Resolved resolved{id, {}, requires_grad_};
    for (auto& value : values_) resolved.arguments.push_back(std::move(*value));
    return resolved;
  }

 private:
  std::size_t self() const { return form_ == CallForm::method ? 1 : 0; }

  /// `x.view(2, 3)` for `x.view([2, 3])`: allowed where the list is the only positional argument.
  std::vector<Actual> varargs() const {
    const auto positional = static_cast<std::size_t>(
        std::count_if(op_.arguments.begin(), op_.arguments.end(), [](const Argument& a) { return !a.keyword_only; }));
    const auto& given = actuals_.positional;
    if (form_ == CallForm::packet || positional != self() + 1 || op_.arguments[self()].type != ArgType::IntList ||
        given.size() <= self())
      return given;
    std::vector<std::int64_t> list;
    for (std::size_t i = self(); i < given.size(); ++i) {
      const auto* value = std::get_if<Value>(&given[i].value);
      const auto* number = value == nullptr ? nullptr : std::get_if<std::int64_t>(value);
      if (number == nullptr) return given;
      list.push_back(*number);
    }
    std::vector<Actual> packed(given.begin(), given.begin() + static_cast<std::ptrdiff_t>(self()));
    packed.push_back({Value(list), given[self()].place});
    return packed;
  }

  void positional(const std::vector<Actual>& given) {
    std::size_t next = 0;
    for (; next < given.size() && next < op_.arguments.size() && !op_.arguments[next].keyword_only; ++next)
      set(next, given[next]);
    if (next < given.size()) {
      const std::size_t most = next - self(), count = given.size() - self();
      differ(given[next].place, fmt::format("{} takes {} argument{} without a name, {} {} given", qualified_name(op_),
                                            most == 0 ? "no" : fmt::format("at most {}", most), most == 1 ? "" : "s",
                                            count, count == 1 ? "is" : "are"));
    }
  }

  void keyword(const std::string& name, const Actual& actual) {
    if (name == "requires_grad" && form_ == CallForm::function && op_.kind == OpKind::Factory) {
      const auto* value = std::get_if<Value>(&actual.value);
      const auto* truth = value == nullptr ? nullptr : std::get_if<bool>(value);
      if (truth == nullptr)
        return differ(actual.place, fmt::format("requires_grad= is True or False, not {}", kind_of(actual)));
      requires_grad_ = *truth;
      return;
    }
    if (name == "out") return differ(actual.place, "`out=` comes in a later part of Plumbline");
    for (std::size_t i = 0; i < op_.arguments.size(); ++i) {
      if (shown(op_.arguments[i]) != name) continue;
      if (values_[i])
        return differ(actual.place, fmt::format("the argument '{}' of {} is given twice", name, qualified_name(op_)));
      return set(i, actual);
    }
    differ(actual.place, fmt::format("{} has no argument '{}'", qualified_name(op_), name));
  }

  /// Python's functions call `self` `input`.
  std::string_view shown(const Argument& argument) const {
    return form_ == CallForm::function && argument.name == "self" ? "input" : argument.name;
  }

  void set(std::size_t i, const Actual& actual) {
    const Argument& argument = op_.arguments[i];
    values_[i] = convert(op_, argument, actual);
    if (values_[i]) return;
    values_[i] = None{};
    differ(actual.place, fmt::format("the argument '{}' of {} is {}, not {}", shown(argument), qualified_name(op_),
                                     wanted(argument), kind_of(actual)));
  }

  void differ(Place place, std::string problem) {
    if (!mismatch_) mismatch_ = Mismatch{place, std::move(problem), fmt::format("The schema is {}", op_.schema)};
  }

  const Op& op_;
  CallForm form_;
  const Actuals& actuals_;
  std::vector<std::optional<Value>> values_;
  std::optional<Mismatch> mismatch_;
  bool requires_grad_ = false;
};

std::string spelled(CallForm form, std::string_view name) {
  return fmt::format("{}{}",
                     form == CallForm::function ? "torch."
                     : form == CallForm::method ? "x."
                                                : "torch.ops.aten.",
                     name);
}

Mismatch no_such_op(CallForm form, std::string_view name, std::string_view overload, Place place) {
  std::vector<std::string> overloads;
  std::vector<std::string> forms;
  for (const Op& op : op_table()) {
    if (op.name != name) continue;
    overloads.push_back(op.overload.empty() ? "default" : std::string(op.overload));
    for (const CallForm other : {CallForm::method, CallForm::function, CallForm::packet})
      if (has_form(op, other)) forms.push_back(spelled(other, name) + "(…)");
  }
  if (overloads.empty())
    return {place, fmt::format("there is no op '{}' in the op table", name),
            did_you_mean(name, names_with_form(form),
                         "`plumbline list` shows the ops; CONTRIBUTING.md says how to add one")};
  if (form == CallForm::packet)
    return {place, fmt::format("the op {} has no overload '{}' in the op table", name, overload),
            fmt::format("It has {}", fmt::join(overloads, ", "))};
  forms.erase(std::unique(forms.begin(), forms.end()), forms.end());
  return {place, fmt::format("Python has no {}", spelled(form, name)),
          fmt::format("Write {}", fmt::join(forms, " or "))};
}

}  // namespace

Value default_of(const Argument& argument) {
  const std::string_view text = *argument.default_value;
  const auto integer = [](std::string_view digits) {
    std::int64_t number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
  };
  switch (argument.type) {
    case ArgType::Bool:
      if (text == "True" || text == "False") return text == "True";
      break;
    case ArgType::IntList: {
      std::vector<std::int64_t> list;
      for (std::size_t at = 0; at < text.size(); ++at)
        if ((text[at] >= '0' && text[at] <= '9') || text[at] == '-') {
          list.push_back(integer(text.substr(at)));
          at = std::min(text.find(',', at), text.size());
        }
      if (text != "None") return list;
      break;
    }
    case ArgType::Float:
    case ArgType::Scalar:
      if (text.find_first_of(".e") != std::string_view::npos && text != "None") return std::stod(std::string(text));
      [[fallthrough]];
    case ArgType::Int:
      if (text != "None") return integer(text);
      break;
    default:
      break;  // dtype, layout, device, memory format: what PyTorch takes when nothing is said
  }
  return None{};
}

bool has_form(const Op& op, CallForm form) {
  if (form == CallForm::packet) return op.name != "set_";
  if (op.name == "alias" || op.name == "slice") return false;
  return form == CallForm::function ? op.function : op.method;
}

std::vector<std::string> names_with_form(CallForm form) {
  std::vector<std::string> names;
  for (const Op& op : op_table())
    if (has_form(op, form)) names.emplace_back(op.name);
  return names;
}

std::variant<Resolved, Mismatch> resolve(CallForm form, std::string_view name, std::string_view overload,
                                         const Actuals& actuals) {
  std::vector<Mismatch> mismatches;
  std::vector<std::string_view> schemas;
  for (std::size_t i = 0; i < op_table().size(); ++i) {
    const Op& candidate = op_table()[i];
    const bool fits = overload.empty() || candidate.overload == (overload == "default" ? "" : overload);
    if (candidate.name != name || !fits || !has_form(candidate, form)) continue;
    auto result = Binder(candidate, form, actuals).run(static_cast<OpId>(i));
    if (std::holds_alternative<Resolved>(result)) return result;
    mismatches.push_back(std::get<Mismatch>(std::move(result)));
    schemas.push_back(candidate.schema);
  }
  if (mismatches.empty()) return no_such_op(form, name, overload, actuals.place);
  if (mismatches.size() == 1) return mismatches[0];
  return Mismatch{actuals.place,
                  fmt::format("no overload of {} takes {}", name, sequence(actuals, form == CallForm::method ? 1 : 0)),
                  fmt::format("The schemas are {}", fmt::join(schemas, " and "))};
}

}  // namespace plumbline::program
