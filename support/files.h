// Writing the result of a command to a file.
#pragma once

#include <string>

namespace plumbline {

/// Throws std::runtime_error with the reason if the file cannot be written.
void write_file(const std::string& path, const std::string& text);

/// A command's result: prints `text`, and writes `json` to the file `path`. If `path` is "-", prints `json` instead; if
/// it is empty, there is only the text. Throws as `write_file`.
void print_result(const std::string& text, const std::string& json, const std::string& path);

}  // namespace plumbline
