// Where a source can be changed in one token, and to what.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::mutate {

/// A change of one token, or of a statement to nothing. `function`, `text`, `change` and `nth` name it whatever is
/// edited elsewhere in its file.
struct Site {
  std::string file;  ///< from the top: "optimized/dispatcher/operator.cpp"
  std::uint32_t line = 0, column = 0;
  std::string function;            ///< the innermost named function or type around it; empty: none
  std::string text;                ///< its line without indentation
  std::string change;              ///< "< -> <=", "0 -> 1", "statement -> dropped", "! -> dropped"
  int nth = 1;                     ///< among the changes of this file with the same function, text and change
  std::size_t at = 0, length = 0;  ///< what is replaced
  std::string with;

  /// "optimized/dispatcher/operator.cpp:55:40 < -> <="
  std::string name() const;
  /// Without the numbers of lines: what a sample is chosen by.
  std::string key() const;
};

/// All of a source, in its order: comparisons (== != < <= > >=), && and ||, + - += -=, a dropped `!`, numbers, true and
/// false, and dropped statements of one line. Not in static_assert, assert, attributes, alignas, noexcept, template
/// parameters, aliases, and names of operators. The source is formatted: white space around `<` tells a comparison from
/// template arguments. Throws std::runtime_error, with file and line, for what is no C++.
std::vector<Site> sites_of(const std::string& file, const std::string& source);

/// The source with this change.
std::string mutated(const std::string& source, const Site& site);

}  // namespace plumbline::mutate
