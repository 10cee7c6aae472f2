// The command `plumbline validate`, with its options as parsed.
#pragma once

#include <string>

#include "functionalization/validate/run.h"

namespace plumbline::validate {

struct CommandOptions {
  Options run;
  bool exhaustive = false;
  int length = 3;
  unsigned jobs = 1;
  std::string flip;
  std::string json;    ///< a file, "-" for stdout, empty for none
  bool quiet = false;  ///< print only what differs and the last line
};

/// Validates, prints the findings, and returns the exit code. Throws std::runtime_error for an unknown rule and for a
/// file that cannot be written.
int validate_command(CommandOptions options);

}  // namespace plumbline::validate
