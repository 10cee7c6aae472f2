// The curated programs as mutants meet them: run on the reference with sites, and what became of each.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "oracle/curated.h"
#include "oracle/dispatcher/check_programs.h"
#include "spec/rule.h"

namespace plumbline::mutants {

/// A curated program of tensors, or of the dispatcher.
struct CuratedProgram {
  std::string name;  ///< "test_views.py::test_view_is_tracked"
  std::variant<program::Test, dispatcher::DispatchTest> test;
};

/// Those of the folder, and those of its folder `dispatcher`, in the order of names.
std::vector<CuratedProgram> load_programs(const std::string& corpus);

/// What a run of the program shows: the verdict on its asserts, and the class of each error. Two runs that show the
/// same are equal strings.
std::string shown_by(const CuratedProgram& program, Profile profile, const Rule* flipped = nullptr);

}  // namespace plumbline::mutants
