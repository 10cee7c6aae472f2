// What a run shows: for each statement its outcome, with every reading that was asked for.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "spec/errors.h"
#include "spec/keys.h"
#include "spec/statement.h"

namespace plumbline {

/// The spec leaves this reading free, by the rule named.
struct Unspecified {
  std::string rule;           ///< "GEO-15"
  std::int32_t counter = -1;  ///< of a version: which counter it is read from, so that increments can be compared
  std::int64_t counted = 0;   ///< and how many versions it has counted since its first, unspecified one
  friend bool operator==(const Unspecified&, const Unspecified&) = default;
};

/// An error, by class, with the implementation's own words.
struct Failure {
  ErrorClass error = ErrorClass::none;
  std::string message;    ///< the first line
  std::string exception;  ///< Python's type, e.g. "RuntimeError"
};

/// A tensor's elements as read. An element that is unspecified has `known` false; one that had to be rounded on the way
/// has a bound, within which another implementation's value must lie.
struct Values {
  std::vector<double> floats;          ///< for floating dtypes
  std::vector<std::int64_t> integers;  ///< for int64, int32 and bool (0 or 1)
  std::vector<bool> known;             ///< empty: all are
  std::vector<double> bounds;          ///< by element, how far off it may be; 0: not at all. Empty: all are 0
};

/// One reading. `Unsupported` (std::monostate): the implementation cannot observe this field.
using Reading = std::variant<std::monostate, None, bool, std::int64_t, std::string, std::vector<std::int64_t>,
                             std::vector<std::string>, Values, Failure, Unspecified>;

struct TensorReading {
  Slot tensor;
  std::vector<Reading> fields;  ///< kFields of them, indexed by Field
};

/// A kernel that a call met on its way down.
struct KernelRun {
  Functionality kernel = Functionality::Dense;
  bool fallthrough = false;  ///< its key was in the set, and it passed the call on unseen
  friend bool operator==(const KernelRun&, const KernelRun&) = default;
};

/// The outcome of one statement.
struct Outcome {
  std::size_t statement = 0;           ///< its place in the script
  Failure failure;                     ///< class `none`: it succeeded
  Reading reading;                     ///< of a Read or ReadThread
  std::vector<Reading> thread;         ///< of a Snapshot: kThreadFields of them
  std::vector<TensorReading> tensors;  ///< of a Snapshot
  std::vector<KernelRun> kernels;      ///< of a Call, in order; empty where the implementation does not show them
};

/// The outcomes of the statements that ran, in the order in which they ran. Statements skipped by an error have none.
struct Trace {
  std::vector<Outcome> outcomes;
  bool completed = true;  ///< false: an error outside any Try ended the run
};

}  // namespace plumbline
