// Scripts among the programs that the command line names: each is recorded first.
#pragma once

#include <string>
#include <vector>

#include "oracle/report/report.h"

namespace plumbline::cli {

/// Whether the text of a file is a script's: it has lines, and defines no test with the parameter `device`.
bool is_script(const std::string& text);

/// Records a script with `plumbline record`, and returns the file of the program, in the system's temporary folder;
/// empty, with a problem, if nothing was recorded.
std::string recorded(const std::string& script, std::vector<Problem>& problems);

/// Records these tests of a file, as pytest runs them, and returns the file of the program; empty if none was recorded.
std::string recorded_tests(const std::string& file, const std::vector<std::string>& tests);

}  // namespace plumbline::cli
