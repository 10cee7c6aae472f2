// Drawing the progress.
#include "fuzz/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace plumbline::fuzz {

namespace {
constexpr int kBar = 30;
constexpr std::chrono::milliseconds kOnTerminal{200};
constexpr std::chrono::seconds kElsewhere{10};
}  // namespace

Progress::Progress(std::string label, std::uint64_t programs, double seconds)
    : label_(std::move(label)),
      programs_(programs),
      seconds_(seconds),
      terminal_(isatty(STDERR_FILENO) == 1),
      start_(Clock::now()),
      shown_(start_) {}

void Progress::show(std::uint64_t programs, std::size_t failures) {
  const Clock::time_point now = Clock::now();
  if (label_.empty() || now - shown_ < (terminal_ ? Clock::duration(kOnTerminal) : Clock::duration(kElsewhere))) return;
  shown_ = now;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const double share = seconds_ > 0
                           ? elapsed / seconds_
                           : static_cast<double>(programs) / static_cast<double>(std::max<std::uint64_t>(programs_, 1));
  const int full = static_cast<int>(std::clamp(share, 0.0, 1.0) * kBar);
  const std::string bar = terminal_ ? fmt::format("\r[{:#<{}}{:.<{}}] ", "", full, "", kBar - full) : "";
  fmt::print(stderr, "{}{}: {} programs, {:.0f}/s, {} failure{}{}", bar, label_, programs,
             static_cast<double>(programs) / elapsed, failures, failures == 1 ? "" : "s", terminal_ ? "   " : "\n");
  std::fflush(stderr);
  open_ = terminal_;
}

void Progress::end() {
  if (open_) fmt::print(stderr, "\n");
  open_ = false;
}

}  // namespace plumbline::fuzz
