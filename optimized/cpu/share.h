// Work that is worth several threads however few its pieces are.
#pragma once

#include <cstdint>

#include "optimized/cpu/parallel.h"

namespace plumbline::optimized {

/// Calls `work(begin, end)` for pieces that make up [0, n), as parallel_for does where n is large. A piece may be
/// empty. `work` must not raise.
template <class Work>
void share(std::int64_t n, const Work& work) {
  parallel::run(
      n,
      [](const void* erased, std::int64_t begin, std::int64_t end) { (*static_cast<const Work*>(erased))(begin, end); },
      &work);
}

}  // namespace plumbline::optimized
