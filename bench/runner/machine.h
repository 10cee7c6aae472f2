// What a runner runs on: the CPU, and the libraries that are loaded.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace plumbline::bench {

/// The CPU's name as the system has it; "unknown" where it has none.
std::string cpu_name();
/// Each library that is mapped into the process: its path, its size in bytes, and when it was last changed, in
/// nanoseconds. They tell whether a runner that was saved still runs as it did.
nlohmann::json libraries();

}  // namespace plumbline::bench
