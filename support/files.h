// Writing the result of a command to a file.
#pragma once

#include <string>

namespace plumbline {

/// Throws std::runtime_error with the reason if the file cannot be written.
void write_file(const std::string& path, const std::string& text);

}  // namespace plumbline
