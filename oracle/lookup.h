// Looking up the outcome and the readings of one statement in a trace.
#pragma once

#include <algorithm>

#include "spec/vocabulary/observation.h"

namespace plumbline {

/// The outcome of a statement; null if it did not run.
inline const Outcome* outcome_of(const Trace& trace, std::size_t statement) {
  const auto found = std::ranges::find(trace.outcomes, statement, &Outcome::statement);
  return found == trace.outcomes.end() ? nullptr : &*found;
}

/// The reading of a Read or ReadThread, or the error that it raised.
inline Reading reading_of(const Outcome& outcome) {
  return outcome.failure.error == ErrorClass::none ? outcome.reading : Reading(outcome.failure);
}

/// A field in a snapshot; null if there is no snapshot (`snapshot` may be null) or no such tensor.
inline const Reading* reading_of(const Outcome* snapshot, Slot tensor, Field field) {
  if (snapshot == nullptr) return nullptr;
  const auto found = std::ranges::find(snapshot->tensors, tensor, &TensorReading::tensor);
  return found == snapshot->tensors.end() ? nullptr : &found->fields.at(static_cast<std::size_t>(field));
}

}  // namespace plumbline
