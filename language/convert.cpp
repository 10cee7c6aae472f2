// Arguments: which values a schema's argument takes, and the default for one that is not given.
#include "language/convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "spec/vocabulary/schema.h"

namespace plumbline::program {
namespace {

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

/// Ops that take a number although the schema says Tensor
/// [torch/csrc/utils/python_arg_parser.cpp, should_allow_numbers_as_tensors].
bool takes_wrapped_numbers(const Op& op) {
  constexpr std::array<std::string_view, 9> kNames{"add", "add_", "sub", "sub_", "mul", "mul_", "div", "div_", "copy_"};
  return std::find(kNames.begin(), kNames.end(), op.name) != kNames.end();
}

/// `int[1] dim` in the schema: one int is accepted as a list of one.
bool takes_one_int(const Op& op, const Argument& argument) {
  return op.schema.find(fmt::format("[1] {}", argument.name)) != std::string_view::npos ||
         op.schema.find(fmt::format("[1]? {}", argument.name)) != std::string_view::npos;
}

/// The kind of a number, True or False, written out or given to the kernel; nothing for another value.
std::optional<SchemaValue::Kind> number_kind(const Value& value, const Actual& actual) {
  using enum SchemaValue::Kind;
  if (std::holds_alternative<bool>(value)) return truth;
  if (std::holds_alternative<std::int64_t>(value)) return integer;
  if (std::holds_alternative<double>(value)) return real;
  if (std::holds_alternative<NumberOf>(value) && is_number(actual.kind)) return actual.kind;
  return std::nullopt;
}

/// A device in a program of two; a factory makes tensors on the test's device if it is given none.
std::optional<Value> device_of(const Op& op, const Value& value) {
  const auto* name = std::get_if<std::string>(&value);
  if (name == nullptr || (*name != kCpu && *name != kTestDevice)) return std::nullopt;
  return op.kind == OpKind::Factory && *name == kTestDevice ? Value(None{}) : value;
}

/// `[]`, which may be an empty list of tensors too.
bool is_empty_list(const Value& value) {
  const auto* integers = std::get_if<std::vector<std::int64_t>>(&value);
  return integers != nullptr && integers->empty();
}

}  // namespace

std::string_view kind_of(const Actual& actual) {
  if (const auto* dropped = std::get_if<Dropped>(&actual.value))
    return *dropped == Dropped::device ? "the device" : "a layout";
  if (std::holds_alternative<MemoryFormat>(actual.value)) return "a memory format";
  return std::visit(
      Overloaded{[](None) { return "None"; }, [](bool) { return "a bool"; }, [](std::int64_t) { return "an int"; },
                 [](double) { return "a float"; }, [](Dtype) { return "a dtype"; },
                 [](const std::string&) { return "a text"; }, [](Complex) { return "a complex number"; },
                 [](const std::vector<std::int64_t>&) { return "a list of ints"; }, [](Slot) { return "a tensor"; },
                 [](const std::vector<Slot>&) { return "a list of tensors"; },
                 [&](NumberOf) {
                   return actual.kind == SchemaValue::Kind::integer ? "an int that the kernel is given"
                          : actual.kind == SchemaValue::Kind::real  ? "a float that the kernel is given"
                                                                    : "a bool that the kernel is given";
                 }},
      std::get<Value>(actual.value));
}

std::string_view wanted(const Argument& argument) {
  switch (argument.type) {
    case ArgType::Tensor:
      return "a tensor";
    case ArgType::TensorList:
      return "a list of tensors";
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
      return "the test's parameter `device`, or \"cpu\"";
    case ArgType::MemoryFormat:
      return "a memory format such as torch.channels_last";
    case ArgType::FloatList:
    case ArgType::Generator:
      return "None (leave it out)";
    case ArgType::String:
      return "a text";
  }
  return "";
}

std::string_view wanted(SchemaValue::Kind kind) {
  switch (kind) {
    case SchemaValue::Kind::tensor:
      return "a tensor";
    case SchemaValue::Kind::optional:
      return "a tensor or None";
    case SchemaValue::Kind::list:
      return "a list of tensors";
    case SchemaValue::Kind::integer:
      return "an int";
    case SchemaValue::Kind::real:
      return "a float";
    case SchemaValue::Kind::truth:
      return "True or False";
  }
  return "";
}

std::optional<Value> convert(SchemaValue::Kind kind, const Actual& actual) {
  using enum SchemaValue::Kind;
  const auto* given = std::get_if<Value>(&actual.value);
  if (given == nullptr) return std::nullopt;
  if (kind == list && is_empty_list(*given)) return std::vector<Slot>{};
  if (std::holds_alternative<NumberOf>(*given) && actual.kind != kind && (kind != real || actual.kind != integer))
    return std::nullopt;
  const Value value = as_real(*given, kind == real);
  return takes(kind, value) ? std::optional(value) : std::nullopt;
}

std::optional<Value> convert(const Op& op, const Argument& argument, const Actual& actual) {
  if (const auto* dropped = std::get_if<Dropped>(&actual.value)) {
    const bool fits = argument.type == (*dropped == Dropped::device ? ArgType::Device : ArgType::Layout);
    return fits ? std::optional<Value>(None{}) : std::nullopt;
  }
  if (const auto* format = std::get_if<MemoryFormat>(&actual.value)) {
    const bool fits = argument.type == ArgType::MemoryFormat;
    return fits ? std::optional<Value>(static_cast<std::int64_t>(*format)) : std::nullopt;
  }
  const Value& value = std::get<Value>(actual.value);
  const auto is = [&value]<class T>(std::type_identity<T>) { return std::holds_alternative<T>(value); };
  const auto number = number_kind(value, actual);
  const bool integer = number == SchemaValue::Kind::integer;
  const bool scalar = number || is(std::type_identity<Complex>{});
  if (argument.optional && is(std::type_identity<None>{})) return value;
  switch (argument.type) {
    case ArgType::Tensor:
      if (is(std::type_identity<Slot>{}) || (scalar && takes_wrapped_numbers(op))) return value;
      return std::nullopt;
    case ArgType::TensorList:
      if (is(std::type_identity<std::vector<Slot>>{})) return value;
      if (is_empty_list(value)) return std::vector<Slot>{};
      return std::nullopt;
    case ArgType::Int:
      return integer ? std::optional(value) : std::nullopt;
    case ArgType::IntList:
      if (is(std::type_identity<std::vector<std::int64_t>>{})) return value;
      if (is(std::type_identity<std::int64_t>{}) && takes_one_int(op, argument))
        return std::vector{std::get<std::int64_t>(value)};
      return std::nullopt;
    case ArgType::Scalar:
      return scalar ? std::optional(value) : std::nullopt;
    case ArgType::Bool:
      return number == SchemaValue::Kind::truth ? std::optional(value) : std::nullopt;
    case ArgType::Float:
      return integer || number == SchemaValue::Kind::real ? std::optional(as_real(value, true)) : std::nullopt;
    case ArgType::String:
      return is(std::type_identity<std::string>{}) ? std::optional(value) : std::nullopt;
    case ArgType::Device:
      return device_of(op, value);
    case ArgType::Dtype:
      return is(std::type_identity<Dtype>{}) ? std::optional(value) : std::nullopt;
    default:
      return std::nullopt;
  }
}

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
    case ArgType::String:
      if (text != "None") return std::string(text.substr(1, text.size() - 2));
      break;
    default:
      break;  // dtype, layout, device, memory format: PyTorch's default
  }
  return None{};
}

}  // namespace plumbline::program
