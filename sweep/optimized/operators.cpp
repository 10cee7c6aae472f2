// The op table as the sweep sees operators: what it does not say of alias sets is read from the schema.
#include "sweep/optimized/operators.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace plumbline::sweep::optimized {

namespace {

constexpr std::string_view kNamespace = "aten::";

/// The schema's name of a type, and whether it is a list of these.
std::pair<const char*, bool> name_of(ArgType type) {
  switch (type) {
    case ArgType::Tensor:
      return {"Tensor", false};
    case ArgType::TensorList:
      return {"Tensor", true};
    case ArgType::Int:
      return {"int", false};
    case ArgType::IntList:
      return {"int", true};
    case ArgType::Scalar:
      return {"Scalar", false};
    case ArgType::Bool:
      return {"bool", false};
    case ArgType::Float:
      return {"float", false};
    case ArgType::Dtype:
      return {"ScalarType", false};
    case ArgType::Layout:
      return {"Layout", false};
    case ArgType::Device:
      return {"Device", false};
    case ArgType::MemoryFormat:
      return {"MemoryFormat", false};
    default:
      break;  // no op of the runtime's has such an argument
  }
  return {"", false};
}

/// The table has no operator with two alias sets: the one that there is is "a".
const std::vector<std::string> kTheSet{"a"};

Parameter parameter_of(const Argument& argument) {
  const auto [type, list] = name_of(argument.type);
  return {.name = std::string(argument.name),
          .type = type,
          .optional = argument.optional,
          .list = list,
          .keyword_only = argument.keyword_only,
          .has_default = argument.default_value.has_value(),
          .aliases = argument.aliased ? kTheSet : std::vector<std::string>{},
          .written = argument.mutates};
}

std::vector<Parameter> results_of(const Op& op) {
  const std::string_view text = op.schema.substr(op.schema.rfind("->"));
  Parameter one;
  one.type = "Tensor";
  one.list = op.many_results;
  if (text.find("Tensor(a") != std::string_view::npos) one.aliases = kTheSet;
  one.written = text.find("(a!)") != std::string_view::npos;
  return std::vector(op.many_results ? 1 : op.results, one);
}

Operator operator_of(const Op& op) {
  Operator made;
  made.name = std::string(kNamespace) + std::string(op.name);
  made.overload = op.overload;
  made.schema = std::string(kNamespace) + std::string(op.schema);
  for (const Argument& argument : op.arguments) made.arguments.push_back(parameter_of(argument));
  made.results = results_of(op);
  made.kernels = {"CPU"};
  if (op.name == "rand") made.tags = {"nondeterministic_seeded"};
  return made;
}

}  // namespace

std::vector<Operator> operators() {
  std::vector<Operator> all;
  for (const Op& op : op_table()) all.push_back(operator_of(op));
  std::ranges::sort(all, {}, [](const Operator& op) { return std::pair(op.name, op.overload); });
  return all;
}

OpId id_of(const std::string& full_name) {
  if (full_name.starts_with(kNamespace)) {
    const std::string_view name = std::string_view(full_name).substr(kNamespace.size());
    const std::size_t dot = name.find('.');
    const auto id = find_op(name.substr(0, dot), dot == std::string_view::npos ? "" : name.substr(dot + 1));
    if (id && !op(*id).by_schema) return *id;
  }
  throw std::runtime_error("there is no operator " + full_name);
}

}  // namespace plumbline::sweep::optimized
