// Printing, writing and checking the table of rules.
#include "prove/rules_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "prove/rules_code.h"
#include "prove/rules_laws.h"
#include "prove/rules_page.h"
#include "prove/rules_text.h"
#include "support/files.h"

namespace plumbline::prove {

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string quoted(const std::vector<std::string>& lines, std::size_t i) {
  return i < lines.size() ? fmt::format("'{}'", lines[i]) : "its end";
}

/// The text of a file; nothing if it cannot be read.
std::optional<std::string> text_of_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  if (file) text << file.rdbuf();
  return file ? std::optional(text.str()) : std::nullopt;
}

/// The file names in a folder that end with .md, in order; none if there is no folder.
std::vector<std::string> pages_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none))
    if (entry.path().extension() == ".md") names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

}  // namespace

std::string staleness(const std::string& file, const std::string& written, const std::string& text) {
  if (written == text) return "";
  const std::vector<std::string> old_lines = lines_of(written);
  const std::vector<std::string> new_lines = lines_of(text);
  std::size_t i = 0;
  while (i < old_lines.size() && i < new_lines.size() && old_lines[i] == new_lines[i]) ++i;
  return fmt::format("{}:{}: out of date: it has {}\n  but should have {}; run plumbline prove --table --write", file,
                     i + 1, quoted(old_lines, i), quoted(new_lines, i));
}

std::vector<std::string> stale_pages(const std::string& folder, const Pages& pages) {
  std::vector<std::string> problems;
  for (const auto& [name, text] : pages) {
    const std::string path = folder + "/" + name;
    const std::optional<std::string> written = text_of_file(path);
    if (!written) {
      problems.push_back(fmt::format("{}: missing; run plumbline prove --table --write", path));
    } else if (std::string stale = staleness(path, *written, text); !stale.empty()) {
      problems.push_back(std::move(stale));
    }
  }
  for (const std::string& name : pages_in(folder))
    if (!pages.contains(name))
      problems.push_back(
          fmt::format("{}/{}: no rule has this page; plumbline prove --table --write removes it", folder, name));
  return problems;
}

void write_pages(const std::string& folder, const Pages& pages) {
  std::filesystem::create_directories(folder);
  for (const auto& [name, text] : pages) write_file(folder + "/" + name, text);
  for (const std::string& name : pages_in(folder))
    if (!pages.contains(name)) std::filesystem::remove(folder + "/" + name);
}

int table_command(const TableCommand& command) {
  using Mode = TableCommand::Mode;
  const std::filesystem::path docs = std::filesystem::path(command.file).parent_path();
  const std::string folder = (docs / "rules").string();
  const Measured measured = read_measured(command.measured);
  const Facts facts = gather_facts(command.corpus);
  const RulesTable table = rules_table(facts, measured);
  const std::string root = docs.parent_path().string();
  const Laws laws = read_laws(root);
  const std::string text = rules_markdown(table, measured, laws);
  const PageSources sources = read_page_sources(root, command.corpus + "/waivers.json");
  Pages pages;
  for (const RulesRow& row : table.rows)
    pages[row.rule->id() + ".md"] = rule_page(table, row, facts, measured, sources);
  for (const LawRow& row : laws.rows) pages[row.rule->id() + ".md"] = law_page(laws, row, sources);
  std::vector<std::string> problems = table.problems;
  problems.insert(problems.end(), laws.problems.begin(), laws.problems.end());
  if (command.mode == Mode::check) {
    const std::string written = text_of_file(command.file).value_or("");
    if (std::string stale = staleness(command.file, written, text); !stale.empty())
      problems.push_back(std::move(stale));
    for (std::string& stale : stale_pages(folder, pages)) problems.push_back(std::move(stale));
  }
  for (const std::string& problem : problems) fmt::print(stderr, "{}\n", problem);
  const bool writes = command.mode == Mode::write;
  if (command.mode == Mode::print) fmt::print("{}", text);
  if (writes && problems.empty()) {
    write_file(command.file, text);
    write_pages(folder, pages);
  }
  if (problems.empty()) return 0;
  fmt::print(stderr, "{} problems{}\n", problems.size(), writes ? "; nothing was written" : "");
  return 1;
}

}  // namespace plumbline::prove
