// Facts about places in memory, sizes, dtypes and refusals.
#include <gtest/gtest.h>

#include "oracle/facts.h"
#include "spec/ops/op_ids.h"

namespace plumbline::facts_of_places_test {
namespace {

constexpr Slot x{0}, v{1}, y{2};
using Sizes = std::vector<std::int64_t>;

Statement make(Slot slot, Dtype dtype, const Sizes& sizes, bool requires_grad = false) {
  std::int64_t count = 1;
  for (const std::int64_t size : sizes) count *= size;
  return {MakeTensor{slot, dtype, sizes, std::vector<double>(static_cast<std::size_t>(count), 1.0), requires_grad}};
}

/// The facts before the last of the statements.
std::set<std::string> facts(const std::vector<Statement>& statements) {
  const Script script{statements, {"x", "v", "y"}};
  return facts_at(Profile::torch_2_13, script, statements.size() - 1);
}

void expect(const std::set<std::string>& found, const std::set<std::string>& present,
            const std::set<std::string>& absent = {}) {
  for (const std::string& fact : present) EXPECT_TRUE(found.contains(fact)) << fact;
  for (const std::string& fact : absent) EXPECT_FALSE(found.contains(fact)) << fact;
}

TEST(FactsOfPlaces, a_transposed_tensor_is_not_contiguous) {
  const std::vector<Statement> start{make(x, Dtype::float32, {2, 2}), {Call{OpId::t, {x}, {v}}}};
  auto reads = start;
  reads.push_back({Call{OpId::neg, {v}, {y}}});
  expect(facts(reads), {"self_is_not_contiguous", "argument_is_not_contiguous", "self_is_part_of_memory"},
         {"gives_a_view", "argument_repeats_places"});
  expect(facts(start), {"gives_a_view", "argument_is_normal"}, {"self_is_not_contiguous", "self_is_part_of_memory"});
}

TEST(FactsOfPlaces, an_expanded_tensor_repeats_places) {
  std::vector<Statement> script{make(x, Dtype::float32, {1}), {Call{OpId::expand, {x, Sizes{3}, false}, {v}}}};
  expect(facts(script), {"gives_a_view", "result_is_larger"}, {"written_repeats_places", "argument_repeats_places"});
  expect(facts({make(x, Dtype::float32, {1}), {Call{OpId::zero_, {x}, {}}}}), {}, {"written_shares_memory"});
  script.push_back({Call{OpId::zero_, {v}, {}}});
  expect(facts(script), {"written_repeats_places", "argument_repeats_places", "written_shares_memory"},
         {"refuses_overlap", "raises"});
  script.back() = {Call{OpId::neg_, {v}, {}}};
  expect(facts(script), {"refuses_overlap", "raises"}, {"refuses_sizes"});
}

TEST(FactsOfPlaces, arguments_may_share_memory_and_be_results) {
  std::vector<Statement> script{make(x, Dtype::float32, {1}), {Call{OpId::alias, {x}, {v}}}};
  expect(facts(script), {"gives_a_view"}, {"arguments_share_memory", "gives_its_argument"});
  script.push_back({Call{OpId::add__Tensor, {x, v, std::int64_t{1}}, {y}}});
  expect(facts(script), {"arguments_share_memory", "gives_its_argument"}, {});
  script.back() = {Call{OpId::neg, {x}, {y}}};
  expect(facts(script), {}, {"arguments_share_memory", "gives_its_argument"});
}

TEST(FactsOfPlaces, dtypes_dimensions_and_sizes_of_arguments_and_results) {
  expect(facts({make(x, Dtype::float32, {}), make(v, Dtype::float64, {1}), {Call{OpId::mm, {x, v}, {y}}}}),
         {"arguments_have_two_dtypes", "self_has_no_dimensions", "raises"}, {"self_requires_grad"});
  expect(facts({make(x, Dtype::float32, {2}, true), {Call{OpId::neg, {x}, {y}}}}), {"self_requires_grad"},
         {"result_has_free_strides", "result_is_larger", "arguments_have_two_dtypes"});
  expect(facts({make(x, Dtype::float32, {1}), {Call{OpId::neg, {x}, {y}}}}), {"result_has_free_strides"});
  expect(facts({make(x, Dtype::float64, {}), {Call{OpId::zero_, {x}, {}}}}), {"written_is_a_float64_scalar"});
  expect(facts({make(x, Dtype::float32, {}), {Call{OpId::zero_, {x}, {}}}}), {}, {"written_is_a_float64_scalar"});
}

TEST(FactsOfPlaces, a_written_tensor_that_requires_grad) {
  const std::vector<Statement> start{make(x, Dtype::float32, {1}, true), {Call{OpId::neg, {x}, {v}}}};
  auto writes = start;
  writes.push_back({Call{OpId::zero_, {v}, {}}});
  expect(facts(writes), {"written_requires_grad"});
  expect(facts(start), {"self_requires_grad"}, {"written_requires_grad"});
}

TEST(FactsOfPlaces, a_view_may_be_equal_to_its_base) {
  std::vector<Statement> script{make(x, Dtype::float32, {2}), {Call{OpId::alias, {x}, {v}}}};
  expect(facts(script), {"gives_a_view"}, {"has_an_equal_view"});
  script.push_back({SetRequiresGrad{x, true}});
  expect(facts(script), {"has_an_equal_view"});
  script.back() = {Call{OpId::zero_, {v}, {}}};
  expect(facts(script), {"has_an_equal_view"});
  script[1] = {Call{OpId::unsqueeze, {x, std::int64_t{0}}, {v}}};
  expect(facts(script), {}, {"has_an_equal_view"});
}

TEST(FactsOfPlaces, an_in_place_view_op_may_give_a_tensor_free_strides) {
  expect(facts({make(x, Dtype::float32, {2}), {Call{OpId::unsqueeze_, {x, std::int64_t{0}}, {}}}}),
         {"result_has_free_strides", "takes_a_zero"});
  expect(facts({make(x, Dtype::float32, {2, 2}), {Call{OpId::t_, {x}, {}}}}), {},
         {"result_has_free_strides", "takes_a_zero"});
}

TEST(FactsOfPlaces, an_out_of_other_sizes_changes_them) {
  const OpId out = *find_op("neg", "out");
  expect(facts({make(x, Dtype::float32, {2}), make(y, Dtype::float32, {3}), {Call{out, {x, y}, {}}}}),
         {"written_changes_sizes"});
  expect(facts({make(x, Dtype::float32, {2}), make(y, Dtype::float32, {2}), {Call{out, {x, y}, {}}}}), {},
         {"written_changes_sizes"});
}

TEST(FactsOfPlaces, a_refusal_has_the_group_of_its_error) {
  const auto refused = [](const std::vector<Statement>& statements) {
    std::set<std::string> groups;
    for (const std::string& fact : facts(statements))
      if (fact.starts_with("refuses_")) groups.insert(fact);
    return groups;
  };
  using Groups = std::set<std::string>;
  const Statement a = make(x, Dtype::float32, {2, 2});
  EXPECT_EQ(refused({a, {Call{OpId::select_int, {x, std::int64_t{0}, std::int64_t{5}}, {v}}}}),
            Groups{"refuses_an_index"});
  EXPECT_EQ(refused({a, {Call{OpId::select_int, {x, std::int64_t{7}, std::int64_t{0}}, {v}}}}),
            Groups{"refuses_a_dimension"});
  EXPECT_EQ(refused({a, {Call{OpId::view, {x, Sizes{3}}, {v}}}}), Groups{"refuses_sizes"});
  EXPECT_EQ(refused({a, {Call{OpId::t, {x}, {v}}}, {Call{OpId::view, {v, Sizes{4}}, {y}}}}), Groups{"refuses_strides"});
  EXPECT_EQ(refused({a, {Call{OpId::narrow, {x, std::int64_t{0}, std::int64_t{0}, std::int64_t{-1}}, {v}}}}),
            Groups{"refuses_a_range"});
  EXPECT_EQ(refused({a, {Call{OpId::as_strided, {x, Sizes{9}, Sizes{1}, None{}}, {v}}}}), Groups{"refuses_bounds"});
  EXPECT_EQ(refused({a, make(y, Dtype::float64, {2, 2}), {Call{OpId::mm, {x, y}, {v}}}}), Groups{"refuses_two_dtypes"});
  EXPECT_EQ(refused({make(x, Dtype::boolean, {2}), {Call{OpId::relu, {x}, {v}}}}), Groups{"refuses_a_dtype"});
  EXPECT_EQ(refused({make(x, Dtype::int64, {2}), {Call{*find_op("exp_", ""), {x}, {}}}}), Groups{"refuses_a_cast"});
  EXPECT_EQ(refused({make(x, Dtype::int32, {2}), {Call{OpId::fill__Scalar, {x, 1e30}, {}}}}),
            Groups{"refuses_a_number"});
  EXPECT_EQ(refused({{Enter{GuardKind::inference_mode}}, a, {Exit{}}, {Call{OpId::zero_, {x}, {}}}}),
            Groups{"refuses_inference"});
  EXPECT_EQ(refused({a, {Call{OpId::neg, {x}, {y}}}}), Groups{});
}

TEST(FactsOfPlaces, a_second_backward_adds_to_a_gradient) {
  std::vector<Statement> script{make(x, Dtype::float32, {2}, true),
                                {Call{*find_op("sum", ""), {x, None{}}, {y}}},
                                {Backward{y, std::nullopt, true, {}, {}}}};
  expect(facts(script), {}, {"adds_to_a_gradient"});
  script.push_back({Backward{y, std::nullopt, true, {}, {}}});
  expect(facts(script), {"adds_to_a_gradient"});
}

TEST(FactsOfPlaces, an_arange_of_inference_mode_came_before) {
  const Statement range{Call{*find_op("arange", ""), {2.0, Dtype::float32, {}, {}, {}}, {v}}};
  const Statement use = make(x, Dtype::float32, {1});
  expect(facts({{Enter{GuardKind::inference_mode}}, range, {Exit{}}, use}), {"saw_an_arange_of_inference_mode"});
  expect(facts({range, use}), {}, {"saw_an_arange_of_inference_mode"});
}

}  // namespace
}  // namespace plumbline::facts_of_places_test
