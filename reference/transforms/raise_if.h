// Raising the errors that rules of transforms give.
#pragma once

#include "reference/raise.h"
#include "spec/vocabulary/concrete.h"
#include "spec/vocabulary/error_texts.h"

namespace plumbline::reference::transforms {

/// Raises `error`, unless it is none, with its class's exception and message, and `parts` in the holes of that.
inline void raise_if(const Error<Concrete>& error, std::initializer_list<std::string> parts = {}) {
  const auto raised = static_cast<ErrorClass>(error.v);
  if (raised == ErrorClass::none) return;
  raise(raised, error_message(raised, parts), std::string(canonical_text(raised)->exception));
}

}  // namespace plumbline::reference::transforms
