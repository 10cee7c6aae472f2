// The memory of CUDA: blocks and their streams, the limit, and work that is done after the call that started it.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <new>
#include <vector>

#include "optimized/cuda/block_pool.h"
#include "optimized/cuda/host_memory.h"
#include "optimized/cuda/host_stream.h"
#include "optimized/cuda/mark.h"
#include "optimized/tests/on_cuda.h"
#include "optimized/tests/values.h"

namespace plumbline::optimized {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the helpers of tests
using cuda::BlockPool;

constexpr std::size_t kMiB = std::size_t{1} << 20U;
constexpr std::size_t kMost = 16 * kMiB;

/// Addresses alone, which nothing reads: pieces stand at multiples of 64 MiB, so that none touch.
struct Addresses {
  static inline std::map<std::byte*, std::size_t> pieces;
  static inline std::uintptr_t next = 64 * kMiB;
  static inline int waits = 0;

  static std::byte* take(std::size_t bytes) {
    auto* const piece = reinterpret_cast<std::byte*>(next);  // NOLINT(performance-no-int-to-ptr): never read
    next += 64 * kMiB;
    pieces.emplace(piece, bytes);
    return piece;
  }
  static void give_back(std::byte* piece, std::size_t bytes) noexcept {
    ASSERT_EQ(pieces.at(piece), bytes);
    pieces.erase(piece);
  }
  static void wait() noexcept { ++waits; }
  static std::size_t taken() {
    std::size_t all = 0;
    for (const auto& [piece, bytes] : pieces) all += bytes;
    return all;
  }
  static cuda::MemorySource source() {
    pieces.clear();
    waits = 0;
    return {take, give_back, wait};
  }
};

class CudaBlocks : public ::testing::Test {
 protected:
  BlockPool pool{Addresses::source(), kMost};
};

TEST_F(CudaBlocks, are_used_again_at_once_on_the_same_stream) {
  std::byte* const first = pool.allocate(1000, 1);
  pool.release(first);
  EXPECT_EQ(pool.allocate(1024, 1), first);
}

TEST_F(CudaBlocks, are_not_used_again_on_another_stream) {
  std::byte* const first = pool.allocate(1000, 1);
  pool.release(first);
  EXPECT_NE(pool.allocate(1000, 2), first);
}

TEST_F(CudaBlocks, of_another_stream_are_taken_back_before_memory_is_missing) {
  pool.release(pool.allocate(kMost, 1));
  EXPECT_EQ(Addresses::waits, 0);
  pool.allocate(kMost, 2);
  EXPECT_EQ(Addresses::waits, 1);
}

TEST_F(CudaBlocks, that_are_free_join_on_both_sides) {
  std::byte* const a = pool.allocate(512, 0);
  std::byte* const b = pool.allocate(512, 0);
  std::byte* const c = pool.allocate(512, 0);
  pool.release(a);
  pool.release(c);
  pool.release(b);
  EXPECT_EQ(pool.allocate(2 * kMiB, 0), a);
}

TEST_F(CudaBlocks, of_more_bytes_than_the_limit_raise_and_nothing_is_lost) {
  std::byte* const one = pool.allocate(kMost / 2, 0);
  EXPECT_EQ(error_of([&] { pool.allocate(kMost / 2 + 1, 0); }), ErrorClass::memory);
  EXPECT_EQ(error_of([&] { pool.allocate(SIZE_MAX, 0); }), ErrorClass::memory);
  EXPECT_EQ(pool.counts().in_use, kMost / 2);
  pool.release(one);
  pool.allocate(kMost, 0);
}

TEST_F(CudaBlocks, that_no_one_uses_are_given_back_when_asked) {
  pool.release(pool.allocate(1, 0));
  EXPECT_EQ(pool.counts().taken, 2 * kMiB);
  pool.give_back_unused();
  EXPECT_EQ(pool.counts().taken, 0U);
  EXPECT_EQ(pool.counts().most_taken, 2 * kMiB);
  EXPECT_TRUE(Addresses::pieces.empty());
}

/// Work that is done when a test says so.
struct WorkMark final : cuda::Mark {
  static inline std::map<std::uint32_t, bool> done;  ///< by stream
  static std::shared_ptr<const Mark> of(std::uint32_t stream) { return std::make_shared<WorkMark>(stream); }

  explicit WorkMark(std::uint32_t of) : stream(of) {}
  bool reached() const noexcept override { return done[stream]; }
  void wait() const override { done[stream] = true; }
  void make_wait() const override {}

  std::uint32_t stream;
};

class CudaBlocksOfManyStreams : public ::testing::Test {
 protected:
  CudaBlocksOfManyStreams() { WorkMark::done.clear(); }

