// Recording the graph: nodes, edges, and histories that move when a tensor is written.
#include "reference/graph.h"

#include <utility>

#include "reference/bits.h"
#include "reference/by_schema_backward.h"
#include "reference/call.h"
#include "reference/hooks.h"
#include "reference/raise.h"
#include "reference/saved_hooks.h"
#include "reference/world.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/aut_backward.h"

namespace plumbline::reference {

namespace {

Node& at_node(State& state, NodeId id) { return state.nodes[static_cast<std::size_t>(id)]; }

/// retain_grad() follows the tensor to its new grad_fn, or stays with its old value.
void move_retained(const Judge& judge, State& state, TensorId id, const Edge& to, bool through_view) {
  Node::Output* old = retaining_output(state, id);
  if (old == nullptr || !retained_moves<Concrete>(judge, through_view).v) return;
  const Node& node = at_node(state, to.node);
  const bool by_view = node.kind == Node::Kind::op && op(node.op).kind == OpKind::InplaceView;
  const auto number = static_cast<std::size_t>(to.output);
  const bool same_number = std::ranges::any_of(
      state.nodes, [&](const Node& of) { return number < of.outputs.size() && &of.outputs[number] == old; });
  if (retained_view_fails<Concrete>(judge, !by_view && (old->retained_by_view || !same_number)).v)
    throw ReferenceLimit("an in-place op on a tensor that retains its gradient and is not the first result of its op");
  if (!retained_view_moves<Concrete>(judge, by_view).v) {
    old->retained_by_view = true;
    return;
  }
  const bool ends = !by_view && retained_view_ends<Concrete>(judge, old->retained_by_view).v;
  old->retained = kNoTensor;
  if (ends) return;
  Node::Output& now = at_node(state, to.node).outputs[static_cast<std::size_t>(to.output)];
  now.retained = id;
  now.retained_by_view = by_view;
}

}  // namespace

Node::Output* retaining_output(State& state, TensorId id) {
  for (Node& node : state.nodes)
    for (Node::Output& output : node.outputs)
      if (output.retained == id) return &output;
  return nullptr;
}

Edge gradient_edge(const Judge& judge, State& state, TensorId id) {
  if (recording_asks_history<Concrete>(judge, true).v) ask_history(judge, state, id);
  const Tensor& tensor = at(state, id);
  if (tensor.meta.has_grad_fn.v) return {tensor.node, tensor.output, kNoTensor};
  return tensor.meta.requires_grad.v ? Edge{kNoNode, 0, id} : Edge{};
}

SavedTensor saved_tensor(const State& state, TensorId id, bool original) {
  const Tensor& tensor = state.tensors[static_cast<std::size_t>(id)];
  return {id,
          tensor.geometry,
          tensor.dtype,
          tensor.storage,
          tensor.counter,
          tensor.counter < 0 ? 0 : version_of(state, tensor),
          tensor.meta.has_grad_fn.v,
          original};
}

NodeId begin_node(const Judge& judge, State& state, OpId id, std::span<const Value> values,
                  const std::vector<TensorId>& tensors) {
  Node node;
  node.op = id;
  std::vector<bool> derivable;  // by tensor
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto* list = std::get_if<std::vector<Slot>>(&values[i]);
    const std::size_t count = list != nullptr ? list->size() : std::holds_alternative<Slot>(values[i]) ? 1 : 0;
    derivable.insert(derivable.end(), count, op(id).by_schema || has_derivative_by(op(id).arguments[i]));
  }
  for (const TensorId tensor : tensors) {
    const Edge edge = derivable[node.inputs.size()] ? gradient_edge(judge, state, tensor) : Edge{};
    const Tensor& of = at(state, tensor);
    const bool ends = derivable[node.inputs.size()] && !edge.goes() && requires_grad_of(judge, state, tensor);
    node.inputs.push_back({edge, of.geometry, of.dtype, elements_of(state, of), std::nullopt,
                           saved_tensor(state, tensor, true), of.meta.keys.has_any(Functionality::Conjugate).v,
                           of.device, ends});
  }
  std::int32_t next = 0;
  for (const Value& value : values) {
    node.values.push_back(value);
    if (auto* slot = std::get_if<Slot>(&node.values.back())) *slot = static_cast<Slot>(next++);
    if (auto* slots = std::get_if<std::vector<Slot>>(&node.values.back()))
      for (Slot& slot : *slots) slot = static_cast<Slot>(next++);
  }
  state.nodes.push_back(std::move(node));
  return static_cast<NodeId>(state.nodes.size()) - 1;
}

