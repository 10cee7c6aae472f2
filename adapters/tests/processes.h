// For tests of adapters: finding processes that are left over.
#pragma once

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace plumbline {

/// A new path for this test; no file exists there yet. Its folder goes when the process ends.
inline std::string fresh_path() {
  struct Folders {
    ~Folders() {
      std::error_code ignored;
      if (getpid() == owner)  // not in a forked process
        for (const std::string& folder : made) std::filesystem::remove_all(folder, ignored);
    }
    pid_t owner = getpid();
    std::vector<std::string> made;
  };
  static Folders folders;
  char folder[] = "/tmp/plumbline_test_XXXXXX";
  folders.made.emplace_back(mkdtemp(folder));
  return folders.made.back() + "/mark";
}

/// The processes whose command line has `text`, except this one.
inline int processes_with(const std::string& text) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "cmdline");
    const std::string words((std::istreambuf_iterator<char>(file)), {});
    if (words.find(text) != std::string::npos && entry.path().filename() != std::to_string(getpid())) ++count;
  }
  return count;
}

/// The same after killed processes had time to end.
inline int processes_left_with(const std::string& text) {
  for (int tries = 0; tries < 500 && processes_with(text) > 0; ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return processes_with(text);
}

}  // namespace plumbline
