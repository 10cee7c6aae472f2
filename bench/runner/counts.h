// What is counted: instructions under callgrind, calls of malloc, and bytes that results keep.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/runner/suite.h"

namespace plumbline::bench {

/// Whether the process runs under callgrind, with the file that it writes named on the runner's command line.
bool counts_instructions(const std::string& callgrind_out);
/// Instructions for one thing that a call makes, by side. Callgrind sees the AVX2 path: it knows no AVX-512. Throws
/// std::runtime_error where callgrind's file is not as expected.
std::map<std::string, double> count_instructions(const Prepared& prepared, const std::string& callgrind_out);

/// Whether the library of bench/malloc is loaded before all others.
bool counts_memory();
struct Memory {
  double mallocs = 0;          ///< for one call, after a warm-up
  std::optional<double> kept;  ///< bytes for one result that is held; empty if the call has no result
  double peak = 0;             ///< bytes in use at the peak of a call beyond what was before
};
std::map<std::string, Memory> count_memory(const Suite& suite, const Prepared& prepared);

}  // namespace plumbline::bench
