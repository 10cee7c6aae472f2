// Backward: the nodes of a graph in their order, and the gradients between them.
#include "optimized/autograd/engine.h"

#include <algorithm>
#include <mutex>
#include <string>
#include <utility>

#include "optimized/autograd/gradients.h"
#include "optimized/autograd/history.h"
#include "optimized/autograd/locks.h"
#include "optimized/autograd/variable.h"
#include "optimized/cpu/checks.h"
#include "optimized/ops.h"
#include "optimized/tensor/device_memory.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

/// The gradient in the form of its output: a gradient that is larger by broadcasting is summed, another dtype is
/// converted, and it moves to another device if it has no dimensions, or if the node copied to that device
/// [engine.cpp, validate_outputs]. `node`: the one that returned it, or null.
Tensor fitted(const Tensor& gradient, const OutputShape& shape, std::size_t index, const Node* node) {
  const auto returned = [node] { return node == nullptr ? "" : "Function " + node->name() + " returned an "; };
  Tensor fit = gradient;
  if (!std::ranges::equal(gradient.sizes(), shape.sizes)) {
    if (!expands_to(shape.sizes, gradient.sizes()))
      raise_saying(ErrorClass::grad_shape, returned() + "invalid gradient at index " + std::to_string(index) +
                                               " - got " + printed(gradient.sizes()) +
                                               " but expected shape compatible with " + printed(shape.sizes));
    fit = sum_to_sizes(gradient, shape.sizes);
  }
  if (fit.device() != shape.device && fit.dim() != 0 && (node == nullptr || !node->copies_to_devices()))
    raise_saying(ErrorClass::device, returned() + "invalid gradient at index " + std::to_string(index) +
                                         " - expected device " + printed(shape.device) + " but got " +
                                         printed(fit.device()));
  if (fit.device() != shape.device) return _to_copy(fit, shape.dtype, std::nullopt, device_number(shape.device));
  return fit.dtype() == shape.dtype ? fit : to(fit, shape.dtype);
}

}  // namespace

void Backward::count_dependencies(std::span<const Root> roots) {
  std::vector<Node*> found;
  const auto count = [&](const Edge& edge) {
    if (!edge) return;
    State& state = states_[edge.node.get()];
    if (state.dependencies++ != 0) return;
    state.gradients.resize(edge.node->outputs().size());
    found.push_back(edge.node.get());
  };
  for (const Root& root : roots) count(root.edge);
  while (!found.empty()) {
    const Node* node = found.back();
    found.pop_back();
    for (const Edge& edge : node->edges()) count(edge);
  }
}

void Backward::mark_chosen(std::span<const Root> roots) {
  for (auto& [node, state] : states_) state.leads = false;
  for (const Edge& edge : chosen_.edges)
    if (const auto found = states_.find(edge.node.get()); edge && found != states_.end()) found->second.taken = true;
  std::unordered_set<const Node*> seen;
  for (const Root& root : roots)
    if (seen.insert(root.edge.node.get()).second) mark_leading(root.edge.node.get(), seen);
}

void Backward::mark_leading(Node* root, std::unordered_set<const Node*>& seen) {
  struct Visit {
    Node* node;
    std::size_t next = 0;  ///< the edge to follow
  };
  std::vector<Visit> path{{root}};
  while (!path.empty()) {
    Visit& here = path.back();
    State& state = states_[here.node];
    const auto next_edges = here.node->edges();
    Node* below = nullptr;
    for (; here.next < next_edges.size() && below == nullptr; ++here.next) {
      Node* next = next_edges[here.next].node.get();
      if (next == nullptr) continue;
      if (seen.insert(next).second)
        below = next;
      else if (takes_part(states_[next]))
        state.leads = true;
    }
    if (below != nullptr) {
      path.push_back({below});
      continue;
    }
    const bool reached = takes_part(state);
    path.pop_back();
    if (reached && !path.empty()) states_[path.back().node].leads = true;
  }
}

void Backward::take(const Node* node, const Tensors& gradients) {
  for (std::size_t i = 0; i < taken_.size(); ++i)
    if (const Edge& edge = chosen_.edges[i]; edge.node.get() == node) taken_[i] = gradients.at(edge.output);
}

void Backward::retain(const Node* node, const Tensors& gradients) {
  std::vector<std::pair<Ref<RetainedGrad>, std::uint32_t>> retained;
  {
    const std::lock_guard lock(retained_mutex);
    for (const Ref<RetainedGrad>& one : node->retained)
      if (one->node == node) retained.emplace_back(one, one->output);
  }
  for (const auto& [one, output] : retained)
    if (gradients.at(output).defined()) plan_.retain(one, gradients[output]);
}

void Backward::call_hooks(const Node* node, Tensors& gradients) {
  if (!hooks_were_registered.load(std::memory_order_relaxed)) return;
  std::vector<std::pair<std::uint32_t, std::vector<Ref<Hook>>>> calls;
  {
    const std::lock_guard lock(retained_mutex);
    if (const Ref<HookList> of_leaf = node->leaf_hooks()) calls.emplace_back(0, of_leaf->hooks);
    for (const HookedOutput& one : node->hooked) calls.emplace_back(one.output, one.list->hooks);
  }
  for (const auto& [output, hooks] : calls)
    for (std::size_t i = 0; i < hooks.size(); ++i) gradients.at(output) = (*hooks[i])(gradients[output], i);
}

void Backward::accumulate(const Tensor& leaf, const Tensor& gradient) {
  plan_.accumulate(leaf, gradient);
  const std::vector<Ref<Hook>> hooks = hooks_after(leaf);
  if (hooks.empty()) return;
  plan_.commit(leaf);
  for (const Ref<Hook>& hook : hooks) hook->see(leaf);
}

