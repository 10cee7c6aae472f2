// A report as text for people.
#pragma once

#include <string>

#include "oracle/report/report.h"

namespace plumbline {

/// "FILE:LINE:COLUMN: PROBLEM" and, on a line of its own, the advice.
std::string problem_text(const Problem& problem);

/// A block for each result that is not `pass` (`verbose`: a line for those that are, too), the waivers that are stale,
/// what was not run, the problems. Without the last line.
std::string results_text(const RunReport& report, bool verbose);

/// A line for each implementation: version, profile, how it is compared.
std::string implementations_text(const RunReport& report);

/// What closes a report: the share of statements under `unspecified` and under waivers, then the tally's line, the
/// last.
std::string closing_text(const RunReport& report);

}  // namespace plumbline
