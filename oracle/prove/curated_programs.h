// The curated programs of tensors and of the dispatcher alike, run on the reference.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "oracle/curated.h"
#include "oracle/dispatcher/check_programs.h"
#include "reference/state.h"
#include "spec/rule.h"

namespace plumbline {

/// A curated program of tensors, or of the dispatcher.
struct CuratedProgram {
  std::string name;  ///< "test_views.py::test_view_is_tracked"
  std::variant<program::Test, dispatcher::DispatchTest> test;

  const std::vector<std::string>& rules() const;  ///< that it names
};

/// Those of the folder, of its folder `functionalize` and of its folder `dispatcher`, each in the order of names.
std::vector<CuratedProgram> load_programs(const std::string& corpus);

/// The first assert of the program that does not hold, or each of one about the dispatcher; empty: all hold.
std::string failure_of(const CuratedProgram& program, const reference::Judge& judge);

/// What a run of the program shows: what fails, and the class of each error. Two runs that show the same are equal
/// strings.
std::string shown_by(const CuratedProgram& program, Profile profile, const Rule* flipped = nullptr);

/// A program as it stands in its file, without what stands around it. Throws std::runtime_error where it does not.
std::string source_of(const CuratedProgram& program, const std::string& corpus);

}  // namespace plumbline
