// A specified error, on its way from where a rule or a kernel finds it to the statement's outcome.
#pragma once

#include <initializer_list>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

#include "spec/errors.h"
#include "spec/observation.h"

namespace plumbline::reference {

/// Thrown inside the machine alone; `step` turns it into an outcome.
struct Raise {
  Failure failure;
};

/// The program is right, and beyond what the reference can execute.
struct ReferenceLimit : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Its parts as text, written one behind the other.
template <class... Parts>
std::string text(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

/// Raises `error` in these words; `exception` is Python's type.
[[noreturn]] inline void raise(ErrorClass error, std::string message, std::string exception = "RuntimeError") {
  throw Raise{Failure{error, std::move(message), std::move(exception)}};
}

/// Raises `error` in the words of its class, with `parts` in their gaps; `none` raises nothing.
inline void raise_class(ErrorClass error, std::initializer_list<std::string> parts = {}) {
  if (error != ErrorClass::none) raise(error, error_message(error, parts));
}

}  // namespace plumbline::reference
