// Facts: replaying a script on the reference, and looking at the state before a statement.
#include "oracle/facts.h"

#include <algorithm>
#include <utility>

#include "language/slots.h"
#include "reference/call.h"
#include "reference/machine.h"
#include "reference/raise.h"
#include "spec/rules/aut.h"

namespace plumbline {

namespace {

using reference::State;
using reference::Tensor;

/// The tensors that a statement takes, in order.
std::vector<Slot> operands(const StatementKind& kind) {
  std::vector<Slot> slots;
  visit_slots(kind, [&](Slot slot) { slots.push_back(slot); }, [](Slot) {});
  return slots;
}

const Tensor* tensor_in(const State& state, Slot slot) {
  const auto i = static_cast<std::size_t>(slot);
  if (i >= state.slots.size() || state.slots[i] == reference::kNoTensor) return nullptr;
  return &state.tensors[static_cast<std::size_t>(state.slots[i])];
}

/// The state before a statement; nothing if the reference does not reach it.
std::optional<State> state_at(const reference::Judge& judge, const Script& script, std::size_t place) {
  try {
    return reference::state_before(judge, script, place);
  } catch (const reference::ReferenceLimit&) {
    return std::nullopt;
  }
}

bool has_negative_size(const StatementKind& kind) {
  const auto* call = std::get_if<Call>(&kind);
  if (call == nullptr) return false;
  for (std::size_t i = 0; i < call->arguments.size(); ++i) {
    const auto* sizes = std::get_if<std::vector<std::int64_t>>(&call->arguments[i]);
    if (sizes != nullptr && op(call->op).arguments[i].name == "size" &&
        std::ranges::any_of(*sizes, [](std::int64_t size) { return size < 0; }))
      return true;
  }
  return false;
}

}  // namespace

std::set<std::string> facts_at(Profile profile, const Script& script, std::size_t place) {
  const reference::Judge judge{.profile = profile};
  std::optional<State> state = state_at(judge, script, place);
  if (!state) return {};
  const StatementKind& kind = script.statements[place].kind;
  std::set<std::string> facts;
  const auto add = [&](bool holds, const char* fact) { holds ? void(facts.insert(fact)) : void(); };
  add(state->tls.inference_mode.v, "inside_inference_mode");
  add(!state->tls.inference_mode.v, "outside_inference_mode");
  add(has_negative_size(kind), "negative_size");
  add(std::ranges::any_of(script.statements,
                          [](const Statement& one) { return std::holds_alternative<EnterFunctionalize>(one.kind); }),
      "functionalizes");
  bool first = true;
  for (const Slot slot : operands(kind)) {
    const Tensor* tensor = tensor_in(*state, slot);
    if (tensor == nullptr) continue;
    const bool inference = is_inference<Concrete>(judge, tensor->meta, state->tls).v;
    add(inference, "argument_is_inference");
    if (!std::exchange(first, false)) continue;
    add(inference, "self_is_inference");
    add(!inference, "self_is_normal");
    add(tensor->counter >= 0, "self_has_version");
    add(reference::element_count(reference::sizes_of(tensor->geometry)) == 0, "self_is_empty");
  }
  if (const auto written = written_slot(kind))
    if (const Tensor* tensor = tensor_in(*state, *written)) {
      add(is_inference<Concrete>(judge, tensor->meta, state->tls).v, "written_is_inference");
      add(tensor->counter >= 0, "written_has_version");
    }
  try {
    add(reference::step(judge, *state, script.statements[place]).failure.error != ErrorClass::none, "raises");
  } catch (const reference::ReferenceLimit&) {  // NOLINT(bugprone-empty-catch): the fact stays unknown
  }
  return facts;
}

}  // namespace plumbline
