// On which CPUs the calling thread runs.
#pragma once

namespace plumbline::bench {

/// Pins the calling thread, and every thread that it starts, to one CPU: the last one that it may use, since the first
/// one handles most interrupts. False if the system refuses.
bool pin_to_one_cpu();
/// Lets the thread use every CPU again that it could use when the process started.
void unpin();
/// How many CPUs that are.
int cpus();

}  // namespace plumbline::bench
