// A device that computes when something is read.
#include "optimized/lazy/lazy.h"

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "optimized/lazy/graph.h"
#include "optimized/lazy/print.h"
#include "optimized/lazy/unrolled.h"
#include "optimized/ops/backends.h"
#include "optimized/removal/backend.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized::lazy {

namespace {

WaitingGraph* graph = nullptr;
Removing& removing() { return BufferBackend<kDevice>::removing(); }

/// Calls `visit` with the nodes that storages hold, while no other thread works on the device.
template <class Visit>
void with_held(const Visit& visit) {
  removing().with_held([&](std::span<Buffer* const> held) {
    std::vector<Node*> nodes;
    for (Buffer* const one : held) nodes.push_back(&node_of(one));
    visit(nodes);
  });
}

}  // namespace

void run_lazily(std::vector<OpId> lacks) {
  auto backend = std::make_unique<WaitingGraph>(std::move(lacks));
  graph = backend.get();
  BufferBackend<kDevice>::register_with(std::move(backend));
  do_before_kernels(kDevice, [] {
    if (graph->is_full()) with_held([](const std::vector<Node*>&) { graph->make_room(); });
  });
}

void sync() {
  with_held([](const std::vector<Node*>& held) { graph->evaluate(held); });
}

Counts counts() {
  Counts all;
  with_held([&](const std::vector<Node*>&) { all = graph->counts(); });
  return all;
}

void forget_counts() {
  with_held([](const std::vector<Node*>&) { graph->forget_counts(); });
}

void forget_plans() {
  with_held([](const std::vector<Node*>&) { graph->forget_plans(); });
}

std::string printed(const Tensor& tensor) {
  if (tensor.device() != kDevice)
    raise_saying(ErrorClass::device,
                 "the tensor is on " + optimized::printed(tensor.device()) + ", which has no graph");
  Node& node = node_of(removing().held_at(tensor.storage()->data()));
  std::string text;
  with_held([&](const std::vector<Node*>&) {
    const Needed needed = graph->needed_for(std::array{&node});
    std::vector<const std::byte*> leaves;
    for (Node* const leaf : needed.leaves) leaves.push_back(WaitingGraph::bytes_of(*leaf));
    Graph all = WaitingGraph::graph_of(needed, std::vector<char>(needed.calls.size(), 1));
    int value = node.number;
    if (needed.calls.empty()) {  // it is computed already
      value = 0;
      all.leaves.push_back(node.bytes);
      leaves.push_back(WaitingGraph::bytes_of(node));
    }
    all = unrolled(all, value);
    text = program_of(all, leaves, {value, tensor.dtype(), tensor.sizes(), tensor.strides(), tensor.offset()});
  });
  return text;
}

}  // namespace plumbline::optimized::lazy
