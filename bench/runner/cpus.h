// On which CPUs the calling thread runs.
#pragma once

namespace plumbline::bench {

/// From now on the calling thread, and every one that it starts, runs on one CPU alone: the last that it may run on,
/// for the first has most of the interrupts. False where the system does not allow it.
bool pin_to_one_cpu();
/// It may run on every CPU again on which it could when the process started.
void unpin();
/// How many CPUs that were.
int cpus();

}  // namespace plumbline::bench
