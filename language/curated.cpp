// Loading the curated programs.
#include "language/curated.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "language/parse.h"

namespace plumbline {

std::vector<CuratedTest> load_curated(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("test_") && name.ends_with(".py")) files.push_back(entry.path());
  }
  if (files.empty())
    throw std::runtime_error(
        fmt::format("{}: the folder has no test_*.py; name the folder of the curated programs", folder));
  std::ranges::sort(files);
  std::vector<CuratedTest> curated;
  for (const auto& file : files)
    for (program::Test& test : program::lower(program::parse_file(file.string())))
      curated.push_back({file.filename().string(), std::move(test)});
  return curated;
}

std::vector<CuratedTest> load_curated_folders(const std::vector<std::string>& folders) {
  std::vector<CuratedTest> curated;
  for (const std::string& folder : folders)
    for (CuratedTest& test : load_curated(folder)) curated.push_back(std::move(test));
  return curated;
}

}  // namespace plumbline
