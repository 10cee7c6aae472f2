// In a functionalized body inside a mapped one: memory that the body made gets examples when it is written from some.
#pragma once

#include "reference/state.h"

namespace plumbline::reference::transforms {

/// Before a call of an in-place op: if a functionalized body made the memory of the written tensor, and other arguments
/// have examples of mapped bodies around that body, all tensors of that memory get the examples that it lacks, each
/// with what the memory holds now (TRF-29). Throws ReferenceLimit if one of them has a history.
void promote_written(const Judge& judge, State& state, OpId id, std::span<const Value> values);

}  // namespace plumbline::reference::transforms
