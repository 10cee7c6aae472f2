// Writing the two generated files of the table: the header of the enumerators and the data.
#include "spec/opgen/emit.h"

#include <fmt/format.h>

#include <array>
#include <iterator>

namespace plumbline::opgen {

namespace {

constexpr std::array<std::string_view, 11> kArgTypes{"Tensor", "TensorList", "Int",    "IntList", "Scalar",      "Bool",
                                                     "Float",  "Dtype",      "Layout", "Device",  "MemoryFormat"};

template <class Enum, std::size_t N>
std::string_view name(const std::array<std::string_view, N>& names, Enum value) {
  return names.at(static_cast<std::size_t>(value));
}

void argument(std::string& out, const Parameter& p) {
  const std::string value = p.default_value ? fmt::format("\"{}\"", *p.default_value) : "std::nullopt";
  fmt::format_to(std::back_inserter(out), "    Argument{{\"{}\", ArgType::{}, {}, {}, {}, {}, {}}},\n", p.name,
                 name(kArgTypes, p.type.type), p.type.optional, p.type.alias.write, !p.type.alias.name.empty(),
                 p.keyword_only, value);
}

}  // namespace

std::string op_ids_header(const Table& table) {
  std::string out =
      "// The ops by name: generated from spec/ops/ops.yaml.\n#pragma once\n\n#include \"spec/ops/ops.h\"\n\nnamespace "
      "plumbline {\n\n"
      "enum class OpId : std::uint16_t {\n";
  for (const Entry& entry : table.entries) fmt::format_to(std::back_inserter(out), "  {},\n", enumerator(entry.schema));
  fmt::format_to(
      std::back_inserter(out),
      "}};\n\n/// How many ops there are.\ninline constexpr std::size_t kOps = {};\n\n}}  // namespace plumbline\n",
      table.entries.size());
  return out;
}

std::string op_table_source(const Table& table) {
  std::string arguments;
  std::string saves;
  std::string ops;
  std::size_t argument_count = 0;
  std::size_t saves_count = 0;
  for (const Entry& entry : table.entries) {
    const Schema& schema = entry.schema;
    fmt::format_to(
        std::back_inserter(ops),
        "    Op{{\"{}\", \"{}\",\n       \"{}\",\n       OpKind::{}, Aliases::{}, /*composite*/ {}, /*method*/ {}, "
        "/*function*/ {}, /*many_results*/ {}, /*results*/ {}, /*differentiable*/ {}, "
        "/*unsafe*/ {},\n       {{kArguments.data() + {}, {}}}, {{kSaves.data() "
        "+ {}, {}}}}},\n",
        schema.name, schema.overload, entry.text, name(kKinds, entry.kind), name(kAliases, entry.aliases),
        entry.composite, entry.method, entry.function, schema.results.front().type.type == ArgType::TensorList,
        schema.results.size(), entry.differentiable, entry.unsafe, argument_count, schema.arguments.size(), saves_count,
        entry.saves.size());
    for (const Parameter& p : schema.arguments) argument(arguments, p);
    for (const Saves& s : entry.saves)
      fmt::format_to(std::back_inserter(saves), "    Saves{{{}, {}, {}}},\n", s.saved, s.when, s.copy);
    argument_count += schema.arguments.size();
    saves_count += entry.saves.size();
  }
  return fmt::format(
      "// The op table's data: generated from spec/ops/ops.yaml.\n#include <array>\n\n#include "
      "\"spec/ops/op_ids.h\"\n\nnamespace plumbline {{\n\n"
      "namespace {{\n\nconstexpr std::array<Argument, {}> kArguments{{{{\n{}}}}};\n\nconstexpr std::array<Saves, {}> "
      "kSaves{{{{\n{}}}}};\n\n"
      "constexpr std::array<Op, kOps> kTable{{{{\n{}}}}};\n\n}}  // namespace\n\n"
      "std::span<const Op> op_table() {{ return kTable; }}\n\n}}  // namespace plumbline\n",
      argument_count, arguments, saves_count, saves, ops);
}

}  // namespace plumbline::opgen
