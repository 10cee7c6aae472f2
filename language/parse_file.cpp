// Reading a program's file.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "language/parse.h"

namespace plumbline::program {

Program parse_file(const std::string& path) { return parse(text_of(path), path); }

std::string text_of(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    throw ProgramError(path, {}, "this is a folder, not a file", "Give the path of a program: a Python file");
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  if (stream) text << stream.rdbuf();
  if (!stream || stream.bad())
    throw ProgramError(path, {},
                       std::filesystem::exists(path, error) ? "the file cannot be read" : "there is no such file",
                       "Check the path and the permission to read it");
  return text.str();
}

}  // namespace plumbline::program
