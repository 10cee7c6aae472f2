// Shared work: every index once, neighbours on one thread, and the first exception.
#include "support/workers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace plumbline::cli {
namespace {

TEST(ShareWork, does_every_index_once) {
  for (const unsigned jobs : {0U, 1U, 3U, 16U})
    for (const std::size_t chunk : {0U, 1U, 4U, 100U}) {
      std::vector<std::atomic<int>> done(37);
      share_work(done.size(), {jobs, chunk}, [&](std::size_t i) { ++done[i]; });
      for (std::size_t i = 0; i < done.size(); ++i)
        EXPECT_EQ(done[i], 1) << jobs << " jobs, chunks of " << chunk << ": " << i;
    }
}

TEST(ShareWork, of_nothing_calls_nothing) {
  share_work(0, {.jobs = 4}, [](std::size_t i) { ADD_FAILURE() << "called with " << i; });
}

TEST(ShareWork, neighbours_stay_on_one_thread) {
  std::vector<std::thread::id> by(40);
  share_work(by.size(), {4, 10}, [&](std::size_t i) { by[i] = std::this_thread::get_id(); });
  for (std::size_t i = 0; i < by.size(); ++i) EXPECT_EQ(by[i], by[i - i % 10]) << i;
}

TEST(ShareWork, uses_as_many_threads_as_it_is_given) {
  std::atomic<int> here = 0;
  share_work(3, {.jobs = 3}, [&](std::size_t /*i*/) {
    ++here;
    while (here < 3) std::this_thread::yield();  // ends only if three threads meet
  });
  EXPECT_EQ(here, 3);
}

TEST(ShareWork, with_one_job_the_caller_works) {
  share_work(3, {}, [&, caller = std::this_thread::get_id()](std::size_t /*i*/) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
  });
}

TEST(ShareWork, passes_on_an_exception_and_begins_nothing_more) {
  for (const unsigned jobs : {1U, 2U}) {
    std::atomic<int> calls = 0;
    const auto work = [&](std::size_t i) {
      ++calls;
      if (i == 2) throw std::runtime_error("index " + std::to_string(i));
      while (i > 2 && jobs > 1 && calls < 4) std::this_thread::yield();
    };
    try {
      share_work(1000, {jobs, 10}, work);
      ADD_FAILURE() << "no exception with " << jobs << " jobs";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "index 2");
    }
    EXPECT_LT(calls, 1000) << jobs;
  }
}

}  // namespace
}  // namespace plumbline::cli
