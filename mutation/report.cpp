// Writing the report of a run over mutants.
#include "mutation/report.h"

#include <fmt/format.h>

#include <array>

#include "oracle/verdict.h"

namespace plumbline::mutate {

namespace {

/// How many mutants were tested.
std::size_t hunted(const std::map<Outcome, std::size_t>& counts) {
  std::size_t sum = 0;
  for (const auto& [outcome, count] : counts)
    if (outcome <= Outcome::undecided) sum += count;
  return sum;
}
std::size_t count_of(const std::map<Outcome, std::size_t>& counts, Outcome outcome) {
  const auto found = counts.find(outcome);
  return found == counts.end() ? 0 : found->second;
}
double percent(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string kills_text(const Report& report) {
  std::map<std::string, std::size_t> kinds;
  std::map<std::string, std::size_t> steps;
  for (const Mutant& mutant : report.mutants) {
    if (mutant.outcome != Outcome::killed) continue;
    ++kinds[std::string(name_of(mutant.fate.kill))];
    ++steps[mutant.fate.step];
  }
  std::string text;
  const auto list = [&](const char* title, const std::map<std::string, std::size_t>& counted) {
    if (counted.empty()) return;
    text += title;
    for (const auto& [name, count] : counted)
      text += fmt::format("{}{} {}", name == counted.begin()->first ? " " : ", ", count, name);
    text += "\n";
  };
  list("killed as:", kinds);
  list("killed by:", steps);
  return text;
}

}  // namespace

std::string_view name_of(Outcome outcome) {
  constexpr std::array<std::string_view, 7> names{"killed",       "explained", "survived", "undecided",
                                                  "not compiled", "same code", "not run"};
  return names.at(static_cast<std::size_t>(outcome));
}

std::map<Outcome, std::size_t> Report::counts() const {
  std::map<Outcome, std::size_t> counted;
  for (const Mutant& mutant : mutants) ++counted[mutant.outcome];
  return counted;
}

double Report::share() const {
  const auto counted = counts();
  const std::size_t killed = count_of(counted, Outcome::killed);
  const std::size_t open = killed + count_of(counted, Outcome::survived);
  return open == 0 ? 1 : static_cast<double>(killed) / static_cast<double>(open);
}

int Report::exit_code() const {
  const auto counted = counts();
  if (interrupted) return kExitInterrupted;
  if (!failed.empty() || count_of(counted, Outcome::undecided) > 0) return kExitHarness;
  if (hunted(counted) == 0) return kExitNothing;
  return share() < least || !stale.empty() ? 1 : 0;
}

std::string line_of(const Mutant& mutant) {
  const std::string name = fmt::format("{} | {}", mutant.site.name(), mutant.site.text);
  switch (mutant.outcome) {
    case Outcome::killed:
      return fmt::format("{}: killed by {} ({}): {}", name, mutant.fate.step, name_of(mutant.fate.kill),
                         mutant.fate.what);
    case Outcome::explained:
      return fmt::format("{}: survives: {}", name, mutant.why);
    case Outcome::survived:
      return fmt::format("{}: SURVIVES without a reason; its driver: {}", name, mutant.driver);
    case Outcome::undecided:
      return fmt::format("{}: UNDECIDED: {}", name, mutant.fate.failure);
    case Outcome::not_compiled:
    case Outcome::same_code:
    case Outcome::not_run:
      return fmt::format("{}: {}{}", name, name_of(mutant.outcome), mutant.why.empty() ? "" : ": " + mutant.why);
  }
  return name;
}

std::string closing_text(const Report& report) {
  std::string text = kills_text(report);
  for (const auto& list : {report.notes, report.stale, report.failed})
    for (const std::string& line : list) text += line + "\n";
  const auto counted = report.counts();
  const auto count = [&](Outcome outcome) { return count_of(counted, outcome); };
  const std::size_t mutants = hunted(counted);
  text += fmt::format(
      "{} sites, {} more are left out; seed {}; {} did not compile, {} compiled to the same code; {:.0f} s\n",
      report.sites, report.left_out_sites, report.seed, count(Outcome::not_compiled), count(Outcome::same_code),
      report.seconds);
  text += fmt::format("{} of {} mutants killed ({:.1f} %), {} survive with a reason, {} survive without one",
                      count(Outcome::killed), mutants, percent(count(Outcome::killed), mutants),
                      count(Outcome::explained), count(Outcome::survived));
  if (count(Outcome::undecided) > 0) text += fmt::format(", {} undecided", count(Outcome::undecided));
  text += fmt::format("; killed of those without a reason: {:.1f} %, required: {:.0f} %", 100 * report.share(),
                      100 * report.least);
  if (report.interrupted) text += "; interrupted";
  return text + "\n";
}

nlohmann::ordered_json json_of(const Report& report) {
  nlohmann::ordered_json mutants = nlohmann::ordered_json::array();
  for (const Mutant& mutant : report.mutants) {
    const Site& site = mutant.site;
    nlohmann::ordered_json one{
        {"name", site.name()},   {"file", site.file}, {"function", site.function},         {"line", site.text},
        {"change", site.change}, {"nth", site.nth},   {"outcome", name_of(mutant.outcome)}};
    if (mutant.outcome == Outcome::killed)
      one["killed"] = {{"as", name_of(mutant.fate.kill)},
                       {"by", mutant.fate.step},
                       {"what", mutant.fate.what},
                       {"command", mutant.fate.command}};
    if (!mutant.why.empty()) one["why"] = mutant.why;
    if (!mutant.fate.failure.empty()) one["failure"] = mutant.fate.failure;
    if (!mutant.driver.empty()) one["driver"] = mutant.driver;
    one["build_s"] = mutant.build_s;
    one["hunt_s"] = mutant.hunt_s;
    mutants.push_back(std::move(one));
  }
  nlohmann::ordered_json counts = nlohmann::ordered_json::object();
  for (const auto& [outcome, count] : report.counts()) counts[std::string(name_of(outcome))] = count;
  return {{"command", "mutate"},
          {"seed", report.seed},
          {"wanted", report.wanted},
          {"sites", report.sites},
          {"sites_left_out", report.left_out_sites},
          {"counts", counts},
          {"share", report.share()},
          {"least_share", report.least},
          {"mutants", mutants},
          {"notes", report.notes},
          {"stale", report.stale},
          {"failed", report.failed},
          {"interrupted", report.interrupted},
          {"seconds", report.seconds},
          {"exit_code", report.exit_code()}};
}

}  // namespace plumbline::mutate
