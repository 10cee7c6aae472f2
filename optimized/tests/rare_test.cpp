// What happens rarely: unusual layouts against a plain loop, and what changes hands while something else goes on.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <thread>

#include "optimized/autograd/custom_function.h"
#include "optimized/autograd/saved.h"
#include "optimized/cpu/parallel.h"
#include "optimized/dispatcher/dispatcher.h"
#include "optimized/dispatcher/trace.h"
#include "optimized/tensor/pool.h"
#include "optimized/tests/values.h"

namespace plumbline::optimized::rare_test {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): what these tests are written in

/// A tensor of up to seven dimensions in any order, some of them repeated, with gaps.
Tensor any_layout() {
  const auto rank = *rc::gen::inRange(0, 8);
  Sizes sizes;
  for (int d = 0; d < rank; ++d) sizes.push_back(*rc::gen::inRange(1, 4));
  Sizes order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t d = order.size(); d > 1; --d)
    std::swap(order[d - 1], order[static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(d)))]);
  Sizes strides(sizes.size());
  std::int64_t next = 1;
  for (const std::int64_t d : order) {
    const auto at = static_cast<std::size_t>(d);
    strides[at] = *rc::gen::inRange(0, 4) == 0 ? 0 : next;
    next += (sizes[at] - 1) * strides[at] + *rc::gen::inRange(0, 2);
  }
  const Tensor memory = counting({next + 2});
  return as_strided(memory, sizes, strides, 1);
}

RC_GTEST_PROP(AnyLayout, is_read_element_by_element, ()) {
  const Tensor x = any_layout();
  const Numbers expected = numbers(x);
  RC_ASSERT(numbers(clone(x)) == expected);
  RC_ASSERT(numbers(contiguous(x)) == expected);
  RC_ASSERT(numbers(to(x, Dtype::int64)) == expected);
  Numbers twice = expected;
  for (double& one : twice) one *= 2;
  RC_ASSERT(numbers(add(x, x)) == twice);
  Tensor sum_of_all = sum(to(x, Dtype::float64));
  RC_ASSERT(numbers(sum_of_all) == Numbers{std::accumulate(expected.begin(), expected.end(), 0.0)});
}

RC_GTEST_PROP(AnyLayout, is_written_element_by_element, ()) {
  const Tensor like = clone(any_layout());  // dense, in any order
  const Tensor from = counting(sizes(like));
  copy_(like, from);
  RC_ASSERT(numbers(like) == numbers(from));
  mul_(like, scalar(3));
  Numbers expected = numbers(from);
  for (double& one : expected) one *= 3;
  RC_ASSERT(numbers(like) == expected);
}

/// An index, seen through any stride: 0 where expand repeats it.
RC_GTEST_PROP(AnyIndex, names_the_same_elements, ()) {
  const Tensor x = counting({4, 3});
  const auto count = *rc::gen::inRange(1, 6);
  const auto stride = *rc::gen::inRange(0, 4);
  Numbers all(32);
  for (double& one : all) one = *rc::gen::inRange(0, 3);
  const Dtype dtype = *rc::gen::inRange(0, 2) == 0 ? Dtype::int64 : Dtype::int32;
  const Tensor index = as_strided(vector(all, dtype), Sizes{count}, Sizes{stride}, 2);
  const Tensor plain = contiguous(index);
  RC_ASSERT(numbers(index_select(x, 0, index)) == numbers(index_select(x, 0, plain)));
  RC_ASSERT(numbers(index_select(x, 1, index)) == numbers(index_select(x, 1, plain)));
  RC_ASSERT(numbers(gather(counting({4}), 0, index)) == numbers(gather(counting({4}), 0, plain)));
  if (dtype == Dtype::int32) return;
  RC_ASSERT(numbers(index_fill(x, 1, index, 9)) == numbers(index_fill(x, 1, plain, 9)));
}

TEST(AnyMatrix, of_rows_that_overlap_multiplies) {
  for (const std::int64_t n : {4, 20, 70})
    for (const Dtype dtype : {Dtype::float32, Dtype::float64}) {
      Numbers ends(static_cast<std::size_t>(2 * n));
      for (std::size_t i = 0; i < ends.size(); ++i) ends[i] = static_cast<double>(i * 5 % 7) - 3;
      const Tensor windows = as_strided(vector(ends, dtype), Sizes{n, n}, Sizes{1, 1}, 0);
      EXPECT_EQ(numbers(mm(windows, windows)), numbers(mm(contiguous(windows), contiguous(windows)))) << n;
      EXPECT_EQ(numbers(mv(windows, select(windows, 0, 1))),
                numbers(mv(contiguous(windows), contiguous(select(windows, 0, 1)))))
          << n;
    }
}

TEST(LongSums, are_the_same_on_any_number_of_threads) {
  const int before = num_threads();
  for (const std::int64_t n : {kParallelElements, kParallelElements + 1, 3 * kParallelElements + 12345}) {
    const Tensor ones_ = ones({n}, Dtype::float64);
    const Tensor strided = slice(ones({2 * n}, Dtype::float32), 0, 0, 2 * n, 2);
    for (const int threads : {1, 2, 3, 5, 7}) {
      set_num_threads(threads);
      EXPECT_EQ(numbers(sum(ones_)), Numbers{static_cast<double>(n)}) << threads;
      EXPECT_EQ(numbers(sum(to(strided, Dtype::int64))), Numbers{static_cast<double>(n)}) << threads;
    }
  }
  set_num_threads(before);
}

