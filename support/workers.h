// Work that several threads share.
#pragma once

#include <cstddef>
#include <functional>

namespace plumbline::cli {

/// How indices are shared among threads.
struct Sharing {
  unsigned jobs = 1;      ///< how many threads; with 1 the calling thread does the work
  std::size_t chunk = 1;  ///< how many neighbouring indices a thread takes at a time
};

/// Calls `work(i)` once for each i below `count`, on several threads; each takes the lowest indices that are left.
/// After an exception no thread begins another index, and when all have ended the first exception is thrown again.
void share_work(std::size_t count, const Sharing& sharing, const std::function<void(std::size_t)>& work);

}  // namespace plumbline::cli
