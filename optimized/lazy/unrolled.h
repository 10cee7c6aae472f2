// A graph without calls that write an element at several places of their loops.
#pragma once

#include "optimized/lazy/plan.h"

namespace plumbline::optimized::lazy {

/// The same graph, in which each call that adds up, or fills where a mask is true, at places that may repeat is
/// several calls, whose places do not repeat, in the order of its loops: so every sum is rounded as before. `value` is
/// a value of the graph; it becomes that of the new one.
Graph unrolled(const Graph& graph, int& value);

}  // namespace plumbline::optimized::lazy
