// What few programs show: gradients that cross three dimensions of one size, and what is free beside what is not.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "reference/functionalize/functionalize.h"
#include "reference/machine.h"
#include "spec/ops/op_ids.h"

namespace plumbline::reference::rare_test {
namespace {

using Integers = std::vector<std::int64_t>;

constexpr Slot kX{0}, kW{1}, kY{2}, kZ{3}, kS{4};

Statement make(Slot slot, Integers sizes, std::vector<double> values, bool requires_grad = false) {
  return {MakeTensor{slot, Dtype::float32, std::move(sizes), std::move(values), requires_grad}};
}
Statement call(OpId op, std::vector<Value> arguments, std::vector<Slot> results = {}) {
  return {Call{op, std::move(arguments), std::move(results), false}};
}
Statement reading(Slot slot, Field field) { return {Read{slot, field}}; }

Reading last(std::vector<Statement> statements, Profile profile = Profile::sound) {
  Judge judge;
  judge.profile = profile;
  const Trace trace = run(judge, Script{std::move(statements), {}});
  EXPECT_TRUE(trace.completed);
  return trace.outcomes.back().reading;
}

ErrorClass error_of(std::vector<Statement> statements, Profile profile = Profile::sound) {
  Judge judge;
  judge.profile = profile;
  return run(judge, Script{std::move(statements), {}}).outcomes.back().failure.error;
}

TEST(Rare, AUT_13_permute_of_a_cube_by_a_cycle_takes_its_gradient_back_by_the_inverse) {
  const std::vector<Integers> cycles{{1, 2, 0}, {2, 0, 1}, {-2, -1, 0}};
  for (const Profile profile : {Profile::sound, Profile::torch_2_13, Profile::torch_1_13})
    for (const Integers& dims : cycles) {
      std::vector<double> weights(8);
      for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<double>(i);
      const Reading grad = last({make(kX, {2, 2, 2}, std::vector<double>(8, 1), true),
                                 make(kW, {2, 2, 2}, weights),
                                 call(OpId::permute, {kX, dims}, {kY}),
                                 call(OpId::mul_Tensor, {kY, kW}, {kZ}),
                                 call(OpId::sum, {kZ, None{}}, {kS}),
                                 {Backward{kS}},
                                 reading(kX, Field::grad)},
                                profile);
      std::vector<double> expected(8);
      for (std::size_t place = 0; place < expected.size(); ++place) {  // of the result, by its three indices
        const std::size_t index[]{place / 4, place / 2 % 2, place % 2};
        std::size_t at = 0;
        for (std::size_t d = 0; d < 3; ++d) at += index[d] << (2U - static_cast<std::size_t>((dims[d] + 3) % 3));
        expected[at] = weights[place];
      }
      EXPECT_EQ(std::get<Values>(grad).floats, expected) << dims[0] << " " << dims[1] << " " << dims[2];
    }
}

TEST(Rare, VER_07_a_first_version_below_the_key_is_0_and_free_nowhere) {
  const Reading version = last({make(kX, {1}, {1}),
                                {Enter{GuardKind::below_ad_inplace_or_view}},
                                call(OpId::mul_Tensor, {kX, kX}, {kY}),
                                {Exit{}},
                                reading(kY, Field::version)});
  ASSERT_TRUE(std::holds_alternative<std::int64_t>(version));
  EXPECT_EQ(std::get<std::int64_t>(version), 0);
}

TEST(Rare, GEO_22_an_element_that_no_order_changes_is_known_beside_one_that_is_free) {
  const Reading values =
      last({make(kX, {4}, {1, 2, 3, 4}), call(OpId::as_strided, {kX, Integers{2}, Integers{1}, 0L}, {kY}),
            call(OpId::as_strided, {kX, Integers{2}, Integers{2}, 1L}, {kZ}), call(OpId::copy_, {kY, kZ, false}),
            reading(kX, Field::values)});
  const auto& got = std::get<Values>(values);
  EXPECT_EQ(got.known, (std::vector<bool>{false, true, true, true}));
  EXPECT_EQ(got.floats[1], 4);
}

TEST(Rare, GEO_20_a_matrix_and_its_transposed_view_are_the_same_memory_in_another_order) {
  EXPECT_EQ(error_of({make(kX, {2, 2}, {1, 2, 3, 4}), call(OpId::t, {kX}, {kY}),
                      call(OpId::add__Tensor, {kX, kY, std::int64_t{1}})}),
            ErrorClass::overlap_partial);
}

TEST(Rare, GEO_65_memory_that_resize_adds_is_free) {
  const Reading values =
      last({make(kX, {1}, {1}), call(OpId::resize_, {kX, Integers{3}, None{}}), reading(kX, Field::values)});
  EXPECT_EQ(std::get<Values>(values).known, (std::vector<bool>{true, false, false}));
}

TEST(Rare, GEO_63_cat_passes_over_an_empty_vector_only) {
  const auto joined = [](const Integers& empty) {
    return error_of({make(kX, empty, {}), make(kY, {2, 2}, {1, 2, 3, 4}),
                     call(OpId::cat, {std::vector<Slot>{kX, kY}, std::int64_t{0}}, {kZ})});
  };
  EXPECT_EQ(joined({0}), ErrorClass::none);
  EXPECT_EQ(joined({0, 2}), ErrorClass::none);
  EXPECT_EQ(joined({0, 3}), ErrorClass::shape);
}

TEST(Rare, GEO_80_both_releases_refuse_a_leaf_that_is_not_row_major) {
  const auto scattered = [](Profile profile) {
    return error_of({make(kW, {2, 2}, {1, 2, 3, 4}),
                     call(OpId::t, {kW}, {kX}),
                     {SetRequiresGrad{kX, true}},
                     make(kY, {1}, {9}),
                     call(OpId::as_strided_scatter, {kX, kY, Integers{1}, Integers{1}, std::int64_t{0}}, {kZ})},
                    profile);
  };
  EXPECT_EQ(scattered(Profile::sound), ErrorClass::none);
  EXPECT_EQ(scattered(Profile::torch_2_13), ErrorClass::internal);
  EXPECT_EQ(scattered(Profile::torch_1_13), ErrorClass::internal);
}

/// Whether `.grad` of a leaf is an inference tensor after a backward outside the mode through a view of it, from a
/// gradient that was made inside.
bool grad_is_inference(const Integers& sizes, OpId view, const Integers& viewed, Profile profile) {
  const Reading inference = last({make(kX, sizes, {1, 1}, true),
                                  call(view, {kX, std::int64_t{0}}, {kY}),
                                  {Enter{GuardKind::inference_mode}},
                                  make(kZ, viewed, {2, 2}),
                                  {Exit{}},
                                  {Backward{kY, kZ}},
                                  {GetGrad{kW, kX}},
                                  reading(kW, Field::is_inference)},
                                 profile);
  return std::get<bool>(inference);
}

TEST(Rare, AUT_60_both_releases_keep_the_inference_bit_through_unsqueeze_and_squeeze) {
  const auto kept = [](Profile profile) {
    return std::array{grad_is_inference({2}, OpId::unsqueeze, {1, 2}, profile),
                      grad_is_inference({1, 2}, OpId::squeeze_dim, {2}, profile)};
  };
  EXPECT_EQ(kept(Profile::sound), (std::array{false, false}));
  EXPECT_EQ(kept(Profile::torch_2_13), (std::array{true, true}));
  EXPECT_EQ(kept(Profile::torch_1_13), (std::array{true, true}));
}

/// The strides of the gradient of a weight [1, 2] whose transpose is a factor, which reach `.grad` as it arrives.
Integers strides_of_grad(OpId op, Profile profile) {
  constexpr Slot kBias{5};
  const std::vector<Value> factors{kY, kZ};
  std::vector<Value> arguments =
      op == OpId::mm ? factors : std::vector<Value>{kBias, kY, kZ, std::int64_t{1}, std::int64_t{1}};
  return std::get<Integers>(last({make(kX, {1, 2}, {1, 1}, true),
                                  make(kY, {3, 2}, {1, 2, 3, 4, 5, 6}),
                                  make(kBias, {1}, {0}),
                                  call(OpId::t, {kX}, {kZ}),
                                  call(op, std::move(arguments), {kS}),
                                  call(OpId::sum, {kS, None{}}, {kS}),
                                  {Backward{kS}},
                                  {GetGrad{kW, kX}},
                                  reading(kW, Field::strides)},
                                 profile));
}

TEST(Rare, AUT_50_the_gradient_of_a_factor_by_columns_is_by_columns) {
  for (const Profile profile : {Profile::sound, Profile::torch_2_13, Profile::torch_1_13})
    for (const OpId op : {OpId::mm, OpId::addmm}) EXPECT_EQ(strides_of_grad(op, profile), (Integers{2, 1}));
}

TEST(Rare, backward_fills_a_leaf_before_it_goes_through_the_next_node) {
  constexpr Slot kLeaf{5}, kGrad{6}, kEnd{7};
  EXPECT_EQ(error_of({make(kX, {2}, {1, 2}, true),
                      call(OpId::mul_Tensor, {kX, kX}, {kY}),
                      call(OpId::sum, {kY, None{}}, {kS}),
                      {Backward{kS}},  // frees what mul saved
                      make(kLeaf, {2}, {1, 1}, true),
                      {Enter{GuardKind::inference_mode}},
                      make(kGrad, {2}, {1, 1}),
                      {Exit{}},
                      {SetGrad{kLeaf, kGrad}},  // which backward may not write
                      call(OpId::add_Tensor, {kLeaf, kY, std::int64_t{1}}, {kZ}),
                      call(OpId::sum, {kZ, None{}}, {kEnd}),
                      {Backward{kEnd}}}),
            ErrorClass::inference_inplace);
}

TEST(Rare, GEO_52_the_random_numbers_depend_on_more_than_16_bits_of_the_seed) {
  const auto random = [](std::int64_t seed) {
    return std::get<Values>(last({{ManualSeed{seed}},
                                  call(OpId::rand, {Integers{4}, None{}, None{}, None{}, None{}}, {kX}),
                                  reading(kX, Field::values)}))
        .floats;
  };
  EXPECT_EQ(random(7), random(7));
  EXPECT_NE(random(7), random(7 + 65536));
}

// 65:215138: a diagonal of a 1x1 matrix has the stride 2, and ones_like preserves it.
TEST(Rare, the_gradient_that_backward_starts_from_has_the_layout_of_its_root) {
  EXPECT_EQ(
      std::get<Integers>(last({make(kX, {1, 1}, {1}, true),
                               call(OpId::diagonal, {kX, std::int64_t{0}, std::int64_t{1}, std::int64_t{0}}, {kY}),
                               {GetGradients{kY, {kY}, {kZ}}},
                               reading(kZ, Field::strides)})),
      (Integers{2}));
}

// 65:288008: an infinite gradient times the mask is not-a-number where the mask is 0.
TEST(Rare, AUT_13_an_infinite_gradient_of_aminmax_reaches_every_element) {
  const Reading grad = last({make(kX, {2}, {1, 100}, true),
                             call(OpId::aminmax, {kX, std::int64_t{0}, false}, {kY, kZ}),
                             call(OpId::exp, {kZ}, {kS}),
                             {Backward{kS}},
                             reading(kX, Field::grad)});
  const std::vector<double> numbers = std::get<Values>(grad).floats;
  EXPECT_TRUE(std::isnan(numbers.at(0)));
  EXPECT_TRUE(std::isinf(numbers.at(1)));
}

// Without a look at the epilogue, the copy would become a view, and then need a second copy.
TEST(Rare, FUN_30_a_copy_that_the_epilogue_writes_back_stays_one_copy) {
  const functionalize::Value vector{{2}, Dtype::float32, true};
  functionalize::Program program;
  program.inputs = {kX, kW};
  program.values.assign(4, vector);
  program.names = {"x", "w", "w_1", "x_1"};
  program.core = {call(OpId::view_copy, {kX, Integers{2}}, {kY}),
                  call(OpId::add_Tensor, {kX, kX, std::int64_t{1}}, {kZ})};
  program.epilogue = {call(OpId::copy_, {kX, kZ, false}), call(OpId::copy_, {kW, kY, false})};
  const functionalize::Program views = functionalize::reapply_views({}, program);
  ASSERT_EQ(views.core.size(), 2U);
  EXPECT_EQ(std::get<Call>(views.core[0].kind).op, OpId::view_copy);
}

}  // namespace
}  // namespace plumbline::reference::rare_test
