// Memory that several streams use, and copies of pinned memory, on the host.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <optional>
#include <vector>

#include "optimized/cuda/host_memory.h"
#include "optimized/tests/on_streams.h"

namespace plumbline::optimized {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the helpers of tests
using cuda::Event;
using cuda::PinnedBytes;
using cuda::record_stream;
using cuda::StreamGuard;
using cuda::synchronize_stream;

class CudaStreamMemory : public OnStreams {};

TEST_F(CudaStreamMemory, memory_goes_back_to_the_stream_in_which_it_was_allocated) {
  Tensor x = made_in(a, {1, 2});
  const std::byte* const block = x.storage()->data();
  {
    const StreamGuard guard(b);
    x = {};
    EXPECT_NE(to_cuda(vector({5, 5})).storage()->data(), block);
  }
  EXPECT_EQ(made_in(a, {5, 5}).storage()->data(), block);
}

TEST_F(CudaStreamMemory, memory_that_another_stream_uses_unrecorded_is_used_again_too_early) {
  Tensor x = made_in(a, {1, 2});
  synchronize_stream(a);
  const Tensor y = unrecorded_neg_in(b, x);
  x = {};
  const Tensor z = made_in(a, {5, 5});
  synchronize_stream(a);
  EXPECT_EQ(seen_in(b, y), (Numbers{-5, -5}));
}

TEST_F(CudaStreamMemory, record_stream_keeps_memory_until_the_other_stream_has_used_it) {
  Tensor x = made_in(a, {1, 2});
  const std::byte* const block = x.storage()->data();
  synchronize_stream(a);
  const Tensor y = unrecorded_neg_in(b, x);
  record_stream(x, b);
  x = {};
  const Tensor z = made_in(a, {5, 5});
  synchronize_stream(a);
  EXPECT_EQ(seen_in(b, y), (Numbers{-1, -2}));
  EXPECT_EQ(made_in(a, {6, 6}).storage()->data(), block);
}

TEST_F(CudaStreamMemory, work_that_starts_after_the_release_keeps_nothing) {
  Tensor x = made_in(a, {1, 2});
  const std::byte* const block = x.storage()->data();
  record_stream(x, b);
  const Tensor other = ready({1, 2});
  x = {};
  fill_in(b, other, 7);
  EXPECT_EQ(made_in(a, {5, 5}).storage()->data(), block);
}

TEST_F(CudaStreamMemory, record_stream_of_a_view_keeps_its_storage) {
  Tensor x = made_in(a, {1, 2, 3, 4});
  const std::byte* const block = x.storage()->data();
  unrecorded_neg_in(b, x);
  record_stream(slice(x, 0, 2, 4, 1), b);
  x = {};
  EXPECT_NE(made_in(a, {5, 5}).storage()->data(), block);
}

TEST_F(CudaStreamMemory, record_stream_refuses_memory_of_the_cpu) {
  EXPECT_EQ(error_of([&] { record_stream(vector({1, 2}), a); }), ErrorClass::unclassified);
}

TEST_F(CudaStreamMemory, memory_of_a_recording_goes_to_the_threads_stream) {
  Tensor x;
  {
    const StreamGuard guard(a);
    cuda::record_on_the_host(
        [&] { x = ones({2}, std::nullopt, std::nullopt, static_cast<Enumerated>(Backend::CUDA)); });
  }
  EXPECT_EQ(cuda::host_pool().stream_of(x.storage()->data()), a.number);
}

class PinnedCopies : public OnStreams {
 protected:
  static void set(const PinnedBytes& bytes, const std::vector<float>& numbers) {
    std::memcpy(bytes.data(), numbers.data(), bytes.bytes());
  }
  static std::vector<float> read(const PinnedBytes& bytes) {
    std::vector<float> numbers(bytes.bytes() / sizeof(float));
    std::memcpy(numbers.data(), bytes.data(), bytes.bytes());
    return numbers;
  }
};

TEST_F(PinnedCopies, to_the_device_read_the_bytes_when_the_stream_comes_to_them) {
  const Tensor x = ready({1, 2});
  PinnedBytes bytes(2 * sizeof(float));
  set(bytes, {3, 4});
  copy_to_device_later(x, bytes);
  set(bytes, {5, 6});
  EXPECT_EQ(numbers(to_cpu(x)), (Numbers{5, 6}));
}

TEST_F(PinnedCopies, to_the_host_write_the_bytes_when_the_stream_comes_to_them) {
  PinnedBytes bytes(2 * sizeof(float));
  set(bytes, {1, 2});
  const StreamGuard guard(a);
  const Tensor x = to_cuda(vector({7, 8}));
  copy_to_host_later(bytes, x);
  synchronize_stream(b);
  EXPECT_EQ(read(bytes), (std::vector<float>{1, 2}));
  synchronize_stream(a);
  EXPECT_EQ(read(bytes), (std::vector<float>{7, 8}));
}

TEST_F(PinnedCopies, of_a_view_begin_at_its_first_element) {
  const Tensor x = ready({1, 2, 3, 4});
  PinnedBytes bytes(2 * sizeof(float));
  set(bytes, {5, 6});
  copy_to_device_later(slice(x, 0, 2, 4, 1), bytes);
  EXPECT_EQ(numbers(to_cpu(x)), (Numbers{1, 2, 5, 6}));
}

TEST_F(PinnedCopies, come_after_what_is_recorded) {
  const Tensor x = ready({1, 2});
  PinnedBytes bytes(2 * sizeof(float));
  cuda::record_on_the_host([&] {
    add_(x, x);
    copy_to_host_later(bytes, x);
    add_(x, x);
  });
  cuda::synchronize();
  EXPECT_EQ(read(bytes), (std::vector<float>{2, 4}));
}

TEST_F(PinnedCopies, are_done_when_the_memory_ends) {
  const Tensor x = ready({1, 2});
  Event event;
  {
    PinnedBytes bytes(2 * sizeof(float));
    set(bytes, {3, 4});
    copy_to_device_later(x, bytes);
    event.record();
    EXPECT_FALSE(event.query());
  }
  EXPECT_TRUE(event.query());
}

TEST_F(PinnedCopies, refuse_other_sizes_layouts_and_devices) {
  PinnedBytes bytes(4 * sizeof(float));
  const Tensor x = to_cuda(counting({2, 2}));
  EXPECT_EQ(error_of([&] { copy_to_device_later(to_cuda(vector({1, 2})), bytes); }), ErrorClass::unclassified);
  EXPECT_EQ(error_of([&] { copy_to_host_later(bytes, transpose(x, 0, 1)); }), ErrorClass::unclassified);
  EXPECT_EQ(error_of([&] { copy_to_device_later(counting({4}), bytes); }), ErrorClass::unclassified);
}

}  // namespace
}  // namespace plumbline::optimized
