// What a campaign's progress says.
#include "fuzz/progress.h"

#include <fmt/format.h>

#include <algorithm>

namespace plumbline::fuzz {

Progress::Progress(std::string label, std::uint64_t programs, double seconds)
    : label_(std::move(label)), programs_(programs), seconds_(seconds) {
  if (!label_.empty()) line_.emplace();
}

void Progress::show(std::uint64_t programs, std::size_t failures) {
  if (!line_ || !line_->is_due()) return;
  const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
  const double share = seconds_ > 0
                           ? elapsed / seconds_
                           : static_cast<double>(programs) / static_cast<double>(std::max<std::uint64_t>(programs_, 1));
  line_->show(share, fmt::format("{}: {} programs, {:.0f}/s, {} failure{}", label_, programs,
                                 static_cast<double>(programs) / elapsed, failures, failures == 1 ? "" : "s"));
}

void Progress::end() { line_.reset(); }

}  // namespace plumbline::fuzz
