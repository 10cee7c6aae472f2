// Starting the executables beside the running one.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::cli {

/// The path of a sibling. If it is not built, throws std::runtime_error that says how to build it.
std::string sibling_path(const std::string& name);

/// Runs a sibling, and passes what it writes to stdout to `take` as it comes; it shares our stderr. Returns its exit
/// code, or 128 + the signal that ended it. Throws std::runtime_error if it cannot be started.
int run_sibling(const std::string& name, const std::vector<std::string>& arguments,
                const std::function<void(std::string_view)>& take);

/// Replaces this process by the sibling (exec). Throws std::runtime_error if that fails.
[[noreturn]] void become_sibling(const std::string& name, const std::vector<std::string>& arguments);

}  // namespace plumbline::cli
