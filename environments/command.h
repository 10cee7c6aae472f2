// `plumbline env`: makes, lists and removes the environments in which implementations run.
#pragma once

#include <string>
#include <vector>

#include "adapters/implementations.h"

namespace plumbline::environments {

struct Options {
  std::string action;              ///< "add", "list" or "remove"
  std::vector<std::string> names;  ///< for `list`, none means all
  std::string python = "python3";  ///< for `add`: the Python that makes the virtual environment
  std::string json;                ///< for `list`: a file for JSON, "-" for stdout, or empty
};

/// Returns the exit code. Throws std::runtime_error that says what to do if a folder cannot be read or written.
int env_command(const Options& options, const Implementations& known, const Places& places);

}  // namespace plumbline::environments
