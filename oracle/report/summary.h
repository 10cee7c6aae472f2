// A report on one screen: what is known by counts, and last, what is new by name.
#pragma once

#include <string>
#include <string_view>

#include "oracle/report/report.h"
#include "support/screen.h"

namespace plumbline {

/// How much room there is, and where a reader finds what does not fit.
struct SummaryOptions {
  Screen screen;
  std::size_t lines = kScreenLines;  ///< at most this many
  std::string rest;                  ///< a line: "Everything: build/report/check.txt"
};

/// What is known (counts of waived differences by rule, the most severe first), a line or a few for each appendix, what
/// to do next, where the rest is, what is new by name, and the tally. Where there is little room, the known is cut
/// first. If the new divergences do not all fit, each different one is named with the number of its programs.
std::string summary_text(const RunReport& report, const SummaryOptions& options);

/// What a reader does now, in one line: "Next: plumbline explain …".
std::string next_step(const RunReport& report);

/// The rules of `plumbline variants`' text that no program shows, or whose program does not fail on the implementation.
std::vector<std::string> unconfirmed_in(std::string_view text);

}  // namespace plumbline
