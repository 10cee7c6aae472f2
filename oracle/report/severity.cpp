// Sorting differences by what they break.
#include "oracle/report/severity.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "oracle/monitors.h"
#include "spec/rules/catalogue.h"

namespace plumbline {

namespace {

/// The index into kBroken for what each monitor watches.
constexpr std::array<std::pair<Invariant, std::size_t>, 3> kMonitored{
    {{Invariant::immutability, 0}, {Invariant::no_aliasing, 1}, {Invariant::raise_changes_nothing, 2}}};

/// The worst that any of these rules breaks in a profile.
std::size_t severity_of_rules(const std::vector<std::string>& rules, Profile profile) {
  std::size_t worst = kBroken.size() - 1;
  for (const std::string& id : rules) {
    const Rule* rule = find_rule(id);
    const Variant* variant = rule == nullptr ? nullptr : rule->variant(profile);
    if (variant != nullptr) worst = std::min(worst, severity_of(variant->breaks));
  }
  return worst;
}

/// The number in an id such as "INF-06".
int number_of(const std::string& id) { return std::stoi(id.substr(id.find('-') + 1)); }

}  // namespace

std::size_t severity_of(std::string_view breaks) {
  if (breaks.empty()) return kBroken.size() - 1;
  const auto* const named = std::ranges::find(kBroken, breaks);
  return named == kBroken.end() ? kBroken.size() - 2 : static_cast<std::size_t>(named - kBroken.begin());
}

std::size_t severity_of(const Finding& finding, const TestResult& result, const Description& implementation) {
  for (const auto& [invariant, severity] : kMonitored)
    if (finding.difference.signature.find(
            fmt::format("/{}: ", kInvariantNames.at(static_cast<std::size_t>(invariant)))) != std::string::npos)
      return severity;
  const std::vector<std::string>& rules = finding.waiver ? finding.waiver->rules : result.rules;
  return severity_of_rules(rules, profile_named(implementation.profile).value_or(Profile::sound));
}

std::array<std::vector<std::string>, kBroken.size()> departures_of(Profile profile) {
  std::array<std::vector<std::string>, kBroken.size()> all;
  for (const Rule* rule : kAskedRules)
    if (const Variant* variant = rule->variant(profile)) all.at(severity_of(variant->breaks)).push_back(rule->id());
  return all;
}

std::string ids_text(const std::vector<std::string>& ids) {
  std::string text, family;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::size_t dash = ids[i].find('-');
    const std::string number = ids[i].substr(dash + 1);
    if (ids[i].substr(0, dash) != family)
      text += (text.empty() ? "" : " ") + ids[i];
    else
      text += "," + number;
    family = ids[i].substr(0, dash);
    std::size_t last = i;
    while (last + 1 < ids.size() && ids[last + 1].starts_with(family + "-") &&
           number_of(ids[last + 1]) == number_of(ids[last]) + 1)
      ++last;
    if (last < i + 2) continue;  // two are no range
    text += ".." + ids[last].substr(ids[last].find('-') + 1);
    i = last;
  }
  return text;
}

}  // namespace plumbline
