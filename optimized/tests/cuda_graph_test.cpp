// Recorded work of CUDA: it gives what the same work gives at once, and chains of pointwise kernels become one.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "optimized/cuda/host.h"
#include "optimized/cuda/host_memory.h"
#include "optimized/cuda/recording.h"
#include "optimized/tests/on_cuda.h"
#include "optimized/tests/values.h"

namespace plumbline::optimized {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the helpers of tests
using cuda::record_on_the_host;
using cuda::Recording;
using cuda::RecordingCounts;

class CudaGraph : public OnCuda {
 protected:
  /// What recording the body adds to the counts.
  static RecordingCounts counts_of(const std::function<void()>& body) {
    const RecordingCounts before = Recording::counts();
    record_on_the_host(body);
    const RecordingCounts after = Recording::counts();
    return {after.recorded - before.recorded, after.started - before.started, after.unsaved - before.unsaved};
  }
};

TEST_F(CudaGraph, a_chain_is_one_kernel_and_saves_only_its_end) {
  const Tensor x = to_cuda(counting({5}));
  Tensor y;
  const RecordingCounts counts = counts_of([&] { y = relu(sub(mul(x, x), x)); });
  EXPECT_EQ(counts.recorded, 3U);
  EXPECT_EQ(counts.started, 1U);
  EXPECT_EQ(counts.unsaved, 2U);
  EXPECT_EQ(numbers(to_cpu(y)), (Numbers{0, 0, 2, 6, 12}));
}

TEST_F(CudaGraph, a_result_that_is_needed_later_is_saved) {
  const Tensor x = to_cuda(vector({1, 2, 3, 4}));
  Tensor between, end;
  const RecordingCounts counts = counts_of([&] {
    between = mul(x, x);
    end = neg(between);
  });
  EXPECT_EQ(counts.started, 1U);
  EXPECT_EQ(counts.unsaved, 0U);
  EXPECT_EQ(numbers(to_cpu(between)), (Numbers{1, 4, 9, 16}));
  EXPECT_EQ(numbers(to_cpu(end)), (Numbers{-1, -4, -9, -16}));
}

TEST_F(CudaGraph, a_result_that_is_written_again_is_saved_once) {
  const Tensor x = to_cuda(vector({1, 2, 3, 4}));
  const RecordingCounts counts = counts_of([&] {
    add_(x, x);
    mul_(x, x);
  });
  EXPECT_EQ(counts.started, 1U);
  EXPECT_EQ(counts.unsaved, 1U);
  EXPECT_EQ(numbers(to_cpu(x)), (Numbers{4, 16, 36, 64}));
}

TEST_F(CudaGraph, a_kernel_that_moves_elements_ends_a_chain) {
  const Tensor x = to_cuda(counting({2, 2}));
  Tensor y;
  const RecordingCounts counts = counts_of([&] { y = neg(contiguous(transpose(neg(x), 0, 1))); });
  EXPECT_EQ(counts.started, 3U);
  EXPECT_EQ(numbers(to_cpu(y)), (Numbers{0, 2, 1, 3}));
}

TEST_F(CudaGraph, a_write_to_what_another_thread_of_the_chain_reads_ends_it) {
  const Tensor x = to_cuda(counting({40}));
  const Tensor first = slice(x, 0, 0, 32, 1), shifted = slice(x, 0, 4, 36, 1);
  const RecordingCounts counts = counts_of([&] { copy_(shifted, neg(first)); });
  EXPECT_EQ(counts.started, 2U);
  EXPECT_EQ(numbers(to_cpu(slice(x, 0, 0, 8, 1))), (Numbers{0, 1, 2, 3, 0, -1, -2, -3}));
}

TEST_F(CudaGraph, a_write_to_what_another_thread_of_the_chain_writes_ends_it) {
  const Tensor x = to_cuda(counting({40}));
  const Tensor first = slice(x, 0, 0, 32, 1), shifted = slice(x, 0, 4, 36, 1);
  const RecordingCounts counts = counts_of([&] {
    fill_(first, 1);
    copy_(shifted, neg(first));
  });
  EXPECT_EQ(counts.started, 2U);
  EXPECT_EQ(numbers(to_cpu(slice(x, 0, 0, 8, 1))), (Numbers{1, 1, 1, 1, -1, -1, -1, -1}));
}

TEST_F(CudaGraph, a_result_that_is_read_once_more_ends_a_chain) {
  const Tensor x = to_cuda(vector({1, 2, 3, 4}));
  Tensor y;
  const RecordingCounts counts = counts_of([&] {
    const Tensor square = mul(x, x);
    y = mul(neg(square), square);
  });
  EXPECT_EQ(counts.started, 2U);
  EXPECT_EQ(numbers(to_cpu(y)), (Numbers{-1, -16, -81, -256}));
}

TEST_F(CudaGraph, what_is_observed_inside_is_done_by_then) {
  const Tensor x = to_cuda(vector({1, 2, 3, 4}));
  Numbers seen;
  record_on_the_host([&] {
    add_(x, x);
    seen = numbers(to_cpu(x));
    add_(x, x);
  });
  EXPECT_EQ(seen, (Numbers{2, 4, 6, 8}));
  EXPECT_EQ(numbers(to_cpu(x)), (Numbers{4, 8, 12, 16}));
}

TEST_F(CudaGraph, what_was_recorded_before_an_error_is_done) {
  const Tensor x = to_cuda(vector({1, 2, 3, 4}));
  EXPECT_EQ(error_of([&] {
              record_on_the_host([&] {
                add_(x, x);
                raise_saying(ErrorClass::option, "…");
              });
            }),
            ErrorClass::option);
  EXPECT_EQ(numbers(to_cpu(x)), (Numbers{2, 4, 6, 8}));
}

TEST_F(CudaGraph, a_graph_is_done_again_on_what_its_inputs_hold_then) {
  const Tensor x = to_cuda(vector({1, 2, 3, 4}));
  Tensor y;
  const cuda::Graph graph = cuda::graph_on_the_host([&] { y = add(mul(x, x), x); });
  EXPECT_EQ(numbers(to_cpu(y)), (Numbers{2, 6, 12, 20}));
  fill_(x, 3);
  graph.replay();
  EXPECT_EQ(numbers(to_cpu(y)), (Numbers{12, 12, 12, 12}));
}

TEST_F(CudaGraph, memory_of_a_graph_is_no_one_elses) {
  const Tensor x = to_cuda(vector({1, 2, 3, 4}));
  Tensor y;
  const cuda::Graph graph = cuda::graph_on_the_host([&] { y = neg(contiguous(transpose(view(x, {2, 2}), 0, 1))); });
  const Tensor other = to_cuda(vector({5, 5, 5, 5}));
  graph.replay();
  EXPECT_EQ(numbers(to_cpu(other)), (Numbers{5, 5, 5, 5}));
  EXPECT_EQ(numbers(to_cpu(y)), (Numbers{-1, -3, -2, -4}));
}

TEST_F(CudaGraph, memory_that_a_graph_reads_stays_even_if_the_body_gives_it_back) {
  Tensor x = to_cuda(vector({1, 2, 3, 4}));
  Tensor y;
  const std::int64_t before = cuda::host_memory().in_use();
  {
    const cuda::Graph graph = cuda::graph_on_the_host([&] {
      y = neg(x);
      x = {};
    });
    const Tensor other = to_cuda(vector({5, 5, 5, 5}));
    graph.replay();
    EXPECT_EQ(numbers(to_cpu(y)), (Numbers{-1, -2, -3, -4}));
  }
  EXPECT_EQ(cuda::host_memory().in_use(), before);  // y has come, and x is gone
}

TEST_F(CudaGraph, a_graph_that_is_done_again_observes_nothing) {
  const Tensor x = to_cuda(vector({1, 2}));
  EXPECT_EQ(error_of([&] { cuda::graph_on_the_host([&] { to_cpu(add(x, x)); }); }), ErrorClass::unclassified);
  EXPECT_EQ(numbers(to_cpu(add(x, x))), (Numbers{2, 4}));
}

/// A few statements on a few variables, which are dropped and written again.
void run_any(std::vector<Tensor>& variables, const std::vector<std::uint32_t>& statements) {
  for (const std::uint32_t statement : statements) {
    std::uint32_t rest = statement;
    const auto choice = [&](std::uint32_t of) {
      const std::uint32_t one = rest % of;
      rest /= of;
      return one;
    };
    const auto variable = [&]() -> Tensor& { return variables[choice(static_cast<std::uint32_t>(variables.size()))]; };
    Tensor& to = variable();
    const Tensor& a = variable();
    const Tensor& b = variable();
    switch (choice(9)) {
      case 0:
        to = mul(a, b);
        break;
      case 1:
        to = sub(a, b, Scalar(2));
        break;
      case 2:
        to = tanh(a);
        break;
      case 3:
        to = relu(neg(a));
        break;
      case 4:
        add_(to, a);
        break;
      case 5:
        copy_(slice(to, 0, 0, 16, 1), neg(slice(a, 0, 4, 20, 1)));
        break;
      case 6:
        to = mul(a, scalar(0.5));
        break;
      case 7:
        fill_(to, 1);
        break;
      default:
        to = softmax(a, 0);
    }
  }
}

RC_GTEST_FIXTURE_PROP(CudaGraph, gives_what_any_statements_give_at_once, ()) {
  std::mt19937 draw(*rc::gen::arbitrary<std::uint32_t>());
  std::vector<std::uint32_t> statements(*rc::gen::inRange<std::size_t>(0, 30));
  std::ranges::generate(statements, draw);
  const auto all = [&](bool recorded) {
    std::vector<Tensor> variables;
    for (const float first : {0.5F, -1.F, 0.25F, 2.F}) variables.push_back(to_cuda(add(counting({20}), scalar(first))));
    const auto body = [&] { run_any(variables, statements); };
    recorded ? record_on_the_host(body) : body();
    std::vector<Numbers> seen;
    for (const Tensor& one : variables) seen.push_back(numbers(to_cpu(one)));
    return seen;
  };
  const auto expected = all(false), got = all(true);
  for (std::size_t i = 0; i < expected.size(); ++i)
    for (std::size_t k = 0; k < expected[i].size(); ++k)
      RC_ASSERT(got[i][k] == expected[i][k] || (got[i][k] != got[i][k] && expected[i][k] != expected[i][k]));
}

}  // namespace
}  // namespace plumbline::optimized
