// The shortest body that shows a fault of functionalization.
#pragma once

#include <functional>

#include "functionalization/validate/run.h"

namespace plumbline::validate {

/// May be called by several threads: what is wrong with a body, whose steps have run on the validator's machine;
/// nothing: it does not show the fault.
using Judged = std::function<std::optional<Finding>(Validator& validator, const passes::Body& body)>;

/// What was found.
struct Shortest {
  std::uint64_t bodies = 0;        ///< judged
  std::optional<Finding> found{};  ///< in a body of the fewest steps
  int steps = 0;                   ///< of that body, or of the longest bodies that were tried
  bool interrupted = false;
};

/// Every body of 1 to `longest` steps, shortest first, over a few inputs that may share memory, until one shows the
/// fault. `stop` is asked now and then.
Shortest shortest_body(const Judged& judged, int longest, const std::function<bool()>& stop);

/// Every such body of 1 to `longest` steps with a finding that is news: none before it is of its kind with no other
/// parts than it has (`Finding`). The numbers are those of the steps.
struct Kinds {
  std::uint64_t bodies = 0;  ///< judged
  std::vector<std::pair<int, Finding>> found{};
  bool interrupted = false;
};
/// Several threads share the inputs; the result does not depend on how.
Kinds shortest_of_each_kind(const Judged& judged, int longest, unsigned jobs, const std::function<bool()>& stop);

/// What the passes with the fault in `options` (`flipped`) get wrong.
std::optional<Finding> wrong_by_passes(const Options& options, Validator& validator, const passes::Body& body);

}  // namespace plumbline::validate
