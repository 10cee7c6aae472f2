// Writing the page of a rule as Markdown.
#include "prove/rules_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "prove/rules_text.h"

namespace plumbline::prove {

namespace {

constexpr std::size_t kListed =
    12;  ///< up to this many obligations, and programs that do not name the rule, are listed

/// The file with the texts of the rules that a header defines: text/view.cpp for view.h.
std::string text_file(const std::string& header) {
  const std::filesystem::path path(header);
  return (path.parent_path() / "text" / path.stem()).generic_string() + ".cpp";
}

/// "[variable.cpp#L450](https://…)": the last part of an address, or of another rule its page.
std::string source_link(const std::string& link) {
  const std::size_t slash = link.rfind('/');
  if (slash == std::string::npos) return fmt::format("[{}]({}.md)", link, link);
  return fmt::format("[{}]({})", link.substr(slash + 1), link);
}

/// " (links)" of a rule's source, or of its variant's in a profile.
std::string links_text(const PageSources& sources, const std::string& id, std::string_view profile) {
  const auto found = sources.links.find({id, std::string(profile)});
  if (found == sources.links.end() || found->second.empty()) return "";
  std::vector<std::string> links;
  for (const std::string& link : found->second) links.push_back(source_link(link));
  return fmt::format(" ({})", fmt::join(links, ", "));
}

std::string code_text(const PageSources& sources, const std::string& id) {
  const auto found = sources.code.find(id);
  if (found == sources.code.end()) return "";
  std::string text = defined_in(sources, id);
  std::string last;
  for (const CodePiece& piece : found->second.pieces) {
    if (piece.file == found->second.file && last.empty())
      text += " It is asked there:\n";
    else if (piece.file != last)
      text += fmt::format("{}It is asked in {}:\n", last.empty() ? " " : "\n", file_link(piece.file));
    last = piece.file;
    text += fmt::format("\n```cpp\n{}```\n", piece.text);
  }
  return last.empty() ? text + "\n" : text;
}

std::string variants_section(const PageSources& sources, const Rule& rule) {
  std::string text;
  for (const Variant& v : rule.text().variants)
    if (!v.sentence.empty())
      text += fmt::format("- **{}**: {} Source: {}{}.{}\n", name_of(v.profile), v.sentence, v.source,
                          links_text(sources, rule.id(), name_of(v.profile)),
                          v.breaks.empty() ? "" : fmt::format(" Breaks: {}.", v.breaks));
  return text.empty() ? text : "\n## Variants\n\nWhat a profile does instead:\n\n" + text;
}

class PageCells {
 public:
  PageCells(const RulesTable& table, const RulesRow& row) : table_(table), row_(row) {}

  /// The rows of a table of two columns, for the columns with these names; columns with the same text share a row.
  template <class Named>
  std::string rows(Named named) const {
    std::vector<std::pair<std::string, std::string>> shared;
    for (std::size_t c = 0; c < table_.columns.size(); ++c) {
      if (!named(table_.columns[c])) continue;
      const std::string text = cell(row_.cells[c]);
      const auto found = std::ranges::find(shared, text, &std::pair<std::string, std::string>::second);
      if (found == shared.end())
        shared.emplace_back(table_.columns[c], text);
      else
        found->first += ", " + table_.columns[c];
    }
    std::string text;
    for (const auto& [columns, value] : shared) text += fmt::format("| {} | {} |\n", columns, value);
    return text;
  }

 private:
  std::string cell(const RulesCell& cell) const {
    if (!cell.text.empty()) return escaped_cell(cell.text);
    return cell.reason ? fmt::format("none: {}", escaped_cell(table_.reasons.at(*cell.reason))) : "**EMPTY**";
  }

