// Cutting the code of each rule out of the sources, and reading the links of its source.
#include "prove/rules_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

#include "spec/rules/rule.h"

namespace plumbline::prove {

namespace {

std::vector<std::string> source_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The ids that code names as `INF_06`, as "INF-06".
std::set<std::string> rules_named_in(const std::string& code) {
  static const std::regex name(R"(\b([A-Z]{2,4})_([0-9]{2,3})\b)");
  std::set<std::string> ids;
  for (std::sregex_iterator i(code.begin(), code.end(), name), end; i != end; ++i)
    if (std::ranges::find(kFamilyNames, (*i)[1].str()) != kFamilyNames.end())
      ids.insert((*i)[1].str() + "-" + (*i)[2].str());
  return ids;
}

/// One past the last line of the declaration that begins at `first`: braces are closed there.
std::size_t end_of_declaration(const std::vector<std::string>& lines, std::size_t first) {
  std::ptrdiff_t depth = 0;
  for (std::size_t i = first; i < lines.size(); ++i) {
    depth += std::ranges::count(lines[i], '{') - std::ranges::count(lines[i], '}');
    if (depth <= 0 && (lines[i].ends_with('}') || lines[i].ends_with(';'))) return i + 1;
  }
  return lines.size();
}

std::string joined_lines(const std::vector<std::string>& lines, std::size_t first, std::size_t end) {
  std::size_t indent = std::string::npos;
  for (std::size_t i = first; i < end; ++i) indent = std::min(indent, lines[i].find_first_not_of(' '));
  std::string text;
  for (std::size_t i = first; i < end; ++i)
    text += (lines[i].empty() ? "" : lines[i].substr(std::min(indent, lines[i].size()))) + "\n";
  return text;
}

bool begins_declaration(const std::string& line) {
  return !line.empty() && (std::isalpha(static_cast<unsigned char>(line.front())) != 0) &&
         !line.starts_with("namespace ") && !line.starts_with("using ");
}

/// Passes the files of a folder, and of its subfolders except `tests`, to `read`, ordered by path from the root.
template <class Read>
void each_source(const std::string& root, const std::string& folder, Read read) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root + "/" + folder))
    if (entry.path().extension() == ".h" || entry.path().extension() == ".cpp") paths.push_back(entry.path());
  std::ranges::sort(paths);
  for (const std::filesystem::path& path : paths)
    if (const std::string name = path.lexically_relative(root).generic_string();
        name.find("/tests/") == std::string::npos)
      read(name, whole_file(path.string()));
}

}  // namespace

std::string whole_file(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  if (file) text << file.rdbuf();
  if (!file) throw std::runtime_error(fmt::format("cannot read {}", path));
  return text.str();
}

CodePiece cut_function(const std::string& file, const std::string& text, const std::string& name) {
  const std::vector<std::string> lines = source_lines(text);
  const std::regex defined(fmt::format(R"(\b{}\()", name));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (name.empty() || !begins_declaration(lines[i]) || !std::regex_search(lines[i], defined)) continue;
    const std::size_t end = end_of_declaration(lines, i);
    while (i > 0 && lines[i - 1].starts_with("//")) --i;
    return {file, joined_lines(lines, i, end)};
  }
  return {file, ""};
}

void cut_rules(const std::string& file, const std::string& text, std::map<std::string, RuleCode>& code) {
  static const std::regex definition(R"(^inline constexpr Rule ([A-Z]{2,4})_([0-9]{2,3})\{)");
  const std::vector<std::string> lines = source_lines(text);
  std::size_t comment = 0;  // where the comment directly above begins
  for (std::size_t i = 0; i < lines.size();) {
    if (!begins_declaration(lines[i])) {
      ++i;
      if (!lines[i - 1].starts_with("///")) comment = i;
      continue;
    }
    const std::size_t end = end_of_declaration(lines, i);
    if (std::smatch found; std::regex_search(lines[i], found, definition)) {
      code[found[1].str() + "-" + found[2].str()].file = file;
    } else {
      for (const std::string& id : rules_named_in(joined_lines(lines, i, end)))
        code[id].pieces.push_back({file, joined_lines(lines, comment, end)});
    }
    comment = i = end;
  }
}

void cut_statements(const std::string& file, const std::string& text, std::map<std::string, RuleCode>& code) {
  const std::vector<std::string> lines = source_lines(text);
  const auto ends = [&](std::size_t i) {
    const std::string& line = lines[i];
    return line.empty() || line.ends_with(';') || line.ends_with('{') || line.ends_with('}') || line.ends_with(':');
  };
  for (std::size_t i = 0; i < lines.size(); ++i)
    for (const std::string& id : rules_named_in(lines[i])) {
      const auto found = code.find(id);
      const bool comment = lines[i].find_first_not_of(' ') == lines[i].find("//");
      if (found == code.end() || comment) continue;
      std::vector<CodePiece>& pieces = found->second.pieces;
      if (!pieces.empty() && pieces.front().file.starts_with("spec/")) continue;
      std::size_t first = i;
      while (first > 0 && !ends(first - 1)) --first;
      std::size_t end = i + 1;
      while (end < lines.size() && !ends(end - 1)) ++end;
      CodePiece piece{file, joined_lines(lines, first, end)};
      if (std::ranges::find(pieces, piece) == pieces.end()) pieces.push_back(std::move(piece));
    }
}

PageSources read_page_sources(const std::string& root, const std::string& waivers) {
  PageSources sources;
  each_source(root, "spec/rules", [&](const std::string& name, const std::string& text) {
    if (!name.starts_with("spec/rules/catalogue.")) cut_rules(name, text, sources.code);
  });
  each_source(root, "reference",
              [&](const std::string& name, const std::string& text) { cut_statements(name, text, sources.code); });
  const std::string path = root + "/spec/sources.json";
  try {
    const nlohmann::json json = nlohmann::json::parse(whole_file(path));
    for (const nlohmann::json& one : json.at("sources"))
      sources.links[{one.at("rule").get<std::string>(), one.value("profile", "")}] = one.at("links").get<Links>();
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(fmt::format("{}: {}; spec/link_sources.py writes it", path, error.what()));
  }
  sources.waivers = load_waivers(waivers, "");  // a page shows an expired waiver too; the runs refuse it
  return sources;
}

}  // namespace plumbline::prove
