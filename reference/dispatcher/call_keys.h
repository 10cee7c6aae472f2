// The key set of a call of a program's own operator.
#pragma once

#include <functional>

#include "reference/dispatcher/table.h"
#include "spec/rules/tls.h"
#include "spec/vocabulary/key_step.h"

namespace plumbline::reference {

/// The layout in which the rules write key sets.
inline const KeyLayout& rules_layout() { return layout_of(Profile::sound); }

/// The key sets of a call, in the layout of the judge's profile.
struct CallWords {
  std::uint64_t arguments = 0;  ///< the union over its tensors
  std::uint64_t effective = 0;  ///< the set that dispatches it, before the keys that fall through are removed
};
CallWords call_words(const Judge& judge, const KeySet<Concrete>& arguments, const KeySet<Concrete>& effective);

/// The call's key set without the keys at which the operator falls through (DSP-30, DSP-31).
std::uint64_t without_fallthrough(const Judge& judge, const KeyLayout& layout, const CallWords& call,
                                  const std::function<bool(RuntimeKey)>& falls_through);

/// The set of a runtime key, in the rules' layout. Raises `unknown_key` if the judge's version has no such key.
KeySet<Concrete> keys_named(const Judge& judge, const std::string& name);

/// `keys`, which are in the layout, after one step. Raises as keys_named.
std::uint64_t stepped(const Judge& judge, const KeyLayout& layout, std::uint64_t keys, const KeyStep& step);

}  // namespace plumbline::reference
