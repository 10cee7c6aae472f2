// Locks of autograd for what several threads may change. They are shared by address, since a lock for each object would
// be as large as what it guards. Taken in this order: a node's, a view's, a leaf's, that of retained gradients.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace plumbline::optimized {

/// Some mutexes; each address maps to one.
class Locks {
 public:
  std::mutex& of(const void* address) {
    const auto line = reinterpret_cast<std::uintptr_t>(address) / 64;
    return all_.at((line ^ (line >> 6)) % kMany);
  }

 private:
  static constexpr std::size_t kMany = 64;
  std::array<std::mutex, kMany> all_;
};

/// Guards a node's saved tensors while they are unpacked or freed.
inline constinit Locks node_locks;
/// Guards the history of a tracked view while it is updated.
inline constinit Locks view_locks;
/// Guards a leaf's accumulator and its `.grad`.
inline constinit Locks leaf_locks;
/// Guards every RetainedGrad, every HookList, and the nodes' lists of them.
inline constinit std::mutex retained_mutex;

}  // namespace plumbline::optimized
