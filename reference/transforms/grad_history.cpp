// What differentiated bodies recorded, and where it leads after them.
#include "reference/transforms/grad_history.h"

#include <algorithm>
#include <utility>

#include "reference/call.h"
#include "reference/graph.h"
#include "reference/raise.h"
#include "spec/rules/trf.h"
#include "spec/rules/ver.h"

namespace plumbline::reference::transforms {

GradGraph::GradGraph(const Judge& judge, const State& state, const Differentiated& body)
    : state_(state), first_(static_cast<NodeId>(body.first_node)) {
  for (const Differentiated::Input& input : body.inputs) {
    const bool leads = body.records_outside && requires_grad_of(judge, state, input.outer);
    if (input.chosen) leaves_.insert(input.own);
    if (input.chosen && !leads) dead_.insert(input.own);
  }
}

bool GradGraph::leads_outside(const Edge& edge) {
  if (edge.node == kNoNode) return edge.leaf != kNoTensor && !dead_.contains(edge.leaf);
  return leads_outside(edge.node);
}

bool GradGraph::leads_outside(NodeId node) {
  if (node < first_) return node != kNoNode;
  const auto known = known_.find(node);
  if (known != known_.end()) return known->second;
  known_[node] = false;
  const Node& of = state_.nodes[static_cast<std::size_t>(node)];
  bool leads = of.function != kNoNode && leads_outside(of.function);
  for (const Node::Input& input : of.inputs) {
    leads = leads_outside(input.edge) || leads;
    if (input.ends) leads = leads_outside(edge_known_of(base_of(input.before.tensor))) || leads;
  }
  return known_[node] = leads;
}

Edge GradGraph::edge_known_of(TensorId tensor) const {
  const Tensor& of = state_.tensors[static_cast<std::size_t>(tensor)];
  if (of.meta.has_grad_fn.v) return {of.node, of.output, kNoTensor};
  return of.meta.requires_grad.v ? Edge{kNoNode, 0, tensor} : Edge{};
}

TensorId GradGraph::base_of(TensorId tensor) const {
  const Tensor& of = state_.tensors[static_cast<std::size_t>(tensor)];
  return of.meta.tracked.v ? of.base : tensor;
}

bool GradGraph::requires_grad_by_leaf(TensorId tensor) const {
  return reaches_leaf(edge_known_of(tensor)) || reaches_leaf(edge_known_of(base_of(tensor)));
}

bool GradGraph::reaches_leaf(const Edge& edge) const {
  std::set<NodeId> seen;
  std::vector<Edge> left{edge};
  const auto see = [&](NodeId node) {
    if (node < first_ || !seen.insert(node).second) return;
    const Node& of = state_.nodes[static_cast<std::size_t>(node)];
    left.push_back({of.function, 0, kNoTensor});
    for (const Node::Input& input : of.inputs) left.push_back(input.edge);
  };
  while (!left.empty()) {
    const Edge one = left.back();
    left.pop_back();
    if (one.node == kNoNode && leaves_.contains(one.leaf)) return true;
    see(one.node);
  }
  return false;
}

bool GradGraph::maps() const {
  return std::any_of(state_.nodes.begin() + first_, state_.nodes.end(),
                     [](const Node& node) { return node.mapping.has_value(); });
}

GradEnding::GradEnding(const Judge& judge, State& state)
    : judge_(judge), state_(state), body_(std::move(state.differentiated.back())) {
  state_.differentiated.pop_back();
}

void GradEnding::run() {
  for (const Differentiated::Input& input : body_.inputs) {
    outer_[input.own] = input.outer;
    Edge& edge = edges_[input.own];
    if (!input.chosen) edge = {kNoNode, 0, input.outer};
    if (input.chosen && body_.records_outside) edge = edge_of(input.outer);
  }
  for (const Differentiated::Input& input : body_.inputs) give_back(input);
  for (std::size_t i = body_.first_tensor; i < state_.tensors.size(); ++i) rename(state_.tensors[i].base);
  for (std::size_t i = body_.first_node; i < state_.nodes.size(); ++i) relink(state_.nodes[i]);
  drop_histories();
  if (!body_.records_outside) see_as_without_grad_mode();
}

/// Nothing for a view that the body has made stale: whoever asks for its history gets the error.
Edge GradEnding::edge_of(TensorId outer) {
  try {
    return gradient_edge(judge_, state_, outer);
  } catch (const Raise&) {
    return {};
  }
}

TensorId GradEnding::outer(TensorId tensor) const {
  const auto found = outer_.find(tensor);
  return found == outer_.end() ? tensor : found->second;
}

void GradEnding::give_back(const Differentiated::Input& input) {
  const Tensor& own = at(state_, input.own);
  if (std::ranges::find(body_.written, own.storage) == body_.written.end()) return;
  Tensor& outer = at(state_, input.outer);
  if (input.chosen) {
    if (sizes_of(outer.geometry).size() == sizes_of(own.geometry).size()) outer.geometry = own.geometry;
    return;
  }
  const Tensor before = std::exchange(outer, own);
  outer.grad = before.grad;
  rename(outer.base);
  if (body_.records_outside) return;
  outer.node = before.node;
  outer.output = before.output;
  outer.meta.has_grad_fn = before.meta.has_grad_fn;
  outer.meta.requires_grad = before.meta.requires_grad;
}

void GradEnding::relink(Node& node) const {
  const auto renamed = [&](std::optional<SavedTensor>& saved) {
    if (saved) rename(saved->tensor);
  };
  for (Node::Input& input : node.inputs) {
    const auto found = edges_.find(input.edge.leaf);
    if (input.edge.node == kNoNode && found != edges_.end()) {
      input.edge = found->second;
      input.ends = !input.edge.goes() && requires_grad_of(judge_, state_, outer(found->first));
    }
    renamed(input.saved);
    rename(input.before.tensor);
  }
  for (Node::Output& output : node.outputs) renamed(output.saved);
}

void GradEnding::drop_histories() {
  GradGraph graph(judge_, state_, body_);
  const auto first = static_cast<NodeId>(body_.first_node);
  const auto keeps = [&](NodeId node) {
    const bool leads = records_outside<Concrete>(judge_, body_.records_outside).v && graph.leads_outside(node);
    return keeps_history<Concrete>(judge_, leads).v;
  };
  for (std::size_t i = 0; i < state_.tensors.size(); ++i) {
    Tensor& tensor = state_.tensors[i];
    if (!tensor.meta.has_grad_fn.v || tensor.node < first || keeps(tensor.node)) continue;
    if (i < body_.first_tensor && graph.leads_outside(tensor.node)) continue;  // a stale view's, which it made again
    tensor.meta.has_grad_fn = false;
    tensor.node = kNoNode;
    tensor.output = 0;
  }
  for (std::size_t i = body_.first_node; i < state_.nodes.size(); ++i)
    for (Node::Input& input : state_.nodes[i].inputs)
      if (input.edge.node >= first && !keeps(input.edge.node)) input.edge = {};
}

void GradEnding::see_as_without_grad_mode() {
  const bool records = state_.frames.back().found.grad_mode.v;  // in inference mode, where Autograd does not run
  for (std::size_t i = body_.first_tensor; !records && i < state_.tensors.size(); ++i) {
    Meta& meta = state_.tensors[i].meta;
    const bool plain = (meta.creation == CreationMeta::DEFAULT || meta.creation == CreationMeta::MULTI_OUTPUT_NODE).v;
    if (meta.tracked.v && plain) meta.creation = CreationMeta::NO_GRAD_MODE;
  }
  if (!body_.inference_outside) return;  // there no Autograd kernel hides which ops a kernel calls
  for (std::size_t i = body_.first_counter; i < state_.counters.size(); ++i)
    if (state_.counters[i].free_by == nullptr) {
      state_.counters[i].free_by = &VER_10;
      state_.counters[i].first = state_.counters[i].version;
    }
}

}  // namespace plumbline::reference::transforms
