// A specified error, thrown by a rule or a kernel and caught as the statement's outcome.
#pragma once

#include <initializer_list>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

#include "spec/vocabulary/errors.h"
#include "spec/vocabulary/observation.h"

namespace plumbline::reference {

/// Thrown only inside the machine; `step` turns it into an outcome.
struct Raise {
  Failure failure;
};

/// The program is valid, but the reference does not support it. `what()` names the unsupported thing.
struct ReferenceLimit : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Its parts as text, one after another.
template <class... Parts>
std::string text(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

/// Raises `error` with this message; `exception` is Python's type.
[[noreturn]] inline void raise(ErrorClass error, std::string message, std::string exception = "RuntimeError") {
  throw Raise{Failure{error, std::move(message), std::move(exception)}};
}

/// Raises `error` with its class's message and `parts` in its holes; `none` raises nothing.
inline void raise_class(ErrorClass error, std::initializer_list<std::string> parts = {}) {
  if (error != ErrorClass::none) raise(error, error_message(error, parts));
}

}  // namespace plumbline::reference
