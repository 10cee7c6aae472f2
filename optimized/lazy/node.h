// Values that are computed later: the nodes of the graph that waits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "optimized/removal/buffer_device.h"
#include "optimized/tensor/pool.h"

namespace plumbline::optimized::lazy {

/// The memory of a value.
class Memory {
 public:
  explicit Memory(std::size_t bytes) : bytes_(bytes), data_(static_cast<std::byte*>(allocate(bytes))) {}
  ~Memory() { release(data_, bytes_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  std::byte* data() const { return data_; }

 private:
  std::size_t bytes_;
  std::byte* data_;
};

/// A value. It is written once: by its call, by bytes of the CPU, or never.
struct Node : Buffer {
  explicit Node(std::size_t size) : bytes(size) {}

  bool waits() const { return is_call && !memory; }

  std::size_t bytes;
  std::shared_ptr<Memory> memory;  ///< null until it is computed
  BufferCall it;                   ///< while it waits; it holds its operands
  bool is_call = false;
  int held = 1;              ///< how often the device's user holds it
  int users = 0;             ///< how many operands of waiting calls it is
  std::uint64_t serial = 0;  ///< calls are counted as they are made, so operands have smaller numbers
  std::uint64_t mark = 0;    ///< the evaluation that found it, and its number there
  int number = 0;
  Node* previous = nullptr;  ///< of all that wait, in the order of the calls
  Node* next = nullptr;
};

inline Node& node_of(Buffer* buffer) { return static_cast<Node&>(*buffer); }

/// Calls `visit` with each node that a waiting one needs, as often as it does.
template <class Visit>
void each_operand(const Node& node, const Visit& visit) {
  for (std::size_t k = 1; k < node.it.call.operands; ++k)
    if (node.it.buffers[k] != nullptr) visit(node_of(node.it.buffers[k]));
  if (node.it.before != nullptr) visit(node_of(node.it.before));
}

}  // namespace plumbline::optimized::lazy
