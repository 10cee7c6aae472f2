// Progress on stderr: a bar on a terminal, elsewhere a line from time to time.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace plumbline::fuzz {

class Progress {
 public:
  /// An empty label shows nothing. With `seconds` the bar follows the time, otherwise the programs.
  Progress(std::string label, std::uint64_t programs, double seconds);

  void show(std::uint64_t programs, std::size_t failures);
  /// Ends the bar's line.
  void end();

 private:
  using Clock = std::chrono::steady_clock;
  std::string label_;
  std::uint64_t programs_;
  double seconds_;
  bool terminal_;
  Clock::time_point start_;
  Clock::time_point shown_;
  bool open_ = false;
};

}  // namespace plumbline::fuzz
