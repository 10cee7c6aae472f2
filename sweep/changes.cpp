// Comparing two sweeps.
#include "sweep/changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace plumbline::sweep {

namespace {

constexpr std::size_t kShownOfAChange = 8;

std::set<std::string> names_of(const std::vector<Operator>& operators) {
  std::set<std::string> names;
  for (const Operator& op : operators) names.insert(op.full_name());
  return names;
}

/// Operators that were called; a crash is a call too.
std::set<std::string> called(const SweepReport& report) {
  std::set<std::string> names = names_of(report.operators);
  for (const NotJudged& one : report.left) names.erase(one.op);
  for (const Finding& finding : report.findings) names.insert(finding.op);
  return names;
}

using Key = std::tuple<std::string, std::string, std::string>;

std::set<Key> keys_of(const SweepReport& report, const std::set<std::string>& operators) {
  std::set<Key> keys;
  for (const Finding& finding : report.findings)
    if (operators.contains(finding.op)) keys.emplace(finding.law, finding.what, finding.op);
  return keys;
}

void add(Changes& to, const std::set<Key>& these, const std::set<Key>& not_these, bool is_new) {
  for (const Key& key : these)
    if (!not_these.contains(key)) to.changes.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), is_new});
}

std::vector<std::string> only_in(const std::set<std::string>& these, const std::set<std::string>& others) {
  std::vector<std::string> only;
  std::ranges::set_difference(these, others, std::back_inserter(only));
  return only;
}

}  // namespace

Changes changes(const SweepReport& before, const SweepReport& after) {
  Changes all;
  all.removed = only_in(names_of(before.operators), names_of(after.operators));
  all.added = only_in(names_of(after.operators), names_of(before.operators));
  std::set<std::string> both;
  std::ranges::set_intersection(called(before), called(after), std::inserter(both, both.end()));
  all.both = both.size();
  const std::set<Key> first = keys_of(before, both);
  const std::set<Key> second = keys_of(after, both);
  add(all, second, first, true);
  add(all, first, second, false);
  return all;
}

std::string to_text(const Changes& changes, const std::string& before, const std::string& after, bool all) {
  std::string text = fmt::format("\nFrom {} to {}: {} operators called in both, {} added, {} removed\n", before, after,
                                 changes.both, changes.added.size(), changes.removed.size());
  std::map<std::tuple<bool, std::string, std::string>, std::vector<std::string>> groups;
  for (const Change& one : changes.changes) groups[{!one.is_new, one.law, one.what}].push_back(one.op);
  for (const auto& [key, operators] : groups) {
    const auto& [is_old, law, what] = key;
    text += fmt::format("  {} {}: {} ({} operators)\n", is_old ? "no longer" : "new", law, what, operators.size());
    for (std::size_t i = 0; i < operators.size() && (all || i < kShownOfAChange); ++i)
      text += fmt::format("    {}\n", operators[i]);
    if (!all && operators.size() > kShownOfAChange)
      text += fmt::format("    and {} more (-v, or --json)\n", operators.size() - kShownOfAChange);
  }
  return text;
}

nlohmann::ordered_json to_json(const Changes& changes) {
  nlohmann::ordered_json json{{"both", changes.both}, {"added", changes.added}, {"removed", changes.removed}};
  json["changes"] = nlohmann::ordered_json::array();
  for (const Change& one : changes.changes)
    json["changes"].push_back({{"law", one.law}, {"what", one.what}, {"operator", one.op}, {"new", one.is_new}});
  return json;
}

}  // namespace plumbline::sweep
