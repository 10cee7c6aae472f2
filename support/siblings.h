// The executables beside the one that is running.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline {

/// The folder of the running executable.
std::filesystem::path executable_folder();

/// The versions for which `folder` has an executable `prefix`VERSION, the newest first.
std::vector<std::string> libtorch_versions(const std::filesystem::path& folder,
                                           std::string_view prefix = "plumbline-libtorch-");

/// PyTorch's Python, as `--on` names it.
inline constexpr std::string_view kPython = "python";
/// Whether `folder` has its adapter.
bool has_python(const std::filesystem::path& folder);

/// The implementations with an adapter in `folder`, as `--on` names them: the optimized runtime, each LibTorch, and
/// PyTorch's Python.
std::vector<std::string> implementations_in(const std::filesystem::path& folder);

}  // namespace plumbline
