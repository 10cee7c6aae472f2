// What a runner runs on: the CPU, and the libraries that are loaded.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace plumbline::bench {

/// The CPU's name in /proc/cpuinfo; "unknown" if there is none.
std::string cpu_name();
/// Each library that is mapped into the process: its path, its size in bytes, and when it was last changed, in
/// nanoseconds. By these `--against` sees whether a saved runner still runs as it did.
nlohmann::json libraries();

}  // namespace plumbline::bench