std::int32_t add_output(State& state, NodeId node, TensorId id, bool differentiable) {
  const Tensor& tensor = at(state, id);
  auto& outputs = at_node(state, node).outputs;
  outputs.push_back({.sizes = sizes_of(tensor.geometry),
                     .dtype = tensor.dtype,
                     .differentiable = differentiable,
                     .device = tensor.device});
  return static_cast<std::int32_t>(outputs.size()) - 1;
}

void set_gradient_edge(const Judge& judge, State& state, TensorId id, NodeId node, std::int32_t output,
                       bool through_view) {
  move_retained(judge, state, id, {node, output}, through_view);
  new_grad_fn_for_hooks(judge, state, id, node, output);
  Tensor& tensor = at(state, id);
  tensor.meta.has_grad_fn = true;
  tensor.node = node;
  tensor.output = output;
  if (tensor.counter >= 0) tensor.recorded_at = version_of(state, tensor);
  tensor.recorded_free = false;
}

namespace {

/// The inputs of a node, by their numbers, that are the argument at `place`.
std::vector<std::pair<std::size_t, TensorId>> inputs_at(const std::vector<Placed>& operands, std::int8_t place) {
  std::vector<std::pair<std::size_t, TensorId>> found;
  std::size_t input = 0;
  for (const auto& [at, operand] : operands) {
    if (operand.is_number()) continue;
    if (at == static_cast<std::size_t>(place)) found.emplace_back(input, operand.tensor);
    ++input;
  }
  return found;
}

bool saves_mean_input(const Judge& judge, OpId of) {
  return (of == OpId::mean || of == OpId::mean_dim) && mean_saves_input<Concrete>(judge, of == OpId::mean_dim).v;
}

}  // namespace

std::span<const Saves> saves_of(const Node& node) {
  return node.by_schema != nullptr ? std::span(node.by_schema->saves) : op(node.op).saves;
}

void pack_inputs(const Judge& judge, State& state, NodeId id, const std::vector<Placed>& operands,
                 const std::vector<bool>& needed) {
  if (state.saved_hooks.empty()) return;
  const auto pack_one = [&](std::size_t input, TensorId tensor) {
    SavedTensor before = at_node(state, id).inputs[input].before;
    pack(judge, state, before, tensor);
    at_node(state, id).inputs[input].before = std::move(before);
  };
  const OpId of = at_node(state, id).op;
  if (saves_mean_input(judge, of)) pack_one(0, operands.front().operand.tensor);
  std::size_t need = 0;
  for (const Saves& saves : saves_of(at_node(state, id))) {
    if (!needed.at(need++)) continue;
    if (saves.copy) throw ReferenceLimit("hooks of saved tensors, and an op that saves a copy of its argument");
    if (saves.saved < 0) continue;
    const auto inputs = inputs_at(operands, saves.saved);
    if (inputs.empty() && judge.profile == Profile::torch_1_13)
      throw ReferenceLimit("hooks of saved tensors, and an op that saves a number");  // 1.13 gives it to the hook
    for (const auto& [input, tensor] : inputs) pack_one(input, tensor);
  }
}

void save_for_backward(const Judge& judge, State& state, NodeId id, const std::vector<Placed>& operands,
                       const std::vector<bool>& needed, const std::vector<TensorId>& results) {
  const OpId of = at_node(state, id).op;
  if (saves_mean_input(judge, of)) at_node(state, id).inputs.front().saved = at_node(state, id).inputs.front().before;
  const auto learned = at_node(state, id).by_schema;  // a pack hook may add nodes
  std::size_t need = 0;
  for (const Saves& saves : saves_of(at_node(state, id))) {
    if (!needed.at(need++)) continue;
    Node& node = at_node(state, id);
    node.saves_unversioned = node.saves_unversioned || saves.copy;
    if (saves.copy) continue;
    if (saves.saved < 0) {
      const auto k = static_cast<std::size_t>(kSavesResult - saves.saved);
      World world(judge, state);
      machine::check_saved(world, results[k]);
      SavedTensor saved = saved_tensor(state, results[k], false);
      saved.had_grad_fn = false;  // the node itself knows a result's history
      pack(judge, state, saved, results[k]);
      at_node(state, id).outputs[k].saved = saved;
      continue;
    }
    const auto saved = inputs_at(operands, saves.saved);
    for (const auto& [input, tensor] : saved) node.inputs[input].saved = node.inputs[input].before;
    node.saves_unversioned = node.saves_unversioned || saved.empty();
  }
}

}  // namespace plumbline::reference
