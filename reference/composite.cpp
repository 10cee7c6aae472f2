// Runs composite ops as the ops that they call.
#include "reference/composite.h"

#include <array>
#include <stdexcept>

#include "reference/call.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"

namespace plumbline::reference {

namespace {

// view and expand to another tensor's sizes [aten/src/ATen/native/TensorShape.cpp, view_as, expand_as].
std::vector<TensorId> view_as(CompositeRun& run) {
  const Arguments& of = run.arguments();
  return {run.call(OpId::view, {run.value(of.tensor(0)), sizes_of(run.tensor(of.tensor(1)).geometry)})};
}
std::vector<TensorId> expand_as(CompositeRun& run) {
  const Arguments& of = run.arguments();
  return {run.call(OpId::expand, {run.value(of.tensor(0)), sizes_of(run.tensor(of.tensor(1)).geometry), false})};
}

CompositeBody body_of(OpId op) {
  for (const auto entries : {product_composites(), reshape_composites(), bit_composites(), view_composites()})
    for (const CompositeEntry& entry : entries)
      if (entry.op == op) return entry.body;
  switch (op) {
    case OpId::view_as:
      return view_as;
    case OpId::expand_as:
      return expand_as;
    default:
      return nullptr;
  }
}

}  // namespace

Value CompositeRun::value(TensorId tensor) {
  state_.slots.push_back(tensor);  // a slot after the script's own; run_composite removes it again
  return static_cast<Slot>(state_.slots.size() - 1);
}

TensorId CompositeRun::call(OpId op, std::vector<Value> values) { return calls(op, std::move(values)).front(); }

std::vector<TensorId> CompositeRun::calls(OpId op, std::vector<Value> values) {
  return dispatch(judge_, state_, op, values, kernels_);
}

std::vector<TensorId> CompositeRun::own_kernels(OpId op) {
  return run_kernels(judge_, state_, op, arguments_.values(), kernels_);
}

bool is_expanded(OpId op) { return body_of(op) != nullptr; }

std::vector<TensorId> run_composite(OpId op, CompositeRun& run) {
  const CompositeBody body = body_of(op);
  if (body == nullptr) throw std::logic_error("the reference has no kernel for " + qualified_name(plumbline::op(op)));
  return body(run);
}

}  // namespace plumbline::reference
