// The curated programs, loaded from their folder.
#pragma once

#include <string>
#include <vector>

#include "language/lower.h"

namespace plumbline {

/// A curated program, and its file.
struct CuratedTest {
  std::string file;  ///< "test_views.py", without a folder
  program::Test test;
};

/// Every test of the files test_*.py in a folder, by file name. Throws ProgramError for a file that is not a valid
/// program, and std::runtime_error if the folder has no such file.
std::vector<CuratedTest> load_curated(const std::string& folder);
/// The same of several folders, in their order.
std::vector<CuratedTest> load_curated_folders(const std::vector<std::string>& folders);

}  // namespace plumbline
