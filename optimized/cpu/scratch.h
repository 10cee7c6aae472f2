// Temporary memory from the pool.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "optimized/tensor/pool.h"

namespace plumbline::optimized {

/// `n` numbers, not initialised; raises ErrorClass::memory if there is no memory.
template <class T>
class Scratch {
  static_assert(std::is_trivial_v<T>);

 public:
  explicit Scratch(std::int64_t n) : bytes_(bytes_of(n)), data_(static_cast<T*>(allocate(bytes_))) {}
  ~Scratch() { release(data_, bytes_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  T* data() const { return data_; }

 private:
  /// A size that 64 bits do not hold is more memory than there is.
  static std::size_t bytes_of(std::int64_t n) {
    constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
    return static_cast<std::size_t>(n) > kMost / sizeof(T) ? kMost : static_cast<std::size_t>(n) * sizeof(T);
  }

  std::size_t bytes_;
  T* data_;
};

}  // namespace plumbline::optimized