  const RulesTable& table_;
  const RulesRow& row_;
};

std::string proof_section(const PageCells& cells, const Facts& facts, const Measured& measured, const std::string& id) {
  std::string text = "\n## Proofs, mutants, fuzzing\n\n| | |\n|---|---|\n" + cells.rows([](const std::string& column) {
    return column == "obligations" || column == "vacuity" || column == "mutants" || column == "hits";
  });
  std::vector<std::string> names;
  for (const ObligationFact& one : facts.obligations)
    if (std::ranges::find(one.rules, id) != one.rules.end()) names.push_back(one.name);
  if (names.empty()) return text;
  if (names.size() <= kListed) text += fmt::format("\nThe obligations: `{}`.\n", fmt::join(names, "`, `"));
  const auto found = measured.flips.find(id);
  std::vector<std::string> fallen = found == measured.flips.end() ? std::vector<std::string>() : found->second.fallen;
  if (fallen.empty()) return text + "\nNone of the obligations fails if the rule is misread.\n";
  const std::size_t all = fallen.size();
  fallen.resize(std::min(all, kListed));
  return text + fmt::format(
                    "\nOf these obligations, {} fail{} if the rule is misread (`plumbline prove --flip {}`){}: `{}`.\n",
                    all, all == 1 ? "s" : "", id, all > kListed ? fmt::format("; the first {}", kListed) : "",
                    fmt::join(fallen, "`, `"));
}

std::string program_link(const std::string& name) {
  return fmt::format("[{}](../../fuzz/corpus/{})", name, name.substr(0, name.find("::")));
}

std::string programs_section(const Facts& facts, const std::string& id) {
  std::string named;
  std::vector<std::string> others;
  bool all_red = true;
  for (const ProgramFact& one : facts.programs) {
    const bool red = std::ranges::find(one.reddened_by, id) != one.reddened_by.end();
    if (std::ranges::find(one.rules, id) == one.rules.end()) {
      if (red) others.push_back(one.name);
      continue;
    }
    all_red = all_red && red;
    named += fmt::format("- {}{}\n", program_link(one.name), red ? "" : ": passes also if the rule is misread");
  }
  std::string text = "\n## Programs\n\n";
  if (named.empty())
    text += "No curated program names the rule.\n";
  else
    text +=
        fmt::format("These curated programs show the rule.{}\n\n{}",
                    all_red ? " Each fails on the reference if the rule is misread."
                            : " If the rule is misread, they fail on the reference, unless the line says otherwise.",
                    named);
  if (others.empty()) return text;
  text += fmt::format("\nOther programs that fail if it is misread: {}{}:\n\n", others.size(),
                      others.size() > kListed ? fmt::format(". The first {}", kListed) : "");
  for (std::size_t i = 0; i < std::min(others.size(), kListed); ++i)
    text += fmt::format("- {}\n", program_link(others[i]));
  return text;
}

std::string verdicts_section(const PageCells& cells) {
  return "\n## Verdicts\n\nThe columns of [docs/RULES.md](../RULES.md) explain the words.\n\n"
         "| profile, or implementation | verdicts |\n|---|---|\n" +
         cells.rows(
             [](const std::string& column) { return std::ranges::find(kFixedColumns, column) == kFixedColumns.end(); });
}

std::string waivers_section(const std::vector<Waiver>& waivers, const std::string& id) {
  std::string text;
  for (std::size_t i = 0; i < waivers.size(); ++i) {
    const Waiver& one = waivers[i];
    const bool seen = std::ranges::any_of(waivers.begin(), waivers.begin() + static_cast<std::ptrdiff_t>(i),
                                          [&](const Waiver& earlier) { return earlier.id == one.id; });
    if (seen || std::ranges::find(one.rules, id) == one.rules.end()) continue;
    std::vector<std::string> on;
    for (const Waiver& other : waivers)
      if (other.id == one.id) on.push_back(other.implementation);
    text += fmt::format("- **{}** on {}, until {}: {} ({})\n", one.id, fmt::join(on, " and "), one.expires, one.reason,
                        source_link(one.link));
  }
  return text.empty() ? text
                      : "\n## Waivers\n\nThe known divergences that "
                        "[fuzz/corpus/waivers.json](../../fuzz/corpus/waivers.json) lists for the rule:\n\n" +
                            text;
}

}  // namespace

std::string file_link(const std::string& file) { return fmt::format("[{}](../../{})", file, file); }

std::string rule_head(const Rule& rule, const PageSources& sources, std::string_view misreading) {
  return fmt::format(
      "<!-- Generated by `plumbline prove --table --write`; do not edit. -->\n# {}: {}\n\n**{}**\n\n"
      "- Source: {}{}\n- {}: {}\n{}- [All rules](../RULES.md)\n",
      rule.id(), subject_of(rule.family), rule.text().sentence, rule.text().source, links_text(sources, rule.id(), ""),
      misreading, rule.text().misreading,
      rule.text().choice.empty() ? "" : fmt::format("- A choice of {}, without a condition\n", rule.text().choice));
}

std::string defined_in(const PageSources& sources, const std::string& id) {
  const auto found = sources.code.find(id);
  if (found == sources.code.end()) return "";
  return fmt::format("\n## Code\n\nThe rule is defined in {}, its text in {}.", file_link(found->second.file),
                     file_link(text_file(found->second.file)));
}

std::string rule_page(const RulesTable& table, const RulesRow& row, const Facts& facts, const Measured& measured,
                      const PageSources& sources) {
  const Rule& rule = *row.rule;
  const std::string id = rule.id();
  const PageCells cells(table, row);
  std::string text = rule_head(rule, sources, "Misreading, planted to see what notices it");
  text += code_text(sources, id) + variants_section(sources, rule) + proof_section(cells, facts, measured, id);
  return text + programs_section(facts, id) + verdicts_section(cells) + waivers_section(sources.waivers, id);
}

}  // namespace plumbline::prove
