// Tensors, storages and pools: counts, version counters, and that memory comes back.
#include "optimized/tensor/tensor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "optimized/tensor/error.h"

namespace plumbline::optimized::tensor_test {
namespace {

Tensor some() { return empty_tensor({2, 3}, Dtype::float32); }

TEST(Tensor, a_fresh_one_is_row_major) { EXPECT_EQ(some().strides().vec(), (std::vector<std::int64_t>{3, 1})); }
TEST(Tensor, made_in_inference_mode_is_an_inference_tensor) {
  const InferenceMode mode;
  EXPECT_TRUE(some().is_inference());
}
TEST(Tensor, negative_sizes_are_refused) { EXPECT_THROW(empty_tensor({-1}, Dtype::float32), Error); }
TEST(Tensor, a_number_of_elements_beyond_64_bits_is_refused) {
  EXPECT_THROW(empty_tensor({std::int64_t{1} << 40, std::int64_t{1} << 40}, Dtype::float32), Error);
}
TEST(Tensor, bytes_beyond_64_bits_are_refused) {
  EXPECT_THROW(empty_tensor({std::int64_t{1} << 62}, Dtype::int64), Error);
}
TEST(Tensor, more_memory_than_there_is_is_refused) {
  EXPECT_THROW(empty_tensor({std::int64_t{1} << 56}, Dtype::int64), Error);
}
TEST(Tensor, many_dimensions_stand_outside) { EXPECT_EQ(empty_tensor({2, 3, 4, 5, 6}, Dtype::boolean).stride(0), 360); }
TEST(Version, a_fresh_tensor_begins_at_0) { EXPECT_EQ(some().impl().version(), 0U); }
TEST(Version, an_alias_counts_for_itself_until_it_shares) {
  const Tensor base = some();
  const Tensor view = alias_of(base, base.sizes(), base.strides(), 0);
  view.impl().bump_version();
  EXPECT_EQ(base.impl().version(), 0U);
}
TEST(Version, what_shares_a_counter_counts_there) {
  const Tensor base = some();
  const Tensor view = alias_of(base, base.sizes(), base.strides(), 0);
  view.impl().share_counter(base.impl());
  view.impl().bump_version();
  EXPECT_EQ(base.impl().version(), 1U);
}
TEST(Version, another_storage_does_not_change_where_it_counts) {
  const Tensor tensor = some();
  const Tensor view = alias_of(tensor, tensor.sizes(), tensor.strides(), 0);
  view.impl().share_counter(tensor.impl());
  tensor.impl().set_storage(some().storage());
  tensor.impl().bump_version();
  EXPECT_EQ(view.impl().version(), 1U);
}
TEST(Version, a_counter_outlives_the_tensor_that_began_it) {
  Tensor view;
  {
    const Tensor base = some();
    view = alias_of(base, base.sizes(), base.strides(), 0);
    view.impl().share_counter(base.impl());
    view.impl().set_storage(some().storage());
  }
  view.impl().bump_version();
  EXPECT_EQ(view.impl().version(), 1U);
}
TEST(Storage, grows_and_keeps_its_bytes) {
  const Ref<Storage> storage = Storage::make(4);
  storage->data()[3] = std::byte{7};
  storage->grow(std::size_t{1} << 20);
  EXPECT_EQ(storage->data()[3], std::byte{7});
}
TEST(Pool, everything_comes_back) {
  const std::int64_t before = pool_figures().live;
  {
    std::vector<Tensor> all;
    for (std::int64_t n : {0, 1, 15, 16, 17, 240, 241, 5000, 100000}) all.push_back(empty_tensor({n}, Dtype::float64));
  }
  EXPECT_EQ(pool_figures().live, before);
}
TEST(Pool, a_loop_asks_the_system_once) {
  for (int i = 0; i < 3; ++i) some();
  const std::int64_t before = pool_figures().system;
  for (int i = 0; i < 1000; ++i) some();
  EXPECT_EQ(pool_figures().system - before, kPooled ? 0 : 2000);
}
TEST(Pool, what_it_keeps_is_bounded) {
  trim_pools();
  const std::int64_t before = pool_figures().kept;
  std::vector<Tensor> all;
  for (int i = 0; i < 100000; ++i) all.push_back(empty_tensor({1}, Dtype::float32));
  all.clear();
  EXPECT_LE(pool_figures().kept - before, std::int64_t{2} * 256 * 1024);  // of tensors, and of what they see
}
/// How often the system is asked when so many blocks are taken at once, given back, and taken again.
std::int64_t asked_again(std::size_t bytes, std::size_t blocks) {
  trim_pools();
  std::vector<void*> all(blocks);
  for (void*& one : all) one = allocate(bytes);
  for (void* one : all) release(one, bytes);
  const std::int64_t before = pool_figures().system;
  for (void*& one : all) one = allocate(bytes);
  const std::int64_t asked = pool_figures().system - before;
  for (void* one : all) release(one, bytes);
  trim_pools();
  return asked;
}
TEST(Pool, of_no_size_more_is_kept_than_its_bound) {
  for (std::size_t bytes = 1; bytes <= pool::kListed; bytes = bytes * 3 / 2 + 1) {
    const std::size_t block = pool::class_bytes(pool::class_of(bytes));
    const std::size_t bound = std::max<std::size_t>(std::size_t{256} * 1024 / block, 4);
    EXPECT_GE(asked_again(bytes, 3 * bound), static_cast<std::int64_t>(2 * bound)) << bytes;
  }
}
TEST(Pool, of_large_blocks_half_a_gibibyte_is_kept) {
  EXPECT_GE(asked_again(std::size_t{100} << 20, 12), 7);  // 112 MiB each: four are kept
}
TEST(Pool, two_blocks_at_once_keep_to_the_bound) {
  constexpr std::size_t kBytes = 128;
  constexpr std::size_t kBound = std::size_t{256} * 1024 / kBytes;
  trim_pools();
  std::vector<void*> all(4 * kBound);
  for (void*& one : all) one = allocate(kBytes);
  for (std::size_t i = 0; i < all.size(); i += 2) release_two<kBytes>(all[i], all[i + 1]);
  EXPECT_LE(pool_figures().kept, std::int64_t{256} * 1024);
  const std::int64_t before = pool_figures().system;
  for (std::size_t i = 0; i < all.size(); i += 2)
    if (!allocate_two<kBytes>(all[i], all[i + 1])) {
      all[i] = allocate(kBytes);
      all[i + 1] = allocate(kBytes);
    }
  EXPECT_GE(pool_figures().system - before, static_cast<std::int64_t>(3 * kBound));
  for (void* one : all) release(one, kBytes);
  trim_pools();
  EXPECT_EQ(pool_figures().kept, 0);
}
TEST(Storage, gives_back_the_block_that_it_grew_out_of_and_the_one_that_it_grew_into) {
  const std::int64_t before = pool_figures().live;
  {
    const Ref<Storage> storage = Storage::make(4);
    for (const std::size_t bytes : {100, 5000, 100'000, 3'000'000}) storage->grow(bytes);
    EXPECT_LT(pool_figures().live - before, 4'000'000);  // only its last block is still in use
  }
  EXPECT_EQ(pool_figures().live, before);
}
TEST(Storage, gives_back_what_it_borrowed_and_what_it_took) {
  const std::int64_t before = pool_figures().live;
  {
    const Ref<Storage> lender = Storage::make(1000);
    const Ref<Storage> copied = Storage::make_borrowing(lender);
    copied->own();
    const Ref<Storage> taker = Storage::make_borrowing(lender);
    taker->take(Storage::make(1000));
    const Ref<Storage> left = Storage::make_borrowing(lender);
  }
  EXPECT_EQ(pool_figures().live, before);
}
TEST(Pool, a_thread_gives_back_what_it_kept) {
  std::thread([] { some(); }).join();
  const PoolFigures before = pool_figures();
  std::thread([] { some(); }).join();
  EXPECT_EQ(pool_figures().kept, before.kept);
}
TEST(Pool, a_block_may_be_released_on_another_thread) {
  Tensor tensor = some();
  const std::int64_t before = pool_figures().live;
  std::thread([moved = std::move(tensor)]() mutable { moved = Tensor(); }).join();
  EXPECT_LT(pool_figures().live, before);
}
TEST(Counts, threads_may_share_a_tensor) {
  const Tensor tensor = some();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([tensor] {
      for (int k = 0; k < 10000; ++k) {
        Tensor copy = tensor;
        copy = alias_of(copy, copy.sizes(), copy.strides(), 0);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(tensor.impl().uses(), 1U);
}

}  // namespace
}  // namespace plumbline::optimized::tensor_test
