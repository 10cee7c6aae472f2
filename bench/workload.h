// What one side of a case does when it is timed, and what its call comes to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace plumbline::bench {

/// What a call came to; two sides of a case must have the same, bit for bit.
struct Outcome {
  std::string what;  ///< dtype and sizes, or what was raised
  std::vector<std::byte> elements;

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

/// A case on one side, with its operands, pools and guards ready.
class Workload {
 public:
  Workload() = default;
  virtual ~Workload() = default;
  Workload(const Workload&) = delete;
  Workload& operator=(const Workload&) = delete;

  /// Makes the call `times` times on the calling thread, in the case's mode. With two callers both threads are in here.
  virtual void run(std::uint64_t times) = 0;
  /// Makes the call a few times and tells what came of the last; asked before anything is timed.
  virtual Outcome outcome() = 0;
  /// Lets go of what it holds, gives free memory back to the system, and makes and holds `count` results, at most
  /// kMostHeld. Whether it can: not every call has a result.
  virtual bool hold(std::size_t /*count*/) { return false; }
  static constexpr std::size_t kMostHeld = 10'000;
};

}  // namespace plumbline::bench
