// Writing a file, and reporting what went wrong.
#include "support/files.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace plumbline {

void write_file(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out)
    throw std::runtime_error(
        fmt::format("cannot write {}: {}; name a folder that you can write to", path, std::strerror(errno)));
}

void print_result(const std::string& text, const std::string& json, const std::string& path) {
  fmt::print("{}", path == "-" ? json : text);
  if (!path.empty() && path != "-") write_file(path, json);
}

}  // namespace plumbline
