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
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

/// The gradient in the form of its output: a gradient that is larger by broadcasting is summed, another dtype is
/// converted [engine.cpp, validate_outputs].
Tensor fitted(const Tensor& gradient, const OutputShape& shape, std::size_t index, const std::string& from) {
  Tensor fit = gradient;
  if (!std::ranges::equal(gradient.sizes(), shape.sizes)) {
    if (!expands_to(shape.sizes, gradient.sizes()))
      raise_saying(ErrorClass::grad_shape, "Function " + from + " returned an invalid gradient at index " +
                                               std::to_string(index) + " - got " + printed(gradient.sizes()) +
                                               " but expected shape compatible with " + printed(shape.sizes));
    fit = sum_to_sizes(gradient, shape.sizes);
  }
  return fit.dtype() == shape.dtype ? fit : to(fit, shape.dtype);
}

}  // namespace

void Backward::count_dependencies(Node* root) {
  std::vector<Node*> seen{root};
  states_[root].gradients.resize(root->outputs().size());
  while (!seen.empty()) {
    const Node* node = seen.back();
    seen.pop_back();
    for (const Edge& edge : node->edges()) {
      if (!edge) continue;
      State& state = states_[edge.node.get()];
      if (state.dependencies++ != 0 || edge.node.get() == root) continue;
      state.gradients.resize(edge.node->outputs().size());
      seen.push_back(edge.node.get());
    }
  }
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

void Backward::pass(const Edge& edge, const Tensor& gradient) {
  State& state = states_[edge.node.get()];
  Tensor& sum = state.gradients.at(edge.output);
  if (gradient.defined()) sum = sum.defined() ? add(sum, gradient) : gradient;
  if (--state.dependencies == 0) ready_.push(edge.node.get());
}

void Backward::step(Node* node) {
  const Tensors gradients = std::move(states_[node].gradients);
  retain(node, gradients);
  Tensors results = node->apply(gradients, *this);
  ran_.push_back(node);
  const auto edges = node->edges();
  for (std::size_t i = 0; i < edges.size(); ++i)
    if (edges[i] && results[i].defined())
      results[i] = fitted(results[i], edges[i].node->outputs()[edges[i].output], i, node->name());
  for (std::size_t i = 0; i < edges.size(); ++i)
    if (edges[i]) pass(edges[i], std::exchange(results[i], {}));
}

void Backward::run(const Edge& root, const Tensor& gradient, bool retain_graph) {
  const GradMode off(false);
  Node* first = root.node.get();
  count_dependencies(first);
  states_[first].gradients[root.output] = fitted(gradient, first->outputs()[root.output], 0, "backward");
  for (ready_.push(first); !ready_.empty();) {
    Node* node = ready_.top();
    ready_.pop();
    step(node);
  }
  plan_.commit();
  if (retain_graph) return;
  for (Node* node : ran_) node->release_saved();
}

void backward(const Tensor& root, const Tensor& gradient, bool retain_graph) {
  Tensor given = gradient;
  if (given.defined()) {
    if (!std::ranges::equal(given.sizes(), root.sizes()))
      raise(ErrorClass::grad_shape, {"0", printed(given.sizes()), "0", printed(root.sizes())});
  } else if (requires_grad(root)) {
    if (root.numel() != 1) raise(ErrorClass::grad_not_scalar);
    given = ones_like(root);
  }
  const Edge edge = gradient_edge(root);
  if (!edge) raise(ErrorClass::no_graph);
  Backward().run(edge, given, retain_graph);
}

}  // namespace plumbline::optimized
