// A device that computes when something is read: ops make a graph, in which no value is a view and none is written
// twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "optimized/tensor/tensor.h"
#include "spec/ops/op_ids.h"

namespace plumbline::optimized::lazy {

/// The key of the device. It is one that has an Autocast key, which programs see; `Lazy` has none.
inline constexpr Backend kDevice = Backend::XLA;

/// How many calls wait at most, beside those of one op. The op that finds so many evaluates all that storages hold
/// first. What cannot be computed goes on waiting, and raises where it is read; the op raises, and does nothing, only
/// if so many calls wait even then.
inline constexpr std::size_t kMostWaiting = 4096;

/// Gives the process the device; once, before any op runs on it. Its random numbers are those of the CPU, and are drawn
/// when their op is called. Ops that it `lacks` run on the CPU, when they are called.
void run_lazily(std::vector<OpId> lacks = {});

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
/// what the tensor holds. Computed values, which the program begins with, are its inputs.
std::string printed(const Tensor& tensor);

}  // namespace plumbline::optimized::lazy
