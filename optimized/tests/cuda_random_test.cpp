// Random numbers of CUDA: Philox's known answers, the order in which threads take them, and seeds.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "optimized/cuda/host_grid.h"
#include "optimized/cuda/random.h"
#include "optimized/ops/random.h"
#include "optimized/tests/on_cuda.h"
#include "optimized/tests/values.h"

namespace plumbline::optimized {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the helpers of tests
using cuda::Words4;

// The known answers of Random123's own test (tests/kat_vectors), with ten rounds.
TEST(Philox, gives_the_known_answers) {
  EXPECT_EQ(cuda::philox({0, 0, 0, 0}, 0), (Words4{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(cuda::philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, 0xffffffffffffffff),
            (Words4{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(cuda::philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0x299f31d0a4093822),
            (Words4{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, the_largest_words_give_zero_and_not_one) {
  const Words4 all{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff};
  EXPECT_EQ(cuda::UniformOf<float>::at(all, 0), 0);
  EXPECT_LT(cuda::UniformOf<double>::at(all, 1), 1);
}

/// Element `at` of a kernel with so many threads, as the source says: which thread makes it, and in which turn.
template <class T>
T expected(std::int64_t at, std::int64_t threads, const cuda::RandomState& state) {
  constexpr std::int64_t kCount = cuda::UniformOf<T>::kCount;
  const std::int64_t turn = at / (threads * kCount);
  const std::int64_t rest = at % (threads * kCount);
  const auto counter = static_cast<std::uint32_t>(state.offset / 4) + static_cast<std::uint32_t>(turn);
  const Words4 words = cuda::philox({counter, 0, static_cast<std::uint32_t>(rest % threads), 0}, state.seed);
  return cuda::UniformOf<T>::at(words, static_cast<std::uint32_t>(rest / threads));
}

template <class T>
void check_uniform() {
  const auto count = *rc::gen::inRange<std::int64_t>(1, 20000);
  const cuda::RandomState state{*rc::gen::arbitrary<std::uint64_t>(), 4 * *rc::gen::inRange<std::uint64_t>(0, 1000)};
  const cuda::UniformGrid grid(count, cuda::UniformOf<T>::kCount, 1);
  std::vector<T> made(static_cast<std::size_t>(count) + 8, T(-1));
  cuda::run_on_host(cuda::Uniform<T>{count, made.data(), state}, grid.blocks, cuda::Order::inside_out);
  for (std::int64_t i = 0; i < count; ++i)
    RC_ASSERT(made[static_cast<std::size_t>(i)] == expected<T>(i, std::int64_t{grid.blocks} * cuda::kThreads, state));
  for (std::size_t i = static_cast<std::size_t>(count); i < made.size(); ++i) RC_ASSERT(made[i] == T(-1));
}
RC_GTEST_PROP(Uniform, floats_are_in_the_order_of_the_grid, ()) { check_uniform<float>(); }
RC_GTEST_PROP(Uniform, doubles_are_in_the_order_of_the_grid, ()) { check_uniform<double>(); }

// 132 multiprocessors of 2048 threads have room for 1056 blocks of 256.
TEST(Uniform, a_grid_fills_the_device_at_most) {
  const cuda::UniformGrid small(257, 4, 132), large(10'000'000, 4, 132);
  EXPECT_EQ(small.blocks, 2U);
  EXPECT_EQ(small.offsets, 4U);
  EXPECT_EQ(large.blocks, 1056U);
  EXPECT_EQ(large.offsets, 40U);  // ten turns of 1,081,344 numbers
}

class CudaRandom : public OnCuda {
 protected:
  static Numbers drawn(std::int64_t count, Dtype dtype = Dtype::float32) {
    const DeviceGuard guard(Backend::CUDA);
    return numbers(to_cpu(rand({count}, dtype)));
  }
};

// What PyTorch prints for torch.manual_seed(0) and torch.rand(4, device="cuda"), twice.
TEST_F(CudaRandom, a_seed_gives_pytorchs_numbers) {
  manual_seed(0);
  for (const Numbers& printed : {Numbers{0.3990, 0.5167, 0.0249, 0.9401}, Numbers{0.9722, 0.7910, 0.4690, 0.3300}}) {
    const Numbers four = drawn(4);
    for (std::size_t i = 0; i < four.size(); ++i) EXPECT_NEAR(four[i], printed[i], 5e-5);
  }
}

TEST_F(CudaRandom, one_seed_seeds_all_devices) {
  const auto both = [] {
    manual_seed(7);
    Numbers all = drawn(3);
    for (const double one : numbers(rand({3}))) all.push_back(one);
    return all;
  };
  EXPECT_EQ(both(), both());
}

TEST_F(CudaRandom, the_next_call_gives_other_numbers) {
  manual_seed(7);
  EXPECT_NE(drawn(3), drawn(3));
}

TEST_F(CudaRandom, numbers_of_the_device_leave_the_cpus_alone) {
  manual_seed(7);
  const Numbers first = numbers(rand({3}));
  manual_seed(7);
  drawn(5, Dtype::float64);
  EXPECT_EQ(numbers(rand({3})), first);
}

TEST_F(CudaRandom, integers_are_refused_and_nothing_is_drawn) {
  manual_seed(7);
  const Numbers first = drawn(3);
  manual_seed(7);
  EXPECT_EQ(error_of([] { drawn(3, Dtype::int64); }), ErrorClass::dtype_op);
  EXPECT_EQ(drawn(3), first);
}

}  // namespace
}  // namespace plumbline::optimized