void Backward::pass(const Edge& edge, const Tensor& gradient) {
  State& state = states_[edge.node.get()];
  if (!takes_part(state)) return;
  Tensor& sum = state.gradients.at(edge.output);
  if (gradient.defined()) sum = sum.defined() ? add(sum, gradient) : gradient;
  if (--state.dependencies == 0) ready_.push(edge.node.get());
}

void Backward::step(Node* node) {
  Tensors gradients = std::move(states_[node].gradients);
  const bool goes_on = runs(states_[node]);
  // As in PyTorch, the caller gets the gradient before the hooks if the node also runs.
  if (goes_on) take(node, gradients);
  call_hooks(node, gradients);
  retain(node, gradients);
  if (!goes_on) return take(node, gradients);
  Tensors results = node->apply(gradients, *this);
  ran_.push_back(node);
  const auto edges = node->edges();
  for (std::size_t i = 0; i < edges.size(); ++i)
    if (edges[i] && results[i].defined())
      results[i] = fitted(results[i], edges[i].node->outputs()[edges[i].output], i, node);
  for (std::size_t i = 0; i < edges.size(); ++i)
    if (edges[i]) pass(edges[i], std::exchange(results[i], {}));
}

Tensors Backward::run(std::vector<Root> roots, bool retain_graph, const Chosen& chosen, bool create_graph) {
  const bool found_mode = thread_state().grad_mode;
  const GradMode mode(create_graph);
  count_dependencies(roots);
  chosen_ = chosen;
  if (!chosen_.edges.empty()) mark_chosen(roots);
  taken_.resize(chosen_.returned ? chosen_.edges.size() : 0);
  for (std::size_t i = 0; i < roots.size(); ++i) {
    const GradMode of_caller(create_graph && found_mode);
    roots[i].gradient = fitted(roots[i].gradient, roots[i].edge.node->outputs()[roots[i].edge.output], i, nullptr);
  }
  for (Root& root : roots) pass(root.edge, std::exchange(root.gradient, {}));
  while (!ready_.empty()) {
    Node* node = ready_.top();
    ready_.pop();
    step(node);
  }
  for (std::size_t i = 0; chosen_.all_must_arrive && i < taken_.size(); ++i)
    if (!taken_[i].defined()) raise(ErrorClass::input_unused, {std::to_string(i)});
  plan_.commit();
  if (!retain_graph)
    for (Node* node : ran_) node->release_saved();
  return std::move(taken_);
}

namespace {

/// The gradient that backward starts from at a root [torch/autograd/__init__.py, _make_grads].
Tensor first_gradient(const Tensor& root, const Tensor& given, std::size_t index) {
  if (given.defined()) {
    const std::string at = std::to_string(index);
    if (!std::ranges::equal(given.sizes(), root.sizes()))
      raise(ErrorClass::grad_shape, {at, printed(given.sizes()), at, printed(root.sizes())});
    return given;
  }
  if (!requires_grad(root)) return {};
  if (root.numel() != 1) raise(ErrorClass::grad_not_scalar);
  return ones_like(root);
}

/// Looks at all gradients before it looks for edges, as PyTorch does.
std::vector<Backward::Root> starts(std::span<const Tensor> roots, std::span<const Tensor> gradients) {
  std::vector<Backward::Root> found;
  for (std::size_t i = 0; i < roots.size(); ++i) found.push_back({{}, first_gradient(roots[i], gradients[i], i)});
  for (std::size_t i = 0; i < roots.size(); ++i) {
    found[i].edge = gradient_edge(roots[i]);
    if (!found[i].edge) raise(ErrorClass::no_graph, {std::to_string(i)});
  }
  return found;
}

/// The inputs that retain their gradient for one backward; if it fails, those that did not before do not any longer.
class Retaining {
 public:
  void add(const Tensor& input) {
    const bool before = !is_leaf(input) && input.impl().autograd->retained;
    retain_grad(input);
    if (!before) made_.push_back(input);
  }
  void keep() { made_.clear(); }
  ~Retaining() {
    for (const Tensor& input : made_) end_retaining(input);
  }
  Retaining() = default;
  Retaining(const Retaining&) = delete;
  Retaining& operator=(const Retaining&) = delete;

 private:
  Tensors made_;
};

}  // namespace

void backward(std::span<const Tensor> roots, std::span<const Tensor> gradients, bool retain_graph,
              std::span<const Tensor> inputs, bool create_graph) {
  std::vector<Backward::Root> from = starts(roots, gradients);
  Retaining retaining;
  std::vector<Edge> chosen;
  for (const Tensor& input : inputs) {
    chosen.push_back(gradient_edge(input));
    retaining.add(input);
  }
  Backward().run(std::move(from), retain_graph, {chosen}, create_graph);
  retaining.keep();
}

Tensors gradients(std::span<const Tensor> roots, std::span<const Tensor> inputs, std::span<const Tensor> gradients,
                  bool retain_graph, bool allow_unused, bool create_graph) {
  std::vector<Backward::Root> from = starts(roots, gradients);
  std::vector<Edge> chosen;
  for (const Tensor& input : inputs) {
    chosen.push_back(gradient_edge(input));
    if (!requires_grad(input)) raise(ErrorClass::input_requires_no_grad);
  }
  return Backward().run(std::move(from), retain_graph, {chosen, true, !allow_unused}, create_graph);
}

}  // namespace plumbline::optimized
