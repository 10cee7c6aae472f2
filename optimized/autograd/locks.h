// Locks of autograd, where several threads may change one thing: shared by address, since a lock each would be as large
// as what it guards. Taken in this order: a node's, a view's, a leaf's, that of retained gradients.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace plumbline::optimized {

/// Some mutexes, of which each address has one.
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

/// Guards what a node saved, while it is taken out or freed.
inline constinit Locks node_locks;
/// Guards the history of a tracked view, while it is brought up to date.
inline constinit Locks view_locks;
/// Guards a leaf's accumulator and its `.grad`.
inline constinit Locks leaf_locks;
/// Guards every RetainedGrad and the nodes' lists of them.
inline constinit std::mutex retained_mutex;

}  // namespace plumbline::optimized
