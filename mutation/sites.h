// The one-token changes that are possible in a source.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::mutate {

/// A change of one token, or a dropped statement. `function`, `text`, `change` and `nth` still name it after edits
/// elsewhere in its file.
struct Site {
  std::string file;  ///< its path in the project: "optimized/dispatcher/operator.cpp"
  std::uint32_t line = 0, column = 0;
  std::string function;            ///< the innermost named function or type around it; empty if there is none
  std::string text;                ///< its line without indentation
  std::string change;              ///< "< -> <=", "0 -> 1", "statement -> dropped", "! -> dropped"
  int nth = 1;                     ///< its number among this file's changes with the same function, text and change
  std::size_t at = 0, length = 0;  ///< what is replaced
  std::string with;

  /// "optimized/dispatcher/operator.cpp:55:40 < -> <="
  std::string name() const;
  /// The name without line numbers; a sample is chosen by it.
  std::string key() const;
};

/// All sites of a source, in order: comparisons (== != < <= > >=), && and ||, + - += -=, a dropped `!`, numbers, true
/// and false, and dropped statements of one line. Not in static_assert, assert, attributes, alignas, noexcept, template
/// parameters, aliases, and names of operators. The source is formatted: spaces around `<` distinguish a comparison
/// from template arguments. Throws std::runtime_error, with file and line, for text that is not C++.
std::vector<Site> sites_of(const std::string& file, const std::string& source);

/// The source with this change.
std::string mutated(const std::string& source, const Site& site);

}  // namespace plumbline::mutate
