// Reading the lists about mutants.
#include "mutation/entries.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "support/json_entry.h"

namespace plumbline::mutate {

namespace {

using Words = std::vector<std::string_view>;

/// The entries of a list. The members `needed` are required, the members `known` are allowed.
std::vector<Entry> load(const std::string& path, const std::string& list, const Words& needed, const Words& known) {
  const std::string form = fmt::format("{{\"{}\": \"…\"}}", fmt::join(needed, "\": \"…\", \""));
  const auto json = load_json_list<std::runtime_error>(path, list, "it is a list of mutants, see --help",
                                                       fmt::format(", with entries {}", form));
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const JsonEntry<std::runtime_error> one(fmt::format("{}: entry {}", path, i + 1), json[i], known, form);
    const auto text = [&](std::string_view name) -> std::string {
      const bool must = std::ranges::find(needed, name) != needed.end();
      if (!must && !one.has(name)) return "";
      const nlohmann::json& value = one.member(name, fmt::format("an entry has {}", fmt::join(needed, ", ")));
      if (!value.is_string() || value.get_ref<const std::string&>().empty())
        one.refuse_value(name, value, "it must be a string that is not empty");
      return value;
    };
    Entry entry{text("file"), text("function"), text("line"), text("change"), 0, text("reason"), text("by")};
    if (one.has("nth")) {
      const nlohmann::json& nth = one.member("nth", "");
      if (!nth.is_number_integer() || nth.get<int>() < 1)
        one.refuse_value("nth", nth, "it must be an integer of at least 1");
      entry.nth = nth;
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

/// Whether `by`, "FILE::NAME", names a test of the project.
bool is_there(const std::string& by, const std::string& source) {
  const std::size_t colons = by.find("::");
  if (colons == std::string::npos || colons + 2 == by.size()) return false;
  std::ifstream file(source + "/" + by.substr(0, colons));
  std::stringstream text;
  text << file.rdbuf();
  return file.is_open() && text.str().find(by.substr(colons + 2)) != std::string::npos;
}

}  // namespace

bool matches(std::string_view pattern, std::string_view text) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == text;
  if (!text.starts_with(pattern.substr(0, star))) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t at = star; at <= text.size(); ++at)
    if (matches(rest, text.substr(at))) return true;
  return false;
}

bool Entry::fits(const Site& site) const {
  return (file == site.file || (file.ends_with('/') && site.file.starts_with(file))) &&
         (function.empty() || function == site.function) && (line.empty() || matches(line, site.text)) &&
         (change.empty() || change == site.change) && (nth == 0 || nth == site.nth);
}

std::string Entry::name() const {
  std::string name = file;
  if (!function.empty()) name += ", " + function;
  if (!line.empty()) name += fmt::format(", '{}'", line);
  if (!change.empty()) name += ", " + change;
  if (nth != 0) name += fmt::format(", number {}", nth);
  return name;
}

std::vector<Entry> load_left_out(const std::string& path) {
  return load(path, "left_out", {"file", "reason"}, {"file", "function", "line", "change", "nth", "reason"});
}

std::vector<Entry> load_survivors(const std::string& path) {
  return load(path, "survivors", {"file", "line", "change", "reason", "by"},
              {"file", "function", "line", "change", "nth", "reason", "by"});
}

std::vector<Entry> load_survivors(const std::string& path, const std::string& source) {
  std::vector<Entry> entries = load_survivors(path);
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (!is_there(entries[i].by, source))
      throw std::runtime_error(
          fmt::format("{}: entry {} ({}) names '{}' in \"by\", which is not a test; write FILE::NAME, with the file's "
                      "path in the project and a name that occurs in the file",
                      path, i + 1, entries[i].name(), entries[i].by));
  return entries;
}

std::vector<Entry> load_mutants(const std::string& path) {
  return load(path, "mutants", {"file", "line", "change"}, {"file", "function", "line", "change", "nth"});
}

}  // namespace plumbline::mutate
