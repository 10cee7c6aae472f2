// Printing, writing and checking the table of rules.
#include "prove/rules_command.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

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

std::string read(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  if (file) text << file.rdbuf();
  if (!file) throw std::runtime_error(fmt::format("cannot read {}; run plumbline prove --table --write", path));
  return text.str();
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

int table_command(const TableCommand& command) {
  const Measured measured = read_measured(command.measured);
  const RulesTable table = rules_table(gather_facts(command.corpus), measured);
  const std::string text = rules_markdown(table, measured);
  std::vector<std::string> problems = table.problems;
  if (command.mode == TableCommand::Mode::check)
    if (std::string stale = staleness(command.file, read(command.file), text); !stale.empty())
      problems.push_back(std::move(stale));
  for (const std::string& problem : problems) fmt::print(stderr, "{}\n", problem);
  const bool writes = command.mode == TableCommand::Mode::write;
  if (command.mode == TableCommand::Mode::print) fmt::print("{}", text);
  if (writes && problems.empty()) write_file(command.file, text);
  if (problems.empty()) return 0;
  fmt::print(stderr, "{} problems{}\n", problems.size(), writes ? "; the file was not written" : "");
  return 1;
}

}  // namespace plumbline::prove
