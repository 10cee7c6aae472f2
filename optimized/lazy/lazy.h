// A device that computes when something is read: ops make a graph, in which no value is a view and none is written
// twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "optimized/tensor/tensor.h"

namespace plumbline::optimized::lazy {

/// The key of the device. It is one that has an Autocast key, which programs see; `Lazy` has none.
inline constexpr Backend kDevice = Backend::XLA;

/// How many calls wait at most. One more evaluates all that storages hold.
inline constexpr std::size_t kMostWaiting = 4096;

/// Gives the process the device; once, before any op runs on it. Its random numbers are those of the CPU, and are drawn
/// when their op is called.
void run_lazily();

/// Computes what all storages hold. It changes no value that anyone can read.
void sync();

/// What was done since the process began, or `forget_counts`.
struct Counts {
  std::uint64_t calls = 0;      ///< that were put into the graph
  std::uint64_t evaluated = 0;  ///< graphs
  std::uint64_t done = 0;       ///< calls of them that were needed
  std::uint64_t merged = 0;     ///< of those, done by an equal one
  std::uint64_t fused = 0;      ///< values of them that never had memory
  std::uint64_t hits = 0;       ///< graphs whose plan was known
  std::uint64_t misses = 0;
  std::size_t waiting = 0;  ///< calls that wait now
};
Counts counts();
void forget_counts();
/// Forgets all plans.
void forget_plans();

/// The calls that a tensor of the device waits for, as a program without views and in-place ops, whose last value is
/// what the tensor holds. Computed values, which the program begins with, are its inputs. Raises
/// ErrorClass::unclassified for calls that no op of a program describes.
std::string printed(const Tensor& tensor);

}  // namespace plumbline::optimized::lazy
