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

/// The implementations with an adapter in `folder`, as `--on` names them: the optimized runtime, and each LibTorch.
std::vector<std::string> implementations_in(const std::filesystem::path& folder);

}  // namespace plumbline
