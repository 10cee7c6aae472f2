// What becomes of a curated program about the dispatcher on an implementation.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "oracle/compare.h"
#include "oracle/dispatcher/check_programs.h"
#include "oracle/dispatcher/runner.h"

namespace plumbline::dispatcher {

/// The result of one program: "pass"; "departs": it differs as the implementation's profile says; "unsupported": it
/// names keys that the version does not have, or reaches a limit of the reference; "divergent".
struct Fate {
  std::string_view verdict;
  std::string why;  ///< empty only for "pass"
  /// Where it departs or is divergent. Its signature is "departs", "run/crash" and the like, or as in TraceDifference.
  std::optional<plumbline::Difference> difference;
};

/// `result`: what the implementation did, or how it broke down. `own`: the rules of its profile.
Fate fate_of(const DispatchTest& test, const DispatchResult& result, const reference::Judge& own);

}  // namespace plumbline::dispatcher
