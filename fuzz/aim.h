// Aiming programs at graph capture: many statements between two observations.
#pragma once

#include "fuzz/gene.h"

namespace plumbline::fuzz {

/// The gene, for a program that a graph-capturing implementation runs. What happens inside of one graph matters there:
/// several views and writes of the same memory, seen only afterwards. So there are fewer snapshots, readings, guards
/// and refused calls, which all end a graph, and no threads; and more views, writes, `out=`, and operators of the
/// program's own, with and without a fake kernel.
Gene aimed_at_capture(Gene gene);

}  // namespace plumbline::fuzz
