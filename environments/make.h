// Making an environment: a virtual environment with its packages, and a first start of the implementations in it.
#pragma once

#include <stdexcept>
#include <string>

#include "adapters/implementations.h"

namespace plumbline::environments {

/// It could not be made. The message says why and what to do.
struct Failed : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// Ctrl-C.
struct Interrupted : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Makes the environment with `python`, a command or the path of one, and prints each step and what pip prints. An
/// environment that is here already is kept until the new one is complete. Throws Failed or Interrupted; nothing of the
/// new one then remains.
void make(const Environment& environment, const std::filesystem::path& all, const std::string& python);

/// Starts each implementation of the environment once, and prints what it says of itself. Returns whether all started;
/// says on stderr why one did not.
bool start_each(const Environment& environment, const Implementations& known, const Places& places);

}  // namespace plumbline::environments
