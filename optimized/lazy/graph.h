// The backend that only notes calls, and does them when bytes are read.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "optimized/lazy/lazy.h"
#include "optimized/lazy/node.h"
#include "optimized/lazy/plan.h"
#include "optimized/lazy/tiles.h"

namespace plumbline::optimized::lazy {

/// Nodes that are needed for something, and those that are computed already, or never, before them.
struct Needed {
  std::vector<Node*> calls;  ///< in the order in which they were called; `number` is the place here
  std::vector<Node*> leaves;
};

/// Buffers are nodes. A buffer is written once, so operands are values, wherever in them its elements are.
class WaitingGraph : public BufferDevice {
 public:
  explicit WaitingGraph(std::vector<OpId> lacks) : lacks_(std::move(lacks)) {}

  Abilities abilities() const override { return {.views = true, .strides = true, .mutation = false}; }
  std::span<const OpId> lacks() const override { return lacks_; }
  Buffer* make(std::size_t bytes) override;
  void drop(Buffer* buffer) noexcept override;
  void run(BufferCall& call) override;
  void write(Buffer* to, const std::byte* from) override;
  void read(std::byte* to, Buffer* from, std::int64_t offset, std::size_t bytes) override;

  /// Whether so many calls wait that `make_room` has something to do. Any thread may ask.
  bool is_full() const { return waiting_.load(std::memory_order_relaxed) >= kMostWaiting; }
  /// Computes everything that is held, if too many calls wait. What cannot be computed goes on waiting. Raises, with
  /// the class of the first failure, if that is still too much: then the graph is too large.
  void make_room();

  /// Computes these, and keeps what is needed of what they need. If it raises, nothing is computed.
  void evaluate(std::span<Node* const> wanted);
  /// What these wait for.
  Needed needed_for(std::span<Node* const> wanted);
  /// The graph of what is needed. `kept`: for each call, whether someone else needs its value.
  static Graph graph_of(const Needed& needed, std::span<const char> kept);

  /// What a node holds that waits for nothing; memory that nothing wrote holds anything.
  static const std::byte* bytes_of(Node& node);

  Counts counts() const;
  void forget_counts() { counts_ = {}; }
  void forget_plans();

 private:
  struct Hash {
    std::size_t operator()(const std::vector<std::uint64_t>& words) const;
  };

  /// Random numbers are drawn when they are asked for, so that laziness does not change their order.
  void draw(Node& node, BufferCall& call);
  void number_leaves(Needed& needed, int number);
  const Plan& plan_for(const Needed& needed, std::span<const char> kept);
  void commit(Node& node, const std::shared_ptr<Memory>& memory) noexcept;
  void try_to_evaluate(Node& node);
  void wait_no_more(Node& node) noexcept;
  /// Destroys a node that no one needs, and what only it needs, without recursion.
  void free(Node& node) noexcept;

  std::vector<OpId> lacks_;
  Node* first_ = nullptr;  ///< of those that wait
  Node* last_ = nullptr;
  std::uint64_t serials_ = 0;
  std::uint64_t evaluations_ = 0;
  Counts counts_;  ///< without `waiting`
  std::atomic<std::size_t> waiting_{0};
  std::unordered_map<std::vector<std::uint64_t>, Plan, Hash> plans_;  ///< by structure and sizes
  std::size_t planned_ = 0;                                           ///< how many calls they have
};

}  // namespace plumbline::optimized::lazy
