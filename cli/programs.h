// Loading the programs that the command line names.
#pragma once

#include <cstdint>
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

/// A test that cannot be run, and why.
struct UnreadTest {
  std::string name;
  int line = 0;
  Problem problem;
};

struct LoadedPrograms {
  std::vector<LoadedTest> tests;  ///< by file, in the order of the file
  std::vector<Problem> problems;
  std::vector<UnreadTest> unread;  ///< only with Unreadable::record
};

/// What becomes of a file that is a script, and of a test that uses more of Python than programs have.
enum class Unreadable : std::uint8_t {
  refuse,  ///< it is a problem
  record,  ///< it is recorded; if that fails, the script is a problem, and the test is unread
};

/// Reads and lowers every file. A folder stands for the test_*.py in it, sorted by name, and, with Unreadable::record,
/// in the folders in it; of two folders' files each is read once. FILE::TEST stands for that test of a file. A file
/// with an error, or without that test, becomes a problem, and the other files are still read.
LoadedPrograms load_programs(const std::vector<std::string>& paths, Unreadable unreadable = Unreadable::refuse);

}  // namespace plumbline::cli
