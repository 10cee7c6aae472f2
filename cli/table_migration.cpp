// `plumbline table migration`: runs the documentation's workloads under the old guard and under the new guards.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "adapters/reference/reference.h"
#include "cli/commands.h"
#include "oracle/verdict.h"
#include "support/files.h"
#include "tables/migration.h"

namespace plumbline::cli {

namespace {

using namespace tables;
using nlohmann::ordered_json;

/// One column: the rules of a profile, or an implementation with the profile that describes it.
struct ModeColumn {
  std::string name;
  Profile profile{};
  std::unique_ptr<Adapter> adapter;  ///< null: the rules
};

std::vector<ModeColumn> columns_of(const TableOptions& options) {
  std::vector<ModeColumn> columns;
  for (const Profile profile : {Profile::sound, Profile::torch_2_13})
    columns.push_back({fmt::format("rules, {}", name_of(profile)), profile, nullptr});
  for (const std::string& name : options.on) {
    auto adapter = make_adapter(name, {});
    const Profile profile = profile_or_throw(adapter->describe().profile);
    columns.push_back({name, profile, std::move(adapter)});
  }
  return columns;
}

}  // namespace

int migration_table(const TableOptions& options) {
  const Rule* const flipped = rule_or_throw(options.flip);
  const std::vector<ModeColumn> columns = columns_of(options);
  std::string text;
  ordered_json json{{"table", "migration"}, {"flip", options.flip}, {"workloads", ordered_json::array()}};
  std::size_t disagreements = 0;
  for (const Workload& workload : workloads()) {
    text += fmt::format("{}\n  [{}]\n\n{}\n", workload.title, workload.source,
                        migration_program(workload, migration_guards()[1]));
    ordered_json rows = ordered_json::array();
    for (const MigrationGuard& guard : migration_guards()) {
      ordered_json cells;
      text += fmt::format("  {}\n", guard.name);
      for (const ModeColumn& column : columns) {
        const Fate by_rules = computed_fate(workload, guard, column.profile, flipped);
        const Fate fate = column.adapter == nullptr ? by_rules : observed_fate(workload, guard, *column.adapter);
        const bool agreed = fate.kind == by_rules.kind && fate.what == by_rules.what;
        disagreements += agreed ? 0 : 1;
        text += fmt::format("    {:<24}{}{}\n", column.name, fate_text(fate), agreed ? "" : "  NOT AS THE RULES SAY");
        cells[column.name] = fate_text(fate);
      }
      rows.push_back({{"guard", guard.name}, {"program", migration_program(workload, guard)}, {"fates", cells}});
    }
    text += "\n";
    json["workloads"].push_back({{"title", workload.title}, {"source", workload.source}, {"guards", rows}});
  }
  text +=
      "The old guard hides writes from the version counter, and backward then silently returns a wrong gradient.\n"
      "InferenceMode still counts writes to normal tensors, and it marks the tensors that it allocates: the same "
      "mistakes raise errors\nor do no harm. AutoDispatchBelowADInplaceOrView is the new name of the old guard. It is "
      "correct only inside kernels.\nIn torch-2.13 the deprecated guard excludes only Autograd (TLS-13), so the write "
      "is counted there.\n";
  print_result(text, json.dump(2) + "\n", options.json);
  return disagreements == 0 ? 0 : kExitDivergent;
}

}  // namespace plumbline::cli
