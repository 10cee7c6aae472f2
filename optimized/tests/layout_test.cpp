// Where the elements of views lie, against what PyTorch's own documentation and sources say.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <numeric>

#include "optimized/ops.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized::layout_test {
namespace {

using Ints = std::vector<std::int64_t>;

/// A float32 tensor of these sizes that counts up from 0.
Tensor counting(IntList sizes) {
  Tensor tensor = empty_tensor(sizes, Dtype::float32);
  std::iota(tensor.data<float>(), tensor.data<float>() + tensor.numel(), 0.0F);
  return tensor;
}
/// A view's elements, row-major.
std::vector<float> elements(const Tensor& view) {
  std::vector<float> all;
  std::vector<std::int64_t> index(view.sizes().size());
  for (std::int64_t left = view.numel(); left > 0; --left) {
    std::int64_t at = 0;
    for (std::size_t d = 0; d < index.size(); ++d) at += index[d] * view.strides()[d];
    all.push_back(view.data<float>()[at]);
    for (std::size_t d = index.size(); d-- > 0;) {
      if (++index[d] < view.sizes()[d]) break;
      index[d] = 0;
    }
  }
  return all;
}
ErrorClass error_of(const std::function<void()>& run) {
  try {
    run();
  } catch (const Error& error) {
    return error.error;
  }
  return ErrorClass::none;
}

TEST(Layout, select_moves_the_offset_by_index_times_stride) {
  EXPECT_EQ(elements(select(counting({2, 3}), 0, 1)), (std::vector<float>{3, 4, 5}));
}
TEST(Layout, select_counts_a_negative_index_from_the_end) { EXPECT_EQ(select(counting({5}), 0, -1).offset(), 4); }
TEST(Layout, select_refuses_an_index_out_of_range) {
  EXPECT_EQ(error_of([] { select(counting({2}), 0, 2); }), ErrorClass::index_range);
}
TEST(Layout, slice_has_as_many_elements_as_steps_fit) {
  EXPECT_EQ(elements(slice(counting({7}), 0, 1, 6, 2)), (std::vector<float>{1, 3, 5}));
}
TEST(Layout, slice_clamps_its_ends) { EXPECT_EQ(slice(counting({4}), 0, -9, 99).numel(), 4); }
TEST(Layout, slice_of_the_largest_step_does_not_overflow) {
  const std::int64_t step = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(slice(counting({4, 2}), 0, 0, 4, step).size(0), 1);
}
TEST(Layout, transpose_exchanges_sizes_and_strides) {
  EXPECT_EQ(elements(transpose(counting({2, 3}), 0, 1)), (std::vector<float>{0, 3, 1, 4, 2, 5}));
}
TEST(Layout, permute_takes_dimension_i_from_dims_i) {
  EXPECT_EQ(permute(counting({2, 3, 4}), {2, 0, 1}).sizes().vec(), (Ints{4, 2, 3}));
}
TEST(Layout, permute_refuses_a_dimension_twice) {
  EXPECT_EQ(error_of([] { permute(counting({2, 3}), {0, 0}); }), ErrorClass::dim_repeated);
}
TEST(Layout, expand_repeats_with_stride_0) {
  EXPECT_EQ(expand(counting({2, 1}), {2, 3}).strides().vec(), (Ints{1, 0}));
}
TEST(Layout, expand_names_the_type_of_what_has_too_many_dimensions) {
  try {
    expand(zeros({2, 3}, Dtype::int64), {3});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).substr(0, 30), "expand(torch.LongTensor{[2, 3]");
  }
}
TEST(Layout, expand_refuses_a_negative_size_also_beside_a_0) {
  EXPECT_EQ(error_of([] { expand(counting({1, 1}), {0, -2}); }), ErrorClass::range);
}
TEST(Layout, squeeze_drops_sizes_of_1_alone) { EXPECT_EQ(squeeze(counting({1, 0, 1, 2})).sizes().vec(), (Ints{0, 2})); }
TEST(Layout, unsqueeze_takes_the_stride_of_what_stands_behind) {
  EXPECT_EQ(unsqueeze(counting({2, 3}), 1).strides().vec(), (Ints{3, 3, 1}));
}
TEST(Layout, diagonal_moves_along_dim2_for_a_positive_offset) {
  EXPECT_EQ(elements(diagonal(counting({3, 3}), 1)), (std::vector<float>{1, 5}));
}
TEST(Layout, diagonal_beyond_the_matrix_is_empty) {
  EXPECT_EQ(diagonal(counting({2, 2}), std::numeric_limits<std::int64_t>::min()).numel(), 0);
}
TEST(Layout, unfold_gives_windows) {
  EXPECT_EQ(elements(unfold(counting({5}), 0, 3, 2)), (std::vector<float>{0, 1, 2, 2, 3, 4}));
}
TEST(Layout, as_strided_addresses_the_storage) {
  EXPECT_EQ(elements(as_strided(select(counting({2, 3}), 0, 1), {2}, {2}, 0)), (std::vector<float>{0, 2}));
}
TEST(Layout, as_strided_stays_in_the_storage) {
  EXPECT_EQ(error_of([] { as_strided(counting({4}), {2}, {4}); }), ErrorClass::storage_bounds);
}
TEST(Layout, as_strided_whose_bytes_overflow_is_refused) {
  const std::int64_t far = std::int64_t{1} << 61;
  EXPECT_EQ(error_of([&] { as_strided(counting({4}), {3}, {far}); }), ErrorClass::range);
}
TEST(Layout, view_infers_the_size_that_is_left) {
  EXPECT_EQ(view(counting({2, 6}), {3, -1}).sizes().vec(), (Ints{3, 4}));
}
TEST(Layout, view_refuses_what_the_strides_do_not_allow) {
  EXPECT_EQ(error_of([] { view(transpose(counting({2, 3}), 0, 1), {6}); }), ErrorClass::view_stride);
}
TEST(Layout, view_keeps_runs_of_memory) {
  EXPECT_EQ(view(slice(counting({4, 4}), 0, 0, 4, 2), {2, 2, 2}).strides().vec(), (Ints{8, 2, 1}));
}
TEST(Layout, view_of_another_dtype_scales_the_last_dimension) {
  EXPECT_EQ(view(counting({2, 4}), Dtype::int64).sizes().vec(), (Ints{2, 2}));
}
TEST(Layout, split_leaves_the_rest_to_the_last_piece) { EXPECT_EQ(split(counting({5}), 2).back().numel(), 1); }
TEST(Layout, split_of_nothing_gives_one_piece) { EXPECT_EQ(split(counting({0, 2}), 3).size(), 1U); }
TEST(Layout, split_with_sizes_wants_the_whole) {
  EXPECT_EQ(error_of([] { split_with_sizes(counting({5}), {2, 2}); }), ErrorClass::range);
}
TEST(Layout, unbind_gives_a_view_for_each_index) {
  EXPECT_EQ(elements(unbind(counting({2, 2}), 1).at(1)), (std::vector<float>{1, 3}));
}
TEST(Layout, reshape_is_a_view_where_the_strides_allow_one) {
  const Tensor base = counting({2, 3});
  EXPECT_EQ(reshape(base, {3, 2}).storage(), base.storage());
}
TEST(Layout, chunk_of_nothing_gives_as_many_pieces_as_asked) { EXPECT_EQ(chunk(counting({0}), 3).size(), 3U); }
TEST(Layout, movedim_keeps_the_others_in_order) {
  EXPECT_EQ(movedim(counting({2, 3, 4}), 0, -1).sizes().vec(), (Ints{3, 4, 2}));
}
TEST(Layout, flatten_joins_a_range) {
  EXPECT_EQ(flatten(counting({2, 3, 4, 5}), 1, 2).sizes().vec(), (Ints{2, 12, 5}));
}
TEST(Layout, resize_grows_the_storage_and_keeps_what_is_there) {
  const Tensor grown = counting({2});
  resize_(grown, {3});
  EXPECT_EQ(grown.data<float>()[1], 1.0F);
}
TEST(Layout, a_view_of_many_dimensions_is_like_any_other) {
  EXPECT_EQ(transpose(counting({1, 2, 1, 2, 1, 2}), 1, 5).strides().vec(), (Ints{8, 1, 4, 2, 2, 4}));
}
TEST(Layout, resize_whose_bytes_overflow_changes_nothing) {
  const Tensor tensor = counting({2});
  EXPECT_EQ(error_of([&] { resize_(tensor, {std::int64_t{1} << 62}); }), ErrorClass::range);
}

}  // namespace
}  // namespace plumbline::optimized::layout_test
