// The CUDA kernels on the host: indices, tails, strides and the tree of a reduction, in several orders of blocks and
// threads.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "optimized/cuda/divisor.h"
#include "optimized/cuda/functions.h"
#include "optimized/cuda/host_grid.h"
#include "optimized/cuda/places.h"
#include "optimized/cuda/pointwise.h"
#include "optimized/cuda/reduce.h"

namespace plumbline::optimized::cuda {
namespace {

constexpr std::array kOrders{Order::forward, Order::backward, Order::inside_out};

Order any_order() { return kOrders.at(*rc::gen::inRange<std::size_t>(0, kOrders.size())); }

RC_GTEST_PROP(Divisor, divides_as_the_processor_does, ()) {
  const auto by = *rc::gen::inRange<std::uint32_t>(1, Divisor::kEnd);
  const auto near = *rc::gen::inRange<std::uint32_t>(0, Divisor::kEnd) / by * by;  // a multiple
  const Divisor divisor(by);
  for (const std::uint32_t n : {near, near == 0 ? 0 : near - 1, near + by - 1})
    if (n < Divisor::kEnd) RC_ASSERT(divisor.quotient(n) == n / by);
}

TEST(Divisor, divides_the_smallest_and_the_largest_numbers) {
  for (const std::uint32_t by : {1U, 2U, 3U, 7U, 641U, Divisor::kEnd - 1})
    for (const std::uint32_t n : {0U, 1U, by - 1, by, Divisor::kEnd - 1})
      EXPECT_EQ(Divisor(by).quotient(n), n / by) << n << " / " << by;
}

TEST(Divisor, divides_by_one_until_it_is_told_otherwise) {
  for (const std::uint32_t n : {0U, 1U, Divisor::kEnd - 1}) EXPECT_EQ(Divisor().quotient(n), n);
  EXPECT_EQ(Divisor().by(), 1U);
}

/// Levels with few elements in all, some of size 1 or 0, and steps that jump or repeat.
template <int N>
LoopNest<N> any_nest(int most_levels = 21) {
  const auto levels = *rc::gen::inRange(0, most_levels + 1);
  LoopNest<N> nest(levels);
  std::int64_t count = 1;
  for (int i = 0; i < levels; ++i) {
    auto size = *rc::gen::weightedElement<std::int64_t>({{1, 0}, {12, 1}, {8, 2}, {6, 3}, {3, 17}, {1, 300}});
    if (count * size > 3000) size = 1;
    count *= size;
    Steps<N> steps;
    for (std::int64_t& step : steps) step = *rc::gen::inRange(0, 40);
    nest.add(size, steps);
  }
  return nest;
}

template <int N>
std::vector<Steps<N>> places_in(const LoopNest<N>& nest) {
  std::vector<Steps<N>> all;
  nest.for_each([&](const Steps<N>& at) { all.push_back(at); });
  return all;
}

RC_GTEST_PROP(Places, name_the_elements_in_the_order_of_the_loops, ()) {
  const LoopNest<2> nest = any_nest<2>();
  const auto most = *rc::gen::inRange(1, 4000);
  std::vector<Steps<2>> all;
  for_each_part(nest.levels(), Steps<2>{}, most, [&](const Places<2>& part) {
    RC_ASSERT(part.count <= static_cast<std::uint32_t>(most));
    for (std::uint32_t i = 0; i < part.count; ++i) all.push_back(part.at(i));
  });
  RC_ASSERT(all == places_in(nest));
}

TEST(Places, more_elements_than_a_kernel_counts_become_several_parts) {
  LoopNest<1> nest(2);
  nest.add(3, {std::int64_t{1} << 40U});
  nest.add((std::int64_t{1} << 31U) + 5, {2});
  constexpr std::int64_t kMost = std::int64_t{1} << 30U;
  std::int64_t count = 0;
  for_each_part(nest.levels(), Steps<1>{}, kMost, [&](const Places<1>& part) {
    EXPECT_EQ(part.at(0)[0],
              count / nest.levels()[1].size * (std::int64_t{1} << 40U) + count % nest.levels()[1].size * 2);
    count += part.count;
  });
  EXPECT_EQ(count, nest.size());
}

Elements elements(std::vector<double>& numbers) {
  return {reinterpret_cast<std::byte*>(numbers.data()), Dtype::float64};
}
Elements elements(std::vector<std::int32_t>& numbers) {
  return {reinterpret_cast<std::byte*>(numbers.data()), Dtype::int32};
}

template <class T>
std::vector<T> counting(std::size_t count, T from) {
  std::vector<T> numbers(count);
  std::iota(numbers.begin(), numbers.end(), from);
  return numbers;
}

/// How many elements an operand with these places needs.
template <std::size_t N>
std::size_t room_for(const std::vector<std::array<std::int64_t, N>>& places, std::size_t operand) {
  std::int64_t most = 0;
  for (const auto& at : places) most = std::max(most, at.at(operand));
  return static_cast<std::size_t>(most) + 1;
}

RC_GTEST_PROP(Pointwise, computes_each_element_through_any_strides_and_dtypes, ()) {
  LoopNest<2> inputs = any_nest<2>();
  LoopNest<3> nest(static_cast<int>(inputs.levels().size()) + 1);
  std::int64_t dense = inputs.size();
  for (const Axis<2>& level : inputs.levels()) {
    if (dense == 0) break;
    dense /= level.size;
    nest.add(level.size, {dense, level.steps[0], level.steps[1]});
  }
  if (inputs.empty()) nest.add(0, {});
  const auto places = places_in(nest);
  auto a = counting<double>(room_for(places, 1), 0.5);
  auto b = counting<std::int32_t>(room_for(places, 2), -3);
  std::vector<double> out(places.size() + 8, -1);
  std::vector<double> expected = out;
  for (const Steps<3>& at : places) expected.at(at[0]) = a.at(at[1]) - b.at(at[2]);
  const Order order = any_order();
  for_each_part(nest.levels(), Steps<3>{}, *rc::gen::inRange(1, 4000), [&](const Places<3>& part) {
    const Pointwise<double, Computed<Arithmetic::sub, double>, 3> kernel{
        part, {elements(out), elements(a), elements(b)}, {}};
    run_on_host(kernel, kernel.blocks(), order);
  });
  RC_ASSERT(out == expected);
}

TEST(Computed, an_alpha_that_is_not_given_is_one) {
  EXPECT_TRUE((Computed<Arithmetic::add, bool>{}(false, true)));
  EXPECT_EQ((Computed<Arithmetic::add_scaled, float>{}(2, 3)), 5);
}

RC_GTEST_PROP(Rows, compute_packets_and_what_is_left, ()) {
  const auto count = *rc::gen::inRange<std::uint32_t>(1, 2600);
  constexpr std::uint32_t kAfter = 16;
  std::vector<Packet<float>> a(count / 4 + kAfter), b(a.size()), out(a.size());
  const auto at = [](std::vector<Packet<float>>& row, std::uint32_t i) -> float& {
    return row.at(i / 4).elements.at(i % 4);
  };
  for (std::uint32_t i = 0; i < count + kAfter; ++i) {
    at(a, i) = static_cast<float>(i);
    at(b, i) = 0.5F;
    at(out, i) = -1;
  }
  const Rows<float, Computed<Arithmetic::add_scaled, float>, 3> kernel{
      count, {&at(out, 0), &at(a, 0), &at(b, 0)}, {}, {.alpha = 4}};
  run_on_host(kernel, kernel.blocks(), any_order());
  for (std::uint32_t i = 0; i < count; ++i) RC_ASSERT(at(out, i) == static_cast<float>(i) + 2);
  for (std::uint32_t i = count; i < count + kAfter; ++i) RC_ASSERT(at(out, i) == -1);
}

/// Sums with the kernel, and one by one.
template <template <class, class, class> class Reduce>
void check_sums() {
  const LoopNest<1> reduced = any_nest<1>(Places<1>::kMostLevels);
  LoopNest<2> kept(2);
  const auto rows = *rc::gen::inRange(1, 4);
  const auto columns = *rc::gen::weightedElement<std::int64_t>({{3, 1}, {3, 5}, {1, 300}});
  kept.add(rows, {*rc::gen::inRange(0, 50), columns});
  kept.add(columns, {*rc::gen::inRange(0, 50), 1});
  const auto places = places_in(reduced);
  const auto from = counting<std::int32_t>(room_for(places, 0) + std::size_t{50} * 300 + 200, 2'147'000'000);
  std::vector<std::int64_t> expected(static_cast<std::size_t>(kept.size()) + 4, -1), out = expected;
  kept.for_each([&](const Steps<2>& at) {
    expected.at(at[1]) = 0;
    for (const Steps<1>& place : places) expected.at(at[1]) += from.at(at[0] + place[0]);
  });
  const Order order = any_order();
  using Sums = Sum<std::int32_t, std::int64_t, std::int64_t>;
  for_each_part(kept.levels(), Steps<2>{}, *rc::gen::inRange(1, 2000), [&](const Places<2>& results) {
    const Reduce<std::int32_t, std::int64_t, Sums> kernel{
        {results, places_of(reduced.levels(), Steps<1>{}), from.data(), out.data(), Sums{}}};
    run_on_host(kernel, kernel.blocks(), order);
  });
  RC_ASSERT(out == expected);
}

RC_GTEST_PROP(ReduceByBlock, sums_any_number_of_elements_once_each, ()) { check_sums<ReduceByBlock>(); }
RC_GTEST_PROP(ReduceByThread, sums_any_number_of_elements_once_each, ()) { check_sums<ReduceByThread>(); }

/// A kernel without the barrier that it needs: a thread reads what its neighbour writes in the same phase.
struct WithoutBarrier {
  struct Shared {
    std::array<std::uint32_t, kThreads> values;
  };
  using Own = Nothing;
  static constexpr int kPhases = 1;
  std::vector<std::uint32_t>* out;

  template <int P>
  void phase(const Place& place, Shared& shared, Own&) const {
    shared.values[place.thread] = place.thread;
    out->at(place.thread) = shared.values[(place.thread + 1) % kThreads];
  }
};

TEST(HostGrid, a_missing_barrier_shows_in_each_order) {
  std::vector<std::uint32_t> expected(kThreads);
  for (std::uint32_t i = 0; i < kThreads; ++i) expected[i] = (i + 1) % kThreads;
  for (const Order order : kOrders) {
    std::vector<std::uint32_t> out(kThreads);
    run_on_host(WithoutBarrier{&out}, 1, order);
    EXPECT_NE(out, expected);
  }
}

/// A kernel that reads what no thread has written.
struct WithoutWrite {
  struct Shared {
    std::uint32_t value;
  };
  using Own = Shared;
  static constexpr int kPhases = 1;
  std::vector<std::uint32_t>* shared_values;
  std::vector<std::uint32_t>* own_values;

  template <int P>
  void phase(const Place&, Shared& shared, Own& own) const {
    shared_values->push_back(shared.value++);
    own_values->push_back(own.value++);
  }
};

TEST(HostGrid, what_no_thread_has_written_is_poison_in_each_block) {
  std::vector<std::uint32_t> shared, own;
  run_on_host(WithoutWrite{&shared, &own}, 3, Order::forward);
  for (std::uint32_t i = 0; i < 3 * kThreads; ++i) {
    EXPECT_EQ(shared.at(i), 0xCDCDCDCD + i % kThreads);
    EXPECT_EQ(own.at(i), 0xCDCDCDCD);
  }
}

TEST(HostGrid, the_orders_are_what_their_names_say) {
  const auto all = [](Order order) {
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < 5; ++i) numbers.push_back(in_order(order, i, 5));
    return numbers;
  };
  EXPECT_EQ(all(Order::forward), (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(all(Order::backward), (std::vector<std::uint32_t>{4, 3, 2, 1, 0}));
  EXPECT_EQ(all(Order::inside_out), (std::vector<std::uint32_t>{2, 1, 3, 0, 4}));
}

TEST(HostGrid, each_order_runs_each_block_once) {
  for (const Order order : kOrders)
    for (std::uint32_t all = 1; all < 9; ++all) {
      std::vector<int> runs(all);
      for (std::uint32_t i = 0; i < all; ++i) ++runs.at(in_order(order, i, all));
      EXPECT_EQ(runs, std::vector<int>(all, 1));
    }
}

}  // namespace
}  // namespace plumbline::optimized::cuda
