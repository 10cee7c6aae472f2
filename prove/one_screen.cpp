// Counting what is as expected, and naming what is not.
#include "prove/one_screen.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>

#include "oracle/report/severity.h"
#include "spec/rules/catalogue.h"

namespace plumbline::prove {

namespace {

using Lines = std::vector<std::string>;
using proofs::Verdict;

bool fell(const Asked& one) { return !one.proof->as_expected() || !one.shown; }

/// A row for each part: what stands before the first point of the names.
Lines parts(const std::vector<Asked>& asked) {
  struct Counts {
    std::string part;
    std::array<std::size_t, 3> of{};  ///< proved, refuted, unknown
    std::size_t fell = 0;
  };
  std::vector<Counts> rows;
  for (const Asked& one : asked) {
    const std::string part = one.proof->obligation->name.substr(0, one.proof->obligation->name.find('.'));
    auto row = std::ranges::find(rows, part, &Counts::part);
    if (row == rows.end()) row = rows.insert(rows.end(), {part, {}, 0});
    const Verdict verdict = one.proof->verdict;
    ++row->of.at(verdict == Verdict::proved ? 0 : verdict == Verdict::refuted ? 1 : 2);
    row->fell += fell(one) ? 1U : 0U;
  }
  Lines lines{
      fmt::format("{:<14}{:>8}{:>9}{:>9}{:>17}", "obligations", "proved", "refuted", "unknown", "not as expected")};
  for (const Counts& row : rows)
    lines.push_back(fmt::format("{:<14}{:>8}{:>9}{:>9}{:>17}", row.part, row.of[0], row.of[1], row.of[2], row.fell));
  return lines;
}

/// What the profile breaks and sound keeps: a line for each severity, with the obligations that each rule breaks.
Lines known(const std::vector<Asked>& asked, const ScreenOptions& options) {
  std::array<std::map<std::string, std::size_t>, kBroken.size()> rules;
  bool any = false;
  for (const Asked& one : asked) {
    if (fell(one)) continue;
    const std::string id = one.reason.substr(0, one.reason.find(':'));
    const Rule* rule = find_rule(id);
    const Variant* variant = rule == nullptr ? nullptr : rule->variant(options.profile);
    if (variant == nullptr) continue;
    ++rules.at(severity_of(variant->breaks))[id];
    any = true;
  }
  if (!any) return {};
  Lines lines{options.screen.paint(
      Colour::yellow, fmt::format("What {} breaks, obligations for each rule:", name_of(options.profile)))};
  for (std::size_t i = 0; i < kBroken.size(); ++i) {
    if (rules.at(i).empty()) continue;
    std::string text;
    for (const auto& [rule, count] : rules.at(i)) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", rule, count);
    for (std::string& line : wrapped(fmt::format("  {}: {}", kBroken.at(i), text), options.screen.width, 4))
      lines.push_back(std::move(line));
  }
  return lines;
}

/// What is not as expected: in full if it fits, otherwise one name in a line.
Lines named(const std::vector<Asked>& asked, std::size_t room, const Screen& screen) {
  std::string full;
  Lines names;
  for (const Asked& one : asked) {
    if (!fell(one)) continue;
    full += one.text;
    names.push_back(fmt::format("  {}{}", one.proof->obligation->name,
                                !one.shown               ? " (no program shows it)"
                                : one.proof->vacuous     ? " (its premises cannot hold)"
                                : one.proof->why.empty() ? ""
                                                         : " (" + one.proof->why + ")"));
  }
  if (names.empty()) return {screen.paint(Colour::green, "New: nothing; every verdict is as expected.")};
  Lines lines{screen.paint(Colour::red, fmt::format("New: {} not as expected:", names.size()))};
  if (screen.lines_of(full) < room) {
    while (full.ends_with('\n')) full.pop_back();
    lines.push_back(std::move(full));
    return lines;
  }
  const std::size_t all = names.size();
  if (all + 1 > room) {
    names.resize(std::max<std::size_t>(room, 3) - 2);
    names.push_back(fmt::format("  … and {} more by name: -v", all - names.size()));
  }
  std::ranges::move(names, std::back_inserter(lines));
  return lines;
}

}  // namespace

std::string one_screen(const std::vector<Asked>& asked, const std::string& closing, const ScreenOptions& options) {
  const Screen& screen = options.screen;
  Lines above = parts(asked);
  for (std::string& line : known(asked, options)) above.push_back(std::move(line));
  const bool failed = std::ranges::any_of(asked, fell);
  above.emplace_back(failed ? "Next: plumbline prove --only NAME shows one with the program that shows it."
                            : "Next: nothing is to be done. plumbline prove --only NAME shows one.");
  above.emplace_back("Everything: -v prints it, --json FILE writes it.");
  const std::size_t last = screen.lines_of(closing);
  const std::size_t room = options.lines - std::min(options.lines, last);
  // What fell needs a line each; what stands above gives way, from its top.
  const std::size_t names = static_cast<std::size_t>(std::ranges::count_if(asked, fell)) + 1;
  const std::size_t kept = std::min(above.size(), room - std::min(room, std::max<std::size_t>(names, 1)));
  above.erase(above.begin(), above.end() - static_cast<std::ptrdiff_t>(kept));
  const Lines below = named(asked, room - kept, screen);
  std::string text;
  for (const std::string& line : above) text += line + "\n";
  return text + fmt::format("{}\n{}", fmt::join(below, "\n"), closing);
}

}  // namespace plumbline::prove
