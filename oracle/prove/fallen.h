// Curated programs that fall when a rule is wrong: what an obligation that falls is shown by, where no search finds
// one.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "oracle/prove/curated_programs.h"

namespace plumbline::prove {

/// A curated program that does not hold on the reference any more.
struct FallenProgram {
  std::string name;     ///< "test_views.py::test_view_is_tracked"
  std::string failure;  ///< the first assert that fails
  std::string source;   ///< its text
  std::vector<std::string> rules;
};

/// Those of the corpus whose asserts, which say what `sound` holds, fail under `judge`. Throws as `load_programs`.
std::vector<FallenProgram> fallen_programs(const reference::Judge& judge, const std::string& corpus);

/// The one that names most of these rules, the shortest of several; null: none names one.
const FallenProgram* closest(std::span<const FallenProgram> fallen, std::span<const std::string> rules);

}  // namespace plumbline::prove
