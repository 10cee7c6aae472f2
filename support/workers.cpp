// Hands out indices to threads, and passes on their first exception.
#include "support/workers.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace plumbline::cli {

void share_work(std::size_t count, const Sharing& sharing, const std::function<void(std::size_t)>& work) {
  const std::size_t chunk = std::max<std::size_t>(1, sharing.chunk);
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> failed = false;
  std::mutex one_at_a_time;
  std::exception_ptr failure;
  const auto take = [&] {
    try {
      for (std::size_t begin = next.fetch_add(chunk); begin < count; begin = next.fetch_add(chunk))
        for (std::size_t i = begin; i < std::min(count, begin + chunk) && !failed; ++i) work(i);
    } catch (...) {
      next = count;
      const std::lock_guard lock(one_at_a_time);
      if (!failed.exchange(true)) failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    const std::size_t threads = std::min<std::size_t>(std::max(1U, sharing.jobs), (count + chunk - 1) / chunk);
    for (std::size_t j = 1; j < threads; ++j) others.emplace_back(take);
    take();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace plumbline::cli
