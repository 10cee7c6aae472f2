// The command `plumbline functionalize`, with its options as parsed.
#pragma once

#include <string>

#include "reference/functionalize/functionalize.h"

namespace plumbline::functionalize {

struct Options {
  std::string file;
  reference::functionalize::Passes passes = reference::functionalize::Passes::ab;
  std::string out;  ///< a file; empty: stdout
  std::string profile = "sound";
  std::string flip;  ///< a rule to misread
};

/// Prints the file with its bodies written out, and returns the exit code. Throws std::runtime_error for a file that
/// cannot be read or written.
int functionalize_command(const Options& options);

}  // namespace plumbline::functionalize
