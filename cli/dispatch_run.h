// Programs about the dispatcher among those that `plumbline run` runs.
#pragma once

#include <vector>

#include "cli/programs.h"
#include "oracle/dispatcher/runner.h"
#include "oracle/report/report.h"

namespace plumbline::cli {

/// Runs the programs on every implementation of the report, and appends their results, by test, then by implementation.
/// One that differs as the implementation's profile says is waived. Returns what they did, by implementation, then by
/// test.
std::vector<std::vector<DispatchResult>> run_dispatch_tests(RunReport& report,
                                                            const std::vector<LoadedDispatchTest>& tests,
                                                            const AdapterOptions& options);

}  // namespace plumbline::cli
