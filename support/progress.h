// Progress on stderr: a bar on a terminal, a line now and then elsewhere.
#pragma once

#include <chrono>
#include <mutex>
#include <string>

namespace plumbline::cli {

/// Counts steps; several threads may call `step`. An empty label shows nothing.
class Progress {
 public:
  Progress(std::string label, std::size_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// One more step is done.
  void step();

 private:
  using Clock = std::chrono::steady_clock;
  void show();

  std::string label_;
  std::size_t total_;
  bool terminal_;
  std::mutex mutex_;
  std::size_t done_ = 0;
  bool drawn_ = false;
  Clock::duration every_;
  Clock::time_point shown_;
};

}  // namespace plumbline::cli
