// Reads ops.yaml and by_schema.yaml into entries.
#include "spec/opgen/table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <sstream>
#include <utility>

#include "spec/opgen/checks.h"

namespace plumbline::opgen {

namespace {

constexpr std::array<std::string_view, 9> kColumns{"func",  "variants", "kind",           "aliases", "composite",
                                                   "saves", "unsafe",   "differentiable", "devices"};
constexpr std::array<std::string_view, 3> kColumnsOfSchemas{"func", "composite", "blas"};
constexpr std::array<std::string_view, 2> kTruths{"False", "True"};

/// Records only where a document begins.
class Documents : public YAML::EventHandler {
 public:
  YAML::Mark start;

  void OnDocumentStart(const YAML::Mark& mark) override { start = mark; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

/// Reads the entries one by one. After an entry with an error it goes on with the next one.
class Reader {
 public:
  Reader() = default;
  /// For a table of schemas; `whole`: the other table.
  explicit Reader(const Table& whole) : by_schema_(true) {
    for (const Entry& entry : whole.entries) lines_.emplace(enumerator(entry.schema), 0);
  }

  Table read(const std::string& yaml) {
    YAML::Node root;
    try {
      check_whole(yaml);
      if (table_.diagnostics.empty()) root = YAML::Load(yaml);
    } catch (const YAML::ParserException& error) {
      report(error.mark, 0, "invalid YAML: " + error.msg, "fix the syntax");
    }
    if (!table_.diagnostics.empty()) return std::move(table_);
    if (!root.IsSequence() || root.size() == 0) {
      report(root.Mark(), 0, "the table is not a list of entries", "write one '- func: …' for each op");
      return std::move(table_);
    }
    for (const YAML::Node& node : root) entry(node);
    return std::move(table_);
  }

 private:
  /// Reports what yaml-cpp would ignore silently: everything after the first document, and after a zero byte.
  void check_whole(const std::string& yaml) {
    if (const std::size_t zero = yaml.find('\0'); zero != std::string::npos) {
      const auto line = std::count(yaml.begin(), yaml.begin() + static_cast<std::ptrdiff_t>(zero), '\n');
      table_.diagnostics.push_back(
          {static_cast<int>(line) + 1, 1, "the line contains a zero byte", "write plain text"});
      return;
    }
    std::istringstream stream(yaml);
    YAML::Parser parser(stream);
    Documents documents;
    parser.HandleNextDocument(documents);
    if (parser.HandleNextDocument(documents))
      report(documents.start, 0, "the list of entries ends before this line", "indent the line, or remove it");
  }

  void report(const YAML::Mark& mark, std::size_t offset, std::string problem, std::string advice) {
    // For an empty file yaml-cpp's mark is -1.
    table_.diagnostics.push_back({std::max(mark.line, 0) + 1, std::max(mark.column, 0) + 1 + static_cast<int>(offset),
                                  std::move(problem), std::move(advice)});
  }
  void report(const YAML::Node& node, const Problem& problem, const YAML::Node& func) {
    if (problem.offset) return report_schema(func, *problem.offset, problem.problem, problem.advice);
    report(node.Mark(), 0, problem.problem, problem.advice);
  }

  /// Reports a place inside a schema; a quoted schema begins one column later.
  void report_schema(const YAML::Node& func, std::size_t offset, std::string problem, std::string advice) {
    report(func.Mark(), offset + (func.Tag() == "!" ? 1 : 0), std::move(problem), std::move(advice));
  }

  void entry(const YAML::Node& node) {
    const std::size_t before = table_.diagnostics.size();
    if (!node.IsMap())
      return report(node.Mark(), 0, "an entry is not a map", "write '- func: …' with its columns below");
    if (!check_columns(node)) return;
    Entry entry;
    if (!read_schema(node, entry)) return;
    read_variants(node, entry);
    entry.composite = value(node, "composite", kTruths).value_or(0) == 1;
    entry.blas = value(node, "blas", kTruths).value_or(0) == 1;
    if (by_schema_) return implied(std::move(entry));
    entry.unsafe = value(node, "unsafe", kTruths).value_or(0) == 1;
    if (const auto devices = value(node, "devices", kDevices)) entry.devices = static_cast<Devices>(*devices + 1);
    const auto kind = value(node, "kind", kKinds);
    const auto aliases = value(node, "aliases", kAliases);
    if (kind) {
      entry.kind = static_cast<OpKind>(*kind);
      if (const auto problem = check_kind(entry.schema, entry.kind)) report(node["kind"], *problem, node["func"]);
    }
    if (kind && aliases) {
      entry.aliases = static_cast<Aliases>(*aliases);
      if (const auto problem = check_aliases(entry.kind, entry.aliases, entry.unsafe))
        report(node["aliases"], *problem, node["func"]);
    }
    read_saves_column(node, entry);
    read_differentiable(node, entry);
    if (table_.diagnostics.size() == before) table_.entries.push_back(std::move(entry));
  }

  /// Adds an entry with what its schema implies: what the other table says of such a schema.
  void implied(Entry entry) {
    entry.by_schema = true;
    entry.method = entry.function = false;
    for (std::size_t i = kKinds.size(); i-- > 0;)
      if (!check_kind(entry.schema, static_cast<OpKind>(i))) entry.kind = static_cast<OpKind>(i);
    for (std::size_t i = kAliases.size(); i-- > 0;)
      if (!check_aliases(entry.kind, static_cast<Aliases>(i), false)) entry.aliases = static_cast<Aliases>(i);
    if (entry.kind == OpKind::View) entry.aliases = Aliases::may;
    table_.entries.push_back(std::move(entry));
  }

  bool check_columns(const YAML::Node& node) {
    const std::size_t before = table_.diagnostics.size();
    const std::span<const std::string_view> columns =
        by_schema_ ? std::span<const std::string_view>(kColumnsOfSchemas) : kColumns;
    std::map<std::string, int> seen;
    for (const auto& column : node) {
      const std::string name = column.first.Scalar();
      if (std::ranges::find(columns, name) == columns.end())
        report(column.first.Mark(), 0, fmt::format("unknown column '{}'", name),
               fmt::format("the columns are {}", fmt::join(columns, ", ")));
      else if (++seen[name] == 2)
        report(column.first.Mark(), 0, fmt::format("the column '{}' is given twice", name), "keep one of them");
      else if (name != "saves" && name != "differentiable" && !column.second.IsScalar())
        report(column.second.Mark(), 0, fmt::format("the value of '{}' is not plain text", name), "write one value");
    }
    for (const std::string required : {"func", "kind", "aliases"})
      if ((!by_schema_ || required == "func") && !seen.contains(required))
        report(node.Mark(), 0, fmt::format("the entry has no '{}'", required), "add the column");
    return table_.diagnostics.size() == before;
  }

  bool read_schema(const YAML::Node& node, Entry& entry) {
    const YAML::Node func = node["func"];
    entry.text = func.Scalar();
    try {
      entry.schema = parse_schema(entry.text);
    } catch (const SchemaError& error) {
      report_schema(func, error.offset, error.problem, error.advice);
      return false;
    }
    if (const auto problem = check_schema(entry.schema)) {
      report(func, *problem, func);
      return false;
    }
    const auto [other, is_new] = lines_.emplace(enumerator(entry.schema), func.Mark().line + 1);
    if (!is_new && other->second == 0)
      report(func.Mark(), 0, fmt::format("the op '{}' is in ops.yaml", other->first), "remove it here");
    else if (!is_new)
      report(func.Mark(), 0, fmt::format("the op '{}' is already in line {}", other->first, other->second),
             "keep one of them");
    return is_new;
  }

  void read_variants(const YAML::Node& node, Entry& entry) {
    const YAML::Node variants = node["variants"];
    if (!variants) return;
    const std::string& text = variants.Scalar();
    entry.method = text != "function";
    entry.function = text != "method";
    constexpr std::array<std::string_view, 4> kVariants{"function", "method", "function, method", "method, function"};
    if (std::ranges::find(kVariants, text) == kVariants.end())
      report(variants.Mark(), 0, fmt::format("'{}' is not a value of 'variants'", text),
             "write 'function', 'method' or 'function, method'");
  }

  /// The place of a column's value among `values`, or nothing if the column is absent or its value unknown.
  template <std::size_t N>
  std::optional<std::size_t> value(const YAML::Node& node, const char* column,
                                   const std::array<std::string_view, N>& values) {
    const YAML::Node cell = node[column];
    if (!cell) return std::nullopt;
    const auto found = std::ranges::find(values, cell.Scalar());
    if (found != values.end()) return static_cast<std::size_t>(found - values.begin());
    report(cell.Mark(), 0, fmt::format("'{}' is not a value of '{}'", cell.Scalar(), column),
           fmt::format("write one of {}", fmt::join(values, ", ")));
    return std::nullopt;
  }

  void read_saves_column(const YAML::Node& node, Entry& entry) {
    const YAML::Node column = node["saves"];
    if (!column) return;
    if (!column.IsSequence())
      return report(column.Mark(), 0, "the value of 'saves' is not a list", "write [X when Y, …]");
    for (const YAML::Node& item : column) {
      Saves saves{};
      if (!item.IsScalar())
        report(item.Mark(), 0, "an item of 'saves' is not plain text", "write 'X when Y'");
      else if (const auto problem = read_saves(entry, item.Scalar(), saves))
        report(item, *problem, node["func"]);
      else
        entry.saves.push_back(saves);
    }
  }

  void read_differentiable(const YAML::Node& node, Entry& entry) {
    const YAML::Node column = node["differentiable"];
    if (!column) return;
    const auto is_truth = [](const YAML::Node& item) {
      return item.IsScalar() && std::ranges::find(kTruths, item.Scalar()) != kTruths.end();
    };
    if (!column.IsSequence() || column.size() != entry.schema.results.size() ||
        !std::all_of(column.begin(), column.end(), is_truth))
      return report(column.Mark(), 0, "the value of 'differentiable' is not a list with True or False for each result",
                    "write [True, False], or [False]");
    for (std::size_t i = 0; i < column.size(); ++i)
      if (column[i].Scalar() == kTruths[0]) entry.differentiable &= static_cast<std::uint8_t>(~(1U << i));
  }

  bool by_schema_ = false;
  Table table_;
  std::map<std::string, int> lines_;  ///< the line of each enumerator's `func:`
};

}  // namespace

std::string Diagnostic::text(const std::string& file) const {
  return fmt::format("{}:{}:{}: {}; {}", file, line, column, problem, advice);
}

Table read_table(const std::string& yaml) { return Reader().read(yaml); }

Table read_schemas(const std::string& yaml, const Table& whole) { return Reader(whole).read(yaml); }

std::string enumerator(const Schema& schema) {
  return schema.overload.empty() ? schema.name : schema.name + "_" + schema.overload;
}

}  // namespace plumbline::opgen
