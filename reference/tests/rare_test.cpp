// What few programs show: gradients that cross three dimensions of one size, and what is free beside what is not.
#include <gtest/gtest.h>

#include "reference/machine.h"
#include "spec/ops/op_ids.h"

namespace plumbline::reference {
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

}  // namespace
}  // namespace plumbline::reference
