// LibTorch's errors as failures with a class of the closed list.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "adapters/walk/unsupported.h"
#include "spec/vocabulary/observation.h"

namespace plumbline::libtorch {

/// A failure with the first line of `message`, as Python's `exception`.
Failure failure(std::string_view message, std::string exception);

/// Python's AttributeError, which C++ does not have.
struct AttributeError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The exception being handled, as Python shows it. Call it in a handler of `std::exception`.
Failure current_failure();

using walk::Unsupported;

}  // namespace plumbline::libtorch
