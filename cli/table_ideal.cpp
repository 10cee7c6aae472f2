// `plumbline table ideal`: what the RFC's ideal end state changes, and what it does not change.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "oracle/verdict.h"
#include "spec/rules/catalogue.h"
#include "support/files.h"
#include "tables/profiles.h"

namespace plumbline::cli {

namespace {

using namespace tables;
using nlohmann::ordered_json;

double each(std::size_t kernels, std::size_t calls) {
  return static_cast<double>(kernels) / static_cast<double>(calls);
}

std::string indented(const std::string& program) {
  std::string text;
  for (std::size_t at = 0; at < program.size();) {
    const std::size_t end = std::min(program.find('\n', at), program.size());
    if (end > at) text += "      " + program.substr(at, end - at);
    text += "\n";
    at = end + 1;
  }
  return text;
}

std::string change_text(const Change& change) {
  std::string text = fmt::format("  {}: {} of {} observations, in {} programs\n", change.observed, change.changed,
                                 change.asked, change.programs);
  if (!change.shown) return text;
  return text + fmt::format("    {}\n      sound  {}\n      ideal  {}\n    in\n{}", change.shown->what,
                            change.shown->before, change.shown->after, indented(change.shown->program));
}

std::string as_text(const ProfileChanges& all) {
  std::string text = "The RFC's ideal end state (ideal), compared with the specification (sound). Its rules:\n\n";
  for (const Rule* rule : kRules)
    if (const Variant* variant = rule->variant(Profile::ideal))
      text += fmt::format("  {}  {}\n    ideal: {}\n    [{}]\n", rule->id(), rule->text().sentence, variant->sentence,
                          variant->source);
  text += fmt::format(
      "\n{} curated programs ran under both profiles, with a snapshot before and after each statement.\n\nWhat "
      "changes\n\n",
      all.programs);
  std::vector<std::string> same;
  for (const Change& change : all.changes) {
    if (change.changed > 0)
      text += change_text(change) + "\n";
    else
      same.push_back(fmt::format("{} ({})", change.observed, change.asked));
  }
  text += fmt::format("What does not change (observations)\n\n  {}\n\n", fmt::join(same, ", "));
  text += fmt::format("Kernels per call (without fallthroughs)\n\n  {:<14}{:>8}{:>10}{:>10}\n", "kind of op", "calls",
                      "sound", "ideal");
  for (const Kernels& k : all.kernels)
    text += fmt::format("  {:<14}{:>8}{:>10.2f}{:>10.2f}\n", k.kind, k.calls, each(k.before, k.calls),
                        each(k.after, k.calls));
  for (const std::string& one : all.left_out) text += fmt::format("left out: {}\n", one);
  return text;
}

ordered_json as_json(const ProfileChanges& all) {
  ordered_json json{{"table", "ideal"}, {"programs", all.programs}, {"rules", ordered_json::array()}};
  for (const Rule* rule : kRules)
    if (const Variant* variant = rule->variant(Profile::ideal))
      json["rules"].push_back({{"rule", rule->id()}, {"sound", rule->text().sentence}, {"ideal", variant->sentence}});
  json["observed"] = ordered_json::array();
  for (const Change& change : all.changes) {
    ordered_json one{{"what", change.observed},
                     {"observations", change.asked},
                     {"changed", change.changed},
                     {"programs", change.programs}};
    if (change.shown)
      one["shown"] = {{"what", change.shown->what},
                      {"sound", change.shown->before},
                      {"ideal", change.shown->after},
                      {"program", change.shown->program}};
    json["observed"].push_back(std::move(one));
  }
  json["kernels"] = ordered_json::array();
  for (const Kernels& k : all.kernels)
    json["kernels"].push_back({{"kind", k.kind}, {"calls", k.calls}, {"sound", k.before}, {"ideal", k.after}});
  json["left_out"] = all.left_out;
  return json;
}

}  // namespace

int ideal_table(const TableOptions& options) {
  if (!options.flip.empty())
    throw std::runtime_error("table ideal compares two profiles and takes no --flip; leave it out");
  const ProfileChanges all = profile_changes(load_curated(options.corpus), Profile::sound, Profile::ideal);
  print_result(as_text(all), as_json(all).dump(2) + "\n", options.json);
  return all.programs > 0 ? 0 : kExitNothing;
}

}  // namespace plumbline::cli
