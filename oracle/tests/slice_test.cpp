// Programs are cut to an implementation's level, ops and dtypes, and what is left is a program of its own.
#include "oracle/slice.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "adapters/reference/reference.h"
#include "language/lower.h"
#include "language/parse.h"
#include "spec/ops/op_ids.h"

namespace plumbline::slice_test {
namespace {

constexpr std::string_view kProgram =
    "import pytest\nimport torch\n\n\ndef test_it():\n"
    "    x = torch.tensor([1.0, 2.0], requires_grad=True)\n"  // 0
    "    with torch.inference_mode():\n"                      // 1
    "        y = torch.mul(x, 2)\n"                           // 2
    "        y.add_(1)\n"                                     // 3
    "    with pytest.raises(RuntimeError):\n"                 // 5
    "        y.view([3])\n"                                   // 6
    "    z = y.view([2, 1])\n"                                // 8
    "    w = torch.exp(z)\n"                                  // 9
    "    v = torch.sum(w)\n"                                  // 10
    "    assert w.dtype == torch.float32\n";                  // 11

Script program(std::string_view text = kProgram) {
  return program::lower(program::parse(text, "test_it.py")).front().script;
}

Script at(Level level) { return slice({}, program(), {level}).script; }

template <class Kind>
std::ptrdiff_t count(const Script& script) {
  return std::ranges::count_if(script.statements,
                               [](const Statement& one) { return std::holds_alternative<Kind>(one.kind); });
}

bool calls(const Script& script, OpId id) {
  return std::ranges::any_of(script.statements, [&](const Statement& one) {
    const auto* call = std::get_if<Call>(&one.kind);
    return call != nullptr && call->op == id;
  });
}

TEST(Slice, of_everything_is_the_program) {
  EXPECT_EQ(at(Level::versions).statements.size(), program().statements.size());
  EXPECT_EQ(slice({}, program(), {}).left_out, 0U);
}

TEST(Slice, at_values_writes_nothing) {
  EXPECT_FALSE(calls(at(Level::values), OpId::add__Tensor));
  EXPECT_TRUE(calls(at(Level::values), OpId::exp));
}

TEST(Slice, at_aliasing_writes) { EXPECT_TRUE(calls(at(Level::aliasing), OpId::add__Tensor)); }

TEST(Slice, at_aliasing_has_neither_guards_nor_trys) {
  EXPECT_EQ(count<Enter>(at(Level::aliasing)), 0);
  EXPECT_EQ(count<Exit>(at(Level::aliasing)), 0);
  EXPECT_EQ(count<Try>(at(Level::aliasing)), 0);
}

TEST(Slice, at_refusals_has_inference_mode_and_the_refused_call) {
  const Script script = at(Level::refusals);
  EXPECT_EQ(count<Enter>(script), 1);
  EXPECT_EQ(count<Try>(script), 1);
}

TEST(Slice, below_autograd_requires_no_grad) {
  EXPECT_FALSE(std::get<MakeTensor>(at(Level::refusals).statements.front().kind).requires_grad);
  EXPECT_TRUE(std::get<MakeTensor>(at(Level::autograd).statements.front().kind).requires_grad);
}

TEST(Slice, below_refusals_runs_without_an_error) {
  for (const Level level : {Level::values, Level::aliasing}) {
    const RunResult result = ReferenceAdapter(Profile::sound).run(at(level));
    const Trace& trace = std::get<Trace>(result);
    EXPECT_TRUE(trace.completed);
    for (const Outcome& outcome : trace.outcomes) EXPECT_EQ(outcome.failure.error, ErrorClass::none);
  }
}

TEST(Slice, without_an_op_leaves_out_what_uses_its_result) {
  const Slice part = slice({}, program(), {Level::versions, {OpId::mul_Tensor, OpId::sum}, {}});
  EXPECT_TRUE(calls(part.script, OpId::mul_Tensor));
  EXPECT_FALSE(calls(part.script, OpId::sum)) << "it sums what exp gave";
}

TEST(Slice, leaves_out_results_of_a_dtype_that_is_not_had) {
  const Script mixed = program(
      "import torch\n\n\ndef test_it():\n    x = torch.tensor([1, 2])\n    y = torch.exp(x)\n    z = torch.neg(x)\n");
  const Slice part = slice({}, mixed, {Level::versions, {}, {Dtype::int64}});
  EXPECT_FALSE(calls(part.script, OpId::exp)) << "its result is float32";
  EXPECT_TRUE(calls(part.script, OpId::neg));
}

TEST(Slice, of_a_program_without_other_dtypes_is_the_program) {
  const Manifest five{
      Level::versions, {}, {Dtype::float32, Dtype::float64, Dtype::int64, Dtype::int32, Dtype::boolean}};
  EXPECT_EQ(slice({}, program(), five).left_out, 0U);
  const Manifest without_results{Level::versions, {}, {Dtype::int64, Dtype::int32}};
  EXPECT_GT(slice({}, program(), without_results).left_out, 0U) << "ops of integers may give floats";
  const Script narrow = program(
      "import torch\n\n\ndef test_it():\n    x = torch.tensor([1.0, 2.0])\n    y = x.to(torch.float16)\n"
      "    z = torch.exp(x)\n    w = torch.exp(y)\n");
  const Slice part = slice({}, narrow, five);
  EXPECT_EQ(part.left_out, 2U);
  EXPECT_TRUE(calls(part.script, OpId::exp));
}

TEST(Slice, leaves_out_a_body_of_which_the_result_is_left_out) {
  const Script script = program(
      "import torch\n\n\ndef test_it():\n    x = torch.tensor([1.0, 2.0])\n\n    def body(a):\n"
      "        b = a.to(torch.float16)\n        return b\n\n    y = torch.func.functionalize(body)(x)\n    z = "
      "torch.exp(x)\n");
  const Manifest one{Level::versions, {}, {Dtype::float32}};
  const Script part = slice({}, script, one).script;
  EXPECT_EQ(count<EnterFunctionalize>(part), 0);
  EXPECT_EQ(count<LeaveFunctionalize>(part), 0);
  EXPECT_TRUE(calls(part, OpId::exp));
}

TEST(Slice, ends_with_one_snapshot_in_place_of_readings) {
  const Script script = at(Level::aliasing);
  EXPECT_EQ(count<Read>(script), 0);
  EXPECT_EQ(count<Snapshot>(script), 1);
}

TEST(Slice, counts_what_it_leaves_out) {
  EXPECT_EQ(slice({}, program(), {Level::aliasing}).left_out, 5U) << "a guard and a Try, and the refused call";
}

TEST(Slice, of_which_nothing_is_left_is_unsupported) {
  Description numpy;
  numpy.has.ops = {OpId::mm};
  const Slice part = slice({}, program(), numpy.has);
  ASSERT_TRUE(nothing_left(part.script, numpy));
  EXPECT_EQ(nothing_left(part.script, numpy)->verdict, Verdict::unsupported);
  EXPECT_FALSE(nothing_left(part.script, Description())) << "that one has everything";
}

TEST(Level, fields_above_it_are_not_compared) {
  Description description;
  description.fields.fill(Strictness::exact);
  description.thread.fill(Strictness::exact);
  hold_to(Level::aliasing, description);
  EXPECT_EQ(description.fields[static_cast<std::size_t>(Field::storage)], Strictness::exact);
  EXPECT_EQ(description.fields[static_cast<std::size_t>(Field::version)], Strictness::ignore);
  EXPECT_EQ(description.thread[static_cast<std::size_t>(ThreadField::grad_mode)], Strictness::ignore);
}

TEST(Level, is_not_raised_above_an_implementations_own) {
  Description description;
  description.has.level = Level::values;
  hold_to(Level::autograd, description);
  EXPECT_EQ(description.has.level, Level::values);
}

}  // namespace
}  // namespace plumbline::slice_test
