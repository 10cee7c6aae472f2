// The key set by which a call of the dispatcher's programs is dispatched.
#pragma once

#include <functional>

#include "reference/dispatcher/table.h"
#include "spec/dispatch_script.h"
#include "spec/rules/tls.h"

namespace plumbline::reference {

/// The layout in which the rules write key sets.
inline const KeyLayout& rules_layout() { return layout_of(Profile::sound); }

/// The key sets of a call, in the layout of the judge's profile.
struct CallWords {
  std::uint64_t arguments = 0;  ///< of its tensors
  std::uint64_t effective = 0;  ///< by which it is dispatched, before what falls through is taken out
};
CallWords call_words(const Judge& judge, const Tls& tls, const std::vector<ProbeTensor>& tensors, bool list);

/// The call's key set without the keys at which the operator falls through (DSP-30, DSP-31).
std::uint64_t without_fallthrough(const Judge& judge, const KeyLayout& layout, const CallWords& call,
                                  const std::function<bool(RuntimeKey)>& falls_through);

}  // namespace plumbline::reference
