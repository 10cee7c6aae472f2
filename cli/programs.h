// Loading the programs that the command line names.
#pragma once

#include <string>
#include <vector>

#include "language/lower.h"
#include "oracle/report/report.h"

namespace plumbline::cli {

/// One test, and its file.
struct LoadedTest {
  std::string file;
  program::Test test;
};

struct LoadedPrograms {
  std::vector<LoadedTest> tests;  ///< by file, in the order of the file
  std::vector<Problem> problems;
};

/// Reads and lowers every file; a folder stands for the test_*.py in it, sorted by name, and FILE::TEST for that test
/// of a file. A file with an error, or without that test, becomes a problem, and the other files are still read.
LoadedPrograms load_programs(const std::vector<std::string>& paths);

}  // namespace plumbline::cli
