// The arguments that ops by schema are known to take, and programs that call such ops.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "fuzz/by_schema/choices.h"
#include "spec/ops/op_ids.h"

namespace plumbline::fuzz {
namespace {

std::string error_of(const std::string& lines) {
  try {
    schema_choices_from(lines, "a.jsonl");
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(SchemaChoices, a_line_becomes_arguments_of_the_schemas_types) {
  const auto choices = schema_choices_from(
      R"({"op":"mse_loss","tensors":[{"dtype":"float32","sizes":[2],"values":[1,"nan"]},{"dtype":"float32","sizes":[],"values":[3]}],"arguments":[{"tensor":0},{"tensor":1},{"default":true}]})",
      "a.jsonl");
  ASSERT_EQ(choices.size(), 1U);
  EXPECT_EQ(choices[0].op, OpId::mse_loss);
  EXPECT_EQ(choices[0].arguments, (std::vector<Value>{Slot{0}, Slot{1}, std::int64_t{1}}));
  EXPECT_NE(choices[0].tensors[0].values[1], choices[0].tensors[0].values[1]);
}

TEST(SchemaChoices, a_complex_element_is_a_pair_and_a_scalar_may_be_complex) {
  const auto choices = schema_choices_from(
      R"({"op":"mul.Scalar","tensors":[{"dtype":"complex64","sizes":[2],"values":[[1,-2],["inf",0]]}],"arguments":[{"tensor":0},{"complex":[0.5,-1]}]})",
      "a.jsonl");
  ASSERT_EQ(choices.size(), 1U);
  EXPECT_EQ(choices[0].tensors[0].values, (std::vector<double>{1, -2, HUGE_VAL, 0}));
  EXPECT_EQ(choices[0].arguments.at(1), Value(Complex{0.5, -1}));
  EXPECT_NE(
      error_of(R"({"op":"abs","tensors":[{"dtype":"complex64","sizes":[1],"values":[1]}],"arguments":[{"tensor":0}]})"),
      "");
}

TEST(SchemaChoices, there_are_complex_ones_for_a_hundred_ops) {
  std::set<OpId> ops;
  for (const OpKind kind : {OpKind::Factory, OpKind::Functional, OpKind::View, OpKind::Inplace, OpKind::Out})
    for (const SchemaChoice& one : schema_choices(kind))
      if (std::ranges::any_of(one.tensors, is_complex, &MakeTensor::dtype)) ops.insert(one.op);
  EXPECT_GE(ops.size(), 100U);
}

TEST(SchemaChoices, an_unknown_op_is_refused_with_its_line) {
  EXPECT_TRUE(error_of("\n{\"op\":\"no_such_op\",\"tensors\":[],\"arguments\":[]}").starts_with("a.jsonl:1: "));
  EXPECT_TRUE(
      error_of(R"({"op":"add.Tensor","tensors":[],"arguments":[]})").find("by_schema.yaml has no op 'add.Tensor'") !=
      std::string::npos);
}

TEST(SchemaChoices, a_tensor_without_all_its_values_is_refused) {
  EXPECT_TRUE(
      error_of(R"({"op":"abs","tensors":[{"dtype":"float32","sizes":[2],"values":[1]}],"arguments":[{"tensor":0}]})")
          .find("does not have as many values") != std::string::npos);
}

TEST(SchemaChoices, nine_ops_in_ten_have_one) {
  std::set<OpId> ops;
  for (const OpKind kind : {OpKind::Factory, OpKind::Functional, OpKind::View, OpKind::Inplace, OpKind::Out})
    for (const SchemaChoice& one : schema_choices(kind)) ops.insert(one.op);
  EXPECT_GE(ops.size() * 10, (kAllOps - kOps) * 9);
}

}  // namespace
}  // namespace plumbline::fuzz
