// Writing what a command makes to a file.
#pragma once

#include <string>

namespace plumbline {

/// Throws std::runtime_error, with the reason, where the file cannot be written.
void write_file(const std::string& path, const std::string& text);

}  // namespace plumbline
