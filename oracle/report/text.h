// A report as text for people.
#pragma once

#include <string>

#include "oracle/report/report.h"

namespace plumbline {

/// "FILE:LINE:COLUMN: PROBLEM", and the advice on a line of its own.
std::string problem_text(const Problem& problem);

/// A result's head line, and if it is not `pass`, each of its findings.
std::string result_text(const RunReport& report, const TestResult& result);

/// A block for each result that is not `pass` (`verbose`: also a line for each that is), then the stale waivers, the
/// tests that did not run and the problems. Without the closing lines.
std::string results_text(const RunReport& report, bool verbose);

/// A line for each implementation: version, profile, how it is compared.
std::string implementations_text(const RunReport& report);

/// How an implementation is compared, and why a field is not compared exactly; a line for each, indented.
std::string comparison_text(const Description& description);
/// "12 graphs, 3 graph breaks"; empty: nothing was counted.
std::string counts_text(const Counts& counts);

/// The closing lines: the share of statements that are unspecified and that are waived, then the tally.
std::string closing_text(const RunReport& report);

}  // namespace plumbline
