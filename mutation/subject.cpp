// The subjects: the optimized runtime, the oracle's judging code, and the whole harness.
#include "mutation/subject.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <stdexcept>

namespace plumbline::mutate {

namespace {

namespace fs = std::filesystem;

const std::array<Subject, 3>& subjects() {
  static const std::array<Subject, 3> all{
      Subject{"optimized",
              "plumbline-optimized",
              {"optimized/dispatcher/", "optimized/tensor/", "optimized/ops/", "optimized/cpu/", "optimized/autograd/"},
              "mutation/left_out.json",
              "mutation/survivors.json",
              false},
      Subject{"oracle",
              "harness_test",
              {"oracle/compare*.cpp", "oracle/monitors.cpp", "oracle/waivers.cpp", "oracle/verdict.cpp",
               "oracle/expectations.cpp", "oracle/report/*.cpp"},
              "mutation/oracle_left_out.json",
              "mutation/oracle_survivors.json",
              true},
      Subject{"harness",
              "harness_test",
              {"oracle/", "oracle/report/", "cli/", "oracle/dispatcher/", "fuzz/"},
              "mutation/oracle_left_out.json",
              "mutation/oracle_survivors.json",
              true}};
  return all;
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

bool Subject::has(const std::string& file) const {
  const std::string_view folder = std::string_view(file).substr(0, file.rfind('/') + 1);
  return std::ranges::any_of(sources, [&](std::string_view source) {
    return source.ends_with('/') ? tests ? folder == source : file.starts_with("optimized/") : matches(source, file);
  });
}

std::vector<std::string> Subject::files(const std::string& source) const {
  std::vector<std::string> found;
  for (const std::string_view one : sources)
    for (const auto& entry : fs::directory_iterator(fs::path(source) / one.substr(0, one.rfind('/')))) {
      const std::string file = entry.path().lexically_relative(source).string();
      const std::string extension = entry.path().extension().string();
      if ((extension == ".cpp" || extension == ".h") && (one.ends_with('/') || matches(one, file)))
        found.push_back(file);
    }
  std::ranges::sort(found);
  found.erase(std::ranges::unique(found).begin(), found.end());
  return found;
}

const Subject& subject_named(std::string_view name) {
  const auto found = std::ranges::find(subjects(), name, &Subject::name);
  if (found == subjects().end())
    throw std::runtime_error(fmt::format("unknown subject '{}'. The subjects are optimized, oracle and harness", name));
  return *found;
}

}  // namespace plumbline::mutate
