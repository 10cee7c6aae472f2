// The backend that only notes calls, and does them when bytes are read.
#include "optimized/lazy/graph.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <new>
#include <string>
#include <utility>

#include "optimized/tensor/error.h"

namespace plumbline::optimized::lazy {

namespace {

/// How many calls the plans have that are kept, at most: some 60 MiB. One more plan forgets all others.
constexpr std::size_t kMostPlanned = std::size_t{1} << 16;

Node* made_node(std::size_t bytes) { return new (allocate(sizeof(Node))) Node(bytes); }
void destroy(Node& node) noexcept {
  node.~Node();
  release(&node, sizeof(Node));
}

/// Structure and sizes: the same words mean the same plan.
std::vector<std::uint64_t> words_of(const Needed& needed, std::span<const char> kept) {
  std::vector<std::uint64_t> words{needed.calls.size()};
  for (std::size_t i = 0; i < needed.calls.size(); ++i) {
    const Node& node = *needed.calls[i];
    append_words(words, node.it.call);
    words.push_back(node.bytes << 1U | static_cast<std::uint64_t>(kept[i]));
    words.push_back(static_cast<std::uint64_t>(node.it.offsets[0]));
    words.push_back(node.it.before == nullptr ? ~std::uint64_t{0}
                                              : static_cast<std::uint64_t>(node_of(node.it.before).number));
    for (std::size_t k = 1; k < node.it.call.operands; ++k) {
      if (node.it.buffers[k] == nullptr) continue;
      words.push_back(static_cast<std::uint64_t>(node_of(node.it.buffers[k]).number));
      words.push_back(static_cast<std::uint64_t>(node.it.offsets[k]));
    }
  }
  for (const Node* const leaf : needed.leaves) words.push_back(leaf->bytes);
  return words;
}

/// Which values someone needs who is not among the needed calls.
std::vector<char> kept_of(const Needed& needed) {
  std::vector<int> users(needed.calls.size());
  for (const Node* const node : needed.calls)
    each_operand(*node, [&](const Node& operand) {
      if (operand.waits()) ++users[static_cast<std::size_t>(operand.number)];
    });
  std::vector<char> kept(needed.calls.size());
  for (std::size_t i = 0; i < kept.size(); ++i)
    kept[i] = needed.calls[i]->held != 0 || needed.calls[i]->users > users[i] ? 1 : 0;
  return kept;
}

/// The memory of each value, as the steps of a plan are done.
Memories run(const Plan& plan, Memories memories) {
  for (const Plan::Step& step : plan.steps) {
    for (const int i : step.calls) {
      const auto at = static_cast<std::size_t>(i);
      const GraphCall& it = plan.calls[at];
      if (step.takes_over) memories[at] = memories[static_cast<std::size_t>(it.before)];
      if (plan.in_memory[at] != 0 && !memories[at]) memories[at] = std::make_shared<Memory>(it.bytes);
    }
    if (step.tiled) {
      run_tiled(plan, step.program, memories);
    } else {
      const int i = step.calls.front();
      const GraphCall& it = plan.calls[static_cast<std::size_t>(i)];
      PrimitiveCall call = it.call;
      const auto data = [&](int value) { return memories[static_cast<std::size_t>(value)]->data(); };
      if (it.before != GraphCall::kNone && !step.takes_over) std::memcpy(data(i), data(it.before), it.bytes);
      call.operand[0].data = data(i) + it.offsets[0];
      for (std::size_t k = 1; k < call.operands; ++k)
        if (it.values[k] != GraphCall::kNone) call.operand[k].data = data(it.values[k]) + it.offsets[k];
      run_on_cpu(std::move(call));
    }
    for (const int value : step.dead) memories[static_cast<std::size_t>(value)] = nullptr;
  }
  return memories;
}

}  // namespace

std::size_t WaitingGraph::Hash::operator()(const std::vector<std::uint64_t>& words) const {
  std::uint64_t hash = words.size();
  for (const std::uint64_t word : words) hash = (std::rotl(hash, 5) ^ word) * 0x9E3779B97F4A7C15U;
  return hash;
}

void WaitingGraph::forget_plans() {
  plans_.clear();
  planned_ = 0;
}

Buffer* WaitingGraph::make(std::size_t bytes) { return made_node(bytes); }

void WaitingGraph::drop(Buffer* buffer) noexcept {
  Node& node = node_of(buffer);
  if (--node.held == 0 && node.users == 0) free(node);
}

void WaitingGraph::free(Node& node) noexcept {
  wait_no_more(node);
  node.next = nullptr;
  for (Node* dying = &node; dying != nullptr;) {
    Node& one = *std::exchange(dying, dying->next);
    each_operand(one, [&](Node& operand) {
      if (--operand.users != 0 || operand.held != 0) return;
      wait_no_more(operand);
      operand.next = std::exchange(dying, &operand);
    });
    destroy(one);
  }
}

void WaitingGraph::run(BufferCall& call) {
  Node& node = node_of(call.buffers[0]);
  if (call.call.primitive == Primitive::uniform) return draw(node, call);
  node.it = std::move(call);
  node.is_call = true;
  each_operand(node, [](Node& operand) { ++operand.users; });
  node.serial = ++serials_;
  ++counts_.calls;
  waiting_.fetch_add(1, std::memory_order_relaxed);
  node.previous = last_;
  (last_ == nullptr ? first_ : last_->next) = &node;
  last_ = &node;
}

void WaitingGraph::draw(Node& node, BufferCall& call) {
  auto memory = std::make_shared<Memory>(node.bytes);
  if (call.before != nullptr) read(memory->data(), call.before, 0, node.bytes);
  call.call.operand[0].data = memory->data() + call.offsets[0];
  run_on_cpu(call.call);
  node.memory = std::move(memory);
}

void WaitingGraph::write(Buffer* to, const std::byte* from) {
  Node& node = node_of(to);
  node.memory = std::make_shared<Memory>(node.bytes);
  std::memcpy(node.memory->data(), from, node.bytes);
}

void WaitingGraph::read(std::byte* to, Buffer* from, std::int64_t offset, std::size_t bytes) {
  Node& node = node_of(from);
  evaluate(std::array{&node});
  std::memcpy(to, bytes_of(node) + offset, bytes);
}

const std::byte* WaitingGraph::bytes_of(Node& node) {
  if (!node.memory) node.memory = std::make_shared<Memory>(node.bytes);
  return node.memory->data();
}

void WaitingGraph::wait_no_more(Node& node) noexcept {
  if (!node.is_call) return;
  node.is_call = false;
  waiting_.fetch_sub(1, std::memory_order_relaxed);
  (node.previous == nullptr ? first_ : node.previous->next) = node.next;
  (node.next == nullptr ? last_ : node.next->previous) = node.previous;
}

void WaitingGraph::make_room() {
  if (!is_full()) return;
  std::vector<Node*> held;
  for (Node* node = first_; node != nullptr; node = node->next)
    if (node->held != 0) held.push_back(node);
  try {
    evaluate(held);
  } catch (const Error& failed) {
    for (Node* const node : held) try_to_evaluate(*node);
    if (is_full())
      raise_saying(failed.error, "the graph of the lazy device is too large: " +
                                     std::to_string(waiting_.load(std::memory_order_relaxed)) +
                                     " calls wait, and what they compute fails: " + failed.what());
  }
}

void WaitingGraph::try_to_evaluate(Node& node) {
  try {
    evaluate(std::array{&node});
  } catch (const Error&) {
    return;  // it goes on waiting, and fails where it is read
  }
}

Counts WaitingGraph::counts() const {
  Counts all = counts_;
  all.waiting = waiting_.load(std::memory_order_relaxed);
  return all;
}

Needed WaitingGraph::needed_for(std::span<Node* const> wanted) {
  Needed needed;
  const std::uint64_t mark = ++evaluations_;
  std::vector<Node*> found;
  const auto find = [&](Node& node) {
    if (node.mark == mark) return;
    node.mark = mark;
    if (node.waits()) found.push_back(&node);
  };
  for (Node* const node : wanted) find(*node);
  while (!found.empty()) {
    Node* const node = found.back();
    found.pop_back();
    needed.calls.push_back(node);
    each_operand(*node, find);
  }
  std::ranges::sort(needed.calls, {}, &Node::serial);
  int number = 0;
  for (Node* const node : needed.calls) node->number = number++;
  number_leaves(needed, number);
  return needed;
}

void WaitingGraph::number_leaves(Needed& needed, int number) {
  const std::uint64_t mark = ++evaluations_;
  for (Node* const node : needed.calls)
    each_operand(*node, [&](Node& operand) {
      if (operand.waits() || operand.mark == mark) return;
      operand.mark = mark;
      operand.number = number++;
      needed.leaves.push_back(&operand);
    });
}

Graph WaitingGraph::graph_of(const Needed& needed, std::span<const char> kept) {
  Graph graph;
  for (const Node* const node : needed.calls) {
    GraphCall it;
    it.call = node->it.call;
    it.offsets = node->it.offsets;
    for (std::size_t k = 1; k < it.call.operands; ++k)
      if (node->it.buffers[k] != nullptr) it.values[k] = node_of(node->it.buffers[k]).number;
    if (node->it.before != nullptr) it.before = node_of(node->it.before).number;
    it.bytes = node->bytes;
    it.kept = kept[static_cast<std::size_t>(node->number)] != 0;
    graph.calls.push_back(std::move(it));
  }
  for (const Node* const leaf : needed.leaves) graph.leaves.push_back(leaf->bytes);
  return graph;
}

const Plan& WaitingGraph::plan_for(const Needed& needed, std::span<const char> kept) {
  std::vector<std::uint64_t> words = words_of(needed, kept);
  const auto known = plans_.find(words);
  if (known != plans_.end()) {
    ++counts_.hits;
    return known->second;
  }
  ++counts_.misses;
  if (planned_ + needed.calls.size() > kMostPlanned) forget_plans();
  planned_ += needed.calls.size();
  return plans_.emplace(std::move(words), plan_of(graph_of(needed, kept))).first->second;
}

void WaitingGraph::evaluate(std::span<Node* const> wanted) {
  const Needed needed = needed_for(wanted);
  if (needed.calls.empty()) return;
  const Plan& plan = plan_for(needed, kept_of(needed));
  Memories memories(needed.calls.size());
  for (Node* const leaf : needed.leaves) {
    static_cast<void>(bytes_of(*leaf));
    memories.push_back(leaf->memory);
  }
  const Memories computed = optimized::lazy::run(plan, std::move(memories));
  ++counts_.evaluated;
  counts_.done += needed.calls.size();
  counts_.merged += plan.merged;
  counts_.fused += plan.fused;
  for (const auto& [call, value] : plan.results)
    commit(*needed.calls[static_cast<std::size_t>(call)], computed[static_cast<std::size_t>(value)]);
}

void WaitingGraph::commit(Node& node, const std::shared_ptr<Memory>& memory) noexcept {
  wait_no_more(node);
  node.memory = memory;
  Node done(0);
  std::swap(done.it, node.it);
  each_operand(done, [&](Node& operand) {
    if (--operand.users == 0 && operand.held == 0) free(operand);
  });
}

}  // namespace plumbline::optimized::lazy
