// The strides of view, compared by enumeration with all possible strides.
#include "reference/reshape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace plumbline::reference::reshape_test {
namespace {

/// All tuples of `rank` numbers from `choices`.
std::vector<Sizes> tuples(std::size_t rank, const Sizes& choices) {
  std::vector<Sizes> all{{}};
  for (std::size_t d = 0; d < rank; ++d) {
    std::vector<Sizes> longer;
    for (const Sizes& tuple : all)
      for (const std::int64_t choice : choices) {
        longer.push_back(tuple);
        longer.back().push_back(choice);
      }
    all = std::move(longer);
  }
  return all;
}

/// The places of the elements in row-major order of the indices, by independent loops.
std::vector<std::int64_t> places(const Sizes& sizes, const Sizes& strides) {
  const std::int64_t n = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
  std::vector<std::int64_t> all;
  for (std::int64_t k = 0; k < n; ++k) {
    std::int64_t rest = k;
    std::int64_t place = 0;
    for (std::size_t d = sizes.size(); d-- > 0;) {
      place += rest % sizes[d] * strides[d];
      rest /= sizes[d];
    }
    all.push_back(place);
  }
  return all;
}

/// Strides with which `sizes` have these places, if there are any: the second element of a dimension gives its stride.
std::optional<Sizes> strides_for(const Sizes& sizes, const std::vector<std::int64_t>& wanted) {
  Sizes strides(sizes.size(), 1);
  std::int64_t behind = 1;
  for (std::size_t d = sizes.size(); d-- > 0;) {
    if (sizes[d] > 1) strides[d] = wanted[static_cast<std::size_t>(behind)] - wanted[0];
    behind *= sizes[d];
  }
  return places(sizes, strides) == wanted ? std::optional(strides) : std::nullopt;
}

TEST(Reshape, view_finds_strides_exactly_if_there_are_some) {
  std::int64_t found = 0;
  std::int64_t refused = 0;
  std::vector<Sizes> asked;
  for (std::size_t rank = 0; rank <= 4; ++rank)
    for (const Sizes& sizes : tuples(rank, {1, 2, 3, 4, 6})) asked.push_back(sizes);
  for (std::size_t rank = 0; rank <= 3; ++rank)
    for (const Sizes& sizes : tuples(rank, {1, 2, 3}))
      for (const Sizes& strides : tuples(rank, {0, 1, 2, 3, 4, 6, 9})) {
        const std::vector<std::int64_t> wanted = places(sizes, strides);
        for (const Sizes& view : asked) {
          if (element_count(view) != element_count(sizes)) continue;
          const std::optional<Sizes> computed = view_strides(sizes, strides, view);
          const bool possible = strides_for(view, wanted).has_value();
          ASSERT_EQ(computed.has_value(), possible)
              << testing::PrintToString(sizes) << " by " << testing::PrintToString(strides) << " as "
              << testing::PrintToString(view);
          if (computed) {
            ASSERT_EQ(places(view, *computed), wanted);
          }
          ++(possible ? found : refused);
        }
      }
  EXPECT_GT(found, 1000);
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace plumbline::reference::reshape_test
