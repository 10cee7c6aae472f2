// The outcomes of a run: for each statement its error or success, and its readings.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "spec/vocabulary/errors.h"
#include "spec/vocabulary/keys.h"
#include "spec/vocabulary/statement.h"

namespace plumbline {

/// A reading that the specification leaves unspecified, by the rule named.
struct Unspecified {
  std::string rule;           ///< "GEO-15"
  std::int32_t counter = -1;  ///< for a version: the counter that it is read from, so that increments can be compared
  std::int64_t counted = 0;   ///< and by how much the version was bumped since its first, unspecified one
  friend bool operator==(const Unspecified&, const Unspecified&) = default;
};

/// An error: its class and the implementation's own message.
struct Failure {
  ErrorClass error = ErrorClass::none;
  std::string message;     ///< the first line
  std::string exception;   ///< Python's type, e.g. "RuntimeError"
  bool any_words = false;  ///< which message it has is unspecified; only the reference says so (TRF-16)
};

/// A tensor's elements as read, one number after another. For an unspecified number `known` is false. An element that
/// was rounded has a bound, and another implementation's value must be within it.
struct Values {
  std::vector<double>
      floats;  ///< for floating dtypes; for complex ones each element is two: its real and its imaginary part
  std::vector<std::int64_t> integers;  ///< for int64, int32 and bool (0 or 1)
  std::vector<bool> known;             ///< empty: all are known
  std::vector<double> bounds;          ///< by element, the largest allowed difference; empty: all are 0
};

/// One reading. `Unsupported` (std::monostate): the implementation cannot observe this field.
using Reading = std::variant<std::monostate, None, bool, std::int64_t, std::string, std::vector<std::int64_t>,
                             std::vector<std::string>, Values, Failure, Unspecified>;

struct TensorReading {
  Slot tensor;
  std::vector<Reading> fields;  ///< kFields of them, indexed by Field
};

/// A kernel that a call reached.
struct KernelRun {
  Functionality kernel = Functionality::Dense;
  bool fallthrough = false;  ///< its key was in the set, and the call fell through it
  friend bool operator==(const KernelRun&, const KernelRun&) = default;
};

/// The outcome of one statement.
struct Outcome {
  std::size_t statement = 0;           ///< its place in the script
  Failure failure;                     ///< class `none`: it succeeded
  Reading reading;                     ///< the result of a Read or ReadThread
  std::vector<Reading> thread;         ///< the result of a Snapshot: kThreadFields of them
  std::vector<TensorReading> tensors;  ///< the result of a Snapshot
  std::vector<KernelRun> kernels;      ///< for a Call, in order; empty if the implementation does not show them
};

/// The outcomes of the statements that ran, in the order in which they ran. Statements skipped by an error have none.
struct Trace {
  std::vector<Outcome> outcomes;
  bool completed = true;  ///< false: an error outside any Try ended the run
};

}  // namespace plumbline
