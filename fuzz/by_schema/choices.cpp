// Reads the arguments that ops by schema are known to take.
#include "fuzz/by_schema/choices.h"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "language/resolve.h"

namespace plumbline::fuzz {

using nlohmann::json;

namespace {

double number(const json& j) { return j.is_string() ? std::stod(j.get<std::string>()) : j.get<double>(); }

Slot slot(const json& j, std::size_t tensors) {
  const auto place = j.at("tensor").get<std::size_t>();
  if (place >= tensors) throw std::runtime_error(fmt::format("there is no tensor {}", place));
  return static_cast<Slot>(place);
}

Value default_value(const Argument& argument) {
  return argument.default_value ? program::default_of(argument) : Value(None{});
}

std::optional<Value> list_from(const json& j, ArgType type, std::size_t tensors) {
  if (type == ArgType::IntList) return j.get<std::vector<std::int64_t>>();
  if (type != ArgType::TensorList) return std::nullopt;
  std::vector<Slot> slots;
  for (const json& one : j) {
    if (one.is_null()) return std::nullopt;
    slots.push_back(slot(one, tensors));
  }
  return slots;
}

/// Nothing: a program has no such value.
std::optional<Value> value_from(const json& j, const Argument& argument, std::size_t tensors) {
  if (j.is_object() && j.contains("default")) return default_value(argument);
  if (j.is_null()) return None{};
  if (j.is_array()) return list_from(j, argument.type, tensors);
  switch (argument.type) {
    case ArgType::Tensor:
      if (j.is_object()) return slot(j, tensors);
      break;
    case ArgType::Dtype:
      if (!j.is_object()) break;
      if (const auto dtype = dtype_named(j.at("dtype").get<std::string>())) return *dtype;
      break;
    case ArgType::Bool:
      return j.get<bool>();
    case ArgType::Int:
    case ArgType::MemoryFormat:
      return j.get<std::int64_t>();
    case ArgType::IntList:
      return std::vector{j.get<std::int64_t>()};
    case ArgType::Float:
      return number(j);
    case ArgType::String:
      return j.get<std::string>();
    case ArgType::Scalar:
      if (j.is_boolean()) return j.get<bool>();
      if (j.is_number_integer()) return j.get<std::int64_t>();
      if (j.is_number() || j.is_string()) return number(j);
      if (j.is_object()) return Complex{number(j.at("complex").at(0)), number(j.at("complex").at(1))};
      break;
    default:
      break;
  }
  return std::nullopt;
}

MakeTensor tensor_from(const json& j) {
  const auto dtype = dtype_named(j.at("dtype").get<std::string>());
  if (!dtype) throw std::runtime_error("unknown dtype " + j.at("dtype").dump());
  MakeTensor made{Slot{0}, *dtype, j.at("sizes").get<std::vector<std::int64_t>>(), {}};
  for (const json& value : j.at("values"))
    if (is_complex(*dtype))
      made.values.insert(made.values.end(), {number(value.at(0)), number(value.at(1))});
    else
      made.values.push_back(number(value));
  std::size_t count = 1;
  for (const std::int64_t size : made.sizes) count *= static_cast<std::size_t>(size);
  if (count * numbers_in(*dtype) != made.values.size())
    throw std::runtime_error("a tensor does not have as many values as its sizes say");
  return made;
}

std::optional<SchemaChoice> choice_from(const json& j) {
  const std::string name = j.at("op");
  const std::size_t dot = name.find('.');
  const auto id = find_op(name.substr(0, dot), dot == std::string::npos ? "" : name.substr(dot + 1));
  if (!id || !op(*id).by_schema) throw std::runtime_error(fmt::format("by_schema.yaml has no op '{}'", name));
  SchemaChoice made{*id, {}, {}};
  for (const json& tensor : j.at("tensors")) made.tensors.push_back(tensor_from(tensor));
  const auto& arguments = op(*id).arguments;
  if (j.at("arguments").size() != arguments.size())
    throw std::runtime_error(fmt::format("{} takes {} arguments", name, arguments.size()));
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    auto value = value_from(j.at("arguments")[i], arguments[i], made.tensors.size());
    if (!value) return std::nullopt;
    made.arguments.push_back(std::move(*value));
  }
  return made;
}

}  // namespace

std::vector<SchemaChoice> schema_choices_from(const std::string& lines, const std::string& file) {
  std::vector<SchemaChoice> all;
  std::istringstream in(lines);
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    try {
      if (auto made = choice_from(json::parse(line))) all.push_back(std::move(*made));
    } catch (const std::exception& error) {
      throw std::runtime_error(
          fmt::format("{}:{}: {}; write the file again with fuzz/by_schema/arguments.py", file, number, error.what()));
    }
  }
  return all;
}

const std::vector<SchemaChoice>& schema_choices(OpKind kind) {
  static const auto by_kind = [] {
    std::array<std::vector<SchemaChoice>, 6> lists;
    std::ifstream file(PLUMBLINE_BY_SCHEMA_ARGUMENTS, std::ios::binary);
    if (!file) throw std::runtime_error(PLUMBLINE_BY_SCHEMA_ARGUMENTS ": cannot read the file");
    const std::string lines(std::istreambuf_iterator<char>(file), {});
    for (SchemaChoice& one : schema_choices_from(lines, PLUMBLINE_BY_SCHEMA_ARGUMENTS))
      lists.at(static_cast<std::size_t>(op(one.op).kind)).push_back(std::move(one));
    return lists;
  }();
  return by_kind.at(static_cast<std::size_t>(kind));
}

}  // namespace plumbline::fuzz
