// The report of a sweep, as text and as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "sweep/sweep.h"

namespace plumbline::sweep {

using nlohmann::ordered_json;

namespace {

constexpr std::size_t kShownOperators = 8;

/// Findings of the same law and words.
struct Group {
  std::string law, what;
  Severity severity;
  std::vector<const Finding*> findings;
};

std::vector<Group> groups_of(const SweepReport& report) {
  std::map<std::pair<std::string, std::string>, Group> all;
  for (const Finding& finding : report.findings) {
    const Law* law = law_named(finding.law);
    Group& group = all[{finding.law, finding.what}];
    group.law = finding.law;
    group.what = finding.what;
    group.severity = law == nullptr ? Severity::crash : law->severity;
    group.findings.push_back(&finding);
  }
  std::vector<Group> groups;
  for (auto& [key, group] : all) {
    std::ranges::sort(group.findings, {}, [](const Finding* one) { return std::pair(one->is_private, one->op); });
    groups.push_back(std::move(group));
  }
  std::ranges::sort(groups, {}, [](const Group& one) { return std::tuple(one.severity, one.law, one.what); });
  return groups;
}

std::string percent(std::size_t part, std::size_t whole) {
  return whole == 0 ? "" : fmt::format(" ({:.1f} %)", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

/// Reasons with numbers of operators, most first. What an error says of one call is left out.
std::vector<std::pair<std::string, std::size_t>> reasons_of(const SweepReport& report) {
  std::map<std::string, std::size_t> counts;
  for (const NotJudged& one : report.left) ++counts[one.why.substr(0, one.why.find("; the last error"))];
  std::vector<std::pair<std::string, std::size_t>> reasons(counts.begin(), counts.end());
  std::ranges::sort(reasons, std::ranges::greater(), [](const auto& one) { return std::pair(one.second, one.first); });
  return reasons;
}

}  // namespace

std::string to_text(const SweepReport& report, const std::string& implementation, bool all) {
  std::string text = fmt::format(
      "Operators of {}: {} known, {} callable, {} called{}, {} of them with kept arguments, in {} calls\n\n",
      implementation, report.known, report.callable, report.called, percent(report.called, report.callable),
      report.by_samples, report.calls);
  text += "law    operators  broken by   cases  refused  told apart\n";
  for (std::size_t i = 0; i < laws().size(); ++i) {
    const LawCount& law = report.laws[i];
    text += fmt::format("{}  {:>9}  {:>9}  {:>6}  {:>7}  {:>10}  {}\n", laws()[i].id(), law.operators, law.broken,
                        law.cases, law.refused, law.told, laws()[i].text().sentence);
  }
  std::string severity;
  const std::vector<Group> groups = groups_of(report);
  for (const Group& group : groups) {
    if (const std::string name(kSeverities[static_cast<std::size_t>(group.severity)]); name != severity)
      text += fmt::format("\n{}\n", severity = name);
    const auto own = std::ranges::count_if(group.findings, &Finding::is_private);
    text +=
        fmt::format("  {}: {} ({} operators, {} of them private)\n", group.law, group.what, group.findings.size(), own);
    for (std::size_t i = 0; i < group.findings.size() && (all || i < kShownOperators); ++i)
      text += fmt::format("    {:<40} {}\n", group.findings[i]->op, group.findings[i]->detail);
    if (!all && group.findings.size() > kShownOperators)
      text += fmt::format("    and {} more (-v, or --json)\n", group.findings.size() - kShownOperators);
  }
  text += "\nNot judged\n";
  for (const auto& [why, count] : reasons_of(report)) text += fmt::format("  {:>5}  {}\n", count, why);
  if (all)
    for (const NotJudged& one : report.left) text += fmt::format("    {:<40} {}\n", one.op, one.why);
  if (report.interrupted) text += "\ninterrupted: the operators that were not reached are in no count\n";
  const auto broken = std::ranges::count_if(report.laws, [](const LawCount& law) { return law.broken > 0; });
  text += fmt::format("\n{} of {} operators called, {} findings in {} groups, {} of {} laws broken\n", report.called,
                      report.callable, report.findings.size(), groups.size(), broken, laws().size());
  return text;
}

ordered_json to_json(const SweepReport& report, const SweepOptions& options, const std::string& implementation) {
  ordered_json json{
      {"command", "sweep"},          {"implementation", implementation}, {"version", report.version},
      {"seed", options.seed},        {"tries", options.tries},           {"known", report.known},
      {"callable", report.callable}, {"called", report.called},          {"called_by_samples", report.by_samples},
      {"calls", report.calls},       {"interrupted", report.interrupted}};
  for (std::size_t i = 0; i < laws().size(); ++i)
    json["laws"].push_back({{"id", laws()[i].id()},
                            {"sentence", laws()[i].text().sentence},
                            {"misreading", laws()[i].text().misreading},
                            {"source", laws()[i].text().source},
                            {"operators", report.laws[i].operators},
                            {"broken", report.laws[i].broken},
                            {"cases", report.laws[i].cases},
                            {"refused", report.laws[i].refused},
                            {"told_apart", report.laws[i].told}});
  for (const Exemption& one : exemptions())
    json["exemptions"].push_back({{"law", one.law}, {"operators", one.operators}, {"why", one.why}});
  json["findings"] = ordered_json::array();
  for (const Finding& finding : report.findings) {
    const Law* law = law_named(finding.law);
    json["findings"].push_back({{"operator", finding.op},
                                {"law", finding.law},
                                {"severity", kSeverities[law == nullptr ? 0 : static_cast<std::size_t>(law->severity)]},
                                {"what", finding.what},
                                {"detail", finding.detail},
                                {"private", finding.is_private},
                                {"experiment", to_json(finding.experiment)}});
  }
  json["not_judged"] = ordered_json::array();
  for (const NotJudged& one : report.left) json["not_judged"].push_back({{"operator", one.op}, {"why", one.why}});
  return json;
}

}  // namespace plumbline::sweep
