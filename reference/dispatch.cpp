// Dispatches a call: to kernels, or for a composite op to the ops that it calls.
#include <utility>

#include "reference/call.h"
#include "reference/composite.h"
#include "reference/custom_operator.h"
#include "reference/functionalized.h"
#include "reference/functorch/functorch.h"
#include "reference/raise.h"
#include "spec/vocabulary/call_slots.h"

namespace plumbline::reference {

namespace {

/// What a functionalized body does with an op of which only the schema is known follows if it is no view, and if it is
/// one op there: PyTorch 1.13 runs a composite op as the ops that it calls.
void refuse_in_body(const Judge& judge, const Op& op) {
  const bool views = op.kind == OpKind::View || op.kind == OpKind::InplaceView;
  const bool hidden = op.composite && judge.profile == Profile::torch_1_13;  // which ops it calls is not known
  if (views || hidden)
    throw ReferenceLimit(text(qualified_name(op), ", known by its schema, in a functionalized body"));
}

/// A call of an op with its own kernels; it is listed if a list was requested.
std::vector<TensorId> dispatch_listed(const Judge& judge, State& state, OpId op, std::span<const Value> values,
                                      std::vector<KernelRun>& kernels) {
  const Restored listed(state.dispatched);
  std::vector<Dispatched>& list = *std::exchange(state.dispatched, nullptr);
  Dispatched made{op, {values.begin(), values.end()}, {}, {}};
  each_argument_slot(made, [&](Slot& slot) { slot = static_cast<Slot>(held(state, slot)); });
  made.results = run_kernels(judge, state, op, values, kernels);
  for (const TensorId result : made.results) made.given.push_back(at(state, result));
  list.push_back(made);
  return made.results;
}

}  // namespace

std::vector<TensorId> dispatch(const Judge& judge, State& state, OpId op, std::span<const Value> values,
                               std::vector<KernelRun>& kernels) {
  const Op& of_table = plumbline::op(op);
  const bool traced = functorch::is_on_top(state) || state.dispatched != nullptr;
  if (of_table.by_schema && traced && !is_expanded(op)) refuse_in_body(judge, of_table);
  if (of_table.by_schema && of_table.composite && written_argument(of_table) >= 0 && (traced || in_body(state)))
    check_writing_composite(judge, of_table);
  if (functorch::is_on_top(state) && (!is_expanded(op) || functorch::runs_below(judge, op)))
    return functorch::dispatch(judge, state, op, values, kernels);
  if (!is_expanded(op) && state.dispatched != nullptr) return dispatch_listed(judge, state, op, values, kernels);
  if (!is_expanded(op)) return run_kernels(judge, state, op, values, kernels);
  const Arguments arguments(state, plumbline::op(op), values);
  CompositeRun run(judge, state, arguments, kernels);
  const Restored slots(state.slots);  // a composite op adds slots for its inner results
  const functorch::InComposite in(judge, state, op, values);
  return run_composite(op, run);
}

std::vector<TensorId> dispatch_on(const Judge& judge, State& state, OpId op, std::span<const TensorId> tensors,
                                  std::vector<Value> more) {
  const Restored slots(state.slots);
  std::vector<Value> values;
  for (const TensorId tensor : tensors) {
    values.emplace_back(static_cast<Slot>(state.slots.size()));
    state.slots.push_back(tensor);
  }
  values.insert(values.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  std::vector<KernelRun> unseen;
  return dispatch(judge, state, op, values, unseen);
}

}  // namespace plumbline::reference
