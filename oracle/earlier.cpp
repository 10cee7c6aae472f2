// Earlier statements: walking back from a statement through what made and what changed its tensors.
#include "oracle/earlier.h"

#include <algorithm>

#include "language/slots.h"
#include "oracle/facts.h"
#include "oracle/reading_text.h"
#include "reference/machine.h"
#include "reference/raise.h"

namespace plumbline {

namespace {

using reference::State;
using Slots = std::set<Slot>;

/// The states before the statements up to `place`; none where the reference does not come.
std::vector<std::optional<State>> states_until(const reference::Judge& judge, const Script& script, std::size_t place) {
  std::vector<std::optional<State>> states(place + 1);
  try {
    reference::run(judge, script, [&](std::size_t at, const State& state, std::size_t) {
      if (at < states.size()) states[at] = state;
    });
  } catch (const reference::ReferenceLimit&) {  // NOLINT(bugprone-empty-catch): the other states stay unknown
  }
  return states;
}

/// The memory of the tensor in a slot; −1 where there is none.
int memory_of(const std::optional<State>& state, Slot slot) {
  const auto i = static_cast<std::size_t>(slot);
  if (!state || i >= state->slots.size() || state->slots[i] == reference::kNoTensor) return -1;
  return state->tensors[static_cast<std::size_t>(state->slots[i])].storage;
}

/// Whether one of `some` is a slot of `reached`, or shares its memory with one.
bool meet(const std::optional<State>& state, const Slots& some, const Slots& reached) {
  return std::ranges::any_of(some, [&](Slot one) {
    const int memory = memory_of(state, one);
    return reached.contains(one) ||
           (memory >= 0 && std::ranges::any_of(reached, [&](Slot other) { return memory_of(state, other) == memory; }));
  });
}

struct Touched {
  Slots takes, gives;
  Slots changes;  ///< what it writes; for a statement that is no call, all that it takes
};

Touched touched_by(const StatementKind& kind) {
  Touched touched;
  visit_slots(kind, [&](Slot slot) { touched.takes.insert(slot); }, [&](Slot slot) { touched.gives.insert(slot); });
  if (const auto written = written_slot(kind)) touched.changes.insert(*written);
  if (!std::holds_alternative<Call>(kind) && !std::holds_alternative<Read>(kind)) touched.changes = touched.takes;
  return touched;
}

bool goes_back(const StatementKind& kind) {
  return std::holds_alternative<Backward>(kind) || std::holds_alternative<GetGradients>(kind);
}

}  // namespace

std::vector<EarlierStatement> earlier_statements(Profile profile, const Script& script, std::size_t place,
                                                 std::optional<Slot> read) {
  const reference::Judge judge{.profile = profile};
  const std::vector<std::optional<State>> states = states_until(judge, script, place);
  Touched start = touched_by(script.statements[place].kind);
  Slots reached = start.takes;
  reached.merge(start.gives);
  if (read) reached.insert(*read);
  std::vector<EarlierStatement> earlier;
  for (std::size_t i = place; i-- > 0;) {
    const StatementKind& kind = script.statements[i].kind;
    const Touched touched = touched_by(kind);
    if (!goes_back(kind) && !meet(states[i + 1], touched.gives, reached) && !meet(states[i], touched.changes, reached))
      continue;
    earlier.push_back({statement_name(script.statements[i]), facts_at(profile, script, i)});
    reached.insert(touched.takes.begin(), touched.takes.end());
    reached.insert(touched.gives.begin(), touched.gives.end());
  }
  std::ranges::reverse(earlier);
  return earlier;
}

}  // namespace plumbline
