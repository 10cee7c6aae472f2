// Drawing progress.
#include "support/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace plumbline::cli {

namespace {

constexpr std::size_t kWidth = 30;
constexpr auto kBarEvery = std::chrono::milliseconds(100);
constexpr auto kFirstLine = std::chrono::seconds(30);  ///< the next comes after twice as long, and so on

}  // namespace

ProgressLine::ProgressLine()
    : terminal_(isatty(STDERR_FILENO) == 1),
      every_(terminal_ ? Clock::duration(kBarEvery) : kFirstLine),
      shown_(Clock::now()) {}

ProgressLine::~ProgressLine() {
  if (drawn_ && terminal_) fmt::print(stderr, "\r\033[K");
}

void ProgressLine::show(double share, std::string_view text) {
  shown_ = Clock::now();
  drawn_ = true;
  if (!terminal_) every_ *= 2;
  const auto filled = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(kWidth));
  if (terminal_)
    fmt::print(stderr, "\r[{}{}] {}\033[K", std::string(filled, '#'), std::string(kWidth - filled, '.'), text);
  else
    fmt::print(stderr, "{}\n", text);
  std::fflush(stderr);
}

Progress::Progress(std::string label, std::size_t total) : label_(std::move(label)), total_(total) {}

void Progress::step() {
  const std::scoped_lock lock(mutex_);
  ++done_;
  if (label_.empty()) return;
  if (line_.is_due() || (line_.is_bar() && done_ == total_))
    line_.show(total_ == 0 ? 1 : static_cast<double>(done_) / static_cast<double>(total_),
               fmt::format("{}: {} of {}", label_, done_, total_));
}

}  // namespace plumbline::cli
