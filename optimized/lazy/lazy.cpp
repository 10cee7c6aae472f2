// A device that computes when something is read.
#include "optimized/lazy/lazy.h"

#include <memory>
#include <utility>
#include <vector>

#include "optimized/lazy/graph.h"
#include "optimized/removal/backend.h"

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

void run_lazily() {
  auto backend = std::make_unique<WaitingGraph>();
  graph = backend.get();
  BufferBackend<kDevice>::register_with(std::move(backend));
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
  with_held([](const std::vector<Node*>&) { graph->counts() = {.waiting = graph->counts().waiting}; });
}

void forget_plans() {
  with_held([](const std::vector<Node*>&) { graph->forget_plans(); });
}

}  // namespace plumbline::optimized::lazy
