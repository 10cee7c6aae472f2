// The curated programs, run on the reference.
#pragma once

#include <string>
#include <vector>

#include "language/curated.h"
#include "reference/state.h"
#include "spec/rules/rule.h"

namespace plumbline {

/// A curated program.
struct CuratedProgram {
  std::string name;  ///< "test_views.py::test_view_is_tracked"
  program::Test test;
};

/// The programs of the folder and of its subfolders `functionalize`, `dispatcher` and `transforms`, each ordered by
/// name.
std::vector<CuratedProgram> load_programs(const std::string& corpus);

/// The first assert that does not hold; empty if all hold.
std::string failure_of(const CuratedProgram& program, const reference::Judge& judge);

/// What a run of the program shows: its failures and the class of each error. Two runs that show the same give equal
/// strings.
std::string shown_by(const CuratedProgram& program, Profile profile, const Rule* flipped = nullptr);

/// The source text of a program, cut out of its file. Throws std::runtime_error if the file does not contain it.
std::string source_of(const CuratedProgram& program, const std::string& corpus);

}  // namespace plumbline
