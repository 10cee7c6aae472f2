// Memory: places, density and layouts, against brute force on random geometries.
#include "reference/memory.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "reference/raise.h"

namespace plumbline::reference::memory_test {
namespace {

struct Shape {
  Sizes sizes;
  Sizes strides;
};

Shape any_shape(std::int64_t least) {
  const int rank = *rc::gen::inRange(0, 4);
  Shape shape;
  for (int i = 0; i < rank; ++i) {
    shape.sizes.push_back(*rc::gen::inRange<std::int64_t>(least, 4));
    shape.strides.push_back(*rc::gen::inRange<std::int64_t>(0, 7));
  }
  return shape;
}

RC_GTEST_PROP(Memory, places_are_offset_plus_index_times_stride, ()) {
  const Shape shape = any_shape(0);
  const auto places = places_of(geometry_of(shape.sizes, shape.strides, 5));
  RC_ASSERT(static_cast<std::int64_t>(places.size()) == element_count(shape.sizes));
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::int64_t rest = static_cast<std::int64_t>(i);
    std::int64_t expected = 5;
    for (std::size_t d = shape.sizes.size(); d-- > 0;) {
      expected += (rest % shape.sizes[d]) * shape.strides[d];
      rest /= shape.sizes[d];
    }
    RC_ASSERT(places[i] == expected);
  }
}

RC_GTEST_PROP(Memory, a_dense_tensor_has_each_place_of_one_run_once, ()) {
  const Shape shape = any_shape(1);
  const auto places = places_of(geometry_of(shape.sizes, shape.strides));
  const std::set<std::int64_t> distinct(places.begin(), places.end());
  const bool one_run =
      distinct.size() == places.size() && *distinct.rbegin() == static_cast<std::int64_t>(places.size()) - 1;
  RC_ASSERT(is_dense(shape.sizes, shape.strides) == one_run);
}

RC_GTEST_PROP(Memory, fresh_layouts_are_dense, ()) {
  const Shape shape = any_shape(1);
  RC_ASSERT(is_dense(shape.sizes, dense_strides(shape.sizes, shape.strides)));
  const std::vector<Geometry> inputs{geometry_of(shape.sizes, shape.strides)};
  RC_ASSERT(is_dense(shape.sizes, pointwise_strides(shape.sizes, inputs)));
}

RC_GTEST_PROP(Memory, a_copy_of_a_dense_tensor_keeps_its_strides, ()) {
  const Shape shape = any_shape(2);
  RC_PRE(is_dense(shape.sizes, shape.strides));
  RC_ASSERT(dense_strides(shape.sizes, shape.strides) == shape.strides);
}

TEST(Memory, an_element_written_twice_depends_on_the_order) {
  Tensor written;
  written.storage = 0;
  written.geometry = geometry_of({2, 2}, {1, 1});
  EXPECT_EQ(order_dependent(written, {}), (std::vector<bool>{false, true, true, false}));
}

TEST(Memory, an_input_that_is_written_elsewhere_depends_on_the_order) {
  Tensor written;
  written.storage = 0;
  written.geometry = geometry_of({3}, {1}, 1);
  Tensor read = written;
  read.geometry = geometry_of({3}, {1}, 0);
  EXPECT_EQ(order_dependent(written, {&read, 1}), (std::vector<bool>{false, true, true}));
}

TEST(Memory, too_many_elements_are_a_limit_of_the_reference) {
  constexpr std::int64_t kHuge = std::int64_t{1} << 62;
  EXPECT_EQ(element_count({kMostElements}), kMostElements);
  EXPECT_THROW(element_count({kMostElements + 1}), ReferenceLimit);
  EXPECT_THROW(places_of(geometry_of({kHuge, 4}, {0, 0})), ReferenceLimit);
  EXPECT_THROW(element_count({kHuge, 4, 0}), ReferenceLimit);
  EXPECT_EQ(element_count({kHuge, 0}), 0);
  EXPECT_EQ(element_count({-1, 3}), 0);
}

}  // namespace
}  // namespace plumbline::reference::memory_test
