// Curated programs about the dispatcher: loading a folder of them, and what a trace makes of their asserts.
#pragma once

#include <string>
#include <vector>

#include "oracle/dispatcher/program.h"
#include "reference/dispatcher/machine.h"

namespace plumbline::dispatcher {

struct CuratedDispatchTest {
  std::string file;  ///< its name, without the folder
  DispatchTest test;
};

/// The tests of all files test_*.py of a folder, in the order of names. Throws program::ProgramError for a file that is
/// no program, std::runtime_error for a folder without any.
std::vector<CuratedDispatchTest> load_dispatch_programs(const std::string& folder);

/// A key that the script names and the version does not have, though the newest does; empty: none. Such a program
/// cannot be run there.
std::string key_out_of_reach(const KeyLayout& layout, const DispatchScript& script);

/// What a test asserts and a trace does not show, a line each: "line 12: …". An error that no `pytest.raises` expects
/// is one. Of an expected error the class is looked at (NotImplementedError is `missing_kernel`), not the message,
/// whose words Python and C++ choose by themselves.
std::vector<std::string> failures(const DispatchTest& test, const DispatchTrace& trace);

/// The same on the reference under `judge`; what it cannot execute is a failure.
std::vector<std::string> failures_on_reference(const DispatchTest& test, const reference::Judge& judge);

}  // namespace plumbline::dispatcher
