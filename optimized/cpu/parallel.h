// Work on many elements, shared among threads.
#pragma once

#include <cstdint>
#include <type_traits>

namespace plumbline::optimized {

/// With fewer elements, a loop is not worth another thread.
inline constexpr std::int64_t kParallelElements = std::int64_t{256} << 10;

/// How many threads work on one op, including the calling one; at first as many as the machine runs at once.
int num_threads();
/// `torch.set_num_threads(threads)`, of at least 1. Not while an op runs.
void set_num_threads(int threads);

namespace parallel {

using Piece = void (*)(const void* work, std::int64_t begin, std::int64_t end);
/// As share, of a function without its type.
void run(std::int64_t n, Piece piece, const void* work);

}  // namespace parallel

/// Calls `work(begin, end)` for pieces that make up [0, n), in any order, on several threads; a piece may be empty. For
/// work that is worth it even with few pieces. `work` must not raise. Nested calls run on the thread that makes them.
template <class Work>
void share(std::int64_t n, const Work& work) {
  parallel::run(
      n,
      [](const void* erased, std::int64_t begin, std::int64_t end) { (*static_cast<const Work*>(erased))(begin, end); },
      &work);
}
/// The same, on several threads if there are at least kParallelElements.
template <class Work>
void parallel_for(std::int64_t n, const Work& work) {
  if (n < kParallelElements) [[likely]]
    return work(0, n);
  share(n, work);
}

}  // namespace plumbline::optimized
