// What PyTorch promises of threads, for ThreadSanitizer to look at: concurrent reads, guards, counts, and backward.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "optimized/autograd/history.h"
#include "optimized/autograd/variable.h"
#include "optimized/tests/values.h"

namespace plumbline::optimized::threads_test {
namespace {

using testing::inference_vector;
using testing::leaf;
using testing::Numbers;
using testing::numbers;
using testing::vector;

constexpr int kThreads = 4;
constexpr int kRounds = 200;

/// Calls `work(thread)` on several threads that begin together, often.
template <class Work>
void on_threads(const Work& work, int rounds = kRounds) {
  std::atomic<int> waiting{kThreads};
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&, i] {
      --waiting;
      while (waiting > 0) std::this_thread::yield();
      for (int round = 0; round < rounds; ++round) work(i);
    });
  for (std::thread& thread : threads) thread.join();
}

TEST(Threads, may_read_one_tensor) {
  const Tensor x = vector({1, 2, 3});
  std::atomic<int> right{0};
  on_threads([&](int) { right += numbers(sum(add(x, x))) == Numbers{12} ? 1 : 0; });
  EXPECT_EQ(right, kThreads * kRounds);
}
TEST(Threads, may_read_one_tensor_that_requires_grad) {
  const Tensor x = leaf({1, 2, 3});
  on_threads([&](int) { EXPECT_EQ(numbers(mul(x, x)), (Numbers{1, 4, 9})); });
}
TEST(Threads, may_read_one_inference_tensor) {
  const Tensor x = inference_vector({1, 2, 3});
  on_threads([&](int) { EXPECT_FALSE(add(x, x).is_inference()); });
}
TEST(Threads, TLS_07_have_each_their_own_mode) {
  const Tensor x = vector({1, 2});
  on_threads([&](int i) {
    const InferenceMode guard(i % 2 == 0);
    EXPECT_EQ(add(x, x).is_inference(), i % 2 == 0);
  });
}
TEST(Threads, nest_and_leave_guards_apart) {
  on_threads([](int i) {
    const GradMode grad(i % 2 == 0);
    {
      const InferenceMode inner;
      EXPECT_TRUE(empty_tensor({1}, Dtype::float32).is_inference());
    }
    EXPECT_EQ(thread_state().grad_mode, i % 2 == 0);
  });
  EXPECT_TRUE(thread_state().grad_mode);
}
TEST(Threads, may_make_views_of_one_base) {
  const Tensor base = vector({1, 2, 3, 4});
  on_threads([&](int) {
    const Tensor rows = view(base, {2, 2});
    EXPECT_EQ(numbers(select(rows, 0, 1)), (Numbers{3, 4}));
  });
  EXPECT_EQ(base.impl().uses(), 1U);
}
TEST(Threads, may_make_views_of_one_inference_tensor) {
  const Tensor base = inference_vector({1, 2, 3, 4});
  on_threads([&](int) {
    const InferenceMode guard;
    EXPECT_TRUE(slice(view(base, {2, 2}), 0, 1).is_inference());
  });
  EXPECT_EQ(base.impl().uses(), 1U);
}
TEST(Threads, may_end_a_base_while_others_use_its_views) {
  for (int round = 0; round < kRounds; ++round) {
    Tensor base = vector({1, 2});
    const Tensor of_base = view(base, {2, 1});
    std::thread other([seen = of_base] { EXPECT_EQ(numbers(seen), (Numbers{1, 2})); });
    base = Tensor();
    other.join();
  }
}
TEST(Threads, may_be_the_last_to_hold_a_tensor) {
  for (int round = 0; round < kRounds; ++round) {
    Tensor x = leaf({1, 2});
    std::thread other([held = mul(x, x)]() mutable { held = Tensor(); });
    x = Tensor();
    other.join();
  }
}
TEST(Threads, VER_01_count_their_writes_to_views_of_one_base_together) {
  const Tensor base = vector(Numbers(kThreads));
  std::vector<Tensor> pieces;
  for (int i = 0; i < kThreads; ++i) pieces.push_back(slice(base, 0, i, i + 1));
  on_threads([&](int i) { add_(pieces[static_cast<std::size_t>(i)], vector({1})); });
  EXPECT_EQ(base.impl().version(), static_cast<std::uint64_t>(kThreads * kRounds));
  EXPECT_EQ(numbers(base), Numbers(kThreads, kRounds));
}
TEST(Threads, may_ask_at_once_for_a_counter_that_is_made_then) {
  for (int round = 0; round < kRounds; ++round) {
    const Tensor base = vector({1, 2});
    const AutoDispatchBelowADInplaceOrView below;
    const Tensor untracked = view(base, {2, 1});
    on_threads(
        [&](int) {
          const AutoDispatchBelowADInplaceOrView below_too;
          EXPECT_EQ(detach(untracked).impl().version(), 0U);
        },
        1);
  }
}
TEST(Threads, may_ask_at_once_for_the_history_of_a_view) {
  for (int round = 0; round < kRounds; ++round) {
    const Tensor base = mul(leaf({1, 2}), vector({3}));
    const Tensor of_base = view(base, {2, 1});
    mul_(base, vector({2}));
    on_threads([&](int) { EXPECT_TRUE(grad_fn_of(of_base)); }, 1);
  }
}
TEST(Threads, make_the_grad_of_a_fresh_leaf_together) {
  for (int round = 0; round < 4 * kRounds; ++round) {
    const Tensor x = leaf({1, 1});
    on_threads([&](int) { backward(sum(mul(x, vector({1, 2})))); }, 1);
    EXPECT_EQ(numbers(grad_of(x)), (Numbers{kThreads, 2 * kThreads}));
  }
}
TEST(Threads, may_go_back_through_one_leaf) {
  const Tensor x = leaf({1, 1});
  on_threads([&](int) { backward(sum(mul(x, vector({1, 2})))); });
  EXPECT_EQ(numbers(grad_of(x)), (Numbers{kThreads * kRounds, 2 * kThreads * kRounds}));
}
// So many elements that two threads are sure to add at the same time.
TEST(Threads, may_add_to_one_large_gradient) {
  const std::vector<double> ones(std::size_t{1} << 16, 1);
  const Tensor x = leaf(ones);
  on_threads([&](int) { backward(sum(x)); });
  EXPECT_EQ(numbers(grad_of(x)), Numbers(ones.size(), kThreads * kRounds));
}
TEST(Threads, may_go_back_through_one_retained_graph) {
  const Tensor x = leaf({2, 3});
  const Tensor loss = sum(mul(x, x));
  on_threads([&](int) { backward(loss, {}, true); });
  EXPECT_EQ(numbers(grad_of(x)), (Numbers{4 * kThreads * kRounds, 6 * kThreads * kRounds}));
}
TEST(Threads, may_go_back_through_views_of_one_base) {
  const Tensor x = leaf({1, 2, 3, 4});
  on_threads([&](int i) { backward(sum(slice(view(x, {4}), 0, i, i + 1))); });
  EXPECT_EQ(numbers(grad_of(x)), Numbers(4, kRounds));
}
TEST(Threads, may_let_go_of_what_others_made) {
  std::vector<Tensor> made(kThreads);
  on_threads(
      [&](int i) {
        for (int k = 0; k < 100; ++k) made[static_cast<std::size_t>(i)] = add(vector({1}), vector({2}));
      },
      1);
  made.clear();
  const std::int64_t live = pool_figures().live;
  EXPECT_GE(live, 0);
}
TEST(Threads, may_pass_blocks_of_every_size_on) {
  std::vector<Tensor> made(kThreads);
  for (int round = 0; round < 20; ++round) {
    on_threads(
        [&](int i) {
          made[static_cast<std::size_t>(i)] = vector(Numbers(static_cast<std::size_t>(1) << (round % 20), 1));
        },
        1);
    std::rotate(made.begin(), made.begin() + 1, made.end());
  }
  EXPECT_EQ(numbers(sum(made.front())).size(), 1U);
}
TEST(Threads, may_share_large_work) {
  const Tensor x = vector(Numbers(200'000, 1));
  on_threads([&](int) { EXPECT_EQ(numbers(sum(add(x, x))), (Numbers{400'000})); }, 3);
}

}  // namespace
}  // namespace plumbline::optimized::threads_test
