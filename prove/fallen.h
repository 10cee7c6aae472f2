// Curated programs that fail when a rule is wrong. They show a failed obligation if the search finds no program.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "prove/curated_programs.h"

namespace plumbline::prove {

/// A curated program that no longer holds on the reference.
struct FallenProgram {
  std::string name;     ///< "test_views.py::test_view_is_tracked"
  std::string failure;  ///< the first assert that fails
  std::string source;   ///< its source text
  std::vector<std::string> rules;
};

/// The programs of the corpus whose asserts, which hold in `sound`, fail under `judge`. Throws as `load_programs` does.
std::vector<FallenProgram> fallen_programs(const reference::Judge& judge, const std::string& corpus);

/// The program that names most of these rules, the shortest of several; null if no program names one.
const FallenProgram* closest(std::span<const FallenProgram> fallen, std::span<const std::string> rules);

}  // namespace plumbline::prove
