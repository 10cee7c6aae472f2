// The command `plumbline validate --shortest`: for each fault of functionalization, the shortest body that shows it.
#pragma once

#include <string>

namespace plumbline::functionalize {

struct ShortestOptions {
  bool asked = false;
  std::string profile;  ///< bodies run as this release runs them; empty: the passes misread a rule
  std::string flip;     ///< the passes misread only this rule
  int longest = 3;
  unsigned jobs = 1;
  std::string json;  ///< a file, "-" for stdout, empty for none
  bool quiet = false;
};

/// Prints the shortest body for each fault, and returns the exit code: 1 if a fault has none. Throws std::runtime_error
/// for an unknown rule or profile.
int shortest_command(const ShortestOptions& options);

}  // namespace plumbline::functionalize
