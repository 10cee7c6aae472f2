// Work shared among threads: each element is seen once, whoever else is at work.
#include "optimized/cpu/parallel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

namespace plumbline::optimized::parallel_test {
namespace {

constexpr std::int64_t kMany = 3 * kParallelElements + 7;

/// How often each of `n` places is seen by `threads` threads.
std::vector<int> seen(std::int64_t n, int threads) {
  set_num_threads(threads);
  std::vector<int> count(static_cast<std::size_t>(n));
  parallel_for(n, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) ++count[static_cast<std::size_t>(i)];
  });
  return count;
}

TEST(Parallel, each_place_is_seen_once) { EXPECT_EQ(seen(kMany, 3), std::vector<int>(kMany, 1)); }
TEST(Parallel, few_places_are_seen_once) { EXPECT_EQ(seen(5, 3), std::vector<int>(5, 1)); }
TEST(Parallel, nothing_is_seen_of_nothing) { EXPECT_EQ(seen(0, 3), std::vector<int>()); }
TEST(Parallel, fewer_threads_than_before_see_each_place) {
  seen(kMany, 4);
  EXPECT_EQ(seen(kMany, 2), std::vector<int>(kMany, 1));
}
TEST(Parallel, work_may_start_work) {
  set_num_threads(3);
  std::vector<int> count(kMany);
  parallel_for(1 << 20, [&](std::int64_t begin, std::int64_t) {
    if (begin != 0) return;
    parallel_for(kMany, [&](std::int64_t b, std::int64_t e) {
      for (std::int64_t i = b; i < e; ++i) ++count[static_cast<std::size_t>(i)];
    });
  });
  EXPECT_EQ(count, std::vector<int>(kMany, 1));
}
TEST(Parallel, several_threads_may_start_work) {
  std::vector<int> wrong(4);
  set_num_threads(2);
  std::vector<std::thread> threads;
  threads.reserve(wrong.size());
  for (int& each : wrong)
    threads.emplace_back([&each] {
      std::vector<int> count(kMany);
      for (int round = 0; round < 5; ++round)
        parallel_for(kMany, [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t i = begin; i < end; ++i) ++count[static_cast<std::size_t>(i)];
        });
      each = static_cast<int>(std::ranges::count_if(count, [](int times) { return times != 5; }));
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

}  // namespace
}  // namespace plumbline::optimized::parallel_test
