// Asking for a file that fails under plain Python, and writing it.
#include "fuzz/plain_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>

#include "adapters/exhibit.h"
#include "fuzz/campaign.h"
#include "fuzz/report.h"
#include "oracle/explain/exhibit.h"

namespace plumbline::fuzz {

namespace {

/// FOLDER/NAME.plain.py for FOLDER/test_NAME.py: pytest collects no such file.
std::string path_beside(const std::string& reproducer) {
  constexpr std::string_view kTest = "test_";
  const std::filesystem::path path(reproducer);
  std::string name = path.stem().string();
  if (name.starts_with(kTest)) name.erase(0, kTest.size());
  return (path.parent_path() / (name + ".plain.py")).string();
}

}  // namespace

std::string write_plain_file(const std::string& reproducer, const Script& script, const reference::Judge& expected,
                             Adapter& adapter) {
  const Held held = hold(adapter, expected, script);
  if (held.comparison.differences.empty()) return "";
  const Difference& difference = held.comparison.differences.front();
  const Description& d = adapter.describe();
  const std::string path = path_beside(reproducer);
  std::string found = explain::found_text(difference, fmt::format("{} {}", d.name, d.version),
                                          explain::rules_at(script, expected.profile, difference));
  found += fmt::format("Run it: python {}\n", std::filesystem::path(path).filename().string());
  const auto exhibit = show(adapter, script, difference.statement, found);
  if (!exhibit) return "";
  if (!exhibit->file.empty()) write_file(path, exhibit->file);
  return explain::file_text(*exhibit, path);
}

}  // namespace plumbline::fuzz