TEST(Backward, a_gradient_of_a_wider_dtype_is_rounded_once_it_is_summed) {
  const Tensor x = leaf({0});
  const Tensor y = vector({0, 0, 0}, Dtype::float64);
  const double little = 1.0 / (1 << 30);  // which 1 loses in float32
  backward(add(x, y), vector({1 + little, -1, 0}, Dtype::float64));
  EXPECT_EQ(numbers(grad_of(x)), Numbers{little});
}

TEST(Backward, AUT_50_a_gradient_that_is_cleared_meanwhile_is_not_the_one_that_was_given) {
  const Tensor x = leaf({1, 2});
  set_grad(x, vector({5, 5}));
  const Tensor other = leaf({1, 1});
  const auto clearing = [&](FunctionContext&, const Tensors& gradients) {
    set_grad(x, {});
    return gradients;
  };
  const Tensor through =
      apply_function({[&](FunctionContext&) { return Tensors{clone(other)}; }, clearing}, {other}).at(0);
  const Tensor given = vector({7, 7});
  backward(add(x, through), given);
  ASSERT_TRUE(grad_of(x).defined());
  EXPECT_EQ(numbers(grad_of(x)), (Numbers{7, 7}));
  EXPECT_NE(grad_of(x).storage(), given.storage());
}

TEST(Backward, AUT_50_a_view_of_a_gradient_that_was_given_in_the_mode_is_copied) {
  const Tensor x = leaf({2, 2}, {1, 2, 3, 4});
  const Tensor y = view(x, {4});
  const InferenceMode guard;
  const Tensor given = vector({1, 1, 1, 1});
  backward(y, given);  // hands on a view that nobody else holds, of memory that somebody does
  EXPECT_NE(grad_of(x).storage(), given.storage());
  add_(given, scalar(1));
  EXPECT_EQ(numbers(grad_of(x)), (Numbers{1, 1, 1, 1}));
}

TEST(ViewDtype, of_a_wider_dtype_looks_at_every_stride) {  // also where the dimension has one element
  const Tensor memory = counting({8});
  EXPECT_EQ(error_of([&] { (void)view(as_strided(memory, {1, 2}, {3, 1}, 0), Dtype::float64); }),
            ErrorClass::view_stride);
  EXPECT_EQ(sizes(view(as_strided(memory, {1, 2}, {4, 1}, 0), Dtype::float64)), (Sizes{1, 1}));
}

TEST(Saved, VER_15_a_result_that_counts_for_itself_must_not_be_written) {
  const Tensor source = vector({1, 2});
  const Tensor x = alias_of(source, source.sizes(), source.strides(), 0);  // as `x.data`: a counter of its own
  x.impl().own_counter();
  Saved saved = Saved::result(x, 0);
  x.impl().bump_version();
  EXPECT_EQ(error_of([&] { (void)saved.unpack(nullptr); }), ErrorClass::saved_modified);
}

TEST(Version, a_tensor_that_takes_the_storage_that_counts_for_it_gives_its_count_back) {
  const std::int64_t before = pool_figures().live;
  {
    const Tensor counts = vector({1, 2});
    const Tensor tensor = vector({3, 4});
    tensor.impl().share_counter(counts.impl());
    tensor.impl().set_storage(counts.storage());
    tensor.impl().bump_version();
    EXPECT_EQ(counts.impl().version(), 1U);
  }
  EXPECT_EQ(pool_figures().live, before);
}

TEST(Pool, what_a_thread_releases_last_goes_back_to_the_system) {
  const auto leave_late = [] {
    struct Late {
      Tensor held;
    };
    thread_local Late late;  // begins before the thread's lists, and so ends after them
    late.held = vector({1, 2, 3});
  };
  std::thread(leave_late).join();
  const std::int64_t before = pool_figures().live;
  for (int i = 0; i < 3; ++i) std::thread(leave_late).join();
  EXPECT_EQ(pool_figures().live, before);
}

TEST(Trace, sees_operators_that_are_registered_while_it_is_on) {
  Dispatcher dispatcher;
  dispatcher.trace(true);
  Library library(dispatcher, Library::Kind::DEF, "late");
  library.define("f");
  constexpr KeySet kKeys = KeySet(Functionality::Dense) | Backend::CPU;
  library.impl("f", static_cast<Slot>(kKeys.entry()),
               {[](void*, const Operator&, KeySet, Frame&) {}, nullptr, nullptr});
  Frame frame{kKeys, nullptr};
  const TraceScope scope;
  dispatcher.find("late::f").call(frame);
  ASSERT_FALSE(scope.kernels().empty());
  EXPECT_EQ(scope.kernels().back().kernel, Functionality::Dense);
  EXPECT_FALSE(scope.kernels().back().fallthrough);
}

}  // namespace
}  // namespace plumbline::optimized::rare_test
