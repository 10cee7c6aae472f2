// A report as JSON.
#pragma once

#include <string>

#include "oracle/report/report.h"

namespace plumbline {

/// The whole report, with a final newline. Everything but the member "timing" is the same whatever the number of jobs.
std::string report_json(const RunReport& report);

}  // namespace plumbline
