// The executables beside the one that is running.
#include "support/siblings.h"

#include <algorithm>
#include <charconv>
#include <tuple>

namespace plumbline {

namespace {

/// The numbers of "2.13.0"; a part that is not a number counts as 0.
std::vector<int> numbers(std::string_view version) {
  std::vector<int> found;
  for (const char* at = version.data(); at < version.data() + version.size();) {
    int number = 0;
    at = std::from_chars(at, version.data() + version.size(), number).ptr + 1;
    found.push_back(number);
  }
  return found;
}

bool newer(const std::string& a, const std::string& b) {
  return std::make_tuple(numbers(a), a) > std::make_tuple(numbers(b), b);
}

}  // namespace

std::filesystem::path executable_folder() { return std::filesystem::read_symlink("/proc/self/exe").parent_path(); }

std::vector<std::string> libtorch_versions(const std::filesystem::path& folder, std::string_view prefix) {
  std::vector<std::string> versions;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (name.starts_with(prefix) && entry.is_regular_file()) versions.push_back(name.substr(prefix.size()));
  }
  std::ranges::sort(versions, newer);
  return versions;
}

bool has_python(const std::filesystem::path& folder) { return std::filesystem::exists(folder / "plumbline-python"); }

std::vector<std::string> implementations_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  if (std::filesystem::exists(folder / "plumbline-optimized")) names.emplace_back("optimized");
  for (const std::string& version : libtorch_versions(folder)) names.push_back("libtorch-" + version);
  if (has_python(folder)) names.emplace_back(kPython);
  return names;
}

}  // namespace plumbline
