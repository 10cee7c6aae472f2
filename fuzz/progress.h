// How far a campaign is, on stderr.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "support/progress.h"

namespace plumbline::fuzz {

/// Programs, programs per second, and failures.
class Progress {
 public:
  /// An empty label shows nothing. With `seconds` the bar follows the time, otherwise the programs.
  Progress(std::string label, std::uint64_t programs, double seconds);

  void show(std::uint64_t programs, std::size_t failures);
  /// Removes the bar.
  void end();

 private:
  using Clock = std::chrono::steady_clock;
  std::string label_;
  std::uint64_t programs_;
  double seconds_;
  Clock::time_point start_ = Clock::now();
  std::optional<cli::ProgressLine> line_;
};

}  // namespace plumbline::fuzz
