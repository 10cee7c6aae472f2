// The curated programs, as the self-test holds an implementation against them.
#pragma once

#include <string>
#include <vector>

#include "oracle/adapter.h"
#include "oracle/program/lower.h"
#include "reference/state.h"

namespace plumbline::fuzz {

/// A curated test and the file that it stands in.
struct Curated {
  std::string file;
  program::Test test;
};

/// Every test of the files test_*.py in a folder, by file name. Throws ProgramError for a file that is no program, and
/// std::runtime_error where there is none.
std::vector<Curated> load_curated(const std::string& folder);

/// Whether a test fails on an implementation: by its own asserts, or at its end against the reference.
bool is_red(const program::Test& test, Adapter& adapter, const reference::Judge& expected);

}  // namespace plumbline::fuzz
