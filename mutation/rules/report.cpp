// Writing the report of a run of the mutants.
#include "mutation/rules/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "oracle/verdict.h"
#include "spec/proofs/prove.h"
#include "spec/rules/catalogue.h"

namespace plumbline::mutants {

namespace {

constexpr std::size_t kShownOfProgram = 160;

std::string in_profile(Profile profile) {
  return profile == Profile::sound ? "" : fmt::format(" in {}", name_of(profile));
}
std::string text_of(const Witness& one) {
  std::string what = one.what.substr(0, kShownOfProgram);
  std::ranges::replace(what, '\n', ' ');
  return fmt::format("{}{}: {}{}", one.name, in_profile(one.profile), what, what.size() < one.what.size() ? "…" : "");
}

nlohmann::ordered_json witness_json(const Witness& one) {
  if (one.name.empty()) return nullptr;
  return {{"name", one.name}, {"profile", name_of(one.profile)}, {"what", one.what}};
}

void unreached_text(const Report& report, std::string& text) {
  for (const std::string& line : report.without_obligation) text += fmt::format("no obligation reaches {}\n", line);
  for (const Unreached& one : report.unreached)
    text += fmt::format("{}: {}{}\n", one.where, one.what, one.reason.empty() ? "" : ": " + one.reason);
  if (report.branches_asked)
    text += fmt::format("{} of {} selects go both ways under the premises of obligations, {} with the programs\n",
                        report.both_by_obligations, report.selects, report.both_at_all);
}

}  // namespace

std::string_view name_of(Kind kind) {
  constexpr std::array<std::string_view, 7> names{"killed",      "falls",     "misreading", "explained",
                                                  "unexplained", "undecided", "not run"};
  return names[static_cast<std::size_t>(kind)];
}

Kind Mutant::kind() const {
  if (!fate.ran) return Kind::not_run;
  if (!fate.proof.flipped.empty() || !fate.program.flipped.empty()) return Kind::misreading;
  if (!fate.proof.name.empty()) return Kind::killed;
  if (!fate.program.name.empty()) return Kind::falls;
  if (!reason.empty()) return Kind::explained;
  return fate.unknown.empty() ? Kind::unexplained : Kind::undecided;
}

std::map<Kind, std::size_t> Report::counts() const {
  std::map<Kind, std::size_t> counted;
  for (const Mutant& mutant : mutants) ++counted[mutant.kind()];
  return counted;
}

int Report::exit_code() const {
  auto counted = counts();
  if (mutants.empty()) return kExitNothing;
  if (interrupted) return kExitInterrupted;
  if (!mistakes.empty() || counted[Kind::undecided] > 0) return kExitHarness;
  const bool open = std::ranges::any_of(unreached, [](const Unreached& one) { return one.reason.empty(); });
  return counted[Kind::unexplained] > 0 || open || !stale.empty() ? 1 : 0;
}

std::string line_of(const Mutant& mutant) {
  const Fate& fate = mutant.fate;
  const std::string name = mutant.place->name();
  switch (mutant.kind()) {
    case Kind::killed:
      return fmt::format("{}: killed by {}{}", name, text_of(fate.proof),
                         fate.program.name.empty() ? "" : "; and by " + text_of(fate.program));
    case Kind::falls:
      return fmt::format("{}: survives the proofs; shown by {}", name, text_of(fate.program));
    case Kind::misreading: {
      const Witness& shown = fate.proof.name.empty() ? fate.program : fate.proof;
      return fmt::format("{}: changes only the misreading of {}; with that rule flipped, shown by {}", name,
                         shown.flipped, text_of(shown));
    }
    case Kind::explained:
      return fmt::format("{}: survives: {}", name, mutant.reason);
    case Kind::unexplained:
      return fmt::format(
          "{}: SURVIVES without a reason: of {} obligations, {} are unchanged and {} are as expected; {} programs "
          "reach it",
          name, mutant.place->obligations.size(), fate.identical, fate.asked, mutant.place->programs.size());
    case Kind::undecided:
      return fmt::format("{}: UNDECIDED: {}", name, fate.unknown);
    case Kind::not_run:
      return fmt::format("{}: not run", name);
  }
  return name;
}

std::string closing_text(const Report& report) {
  std::string text;
  unreached_text(report, text);
  for (const std::string& line : report.stale) text += line + "\n";
  for (const std::string& line : report.mistakes) text += line + "\n";
  auto counted = report.counts();
  text += fmt::format(
      "{} of {} mutants killed by a proof, {} only by a program, {} change only a misreading, {} survive with a "
      "reason, {} survive without one, {} undecided",
      counted[Kind::killed], report.mutants.size(), counted[Kind::falls], counted[Kind::misreading],
      counted[Kind::explained], counted[Kind::unexplained], counted[Kind::undecided]);
  if (counted[Kind::not_run] > 0) text += fmt::format(", {} not run", counted[Kind::not_run]);
  if (report.mutants.size() < report.mutants_in_all)
    text += fmt::format(" (chosen from {} at {} sites)", report.mutants_in_all, report.sites);
  else
    text += fmt::format(" ({} sites)", report.sites);
  return text + "\n";
}

nlohmann::ordered_json json_of(const Report& report) {
  nlohmann::ordered_json mutants = nlohmann::ordered_json::array();
  for (const Mutant& mutant : report.mutants) {
    const Place& place = *mutant.place;
    nlohmann::ordered_json one{{"name", place.name()},
                               {"file", place.site.file},
                               {"function", place.function},
                               {"line", place.text},
                               {"change", change_of(place.site.token)},
                               {"nth", place.nth},
                               {"outcome", name_of(mutant.kind())},
                               {"proof", witness_json(mutant.fate.proof)},
                               {"program", witness_json(mutant.fate.program)},
                               {"obligations", place.obligations.size()},
                               {"programs", place.programs.size()}};
    if (!place.rule.empty()) one["rule"] = place.rule;
    if (!mutant.reason.empty()) one["reason"] = mutant.reason;
    mutants.push_back(std::move(one));
  }
  nlohmann::ordered_json counts;
  for (const auto& [kind, count] : report.counts()) counts[std::string(name_of(kind))] = count;
  nlohmann::ordered_json unreached = nlohmann::ordered_json::array();
  for (const Unreached& one : report.unreached)
    unreached.push_back({{"where", one.where}, {"what", one.what}, {"reason", one.reason}});
  return {{"command", "prove --mutants"},
          {"sites", report.sites},
          {"mutants_in_all", report.mutants_in_all},
          {"counts", counts},
          {"mutants", mutants},
          {"selects", report.selects},
          {"selects_both_ways_by_obligations", report.both_by_obligations},
          {"selects_both_ways", report.both_at_all},
          {"met_by_no_obligation", report.without_obligation},
          {"unreached", unreached},
          {"stale", report.stale},
          {"mistakes", report.mistakes},
          {"exit_code", report.exit_code()}};
}

nlohmann::ordered_json by_rule_json(const Report& report) {
  std::map<std::string, std::map<Kind, std::size_t>> counted;
  for (const Mutant& mutant : report.mutants)
    for (const std::string& rule : std::set(mutant.place->rules.begin(), mutant.place->rules.end()))
      ++counted[rule][mutant.kind()];
  nlohmann::ordered_json rules;
  for (const Rule* rule : kAskedRules) {
    const auto& kinds = counted[rule->id()];
    std::size_t mutants = 0;
    for (const auto& [kind, count] : kinds) mutants += count;
    nlohmann::ordered_json& one = rules[rule->id()] = {{"mutants", mutants}};
    for (const Kind kind : {Kind::killed, Kind::falls, Kind::misreading, Kind::explained}) {
      const auto found = kinds.find(kind);
      one[std::string(name_of(kind))] = found == kinds.end() ? 0 : found->second;
    }
  }
  return {{"how",
           {{"command", "plumbline prove --mutants --by-rule FILE"},
            {"solver", proofs::solver_version()},
            {"mutants", report.mutants.size()},
            {"sites", report.sites}}},
          {"rules", rules}};
}

}  // namespace plumbline::mutants
