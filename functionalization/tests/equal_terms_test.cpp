// Different terms that Z3 proves equal for all values are not reported as a difference.
#include <gtest/gtest.h>

#include "functionalization/validate/equal.h"
#include "functionalization/validate/run.h"
#include "functionalization/validate/validate.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/catalogue.h"

namespace plumbline::validate {
namespace {

constexpr std::int64_t kPlaces = 4;

/// A body that returns `dtype` elements unchanged, or the result of its one step.
passes::Body body_of(Dtype dtype, std::optional<Call> step = std::nullopt) {
  passes::Body body;
  body.names = {"x"};
  body.inputs = {Slot{0}};
  body.outside = {{{kPlaces}, {1}, 0, dtype, 0}};
  body.storages = {kPlaces};
  passes::Step& made = body.steps.emplace_back();
  made.call = step ? *step : Call{OpId::clone, {Slot{0}, None{}}, {Slot{1}}};
  body.names.emplace_back("y");
  body.returned = {Slot{1}};
  return body;
}

/// A program whose calls give slot 1, 2, …; the last one is returned.
passes::Program program_of(std::vector<Call> calls) {
  passes::Program program;
  program.inputs = {Slot{0}};
  for (Call& call : calls) {
    call.results = {static_cast<Slot>(program.core.size() + 1)};
    program.core.push_back({std::move(call)});
  }
  program.returned = {static_cast<Slot>(program.core.size())};
  return program;
}

Call converted(int slot, Dtype dtype) {
  return {OpId::_to_copy, {static_cast<Slot>(slot), dtype, None{}, None{}, None{}, false, None{}}, {}};
}
Call seen_as(int slot, Dtype dtype) { return {OpId::view_copy_dtype, {static_cast<Slot>(slot), dtype}, {}}; }
Call every_other(int slot, std::int64_t start) {
  return {OpId::slice_copy_Tensor, {static_cast<Slot>(slot), std::int64_t{0}, start, None{}, std::int64_t{2}}, {}};
}
Call copy(int slot) { return {OpId::clone, {static_cast<Slot>(slot), None{}}, {}}; }

Validated validated(const passes::Body& body, const passes::Program& program) {
  const reference::Judge sound;
  return Validator(sound).validate(body, program);
}

void expect_settled(Dtype dtype, std::vector<Call> calls) {
  const Validated found = validated(body_of(dtype), program_of(std::move(calls)));
  EXPECT_EQ(found.difference.value_or(""), "");
  EXPECT_EQ(found.asked, static_cast<std::uint64_t>(kPlaces));
  EXPECT_EQ(found.equal, found.asked);
}

void expect_different(Dtype dtype, std::vector<Call> calls) {
  const Validated found = validated(body_of(dtype), program_of(std::move(calls)));
  ASSERT_TRUE(found.difference);
  EXPECT_EQ(found.difference->find("Z3 cannot decide"), std::string::npos) << *found.difference;
  EXPECT_TRUE(found.terms);
  EXPECT_EQ(found.asked, 1U);
  EXPECT_EQ(found.equal, 0U);
}

TEST(EqualTerms, a_wider_dtype_and_back_changes_nothing) {
  expect_settled(Dtype::int32, {converted(0, Dtype::int64), converted(1, Dtype::int32)});
  expect_settled(Dtype::boolean, {converted(0, Dtype::int64), converted(1, Dtype::boolean)});
  expect_settled(Dtype::float32, {converted(0, Dtype::float64), converted(1, Dtype::float32)});
  expect_settled(Dtype::int32, {converted(0, Dtype::float64), converted(1, Dtype::int32)});
  expect_settled(Dtype::boolean, {converted(0, Dtype::float32), converted(1, Dtype::boolean)});
}

TEST(EqualTerms, a_narrower_dtype_and_back_changes_some_values) {
  expect_different(Dtype::int64, {converted(0, Dtype::int32), converted(1, Dtype::int64)});
  expect_different(Dtype::int32, {converted(0, Dtype::boolean), converted(1, Dtype::int32)});
  expect_different(Dtype::float64, {converted(0, Dtype::float32), converted(1, Dtype::float64)});
  expect_different(Dtype::int32, {converted(0, Dtype::float32), converted(1, Dtype::int32)});
  expect_different(Dtype::int64, {converted(0, Dtype::float64), converted(1, Dtype::int64)});
}

TEST(EqualTerms, the_low_half_of_an_integer_made_wider_is_the_integer) {
  expect_settled(Dtype::int32, {converted(0, Dtype::int64), seen_as(1, Dtype::int32), every_other(2, 0)});
  expect_different(Dtype::int32, {converted(0, Dtype::int64), seen_as(1, Dtype::int32), every_other(2, 1)});
}

TEST(EqualTerms, an_op_gives_equal_results_for_equal_elements) {
  const Call negated{OpId::neg, {Slot{0}}, {Slot{1}}};
  const Call again{OpId::neg, {Slot{2}}, {}};
  const Validated found = validated(body_of(Dtype::int32, negated),
                                    program_of({converted(0, Dtype::int64), converted(1, Dtype::int32), again}));
  EXPECT_EQ(found.difference.value_or(""), "");
  EXPECT_EQ(found.equal, static_cast<std::uint64_t>(kPlaces));
}

TEST(EqualTerms, the_meaning_of_ops_is_unknown) {
  const Call negated{OpId::neg, {Slot{0}}, {}};
  expect_different(Dtype::float32, {negated, {OpId::neg, {Slot{1}}, {}}});
  expect_different(Dtype::float32, {negated});
}

TEST(EqualTerms, an_unspecified_element_may_become_anything_and_nothing_else_may_become_one) {
  const Call empty{OpId::empty_like, {Slot{0}, None{}, None{}, None{}, None{}, None{}}, {Slot{1}}};
  const Validated free = validated(body_of(Dtype::float32, empty), program_of({copy(0)}));
  EXPECT_EQ(free.difference.value_or(""), "");
  EXPECT_EQ(free.asked, 0U);
  const Validated lost = validated(body_of(Dtype::float32), program_of({empty}));
  EXPECT_TRUE(lost.difference);
  EXPECT_EQ(lost.equal, 0U);
}

TEST(EqualTerms, a_planted_fault_is_a_difference_for_z3_too) {
  Options options;
  options.programs = 200;
  options.flipped = find_rule("FUN-06");
  const Report report = run_random(options, [](const Report&) { return false; });
  EXPECT_GT(report.findings.size(), 0U);
  EXPECT_GE(report.asked, report.findings.size());
}

}  // namespace
}  // namespace plumbline::validate
