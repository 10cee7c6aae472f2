// For tests of adapters: the processes that they leave behind.
#pragma once

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace plumbline {

/// A path of this test's own, at which nothing lies yet.
inline std::string fresh_path() {
  char folder[] = "/tmp/plumbline_test_XXXXXX";
  return std::string(mkdtemp(folder)) + "/mark";
}

/// The processes whose command line has `text`, this one excepted.
inline int processes_with(const std::string& text) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "cmdline");
    const std::string words((std::istreambuf_iterator<char>(file)), {});
    if (words.find(text) != std::string::npos && entry.path().filename() != std::to_string(getpid())) ++count;
  }
  return count;
}

/// Those still there once the killed ones have had the time to die.
inline int processes_left_with(const std::string& text) {
  for (int tries = 0; tries < 500 && processes_with(text) > 0; ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return processes_with(text);
}

}  // namespace plumbline
