// The commands of plumbline-dispatcher, with their options as parsed.
#pragma once

#include <string>
#include <vector>

namespace plumbline::cli {

struct DispatchTablesOptions {
  std::vector<std::string> on;  ///< libtorch-VERSION, or a file with a dump
  std::string profile;          ///< empty: the implementation's own
  std::string flip;             ///< a rule to misread
  std::string json;             ///< a file, "-" for stdout, empty for none
  bool all = false;             ///< every difference, not the first of each kind
};

/// Returns the exit code.
int dispatch_tables_command(const DispatchTablesOptions& options);

}  // namespace plumbline::cli
