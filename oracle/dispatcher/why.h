// Which kernel a call would run, and why: the path of one key set through an operator's table.
#pragma once

#include <string>
#include <vector>

#include "oracle/dispatcher/dump.h"

namespace plumbline::dispatcher {

/// One key of the set, from the highest priority.
struct WhyStep {
  std::string key;
  DumpedEntry entry;
  bool considered = false;  ///< it is at or above the highest key that does not fall through
  bool runs = false;        ///< the call runs this kernel
  std::string reason;       ///< why the entry is what it is, with the rule
};

/// A call's path.
struct Why {
  std::uint64_t arguments = 0, included = 0, excluded = 0, effective = 0;  ///< words of the layout
  std::vector<WhyStep> steps;
  std::vector<std::string> registrations;  ///< the operator's registrations: "CPU: KERNEL"
  bool hole = false;                       ///< no kernel: the call raises
};

/// The path of a call whose tensors have the keys `keys` in a thread that includes and excludes these keys (all are
/// names of runtime keys). Without `included` and `excluded` the thread has the default sets. Throws std::runtime_error
/// for a name that the version does not have.
Why why(const Judge<Concrete>& judge, const KeyLayout& layout, const DumpedOperator& op,
        const std::vector<DumpedEntry>& fallbacks, const std::vector<std::string>& keys,
        const std::optional<std::vector<std::string>>& included,
        const std::optional<std::vector<std::string>>& excluded);

/// The operator that a text describes, with a line for each kernel, the newest last: "KEY: NAME" or "KEY: fallthrough".
/// `#` begins a comment. Throws DumpError with file and line.
DumpedOperator operator_from_text(const KeyLayout& layout, const std::string& text, const std::string& file);

/// A text for people that shows the path.
std::string why_text(const KeyLayout& layout, const DumpedOperator& op, const Why& why);

}  // namespace plumbline::dispatcher
