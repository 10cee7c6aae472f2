// A program run on the reference one statement at a time, for tests that look at the states between.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "reference/kernels.h"
#include "reference/machine.h"

namespace plumbline::fuzz {

using reference::Judge;
using reference::State;

/// One executed statement: the state before it, after it, and after an error has left its guards.
struct Step {
  const Judge& judge;
  const Statement& statement;
  const Outcome& outcome;
  const State& before;
  const State& after;
  const State& unwound;
};
using Look = std::function<bool(const Step&)>;  ///< false: the property is violated

/// Runs a script as reference::run does, and shows each step.
inline bool holds_on(const Judge& judge, const Script& script, const Look& look) {
  State state = reference::initial_state(judge, script);
  std::vector<std::size_t> tries;
  for (std::size_t i = 0; i < script.statements.size(); ++i) {
    const Statement& statement = script.statements[i];
    if (std::holds_alternative<Try>(statement.kind)) tries.push_back(state.frames.size());
    if (std::holds_alternative<EndTry>(statement.kind)) tries.pop_back();
    const State before = state;
    const Outcome outcome = reference::step(judge, state, statement);
    const State after = state;
    const bool raised = outcome.failure.error != ErrorClass::none;
    if (raised) reference::unwind(judge, state, tries.empty() ? 0 : tries.back());
    if (!look({judge, statement, outcome, before, after, state})) return false;
    if (!raised) continue;
    if (tries.empty()) return true;
    int depth = 0;
    while (depth > 0 || !std::holds_alternative<EndTry>(script.statements[i + 1].kind)) {
      ++i;
      depth += std::holds_alternative<Try>(script.statements[i].kind)      ? 1
               : std::holds_alternative<EndTry>(script.statements[i].kind) ? -1
                                                                           : 0;
    }
  }
  return true;
}

/// Whether it carries neither an Autograd key nor ADInplaceOrView.
inline bool is_inference(const reference::Tensor& tensor) {
  return !tensor.meta.keys.has_any(autograd_keys<Concrete>() | Functionality::ADInplaceOrView).v;
}

inline bool same(const reference::Element& a, const reference::Element& b) {
  const bool real = a.real == b.real || (std::isnan(a.real) && std::isnan(b.real));
  return real && a.integer == b.integer && a.known == b.known;
}
inline bool same(const reference::Geometry& a, const reference::Geometry& b) {
  const auto equal = [](const auto& x, const auto& y) { return x.v == y.v; };
  return a.offset.v == b.offset.v && std::ranges::equal(a.sizes, b.sizes, equal) &&
         std::ranges::equal(a.strides, b.strides, equal);
}
inline bool same_elements(const State& a, const State& b, std::int32_t storage) {
  const auto i = static_cast<std::size_t>(storage);
  return std::ranges::equal(a.storages[i].elements, b.storages[i].elements,
                            [](const auto& x, const auto& y) { return same(x, y); });
}

}  // namespace plumbline::fuzz
