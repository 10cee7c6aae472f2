// What is mutated: its sources, the executable that they are built into, and what is written about its mutants.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plumbline::mutate {

struct Subject {
  std::string_view name;                  ///< as on the command line
  std::string_view target;                ///< the executable, by Ninja's name
  std::vector<std::string_view> sources;  ///< from the top; a folder stands for its own .h and .cpp, `*` for any text
  std::string_view left_out, survivors;   ///< the lists, from the top
  bool tests = false;                     ///< the target is a test: it meets itself. Else it is a driver

  /// Whether a change of this file is a change of the subject; of a driver: of any file in the folders' own folder.
  bool has(const std::string& file) const;
  /// Its sources that are there, by name, from the top.
  std::vector<std::string> files(const std::string& source) const;
};

/// The subject of this name: "optimized", "oracle" or "harness". Throws std::runtime_error that lists them.
const Subject& subject_named(std::string_view name);

/// Whether `text` fits `pattern`, in which `*` stands for any text.
bool matches(std::string_view pattern, std::string_view text);

}  // namespace plumbline::mutate
