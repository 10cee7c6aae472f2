// Which kernel a call would run, and why: the way of one key set through an operator's table.
#pragma once

#include <string>
#include <vector>

#include "oracle/dispatcher/dump.h"

namespace plumbline::dispatcher {

/// One key of the set, from the highest priority.
struct WhyStep {
  std::string key;
  DumpedEntry entry;
  bool considered = false;  ///< it is the highest that does not fall through, or above that one
  bool runs = false;        ///< the call arrives here
  std::string reason;       ///< why the entry is what it is, by the rule
};

/// A call's way.
struct Why {
  std::uint64_t arguments = 0, included = 0, excluded = 0, effective = 0;  ///< words of the layout
  std::vector<WhyStep> steps;
  std::vector<std::string> registrations;  ///< what is registered for the operator: "CPU: KERNEL"
  bool hole = false;                       ///< no kernel: the call raises
};

/// The way of a call whose tensors have the keys `keys` in a thread that includes and excludes these; names of runtime
/// keys. Without `included` and `excluded` the thread's sets are the default ones. Throws std::runtime_error for a name
/// that the version does not have.
Why why(const Judge<Concrete>& judge, const KeyLayout& layout, const DumpedOperator& op,
        const std::vector<DumpedEntry>& fallbacks, const std::vector<std::string>& keys,
        const std::optional<std::vector<std::string>>& included,
        const std::optional<std::vector<std::string>>& excluded);

/// The operator that a text describes, a line for each kernel: "KEY: NAME", or "KEY: fallthrough"; newest last; `#`
/// begins a comment. Throws DumpError with file and line.
DumpedOperator operator_from_text(const KeyLayout& layout, const std::string& text, const std::string& file);

/// The same for people.
std::string why_text(const KeyLayout& layout, const DumpedOperator& op, const Why& why);

}  // namespace plumbline::dispatcher
