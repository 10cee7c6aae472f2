// Streams of CUDA on the host: their order, events, guards, and what a recording refuses.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <thread>

#include "optimized/cuda/host_stream.h"
#include "optimized/cuda/recording.h"
#include "optimized/cuda/streams.h"
#include "optimized/tests/on_streams.h"
#include "optimized/tests/values.h"

namespace plumbline::optimized {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the helpers of tests
using cuda::current_stream;
using cuda::Event;
using cuda::new_stream;
using cuda::record_stream;
using cuda::Stream;
using cuda::StreamGuard;
using cuda::synchronize_stream;

class CudaStreams : public OnStreams {};

TEST_F(CudaStreams, work_in_one_stream_is_in_order) {
  const StreamGuard guard(a);
  const Tensor x = to_cuda(vector({1, 2}));
  fill_(x, 7);
  add_(x, x);
  EXPECT_EQ(numbers(to_cpu(x)), (Numbers{14, 14}));
}

TEST_F(CudaStreams, without_an_event_a_stream_sees_what_was_there_before) {
  const Tensor x = ready({1, 2});
  fill_in(a, x, 7);
  EXPECT_EQ(seen_in(b, neg_in(b, x)), (Numbers{-1, -2}));
}

TEST_F(CudaStreams, with_an_event_it_sees_what_was_written_before_it) {
  const Tensor x = ready({1, 2});
  fill_in(a, x, 7);
  wait_in(b, recorded_in(a));
  EXPECT_EQ(seen_in(b, neg_in(b, x)), (Numbers{-7, -7}));
}

TEST_F(CudaStreams, the_default_stream_waits_for_no_other) {
  const Tensor x = ready({1, 2});
  fill_in(a, x, 7);
  EXPECT_EQ(numbers(to_cpu(x)), (Numbers{1, 2}));
}

TEST_F(CudaStreams, no_other_stream_waits_for_the_default_stream) {
  const Tensor x = ready({1, 2});
  fill_(x, 7);
  EXPECT_EQ(seen_in(a, x), (Numbers{1, 2}));
}

TEST_F(CudaStreams, a_write_after_a_read_needs_an_event_too) {
  const Tensor x = ready({1, 2});
  const Tensor y = neg_in(a, x);
  fill_in(b, x, 7);
  EXPECT_EQ(seen_in(b, x), (Numbers{7, 7}));
  EXPECT_EQ(seen_in(a, y), (Numbers{-7, -7}));
}

TEST_F(CudaStreams, a_wait_goes_up_to_the_event_and_no_further) {
  const Tensor x = ready({1, 2});
  fill_in(a, x, 7);
  wait_in(b, recorded_in(a));
  fill_in(a, x, 8);
  EXPECT_EQ(seen_in(b, neg_in(b, x)), (Numbers{-7, -7}));
}

TEST_F(CudaStreams, waits_go_back_and_forth) {
  const Tensor x = ready({1, 2});
  for (int i = 0; i < 20; ++i) {
    const Stream one = i % 2 == 0 ? a : b;
    const Stream other = i % 2 == 0 ? b : a;
    const StreamGuard guard(one);
    add_(x, x);
    if (i % 2 == 0) mul_(x, scalar(0.5));
    wait_in(other, recorded_in(one));
  }
  EXPECT_EQ(seen_in(a, x), (Numbers{1024, 2048}));
}

TEST_F(CudaStreams, when_all_are_observed_the_stream_that_got_work_last_runs_first) {
  const Tensor x = ready({1, 2});
  fill_in(a, x, 7);
  const Tensor y = neg_in(b, x);
  cuda::synchronize();
  EXPECT_EQ(numbers(to_cpu(y)), (Numbers{-1, -2}));
}

TEST_F(CudaStreams, the_next_time_it_runs_last) {
  const Tensor x = ready({1, 2});
  const Tensor other = ready({1, 2});
  fill_in(a, other, 7);
  fill_in(b, other, 7);
  cuda::synchronize();
  fill_in(a, x, 7);
  const Tensor y = neg_in(b, x);
  cuda::synchronize();
  EXPECT_EQ(numbers(to_cpu(y)), (Numbers{-7, -7}));
}

TEST_F(CudaStreams, the_orders_begin_again_with_each_program) {
  for (int program = 0; program < 3; ++program) {
    cuda::start_again();
    const Tensor x = ready({1, 2});
    fill_in(a, x, 7);
    const Tensor y = neg_in(b, x);
    cuda::synchronize();
    EXPECT_EQ(numbers(to_cpu(y)), (Numbers{-1, -2}));
  }
}

TEST_F(CudaStreams, much_work_of_a_stream_is_done_and_that_of_others_waits) {
  const Tensor x = ready({1, 2});
  const Tensor y = ready({1, 2});
  fill_in(b, y, 7);
  const Event other = recorded_in(b);
  fill_in(a, x, 0);
  const Event first = recorded_in(a);
  for (int i = 1; i < 63; ++i) fill_in(a, x, i);
  EXPECT_FALSE(first.query());
  fill_in(a, x, 63);
  EXPECT_TRUE(first.query());
  EXPECT_FALSE(other.query());
}

TEST_F(CudaStreams, an_event_is_reached_when_the_work_before_it_is_done) {
  const Tensor x = ready({1, 2});
  fill_in(a, x, 7);
  const Event event = recorded_in(a);
  EXPECT_FALSE(event.query());
  event.synchronize();
  EXPECT_TRUE(event.query());
  EXPECT_EQ(numbers(to_cpu(x)), (Numbers{7, 7}));
}

TEST_F(CudaStreams, an_event_that_was_never_recorded_is_reached_and_stops_nothing) {
  const Tensor x = ready({1, 2});
  const Event event;
  EXPECT_TRUE(event.query());
  event.make_wait();
  event.synchronize();
  fill_(x, 7);
  EXPECT_EQ(numbers(to_cpu(x)), (Numbers{7, 7}));
}

TEST_F(CudaStreams, an_event_that_is_recorded_again_is_the_later_place) {
  const Tensor x = ready({1, 2});
  const StreamGuard guard(a);
  Event event;
  fill_(x, 7);
  event.record();
  event.synchronize();
  fill_(x, 8);
  event.record();
  EXPECT_FALSE(event.query());
  event.synchronize();
  EXPECT_EQ(numbers(to_cpu(x)), (Numbers{8, 8}));
}

TEST_F(CudaStreams, synchronize_stream_leaves_other_streams_waiting) {
  const Tensor x = ready({1, 2});
  const Tensor y = ready({1, 2});
  fill_in(a, x, 7);
  fill_in(b, y, 7);
  synchronize_stream(a);
  EXPECT_TRUE(recorded_in(a).query());
  EXPECT_FALSE(recorded_in(b).query());
}

TEST_F(CudaStreams, a_copy_to_the_cpu_leaves_other_streams_waiting) {
  const Tensor x = ready({1, 2});
  const Tensor y = ready({1, 2});
  fill_in(a, x, 7);
  EXPECT_EQ(seen_in(b, y), (Numbers{1, 2}));
  EXPECT_FALSE(recorded_in(a).query());
}

TEST_F(CudaStreams, guards_nest_and_restore_the_stream) {
  EXPECT_EQ(current_stream(), Stream{});
  {
    const StreamGuard outer(a);
    {
      const StreamGuard inner(b);
      EXPECT_EQ(current_stream(), b);
    }
    EXPECT_EQ(current_stream(), a);
  }
  EXPECT_EQ(current_stream(), Stream{});
}

TEST_F(CudaStreams, a_guard_changes_its_own_thread_alone) {
  const StreamGuard guard(a);
  std::optional<Stream> other;
  std::thread([&] { other = current_stream(); }).join();
  EXPECT_EQ(other, Stream{});
}

TEST_F(CudaStreams, threads_work_in_streams_of_their_own) {
  Numbers seen_by_a;
  Numbers seen_by_b;
  const auto work = [](Stream stream, double number, Numbers& seen) {
    const StreamGuard guard(stream);
    const Tensor x = to_cuda(vector({number, 0}));
    for (int i = 0; i < 100; ++i) add_(x, ones_like(x));
    seen = numbers(to_cpu(x));
  };
  std::thread one(work, a, 1, std::ref(seen_by_a));
  std::thread other(work, b, 2, std::ref(seen_by_b));
  one.join();
  other.join();
  EXPECT_EQ(seen_by_a, (Numbers{101, 100}));
  EXPECT_EQ(seen_by_b, (Numbers{102, 100}));
}

TEST_F(CudaStreams, a_recording_refuses_another_stream_and_events) {
  const Event event = recorded_in(a);
  const Tensor x = ready({1, 2});
  cuda::record_on_the_host([&] {
    EXPECT_EQ(error_of([&] { const StreamGuard guard(a); }), ErrorClass::unclassified);
    EXPECT_EQ(error_of([] { Event().record(); }), ErrorClass::unclassified);
    EXPECT_EQ(error_of([&] { event.make_wait(); }), ErrorClass::unclassified);
    EXPECT_EQ(error_of([&] { record_stream(x, a); }), ErrorClass::unclassified);
    const StreamGuard same(current_stream());
    fill_(x, 7);
  });
  EXPECT_EQ(numbers(to_cpu(x)), (Numbers{7, 7}));
}

TEST_F(CudaStreams, a_graph_that_is_done_again_waits_for_no_stream) {
  const Event event = recorded_in(a);
  EXPECT_EQ(error_of([&] { cuda::graph_on_the_host([&] { event.synchronize(); }); }), ErrorClass::unclassified);
  EXPECT_EQ(error_of([&] { cuda::graph_on_the_host([&] { synchronize_stream(a); }); }), ErrorClass::unclassified);
}

TEST_F(CudaStreams, a_recording_is_done_in_the_threads_stream) {
  const Tensor x = ready({1, 2});
  {
    const StreamGuard guard(a);
    cuda::record_on_the_host([&] { fill_(x, 7); });
  }
  EXPECT_EQ(seen_in(b, x), (Numbers{1, 2}));
  EXPECT_EQ(seen_in(a, x), (Numbers{7, 7}));
}

TEST_F(CudaStreams, a_graph_is_done_again_in_the_stream_of_the_caller) {
  const Tensor x = ready({1, 2});
  {
    const cuda::Graph graph = cuda::graph_on_the_host([&] { add_(x, x); });
    cuda::synchronize();
    const StreamGuard guard(a);
    graph.replay();
    EXPECT_EQ(seen_in(b, x), (Numbers{2, 4}));
  }
  EXPECT_EQ(seen_in(b, x), (Numbers{4, 8}));  // the graph has waited for what uses its memory
}

TEST_F(CudaStreams, a_recording_takes_the_next_number_of_a_stream) {
  const Stream before = new_stream();
  std::uint32_t recorded = 0;
  cuda::record_on_the_host([&] { recorded = cuda::Recording::here()->stream(); });
  EXPECT_EQ(recorded, before.number + 1);
  EXPECT_EQ(new_stream().number, before.number + 2);
}

}  // namespace
}  // namespace plumbline::optimized
