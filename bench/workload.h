// What one side of a case does when it is timed, and the outcome of its call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace plumbline::bench {

/// The outcome of a call; all sides of a case must have the same one, bit for bit.
struct Outcome {
  std::string what;  ///< dtype and sizes, or the error
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
  /// Makes the call a few times and returns the outcome of the last one. Called before anything is timed.
  virtual Outcome outcome() = 0;
  /// Drops the results that it holds, gives free memory back to the system, and makes and holds `count` results, at
  /// most kMostHeld. False if the call has no result.
  virtual bool hold(std::size_t /*count*/) { return false; }
  static constexpr std::size_t kMostHeld = 10'000;
};

}  // namespace plumbline::bench
