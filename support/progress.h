// Progress on stderr: a bar on a terminal, a line now and then elsewhere.
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>

namespace plumbline::cli {

/// The line that shows how far long work is. For one thread at a time.
class ProgressLine {
 public:
  ProgressLine();
  /// Removes the bar.
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Whether it is time to show it again: often on a terminal; elsewhere after 30 s, then 60 s, and so on.
  bool is_due() const { return Clock::now() - shown_ >= every_; }
  /// Whether there is a bar on a terminal.
  bool is_bar() const { return drawn_ && terminal_; }
  /// `share`: of the whole work, from 0 to 1.
  void show(double share, std::string_view text);

 private:
  using Clock = std::chrono::steady_clock;

  bool terminal_;
  bool drawn_ = false;
  Clock::duration every_;
  Clock::time_point shown_;
};

/// Counts steps; several threads may call `step`. An empty label shows nothing.
class Progress {
 public:
  Progress(std::string label, std::size_t total);

  /// One more step is done.
  void step();

 private:
  std::string label_;
  std::size_t total_;
  std::mutex mutex_;
  std::size_t done_ = 0;
  ProgressLine line_;
};

}  // namespace plumbline::cli
