// A report as `--quiet` prints it.
#pragma once

#include <string>

#include "oracle/report/report.h"

namespace plumbline::cli {

/// Each result that makes the command fail, in full; sections, waivers and programs with a problem; then the tally.
std::string quiet_text(const RunReport& report);

}  // namespace plumbline::cli
