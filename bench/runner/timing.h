// Timing the sides of a case with Google Benchmark, in random order.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/runner/suite.h"

namespace plumbline::bench {

/// Nanoseconds for one thing that a call makes, by side: `repetitions` each, of at least `seconds`, randomly
/// interleaved. It is CPU time, so that other processes are not counted; for a case whose op has threads inside, it is
/// wall time; for one whose work other threads do, too, it is that of
/// the whole process. Sides that do not have the case are left out.
std::map<std::string, std::vector<double>> time_sides(const Suite& suite, const Prepared& prepared, int repetitions,
                                                      double seconds);

/// Registers every case and side with Google Benchmark, for its own command line.
void register_all(const Suite& suite);

}  // namespace plumbline::bench
