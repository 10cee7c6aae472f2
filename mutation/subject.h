// A subject of mutation: its sources, the executable built from them, and the lists about its mutants.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plumbline::mutate {

struct Subject {
  std::string_view name;    ///< as on the command line
  std::string_view target;  ///< the executable's name in Ninja
  /// Paths in the project; a folder stands for its own .h and .cpp files, `*` for any text.
  std::vector<std::string_view> sources;
  std::string_view left_out, survivors;  ///< the lists' paths in the project
  bool tests = false;                    ///< whether the target is a test executable; otherwise it is a driver

  /// Whether a change of this file changes the subject; for a driver, whether the file is in optimized/.
  bool has(const std::string& file) const;
  /// Its existing sources, as sorted paths in the project.
  std::vector<std::string> files(const std::string& source) const;
};

/// The subject "optimized", "oracle" or "harness". For another name throws std::runtime_error, which lists them.
const Subject& subject_named(std::string_view name);

/// Whether `text` matches `pattern`, where `*` stands for any text.
bool matches(std::string_view pattern, std::string_view text);

}  // namespace plumbline::mutate
