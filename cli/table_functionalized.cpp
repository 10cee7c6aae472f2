// `plumbline table functionalize-inference-mode`: what each implementation does in sixteen combinations.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "adapters/reference/reference.h"
#include "cli/commands.h"
#include "oracle/verdict.h"
#include "support/files.h"
#include "tables/functionalized.h"

namespace plumbline::cli {

namespace {

using namespace tables;
using nlohmann::ordered_json;

struct Column {
  std::string name;
  std::unique_ptr<Adapter> adapter;
  std::size_t as_specified = 0;
  std::size_t breaks = 0;  ///< rows in which an invariant is broken
};

std::string cell_text(const FunctionalizedRow& row, const std::optional<FunctionalizedBehaviour>& did,
                      const std::string& why) {
  if (!did) return "cannot run this: " + why;
  if (*did == row.specified) return "as specified";
  const std::string_view broken = broken_invariant(row, *did);
  return fmt::format("DIFFERENT: {}{}{}", behaviour_text(*did), broken.empty() ? "" : "; BREAKS ", broken);
}

std::string_view in_or_out(bool inside) { return inside ? "in" : "out"; }

std::string title_of(const FunctionalizedRow& row) {
  return fmt::format("{} of {} tensor; wrapped {}, op {}", row.mutation ? "mutation" : "view",
                     row.inference_value ? "an inference" : "a normal", in_or_out(row.wrapped_inside),
                     in_or_out(row.op_inside));
}

}  // namespace

int functionalized_table(const TableOptions& options) {
  std::vector<Column> columns;
  columns.push_back({"rules, sound", std::make_unique<ReferenceAdapter>(Profile::sound, rule_or_throw(options.flip))});
  for (const std::string& name : options.on) columns.push_back({name, make_adapter(name, {})});
  std::string text =
      "Functionalization and inference mode. functionalize wraps x inside or outside the mode, and the body's op runs "
      "inside or outside it.\n\n";
  ordered_json json{{"table", "functionalize-inference-mode"}, {"flip", options.flip}, {"rows", ordered_json::array()}};
  int number = 0;
  for (const FunctionalizedRow& row : functionalized_rows()) {
    text += fmt::format("{:>2}  {}\n      specified{:<17}{}\n      because {}\n", ++number, title_of(row), "",
                        behaviour_text(row.specified), row.reason);
    ordered_json cells;
    for (Column& column : columns) {
      std::string why;
      const auto did = observed(row, *column.adapter, why);
      const bool same = did && *did == row.specified;
      column.as_specified += same ? 1 : 0;
      const std::string_view broken = did ? broken_invariant(row, *did) : "";
      column.breaks += broken.empty() ? 0 : 1;
      text += fmt::format("      {:<26}{}\n", column.name, cell_text(row, did, why));
      cells[column.name] = {{"as_specified", same}, {"did", did ? behaviour_text(*did) : why}, {"breaks", broken}};
    }
    json["rows"].push_back({{"value", row.inference_value ? "inference" : "normal"},
                            {"wrapped", in_or_out(row.wrapped_inside)},
                            {"op", in_or_out(row.op_inside)},
                            {"kind", row.mutation ? "mutation" : "view"},
                            {"specified", behaviour_text(row.specified)},
                            {"reason", row.reason},
                            {"program", program_of(row)},
                            {"cells", cells}});
  }
  text += "\n";
  for (const Column& column : columns) {
    text += fmt::format("{:<26}{} of {} rows as specified; {} rows break an invariant\n", column.name,
                        column.as_specified, number, column.breaks);
    json["as_specified"][column.name] = column.as_specified;
  }
  text += "`--json` prints the program of each row, a pytest file.\n";
  print_result(text, json.dump(2) + "\n", options.json);
  return columns.front().as_specified == static_cast<std::size_t>(number) ? 0 : kExitDivergent;
}

}  // namespace plumbline::cli
