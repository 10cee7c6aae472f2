// How nodes of the backward graph are numbered, and how they end.
#include "optimized/autograd/node.h"

#include <cctype>
#include <utility>

#include "spec/ops/ops.h"

namespace plumbline::optimized {

namespace {

/// The nodes that the thread is about to end, while it ends one.
struct Ending {
  Node* first = nullptr;
  bool busy = false;
};
thread_local constinit Ending ending;

}  // namespace

Node::~Node() = default;

void RetainedGrad::destroy(RetainedGrad* retained) noexcept { delete retained; }

std::uint64_t Node::next_sequence() {
  thread_local constinit std::uint64_t next = 0;
  return next++;
}

void Node::destroy(Node* node) noexcept {
  if (!node->ends()) return;
  // A node's members may hold the next node: it waits here until this one is gone.
  node->next_ending_ = std::exchange(ending.first, node);
  if (ending.busy) return;
  ending.busy = true;
  while (ending.first != nullptr) {
    Node* last = ending.first;
    ending.first = last->next_ending_;
    delete last;
  }
  ending.busy = false;
}

std::string node_name(OpId op) {
  std::string name;
  bool capital = true;
  for (const char letter : plumbline::op(op).name) {
    if (letter != '_') name += capital ? static_cast<char>(std::toupper(letter)) : letter;
    capital = letter == '_';
  }
  return name + "Backward0";
}

}  // namespace plumbline::optimized
