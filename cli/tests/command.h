// For tests of the commands: running `plumbline` in a shell.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

namespace command {

struct Ran {
  int code = -1;
  std::string text;  ///< stdout and stderr
};

/// Runs `plumbline ARGUMENTS` in a shell, in the folder PLUMBLINE_DATA.
inline Ran plumbline(const std::string& arguments, const std::string& redirect = "2>&1",
                     const std::string& before = "") {
  Ran ran;
  std::FILE* pipe = popen(
      fmt::format("cd {} && {} {}/plumbline {} {}", PLUMBLINE_DATA, before, PLUMBLINE_BIN, arguments, redirect).c_str(),
      "r");
  if (pipe == nullptr) return ran;
  std::array<char, 4096> buffer{};
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) ran.text.append(buffer.data(), n);
  ran.code = WEXITSTATUS(pclose(pipe));
  return ran;
}

inline testing::AssertionResult has(const Ran& ran, const std::string& part) {
  if (ran.text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "'" << part << "' is not in:\n" << ran.text;
}

inline std::string last_line(const Ran& ran) {
  const std::size_t end = ran.text.find_last_not_of('\n');
  const std::size_t begin = ran.text.rfind('\n', end);
  return ran.text.substr(begin + 1, end - begin);
}

}  // namespace command
