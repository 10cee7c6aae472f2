// The curated programs, about tensors and about the dispatcher, run on the reference.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "language/curated.h"
#include "oracle/dispatcher/check_programs.h"
#include "reference/state.h"
#include "spec/rules/rule.h"

namespace plumbline {

/// A curated program about tensors or about the dispatcher.
struct CuratedProgram {
  std::string name;  ///< "test_views.py::test_view_is_tracked"
  std::variant<program::Test, dispatcher::DispatchTest> test;

  const std::vector<std::string>& rules() const;  ///< the rules that it names
};

/// The programs of the folder and of its subfolders `functionalize` and `dispatcher`, each ordered by name.
std::vector<CuratedProgram> load_programs(const std::string& corpus);

/// The first assert that does not hold; for a program about the dispatcher, all of them. Empty if all hold.
std::string failure_of(const CuratedProgram& program, const reference::Judge& judge);

/// What a run of the program shows: its failures and the class of each error. Two runs that show the same give equal
/// strings.
std::string shown_by(const CuratedProgram& program, Profile profile, const Rule* flipped = nullptr);

/// The source text of a program, cut out of its file. Throws std::runtime_error if the file does not contain it.
std::string source_of(const CuratedProgram& program, const std::string& corpus);

}  // namespace plumbline
