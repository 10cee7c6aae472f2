// Loading the curated programs, and running them.
#include "fuzz/curated.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "oracle/compare.h"
#include "oracle/program/parse.h"
#include "reference/machine.h"

namespace plumbline::fuzz {

std::vector<Curated> load_curated(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("test_") && name.ends_with(".py")) files.push_back(entry.path());
  }
  if (files.empty())
    throw std::runtime_error(fmt::format("{}: there is no test_*.py; name the folder of the curated programs", folder));
  std::ranges::sort(files);
  std::vector<Curated> curated;
  for (const auto& file : files)
    for (program::Test& test : program::lower(program::parse_file(file.string())))
      curated.push_back({file.filename().string(), std::move(test)});
  return curated;
}

bool is_red(const program::Test& test, Adapter& adapter, const reference::Judge& expected) {
  Script script = test.script;
  script.statements.push_back({Snapshot{}, 0});
  const RunResult got = adapter.run(script);
  if (check_expectations(test, got, adapter.describe()).verdict == Verdict::divergent) return true;
  return compare(script, reference::run(expected, script), got, adapter.describe()).verdict == Verdict::divergent;
}

}  // namespace plumbline::fuzz
