// The reference's state as a world: how its errors read, and how nodes of the graph follow what the machine decides.
#include "reference/world.h"

#include <array>
#include <span>

#include "reference/bits.h"
#include "reference/by_schema.h"
#include "reference/devices.h"
#include "reference/graph.h"
#include "reference/raise.h"
#include "reference/saved_hooks.h"
#include "spec/vocabulary/error_texts.h"

namespace plumbline::reference {

namespace {

/// The text of an error about a tensor. For a view PyTorch has two: one if it is the output of a node, and one if not
/// [torch/csrc/autograd/variable.cpp, handle_view_on_rebase].
std::string text_about(ErrorClass error, const Tensor& tensor, const Occasion& occasion) {
  if (occasion.message)
    if (const auto own = occasion.message(error)) return *own;
  if (error == ErrorClass::out_requires_grad) return error_message(error, {std::string(occasion.op->name)});
  if (error == ErrorClass::grad_dtype && occasion.setting)
    return "only Tensors of floating point dtype can require gradients";
  if (error == ErrorClass::not_a_leaf && occasion.setting == false)
    return message_beginning(error, "you can only change requires_grad flags of leaf variables. ", {});
  const bool recorded = tensor.node != kNoNode;
  const std::string number = tensor.computed_mapped ? "…" : std::to_string(tensor.output);
  const std::array<std::string, 2> parts{number, "…"};
  for (const ErrorText& text : error_texts())
    if (text.error == error && text.pattern.starts_with("Output") == recorded)
      return fill(text.pattern, recorded ? std::span<const std::string>(parts) : std::span<const std::string>());
  return error_message(error, {});  // an error of any tensor, or an internal assertion
}

/// A node of a tracked view that takes the gradient of the view's base as its first input.
Node node_on_base(const Judge& judge, State& state, TensorId x, Node::Kind kind) {
  const Tensor view = at(state, x);
  refuse_view_of_parts(state, view);
  Node node;
  node.kind = kind;
  node.base = at(state, view.base).geometry;
  node.view = view.geometry;
  node.inputs.push_back({.edge = gradient_edge(judge, state, view.base),
                         .geometry = node.base,
                         .dtype = view.dtype,
                         .device = view.device});
  return node;
}

NodeId add_node(State& state, Node node) {
  state.nodes.push_back(std::move(node));
  return static_cast<NodeId>(state.nodes.size()) - 1;
}

}  // namespace

void World::set_meta(TensorId x, const Meta& meta, Here here) {
  if (machine::is_dropped(here)) return;
  Tensor& tensor = at(state_, x);
  tensor.meta = meta;
  if (!meta.has_grad_fn.v) tensor.node = kNoNode;
}

Bool<Concrete> World::history_is_current(TensorId x) const {
  const Tensor& tensor = at(state_, x);
  if (tensor.recorded_free)
    throw ReferenceLimit("the history of a piece that unsafe_split made of a tensor with an unspecified version");
  return tensor.recorded_at == version_of(state_, tensor);
}

void World::raise(const Error<Concrete>& error, TensorId about, Here here) const {
  if (machine::is_dropped(here)) return;
  const auto raised = static_cast<ErrorClass>(error.v);
  if (raised != ErrorClass::none) reference::raise(raised, text_about(raised, at(state_, about), occasion_));
}

void World::raise_after_write(const Error<Concrete>& error, TensorId about, Here here) {
  const bool raises = static_cast<ErrorClass>(error.v) != ErrorClass::none;
  if (raises && occasion_.op->by_schema && occasion_.op->composite) forget_elements(state_, about);
  raise(error, about, here);
}

void World::count(TensorId x, const Num<Concrete>& versions, Here here) {
  if (machine::is_dropped(here)) return;
  const std::int32_t counter = at(state_, x).counter;
  if (counter >= 0) count_versions(judge(), state_, counter, versions.v);
}

void World::regenerate_history(TensorId x, Here here) {
  if (machine::is_dropped(here)) return;
  const NodeId made = add_node(state_, node_on_base(judge(), state_, x, Node::Kind::view_of_base));
  set_gradient_edge(judge(), state_, x, made, add_output(state_, made, x));
}

void World::record_write(TensorId x, Here here) {
  if (!machine::is_dropped(here)) set_gradient_edge(judge(), state_, x, occasion_.writing, 0);
}

void World::record_write_of_view(TensorId x, Here here) {
  if (machine::is_dropped(here)) return;
  Node slices = node_on_base(judge(), state_, x, Node::Kind::copy_slices);
  slices.function = occasion_.writing;
  const auto& inputs = state_.nodes[static_cast<std::size_t>(occasion_.writing)].inputs;
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    slices.inputs.push_back(inputs[i]);
    slices.inputs.back().elements.clear();
    slices.inputs.back().saved.reset();
  }
  const TensorId base = at(state_, x).base;
  const NodeId rebased = add_node(state_, std::move(slices));
  set_gradient_edge(judge(), state_, base, rebased, add_output(state_, rebased, base), true);
}

void World::close_frame() {
  leave_saved_hooks(state_, state_.frames.back());
  state_.frames.pop_back();
}

TensorId add_made(const Judge& judge, State& state, const machine::Made<Concrete>& what, Tensor made, TensorId source) {
  raise_class(static_cast<ErrorClass>(what.error.v));
  const KeySet<Concrete> bits = made.meta.keys;
  made.meta = what.meta;
  made.meta.keys = keys_on(judge, what.meta.keys | bits, made.device);
  if (what.meta.counted.v && what.shares_counter.v) made.counter = at(state, source).counter;
  if (what.meta.counted.v && !what.shares_counter.v) {
    made.counter = static_cast<std::int32_t>(state.counters.size());
    state.counters.push_back({.version = what.version.v});
  }
  if (what.meta.tracked.v) made.base = what.base_of_source.v ? at(state, source).base : source;
  state.tensors.push_back(std::move(made));
  return static_cast<TensorId>(state.tensors.size()) - 1;
}

}  // namespace plumbline::reference
