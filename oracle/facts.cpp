// Facts: replaying a script on the reference, and looking at the state before a statement.
#include "oracle/facts.h"

#include <algorithm>
#include <utility>

#include "language/slots.h"
#include "reference/call.h"
#include "reference/machine.h"
#include "reference/raise.h"
#include "spec/rules/aut.h"
#include "spec/vocabulary/key_layout.h"

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

bool excludes_a_backend(const Statement& statement) {
  const auto* guard = std::get_if<Enter>(&statement.kind);
  if (guard == nullptr || guard->kind != GuardKind::exclude_key) return false;
  const KeyLayout& layout = layout_of(Profile::sound);
  const auto key = runtime_key_named(layout, guard->key);
  return key && (word_of(layout, *key) & backend_mask(layout)) != 0;
}

bool kernel_excludes_a_backend(const Script& script) {
  return std::ranges::any_of(script.kernels, [](const CustomKernel& kernel) {
    return std::ranges::any_of(kernel.statements, excludes_a_backend);
  });
}

/// Whether the statement at `place` is in a functionalized body, or ends one.
bool inside_a_body(const Script& script, std::size_t place) {
  int open = 0;
  for (std::size_t i = 0; i < place; ++i) {
    if (std::holds_alternative<EnterFunctionalize>(script.statements[i].kind)) ++open;
    if (std::holds_alternative<LeaveFunctionalize>(script.statements[i].kind)) --open;
  }
  return open > 0;
}

/// Whether the script registers a hook on a view whose history must be made again for it.
bool hooks_a_stale_view(const reference::Judge& judge, const Script& script) {
  for (std::size_t i = 0; i < script.statements.size(); ++i) {
    const auto* hook = std::get_if<RegisterHook>(&script.statements[i].kind);
    const std::optional<State> state = hook == nullptr ? std::nullopt : state_at(judge, script, i);
    const Tensor* tensor = state ? tensor_in(*state, hook->tensor) : nullptr;
    if (tensor != nullptr && tensor->base != reference::kNoTensor && tensor->counter >= 0 &&
        tensor->recorded_at != reference::version_of(*state, *tensor))
      return true;
  }
  return false;
}

bool starts_from_several(const StatementKind& kind) {
  const auto* backward = std::get_if<Backward>(&kind);
  const auto* get = std::get_if<GetGradients>(&kind);
  return (backward != nullptr && !backward->more.empty()) || (get != nullptr && !get->more.empty());
}

bool makes_one_like(const Statement& statement) {
  const auto* call = std::get_if<Call>(&statement.kind);
  return call != nullptr && op(call->op).name.ends_with("_like");
}

bool hooks_saved_tensors(const Statement& statement) {
  return std::holds_alternative<EnterSavedTensorsHooks>(statement.kind);
}

bool makes_a_library(const Statement& statement) { return std::holds_alternative<MakeLibrary>(statement.kind); }

bool draws_numbers(const Statement& statement) {
  const auto* call = std::get_if<Call>(&statement.kind);
  return call != nullptr && op(call->op).name.starts_with("rand");
}

}  // namespace

std::set<std::string> facts_at(Profile profile, const Script& script, std::size_t place) {
  const StatementKind& kind = script.statements[place].kind;
  const auto before = script.statements.begin() + static_cast<std::ptrdiff_t>(place);
  std::set<std::string> facts;
  const auto add = [&](bool holds, const char* fact) { holds ? void(facts.insert(fact)) : void(); };
  add(has_negative_size(kind), "negative_size");
  add(starts_from_several(kind), "several_roots");
  add(std::any_of(script.statements.begin(), before, excludes_a_backend) || kernel_excludes_a_backend(script),
      "excluded_a_backend");
  add(std::any_of(script.statements.begin(), before, makes_one_like), "saw_a_factory");
  add(std::any_of(script.statements.begin(), before + 1, draws_numbers), "drew_numbers");
  add(std::any_of(script.statements.begin(), before, hooks_saved_tensors), "packed_a_saved_tensor");
  add(std::ranges::any_of(script.statements, makes_a_library), "registers_kernels");
  add(inside_a_body(script, place), "inside_a_body");
  add(std::ranges::any_of(script.statements,
                          [](const Statement& one) { return std::holds_alternative<EnterFunctionalize>(one.kind); }),
      "functionalizes");
  const reference::Judge judge{.profile = profile};
  add(hooks_a_stale_view(judge, script), "hooks_a_stale_view");
  std::optional<State> state = state_at(judge, script, place);
  if (!state) return facts;
  add(state->tls.inference_mode.v, "inside_inference_mode");
  add(!state->tls.inference_mode.v, "outside_inference_mode");
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
    add(!is_floating(tensor->dtype), "self_is_integral");
  }
  if (const auto written = written_slot(kind))
    if (const Tensor* tensor = tensor_in(*state, *written)) {
      add(is_inference<Concrete>(judge, tensor->meta, state->tls).v, "written_is_inference");
      add(tensor->counter >= 0, "written_has_version");
      add(!is_floating(tensor->dtype), "written_is_integral");
    }
  try {
    add(reference::step(judge, *state, script.statements[place]).failure.error != ErrorClass::none, "raises");
  } catch (const reference::ReferenceLimit&) {  // NOLINT(bugprone-empty-catch): the fact stays unknown
  }
  return facts;
}

}  // namespace plumbline
