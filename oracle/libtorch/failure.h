// LibTorch's errors as failures with a class of the closed list.
#pragma once

#include <string>

#include "spec/observation.h"

namespace plumbline::libtorch {

/// A failure that says `message` (its first line counts) as Python's `exception`.
Failure failure(std::string_view message, std::string exception);

/// The exception being handled, as Python shows it. Call it in a handler of `std::exception`.
Failure current_failure();

/// The script asks for what this adapter cannot do; the run has no trace.
struct Unsupported {
  std::string why;
};

}  // namespace plumbline::libtorch
