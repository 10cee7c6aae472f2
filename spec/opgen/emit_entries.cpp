// The C++ entry points of the ops.
#include "spec/opgen/emit_entries.h"

#include <fmt/format.h>

#include <array>
#include <iterator>

namespace plumbline::opgen {

namespace {

/// The parameter's type in C++; cheap types go by value. An optional is not cheap: a copy waits for the store of its
/// flag, which is narrower than the load.
std::string cpp_type(const Type& type) {
  static constexpr std::array<std::string_view, 14> kTypes{
      "const Tensor&", "TensorList", "std::int64_t", "IntList",    "Scalar", "bool", "double",
      "Dtype",         "Enumerated", "Enumerated",   "Enumerated", "",       "",     ""};
  const auto plain = kTypes.at(static_cast<std::size_t>(type.type));
  return type.optional ? fmt::format("const std::optional<{}>&", plain) : std::string(plain);
}

/// The schema's default as C++ has it; "contiguous_format", the only name among the defaults, is 0.
std::string cpp_default(const Parameter& p) {
  if (*p.default_value == "None") return "std::nullopt";
  if (*p.default_value == "True") return "true";
  if (*p.default_value == "False") return "false";
  if (*p.default_value == "contiguous_format") return "0";
  return *p.default_value;
}

std::string cpp_result(const Entry& entry) {
  const Schema& schema = entry.schema;
  if (entry.kind == OpKind::Inplace || entry.kind == OpKind::InplaceView || entry.kind == OpKind::Out)
    return "const Tensor&";
  if (schema.results.size() == 2) return "std::tuple<Tensor, Tensor>";
  return schema.results.front().type.type == ArgType::TensorList ? "std::vector<Tensor>" : "Tensor";
}

/// C++ requires defaults at the end, so those before an argument without one (`out`) are dropped.
std::size_t first_default(const Schema& schema) {
  std::size_t first = schema.arguments.size();
  while (first > 0 && schema.arguments[first - 1].default_value) --first;
  return first;
}

void kind_names(std::string& out, const Entry& entry) {
  fmt::format_to(std::back_inserter(out),
                 "  static constexpr OpKind kind = OpKind::{};\n  static constexpr Aliases aliases = Aliases::{};\n",
                 kKinds.at(static_cast<std::size_t>(entry.kind)), kAliases.at(static_cast<std::size_t>(entry.aliases)));
}

/// For each argument: whether gradients flow to it.
std::string flows(const Schema& schema) {
  std::string all;
  for (const Parameter& p : schema.arguments) {
    const bool tensor = p.type.type == ArgType::Tensor || p.type.type == ArgType::TensorList;
    all += tensor && has_derivative_by(p.name) ? "true, " : "false, ";
  }
  return fmt::format("std::array<bool, {}> flows{{{{{}}}}}", schema.arguments.size(), all);
}

void signature(std::string& out, const Entry& entry, const std::string& name) {
  const auto to = std::back_inserter(out);
  fmt::format_to(to, "/// {}\nstruct {} {{\n  static constexpr OpId id = OpId::{};\n", entry.text, name, name);
  kind_names(out, entry);
  fmt::format_to(to,
                 "  static constexpr bool composite = {};\n  static constexpr std::uint8_t differentiable = {};\n"
                 "  static constexpr {};\n  static constexpr std::array<Saves, {}> saves{{{{",
                 entry.composite, entry.differentiable, flows(entry.schema), entry.saves.size());
  for (const Saves& s : entry.saves) fmt::format_to(to, "{{{}, {}, {}}}, ", s.saved, s.when, s.copy);
  fmt::format_to(to, "}}}};\n  using Function = {}(", cpp_result(entry));
  std::string separator;
  for (const Parameter& p : entry.schema.arguments) {
    fmt::format_to(to, "{}{} {}", separator, cpp_type(p.type), p.name);
    separator = ", ";
  }
  fmt::format_to(to, ");\n}};\n\n");
}

void function(std::string& out, const Entry& entry, const std::string& name) {
  const auto to = std::back_inserter(out);
  fmt::format_to(to, "inline {} {}{}(", cpp_result(entry), entry.schema.name, entry.kind == OpKind::Out ? "_out" : "");
  std::string names;
  std::string separator;
  const std::size_t defaults = first_default(entry.schema);
  for (std::size_t i = 0; i < entry.schema.arguments.size(); ++i) {
    const Parameter& p = entry.schema.arguments[i];
    fmt::format_to(to, "{}{} {}{}", separator, cpp_type(p.type), p.name,
                   i >= defaults ? " = " + cpp_default(p) : std::string());
    fmt::format_to(std::back_inserter(names), "{}{}", separator, p.name);
    separator = ", ";
  }
  fmt::format_to(to, ") {{ return call<op::{}>({}); }}\n", name, names);
}

}  // namespace

std::string entries_header(const Table& table) {
  std::string out =
      "// The ops of the optimized runtime, by PyTorch's names: generated from spec/ops/ops.yaml.\n#pragma once\n\n"
      "#include \"optimized/ops/call.h\"\n\nnamespace plumbline::optimized {\n\nnamespace op {\n\n";
  for (const Entry& entry : table.entries) signature(out, entry, enumerator(entry.schema));
  out += "}  // namespace op\n\n";
  for (const Entry& entry : table.entries) function(out, entry, enumerator(entry.schema));
  out +=
      "\n/// Calls `visit.template operator()<op::…>()` for each op, in the order of the table.\n"
      "template <class Visit>\nvoid for_each_op(Visit&& visit) {\n";
  for (const Entry& entry : table.entries)
    fmt::format_to(std::back_inserter(out), "  visit.template operator()<op::{}>();\n", enumerator(entry.schema));
  out += "}\n\n}  // namespace plumbline::optimized\n";
  return out;
}

}  // namespace plumbline::opgen
