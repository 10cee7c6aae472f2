// `plumbline table inference-mode`: what each text states, what the rules compute and what implementations do.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "adapters/reference/reference.h"
#include "cli/commands.h"
#include "oracle/verdict.h"
#include "support/files.h"
#include "tables/behaviour.h"

namespace plumbline::cli {

namespace {

using namespace tables;
using nlohmann::ordered_json;

/// One row of the table, while it is built.
class RowReport {
 public:
  RowReport(const BehaviourRow& row, const Rule* flipped) : row_(row), flipped_(flipped) {
    json_ = {{"mode", row.mode}, {"input", row.input}, {"op", row.op}, {"program", row.program}};
    text_ = fmt::format("\n{}, {}, {} op\n", row.mode, row.input, row.op);
  }

  void add_text(const BehaviourText& text, const TextCell& cell) {
    const auto did = computed_behaviour(row_, text.profile, flipped_);
    const bool agreed = as_stated(cell, did);
    disagreements_ += agreed ? 0 : 1;
    std::string stands = "silent";
    if (cell.standing == Standing::stated) stands = fmt::format("stated ({})", cell.lines);
    if (!cell.but.empty()) stands += fmt::format(": {}; but {}", behaviour_text(cell.says), cell.but);
    if (cell.standing == Standing::contradictory) stands = fmt::format("CONTRADICTORY ({})", cell.lines);
    line(fmt::format("{} as {}", text.name, name_of(text.profile)), behaviour_text(did),
         agreed ? stands : fmt::format("NOT AS {}: {}", stands, behaviour_text(cell.says)));
    json_["texts"].push_back({{"text", text.name},
                              {"profile", name_of(text.profile)},
                              {"standing", stands},
                              {"says", cell.standing == Standing::silent ? "" : behaviour_text(cell.says)},
                              {"computed", behaviour_text(did)},
                              {"agrees", agreed}});
  }

  void add_profile(Profile profile) {
    const auto did = computed_behaviour(row_, profile, flipped_);
    line(fmt::format("{} (no text)", name_of(profile)), behaviour_text(did), "");
    json_["profiles"].push_back({{"profile", name_of(profile)}, {"computed", behaviour_text(did)}});
  }

  void add_implementation(const std::string& name, Adapter& adapter) {
    const Behaviour did = observed_behaviour(row_, adapter);
    const Profile profile = profile_or_throw(adapter.describe().profile);
    const bool agreed = agrees(computed_behaviour(row_, profile, flipped_), did);
    disagreements_ += agreed ? 0 : 1;
    line(name, behaviour_text(did),
         agreed ? fmt::format("as {}", name_of(profile)) : fmt::format("NOT AS {}", name_of(profile)));
    json_["implementations"].push_back(
        {{"implementation", name}, {"observed", behaviour_text(did)}, {"agrees", agreed}});
  }

  const std::string& text() const { return text_; }
  const ordered_json& json() const { return json_; }
  std::size_t disagreements() const { return disagreements_; }

 private:
  void line(const std::string& who, const std::string& what, const std::string& remark) {
    text_ += fmt::format("  {:<32}{:<78} {}\n", who, what, remark);
  }

  const BehaviourRow& row_;
  const Rule* flipped_;
  std::string text_;
  ordered_json json_;
  std::size_t disagreements_ = 0;
};

}  // namespace

int behaviour_table(const TableOptions& options) {
  const Rule* const flipped = rule_or_throw(options.flip);
  std::vector<std::pair<std::string, std::unique_ptr<Adapter>>> adapters;
  for (const std::string& name : options.on) adapters.emplace_back(name, make_adapter(name, {}));
  std::string text =
      "What an op does in each mode with each input. Each text of the RFC is compared with the profile that executes "
      "it.\nThe rules compute a cell by running a short program. What a text states must equal what the rules "
      "compute.\n";
  if (flipped != nullptr) text += fmt::format("{} is misread: {}\n", flipped->id(), flipped->text().misreading);
  ordered_json rows = ordered_json::array();
  std::size_t disagreements = 0;
  std::size_t stated = 0;
  for (std::size_t i = 0; i < behaviour_rows().size(); ++i) {
    RowReport report(behaviour_rows()[i], flipped);
    for (const BehaviourText& source : behaviour_texts()) {
      report.add_text(source, source.rows.at(i));
      stated += source.rows[i].standing == Standing::stated ? 1 : 0;
    }
    report.add_profile(Profile::torch_2_13);
    for (const auto& [name, adapter] : adapters) report.add_implementation(name, *adapter);
    text += report.text();
    rows.push_back(report.json());
    disagreements += report.disagreements();
  }
  const std::string end = fmt::format("{} rows, {} cells that a text states, {} disagreements", behaviour_rows().size(),
                                      stated, disagreements);
  const ordered_json json{{"table", "inference-mode"},
                          {"flip", options.flip},
                          {"rows", rows},
                          {"stated", stated},
                          {"disagreements", disagreements}};
  print_result(fmt::format("{}\n{}\n", text, end), json.dump(2) + "\n", options.json);
  return disagreements == 0 ? 0 : kExitDivergent;
}

}  // namespace plumbline::cli
