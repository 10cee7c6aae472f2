// Writing the two generated files of the table: the header of the enumerators and the data.
#include "spec/opgen/emit.h"

#include <fmt/format.h>

#include <array>
#include <iterator>

namespace plumbline::opgen {

namespace {

constexpr std::array<std::string_view, 14> kArgTypes{"Tensor",       "TensorList", "Int",       "IntList",  "Scalar",
                                                     "Bool",         "Float",      "Dtype",     "Layout",   "Device",
                                                     "MemoryFormat", "String",     "FloatList", "Generator"};

/// A C++ string literal.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) (c == '"' || c == '\\' ? out += '\\' : out) += c;
  return out + "\"";
}

template <class Enum, std::size_t N>
std::string_view name(const std::array<std::string_view, N>& names, Enum value) {
  return names.at(static_cast<std::size_t>(value));
}

void argument(std::string& out, const Parameter& p) {
  const std::string value = p.default_value ? quoted(*p.default_value) : "std::nullopt";
  fmt::format_to(std::back_inserter(out), "    Argument{{\"{}\", ArgType::{}, {}, {}, {}, {}, {}}},\n", p.name,
                 name(kArgTypes, p.type.type), p.type.optional, p.type.alias.write, !p.type.alias.name.empty(),
                 p.keyword_only, value);
}

}  // namespace

std::string op_ids_header(const Table& table) {
  std::string out =
      "// The ops by name: generated from spec/ops/ops.yaml and by_schema.yaml.\n#pragma once\n\n#include "
      "\"spec/ops/ops.h\"\n\nnamespace "
      "plumbline {\n\n"
      "enum class OpId : std::uint16_t {\n";
  std::size_t whole = 0;
  for (const Entry& entry : table.entries) {
    fmt::format_to(std::back_inserter(out), "  {},\n", enumerator(entry.schema));
    whole += entry.by_schema ? 0 : 1;
  }
  fmt::format_to(std::back_inserter(out),
                 "}};\n\n/// How many ops ops.yaml has, which come first.\ninline constexpr std::size_t kOps = {};\n"
                 "/// How many there are with those of by_schema.yaml.\ninline constexpr std::size_t kAllOps = {};\n\n"
                 "}}  // namespace plumbline\n",
                 whole, table.entries.size());
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
        "    Op{{\"{}\", \"{}\",\n       {},\n       OpKind::{}, Aliases::{}, /*composite*/ {}, /*method*/ {}, "
        "/*function*/ {}, /*many_results*/ {}, /*results*/ {}, /*differentiable*/ {}, "
        "/*unsafe*/ {}, /*by_schema*/ {}, /*blas*/ {}, Devices::{},\n       {{kArguments.data() + {}, {}}}, "
        "{{kSaves.data() "
        "+ {}, {}}}}},\n",
        schema.name, schema.overload, quoted(entry.text), name(kKinds, entry.kind), name(kAliases, entry.aliases),
        entry.composite, entry.method, entry.function, schema.results.front().type.type == ArgType::TensorList,
        schema.results.size(), entry.differentiable, entry.unsafe, entry.by_schema, entry.blas,
        entry.devices == Devices::same ? "same" : kDevices.at(static_cast<std::size_t>(entry.devices) - 1),
        argument_count, schema.arguments.size(), saves_count, entry.saves.size());
    for (const Parameter& p : schema.arguments) argument(arguments, p);
    for (const Saves& s : entry.saves)
      fmt::format_to(std::back_inserter(saves), "    Saves{{{}, {}, {}}},\n", s.saved, s.when, s.copy);
    argument_count += schema.arguments.size();
    saves_count += entry.saves.size();
  }
  return fmt::format(
      "// The op table's data: generated from spec/ops/ops.yaml and by_schema.yaml.\n#include <array>\n\n#include "
      "\"spec/ops/op_ids.h\"\n\nnamespace plumbline {{\n\n"
      "namespace {{\n\nconstexpr std::array<Argument, {}> kArguments{{{{\n{}}}}};\n\nconstexpr std::array<Saves, {}> "
      "kSaves{{{{\n{}}}}};\n\n"
      "constexpr std::array<Op, kAllOps> kTable{{{{\n{}}}}};\n\n}}  // namespace\n\n"
      "std::span<const Op> op_table() {{ return std::span(kTable).first(kOps); }}\n"
      "std::span<const Op> ops_by_schema() {{ return std::span(kTable).subspan(kOps); }}\n"
      "const Op& op(OpId id) {{ return kTable[static_cast<std::size_t>(id)]; }}\n\n}}  // namespace plumbline\n",
      argument_count, arguments, saves_count, saves, ops);
}

}  // namespace plumbline::opgen