  static cuda::MemorySource source() {
    const cuda::MemorySource all = Addresses::source();
    return {all.take, all.give_back, []() noexcept { WorkMark::done[2] = WorkMark::done[3] = true; }, WorkMark::of};
  }
  BlockPool pool{source(), kMost};
};

TEST_F(CudaBlocksOfManyStreams, stay_in_use_until_each_stream_has_used_them) {
  std::byte* const block = pool.allocate(1000, 1);
  pool.use_in(block, 2);
  pool.use_in(block, 3);
  pool.release(block);
  WorkMark::done[2] = true;
  EXPECT_NE(pool.allocate(1000, 1), block);
  WorkMark::done[3] = true;
  EXPECT_EQ(pool.allocate(1000, 1), block);
}

TEST_F(CudaBlocksOfManyStreams, wait_for_no_work_of_the_stream_that_they_belong_to) {
  std::byte* const block = pool.allocate(1000, 1);
  pool.use_in(block, 1);
  pool.release(block);
  EXPECT_EQ(pool.allocate(1000, 1), block);
}

TEST_F(CudaBlocksOfManyStreams, are_free_before_memory_is_missing) {
  std::byte* const block = pool.allocate(kMost, 1);
  pool.use_in(block, 2);
  pool.release(block);
  EXPECT_EQ(pool.counts().in_use, kMost);
  pool.allocate(kMost, 1);
}

TEST_F(CudaBlocksOfManyStreams, are_used_again_without_their_former_users) {
  std::byte* const block = pool.allocate(1000, 1);
  pool.use_in(block, 2);
  WorkMark::done[2] = true;
  pool.release(block);
  EXPECT_EQ(pool.allocate(1000, 1), block);
  WorkMark::done[2] = false;
  pool.release(block);
  EXPECT_EQ(pool.allocate(1000, 1), block);
}

/// A block in use, and its stream.
struct Held {
  std::byte* begin;
  std::size_t bytes;
};

RC_GTEST_PROP(CudaBlocksOfAnyOrder, never_overlap_and_are_counted, ()) {
  BlockPool pool(Addresses::source(), kMost);
  std::vector<Held> held;
  std::size_t in_use = 0;
  const auto steps = *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::arbitrary<std::uint32_t>());
  for (const std::uint32_t step : steps) {
    if (step % 3 == 0 && !held.empty()) {
      const auto which = held.begin() + static_cast<std::ptrdiff_t>(step / 3 % held.size());
      in_use -= which->bytes;
      pool.release(which->begin);
      held.erase(which);
    } else {
      const std::size_t asked = std::size_t{1} << (step % 23U);
      try {
        std::byte* const begin = pool.allocate(asked, step / 23 % 2);
        held.push_back({begin, pool.size_of(begin)});
        RC_ASSERT(held.back().bytes >= asked);
        RC_ASSERT(reinterpret_cast<std::uintptr_t>(begin) % 512 == 0U);
        in_use += held.back().bytes;
      } catch (const Error&) {
        RC_ASSERT(Addresses::taken() + asked > kMost);
      }
    }
    std::ranges::sort(held, {}, &Held::begin);
    for (std::size_t i = 1; i < held.size(); ++i) RC_ASSERT(held[i - 1].begin + held[i - 1].bytes <= held[i].begin);
    for (const Held& one : held) {
      const auto piece = std::prev(Addresses::pieces.upper_bound(one.begin));
      RC_ASSERT(one.begin + one.bytes <= piece->first + piece->second);
    }
    RC_ASSERT(pool.counts().in_use == in_use);
    RC_ASSERT(pool.counts().taken == Addresses::taken());
    RC_ASSERT(Addresses::taken() <= kMost);
  }
  for (const Held& one : held) pool.release(one.begin);
  pool.give_back_unused();
  RC_ASSERT(Addresses::pieces.empty());
}

class CudaStream : public OnCuda {};

TEST_F(CudaStream, a_kernel_runs_after_the_call_that_started_it) {
  const Tensor x = to_cuda(vector({1, 2}));
  cuda::synchronize();
  fill_(x, 7);
  {
    const cuda::HostAccess access;
    EXPECT_EQ(*x.data<float>(), 1);
  }
  cuda::synchronize();
  const cuda::HostAccess access;
  EXPECT_EQ(*x.data<float>(), 7);
}

TEST_F(CudaStream, a_copy_from_the_cpu_has_read_it_when_it_returns) {
  const Tensor here = vector({1, 2});
  const Tensor there = to_cuda(here);
  fill_(here, 7);
  EXPECT_EQ(numbers(to_cpu(there)), (Numbers{1, 2}));
}

TEST_F(CudaStream, memory_that_waiting_work_uses_may_be_given_back) {
  Tensor x = to_cuda(vector({1, 2}));
  const Tensor y = add(x, x);
  x = {};
  const Tensor z = to_cuda(vector({5, 5}));
  EXPECT_EQ(numbers(to_cpu(y)), (Numbers{2, 4}));
  EXPECT_EQ(numbers(to_cpu(z)), (Numbers{5, 5}));
}

}  // namespace
}  // namespace plumbline::optimized
