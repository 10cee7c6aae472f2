// The executables beside the one that is running.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace plumbline {

/// The folder of the running executable.
std::filesystem::path executable_folder();

/// The versions for which a `plumbline-libtorch-VERSION` lies in `folder`, the newest first.
std::vector<std::string> libtorch_versions(const std::filesystem::path& folder);

}  // namespace plumbline
