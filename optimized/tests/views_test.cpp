// Views and writes: what ADInplaceOrView tracks, counts and refuses.
#include <gtest/gtest.h>

#include "optimized/autograd/variable.h"
#include "optimized/cpu/options.h"
#include "optimized/tests/values.h"

namespace plumbline::optimized::views_test {
namespace {

using testing::error_of;
using testing::inference_vector;
using testing::numbers;
using testing::vector;

TEST(Views, VIEW_01_a_view_of_a_normal_tensor_is_tracked_in_inference_mode) {
  const Tensor x = zeros({2, 3});
  const InferenceMode mode;
  const Tensor v = view(x, {6});
  EXPECT_TRUE(is_view(v) && base_of(v).is_same(x));
}
TEST(Views, VIEW_02_a_view_of_an_inference_tensor_is_not_tracked) {
  const Tensor v = view(inference_vector({1, 2}), {1, 2});
  EXPECT_FALSE(is_view(v));
}
TEST(Views, VIEW_03_the_base_of_a_view_of_a_view_is_the_first_tensor) {
  const Tensor x = zeros({2, 3});
  EXPECT_TRUE(base_of(unsqueeze(view(x, {6}), 0)).is_same(x));
}
TEST(Views, VIEW_04_a_view_made_in_inference_mode_says_so) {
  const Tensor x = zeros({2});
  const InferenceMode mode;
  EXPECT_EQ(creation_meta_of(view(x, {2})), CreationMeta::INFERENCE_MODE);
}
TEST(Views, VIEW_05_a_view_made_in_no_grad_mode_says_so) {
  const Tensor x = zeros({2});
  const GradMode off(false);
  EXPECT_EQ(creation_meta_of(view(x, {2})), CreationMeta::NO_GRAD_MODE);
}
TEST(Views, VIEW_06_one_of_several_views_says_so) {
  EXPECT_EQ(creation_meta_of(split(zeros({2}), 1).at(1)), CreationMeta::MULTI_OUTPUT_NODE);
}
TEST(Views, VIEW_07_a_view_inherits_what_it_would_not_have_itself) {
  const Tensor x = zeros({4});
  EXPECT_EQ(creation_meta_of(view(split(x, 2).at(0), {2, 1})), CreationMeta::MULTI_OUTPUT_NODE);
}
TEST(Views, VIEW_14_inference_mode_outlasts_what_a_view_would_have_itself) {
  const Tensor x = zeros({2});
  Tensor v;
  {
    const InferenceMode mode;
    v = view(x, {2});
  }
  const GradMode off(false);
  EXPECT_EQ(creation_meta_of(view(v, {1, 2})), CreationMeta::INFERENCE_MODE);
}
TEST(Views, VIEW_10_detach_is_no_view) { EXPECT_FALSE(is_view(detach(zeros({2})))); }
TEST(Views, VIEW_15_a_view_made_below_ADInplaceOrView_is_not_tracked) {
  const Tensor x = zeros({2});
  const AutoDispatchBelowADInplaceOrView guard;
  EXPECT_FALSE(is_view(view(x, {2})));
}
TEST(Views, VER_04_a_view_counts_where_its_base_does) {
  const Tensor x = zeros({2});
  const Tensor v = view(x, {1, 2});
  add_(v, vector({1, 1}));
  EXPECT_EQ(version_of(x), 1U);
}
TEST(Views, VER_05_detach_counts_where_its_source_does) {
  const Tensor x = zeros({2});
  zero_(detach(x));
  EXPECT_EQ(version_of(x), 1U);
}
TEST(Views, VER_08_a_write_to_an_empty_tensor_counts) {
  const Tensor x = zeros({0});
  zero_(x);
  EXPECT_EQ(version_of(x), 1U);
}
TEST(Views, VER_09_a_write_that_raises_counts_nothing) {
  const Tensor x = zeros({2});
  error_of([&] { add_(x, zeros({3})); });
  EXPECT_EQ(version_of(x), 0U);
}
TEST(Views, VER_16_what_has_no_counter_cannot_be_viewed) {
  const Tensor x = inference_vector({1, 2});
  set_data(x, vector({3, 4}));
  EXPECT_EQ(error_of([&] { view(x, {1, 2}); }), ErrorClass::inference_version);
}
TEST(Views, VER_18_resize_to_the_same_sizes_counts_nothing) {
  const Tensor x = zeros({2});
  resize_(x, {2});
  EXPECT_EQ(version_of(x), 0U);
}
TEST(Views, VER_18_resize_to_the_same_sizes_in_another_format_counts) {
  const Tensor x = zeros({1, 2, 2, 2});
  resize_(x, {1, 2, 2, 2}, static_cast<Enumerated>(MemoryFormat::channels_last));
  EXPECT_EQ(version_of(x), 1U);
}
TEST(Views, VER_18_resize_to_other_sizes_counts) {
  const Tensor x = zeros({2});
  resize_(x, {1});
  EXPECT_EQ(version_of(x), 1U);
}
TEST(Views, INF_05_an_inference_tensor_is_not_written_outside_the_mode) {
  const Tensor x = inference_vector({1, 2});
  EXPECT_EQ(error_of([&] { zero_(x); }), ErrorClass::inference_inplace);
}
TEST(Views, INF_06_the_refusal_comes_before_the_write) {
  const Tensor x = inference_vector({1, 2});
  error_of([&] { zero_(x); });
  EXPECT_EQ(numbers(x), (testing::Numbers{1, 2}));
}
TEST(Views, INF_14_an_in_place_view_op_is_a_write) {
  const Tensor x = inference_vector({1, 2});
  EXPECT_EQ(error_of([&] { unsqueeze_(x, 0); }), ErrorClass::inference_inplace);
}
TEST(Views, INF_06_an_out_that_is_an_inference_tensor_is_refused) {
  const Tensor x = inference_vector({1, 2});
  EXPECT_EQ(error_of([&] { neg_out(vector({1, 2}), x); }), ErrorClass::inference_inplace);
}
TEST(Views, VER_12_data_counts_for_itself) {
  const Tensor x = zeros({2});
  zero_(data_of(x));
  EXPECT_EQ(version_of(x), 0U);
}
TEST(Views, VER_14_set_data_leaves_the_counter) {
  const Tensor x = zeros({2});
  zero_(x);
  set_data(x, vector({1, 2}));
  EXPECT_EQ(version_of(x), 1U);
}

}  // namespace
}  // namespace plumbline::optimized::views_test
