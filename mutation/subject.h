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
  bool tests = false;                     ///< the target is a test: it meets itself
  std::vector<std::string_view> trees{};  ///< folders of which everything below belongs to it, too; `tests` or not
  std::vector<std::string_view> commands{};  ///< what the target is told to do; none, and no test: it is a driver
  std::string_view compiled{};  ///< only objects of sources whose path begins so are compiled again; empty: all

  /// Whether a change of this file is a change of the subject.
  bool has(const std::string& file) const;
  /// Its sources that are there, by name, from the top.
  std::vector<std::string> files(const std::string& source) const;
};

/// Every subject's name.
std::vector<std::string> subject_names();
/// The subject of this name. Throws std::runtime_error that lists them.
const Subject& subject_named(std::string_view name);

}  // namespace plumbline::mutate
