// Curated programs about the dispatcher: loading a folder of them, and checking their asserts against a trace.
#pragma once

#include <string>
#include <vector>

#include "language/dispatcher/program.h"
#include "reference/dispatcher/machine.h"

namespace plumbline::dispatcher {

struct CuratedDispatchTest {
  std::string file;  ///< its name, without the folder
  DispatchTest test;
};

/// The tests of all files test_*.py of a folder, ordered by name. Throws program::ProgramError for a file that is not a
/// program, std::runtime_error for a folder without such files.
std::vector<CuratedDispatchTest> load_dispatch_programs(const std::string& folder);

/// A key that the script names and only newer versions have; empty if there is none. This version cannot run such a
/// program.
std::string key_out_of_reach(const KeyLayout& layout, const DispatchScript& script);

/// What a program states and a trace does not show.
struct Failure {
  int line = 0;
  std::string expected;
  std::string got;
};
/// "line 12: expected log == [a], got []"
std::string text(const Failure& failure);

/// Each assert that does not hold in the trace, and each error that no `pytest.raises` expects.
/// Expected errors are compared by class (NotImplementedError is `missing_kernel`), not by message, because the
/// messages of Python and C++ differ.
std::vector<Failure> failures(const DispatchTest& test, const DispatchTrace& trace);

/// The same as text, on the reference under `judge`; a program that the reference cannot execute is a failure.
std::vector<std::string> failures_on_reference(const DispatchTest& test, const reference::Judge& judge);

}  // namespace plumbline::dispatcher
