// Starting the executables beside the running one.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::cli {

/// The path of a sibling. Throws std::runtime_error, with how to build it, where it is not there.
std::string sibling_path(const std::string& name);

/// Runs a sibling, and gives what it writes to stdout to `take` as it comes; its stderr is ours. Returns its exit code,
/// 128 + the signal where one ended it. Throws std::runtime_error where it cannot be started.
int run_sibling(const std::string& name, const std::vector<std::string>& arguments,
                const std::function<void(std::string_view)>& take);

/// Becomes the sibling. Throws std::runtime_error where that cannot be.
[[noreturn]] void become_sibling(const std::string& name, const std::vector<std::string>& arguments);

}  // namespace plumbline::cli
