// Progress on stderr: a bar on a terminal, a line now and then elsewhere.
#include "support/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace plumbline::cli {

namespace {

constexpr std::size_t kWidth = 40;
constexpr auto kBarEvery = std::chrono::milliseconds(100);
constexpr auto kFirstLine = std::chrono::seconds(5);  ///< the next comes after twice as long, and so on

}  // namespace

Progress::Progress(std::string label, std::size_t total)
    : label_(std::move(label)),
      total_(total),
      terminal_(isatty(STDERR_FILENO) == 1),
      every_(terminal_ ? Clock::duration(kBarEvery) : kFirstLine),
      shown_(Clock::now()) {}

Progress::~Progress() {
  if (drawn_ && terminal_) fmt::print(stderr, "\r\033[K");
}

void Progress::step() {
  const std::scoped_lock lock(mutex_);
  ++done_;
  if (label_.empty()) return;
  if (Clock::now() - shown_ >= every_ || (drawn_ && done_ == total_)) show();
}

void Progress::show() {
  shown_ = Clock::now();
  drawn_ = true;
  if (!terminal_) every_ *= 2;
  const std::size_t filled = total_ == 0 ? kWidth : kWidth * done_ / total_;
  if (terminal_)
    fmt::print(stderr, "\r{} [{}{}] {}/{}\033[K", label_, std::string(filled, '#'), std::string(kWidth - filled, '.'),
               done_, total_);
  else
    fmt::print(stderr, "{}: {} of {}\n", label_, done_, total_);
  std::fflush(stderr);
}

}  // namespace plumbline::cli
