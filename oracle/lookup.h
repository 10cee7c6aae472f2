// Looking up in a trace what one statement showed.
#pragma once

#include <algorithm>

#include "spec/observation.h"

namespace plumbline {

/// The outcome of a statement; null where it did not run.
inline const Outcome* outcome_of(const Trace& trace, std::size_t statement) {
  const auto found = std::ranges::find(trace.outcomes, statement, &Outcome::statement);
  return found == trace.outcomes.end() ? nullptr : &*found;
}

/// What a Read or ReadThread showed: its reading, or the error in its place.
inline Reading reading_of(const Outcome& outcome) {
  return outcome.failure.error == ErrorClass::none ? outcome.reading : Reading(outcome.failure);
}

/// What a snapshot showed of a field; null where there is no snapshot (`snapshot` may be null) or no such tensor.
inline const Reading* reading_of(const Outcome* snapshot, Slot tensor, Field field) {
  if (snapshot == nullptr) return nullptr;
  const auto found = std::ranges::find(snapshot->tensors, tensor, &TensorReading::tensor);
  return found == snapshot->tensors.end() ? nullptr : &found->fields.at(static_cast<std::size_t>(field));
}

}  // namespace plumbline
