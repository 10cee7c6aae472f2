// Ops of which only the schema is known: what the rules decide of them, and what the plain run says.
#include <gtest/gtest.h>

#include <algorithm>

#include "adapters/by_schema/plain_run.h"
#include "adapters/tests/erfinv.h"
#include "reference/machine.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"

namespace plumbline {
namespace {

using reference::PlainCall;
using reference::PlainOutcome;
using reference::PlainTensor;

class BySchema : public MadeUpRuns {
 protected:
  /// The trace of `x = [1, 2]` and this statement, with a snapshot at the end.
  static Trace run(std::vector<StatementKind> statements, Profile profile = Profile::sound) {
    Script script;
    script.names = {"x", "y"};
    script.statements = {{MakeTensor{Slot{0}, Dtype::float32, {2}, {1, 2}}, 0}};
    for (StatementKind& kind : statements) script.statements.push_back({std::move(kind), 0});
    script.statements.push_back({Snapshot{}, 0});
    reference::Judge judge;
    judge.profile = profile;
    return reference::run(judge, script);
  }
  static Reading of(const Trace& trace, std::size_t slot, Field field) {
    return trace.outcomes.back().tensors.at(slot).fields.at(static_cast<std::size_t>(field));
  }
  static std::vector<double> values(const Trace& trace, std::size_t slot) {
    return std::get<Values>(of(trace, slot, Field::values)).floats;
  }
};

const StatementKind kErfinvInPlace = Call{OpId::erfinv_, {Slot{0}}, {}, false};

TEST_F(BySchema, without_an_implementation_the_reference_says_nothing) {
  EXPECT_THROW(run({kErfinv}), reference::ReferenceLimit);
}

TEST_F(BySchema, a_functional_op_gives_the_elements_of_the_plain_run) {
  computes({"", {}, {vector_of({7, 8})}, {vector_of({1, 2})}, {0}});
  const Trace trace = run({kErfinv});
  EXPECT_EQ(values(trace, 1), (std::vector<double>{7, 8}));
  EXPECT_EQ(values(trace, 0), (std::vector<double>{1, 2}));
  EXPECT_EQ(std::get<std::int64_t>(of(trace, 0, Field::version)), 0);
  EXPECT_EQ(std::get<std::int64_t>(of(trace, 1, Field::storage)), 1);
}

TEST_F(BySchema, the_plain_run_has_grad_mode_as_the_call_has_it) {
  computes({"", {}, {vector_of({7, 8})}, {vector_of({1, 2})}, {0}});
  run({kErfinv, Enter{GuardKind::set_grad_enabled, false}, kErfinv, Exit{}});
  ASSERT_EQ(calls_.size(), 2U);
  EXPECT_FALSE(calls_[0].no_grad);
  EXPECT_TRUE(calls_[1].no_grad);
}

TEST_F(BySchema, the_plain_run_gets_the_arguments_outside_inference_mode) {
  computes({"", {}, {vector_of({7, 8})}, {vector_of({1, 2})}, {0}});
  run({Enter{GuardKind::inference_mode, true}, kErfinv, Exit{}});
  ASSERT_EQ(calls_.size(), 1U);
  EXPECT_FALSE(calls_[0].escaped);
  ASSERT_EQ(calls_[0].tensors.size(), 1U);
  EXPECT_EQ(calls_[0].tensors[0].elements[1].real, 2);
}

TEST_F(BySchema, the_mode_of_the_call_decides_whether_the_result_is_an_inference_tensor) {
  computes({"", {}, {vector_of({7, 8})}, {vector_of({1, 2})}, {0}});
  EXPECT_EQ(std::get<bool>(of(run({Enter{GuardKind::inference_mode, true}, kErfinv, Exit{}}), 1, Field::is_inference)),
            true);
  EXPECT_EQ(std::get<bool>(of(run({kErfinv}), 1, Field::is_inference)), false);
}

TEST_F(BySchema, an_in_place_op_counts_one_version) {
  computes({"", {}, {}, {vector_of({7, 8})}, {5}});
  const Trace trace = run({kErfinvInPlace});
  EXPECT_EQ(values(trace, 0), (std::vector<double>{7, 8}));
  EXPECT_EQ(std::get<std::int64_t>(of(trace, 0, Field::version)), 1);
}

TEST_F(BySchema, a_composite_in_place_op_counts_what_the_ops_count_that_it_calls) {
  computes({"", {}, {}, {vector_of({7, 8})}, {3}});
  const Trace trace = run({Call{OpId::fill_diagonal_, {Slot{0}, std::int64_t{9}, false}, {}, false}});
  EXPECT_EQ(std::get<std::int64_t>(of(trace, 0, Field::version)), 3);
}

TEST_F(BySchema, a_write_to_an_inference_tensor_outside_the_mode_is_refused_before_anything_runs) {
  computes({"", {}, {}, {vector_of({7, 8})}, {1}});
  const Trace trace = run({Enter{GuardKind::inference_mode, true}, MakeTensor{Slot{0}, Dtype::float32, {2}, {1, 2}},
                           Exit{}, Try{}, kErfinvInPlace, EndTry{}});
  EXPECT_EQ(values(trace, 0), (std::vector<double>{1, 2}));
  EXPECT_TRUE(calls_.empty());
}

TEST_F(BySchema, an_error_is_the_implementations_own_and_changes_nothing) {
  computes({"", Failure{ErrorClass::by_schema, "no erfinv today", "RuntimeError"}, {}, {vector_of({7, 8})}, {0}});
  const Trace trace = run({Try{}, kErfinvInPlace, EndTry{}});
  const auto raised = std::ranges::find(trace.outcomes, std::size_t{2}, &Outcome::statement);
  ASSERT_NE(raised, trace.outcomes.end());
  EXPECT_EQ(raised->failure.message, "no erfinv today");
  EXPECT_EQ(values(trace, 0), (std::vector<double>{1, 2}));
}

TEST_F(BySchema, in_pytorchs_profiles_an_error_leaves_what_the_plain_run_left) {
  computes({"", Failure{ErrorClass::by_schema, "no erfinv today", "RuntimeError"}, {}, {vector_of({7, 8})}, {0}});
  EXPECT_EQ(values(run({Try{}, kErfinvInPlace, EndTry{}}, Profile::torch_2_13), 0), (std::vector<double>{7, 8}));
}

TEST_F(BySchema, a_result_that_shares_an_arguments_memory_is_out_of_reach) {
  PlainTensor shared = vector_of({1, 2});
  shared.in_first = true;
  computes({"", {}, {shared}, {vector_of({1, 2})}, {0}});
  EXPECT_THROW(run({kErfinv}), reference::ReferenceLimit);
}

TEST_F(BySchema, a_view_op_gives_a_view_with_the_geometry_of_the_plain_run) {
  PlainTensor row{Dtype::float32, {1, 2}, {2, 1}, 0, {{.real = 1}, {.real = 2}}};
  row.in_first = true;
  computes({"", {}, {row}, {vector_of({1, 2})}, {0}});
  const Trace trace = run({Call{OpId::squeeze_dims, {Slot{0}, std::vector<std::int64_t>{0}}, {Slot{1}}, false}});
  EXPECT_EQ(std::get<std::vector<std::int64_t>>(of(trace, 1, Field::sizes)), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(std::get<bool>(of(trace, 1, Field::is_view)), true);
  EXPECT_EQ(std::get<std::int64_t>(of(trace, 1, Field::base)), 0);
}

const Call kUnflatten{
    OpId::unflatten_int, {Slot{0}, std::int64_t{0}, std::vector<std::int64_t>{1, 2}}, {Slot{1}}, false};

TEST_F(BySchema, a_composite_op_that_returns_a_view_is_the_ops_that_it_calls) {
  const Trace trace = run({kUnflatten});  // nothing computes by schema
  EXPECT_EQ(std::get<std::vector<std::int64_t>>(of(trace, 1, Field::sizes)), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(std::get<std::int64_t>(of(trace, 1, Field::base)), 0);
}

const StatementKind kBody = EnterFunctionalize{Remove::mutations_and_views, {Slot{0}}, {Slot{0}}};
const StatementKind kEndOfBody = LeaveFunctionalize{{Slot{0}}, {Slot{1}}};

TEST_F(BySchema, in_a_body_an_in_place_op_runs_as_its_functional_form_and_is_written_back) {
  reference::compute_by_schema([this](const PlainCall& call) {
    calls_.push_back(call);
    return PlainOutcome{"", {}, {vector_of({7, 8})}, {vector_of({1, 2})}, {0}};
  });
  const Trace trace = run({kBody, kErfinvInPlace, kEndOfBody}, Profile::torch_2_13);
  EXPECT_EQ(values(trace, 0), (std::vector<double>{7, 8}));
  EXPECT_EQ(calls_.back().op, OpId::erfinv);
}

TEST_F(BySchema, in_a_body_an_in_place_op_raises_what_its_kernel_for_meta_raises) {
  reference::compute_by_schema([](const PlainCall& call) {
    PlainOutcome outcome{"", {}, {vector_of({7, 8})}, {vector_of({1, 2})}, {0}};
    if (call.on_meta) outcome.failure = Failure{ErrorClass::by_schema, "no meta kernel", "NotImplementedError"};
    return outcome;
  });
  const Trace trace = run({Try{}, kBody, kErfinvInPlace, kEndOfBody, EndTry{}}, Profile::torch_2_13);
  EXPECT_TRUE(
      std::ranges::any_of(trace.outcomes, [](const Outcome& one) { return one.failure.message == "no meta kernel"; }));
}

TEST_F(BySchema, in_a_body_of_a_pytorch_a_view_is_out_of_reach) {
  computes({"", {}, {vector_of({1, 2})}, {vector_of({1, 2})}, {0}});
  const Call squeeze{OpId::squeeze_dims, {Slot{0}, std::vector<std::int64_t>{0}}, {Slot{1}}, false};
  EXPECT_THROW(run({kBody, squeeze, kEndOfBody}, Profile::torch_2_13), reference::ReferenceLimit);
}

TEST_F(BySchema, in_a_body_a_write_through_a_composite_view_reaches_the_caller) {
  for (const Profile profile : {Profile::torch_2_13, Profile::torch_1_13, Profile::sound}) {
    const Trace trace = run({kBody, kUnflatten, Call{OpId::zero_, {Slot{1}}, {}, false}, kEndOfBody}, profile);
    EXPECT_EQ(values(trace, 0), (std::vector<double>{0, 0}));
  }
}

const StatementKind kAbsoluteInPlace = Call{OpId::absolute_, {Slot{0}}, {}, false};
const StatementKind kNegative = Call{OpId::neg_, {Slot{0}}, {}, false};

TEST_F(BySchema, in_a_body_a_composite_op_writes_as_its_functional_form) {  // FUN-37
  const Trace trace = run({kBody, kNegative, kAbsoluteInPlace, kEndOfBody});
  EXPECT_EQ(values(trace, 0), (std::vector<double>{1, 2}));
}

TEST_F(BySchema, a_body_of_pytorch_2_13_refuses_a_composite_op_that_writes) {  // FUN-37
  const Trace trace = run({Try{}, kBody, kAbsoluteInPlace, kEndOfBody, EndTry{}}, Profile::torch_2_13);
  EXPECT_TRUE(std::ranges::any_of(trace.outcomes,
                                  [](const Outcome& one) { return one.failure.error == ErrorClass::not_functional; }));
}

/// The bounds of erfinv's result on a column of a matrix, if the run with its layout and the row-major one differ so.
std::vector<double> bounds(double as_laid_out, double row_major) {
  reference::compute_by_schema([=](const PlainCall& call) {
    const bool laid_out = call.tensors[0].strides != std::vector<std::int64_t>{1};
    return PlainOutcome{"", {}, {vector_of({laid_out ? as_laid_out : row_major, 0})}, {vector_of({1, 1})}, {0}};
  });
  Script script;
  script.names = {"x", "c", "y"};
  script.statements = {{MakeTensor{Slot{0}, Dtype::float32, {2, 2}, {1, 2, 1, 2}}, 0},
                       {Call{OpId::select_int, {Slot{0}, std::int64_t{1}, std::int64_t{0}}, {Slot{1}}, false}, 0},
                       {Call{OpId::erfinv, {Slot{1}}, {Slot{2}}, false}, 0},
                       {Snapshot{}, 0}};
  const Trace trace = reference::run({}, script);
  return std::get<Values>(trace.outcomes.back().tensors.at(2).fields.at(static_cast<std::size_t>(Field::values)))
      .bounds;
}

TEST_F(BySchema, the_rounding_of_another_layout_is_a_bound) {
  ASSERT_EQ(bounds(1.00001, 1).size(), 2U);
  EXPECT_NEAR(bounds(1.00001, 1)[0], 0.00001, 1e-9);
}

TEST_F(BySchema, another_value_in_another_layout_is_no_rounding) { EXPECT_TRUE(bounds(1.5, 1).empty()); }

TEST(PlainRun, an_optional_device_is_left_to_the_implementation_and_an_optional_tensor_is_none) {
  const auto hann = experiment_of({OpId::hann_window, {}, {std::int64_t{3}, None{}, None{}, None{}, None{}}});
  EXPECT_EQ(hann.experiment.arguments.dump(), R"([3,null,{"default":true},{"default":true},null])");
  EXPECT_EQ(hann.experiment.op, "aten::hann_window");
}

TEST(PlainRun, integers_beyond_the_exact_ones_are_refused) {
  PlainTensor large{Dtype::int64, {1}, {1}, 0, {{.integer = (std::int64_t{1} << 53) + 1}}};
  EXPECT_NE(experiment_of({OpId::erfinv, {large}, {Slot{0}}}).limit, "");
  large.elements[0].integer = std::int64_t{1} << 53;
  EXPECT_EQ(experiment_of({OpId::erfinv, {large}, {Slot{0}}}).limit, "");
}

TEST(PlainRun, elements_are_read_bit_for_bit) {
  const PlainOutcome outcome = outcome_of_bytes(OpId::erfinv, "float32", "0000c03f");
  ASSERT_EQ(outcome.limit, "");
  EXPECT_EQ(outcome.results.at(0).elements.at(0).real, 1.5);
}

TEST(PlainRun, memory_that_the_run_did_not_write_is_unspecified) {
  const PlainOutcome outcome = outcome_of_bytes(OpId::erfinv, "float32", "a5a5a5a5");
  ASSERT_EQ(outcome.limit, "");
  EXPECT_FALSE(outcome.results.at(0).elements.at(0).known);
}

TEST(PlainRun, a_tensor_without_elements_has_the_room_of_its_storage) {
  PlainTensor none{Dtype::float32, {0}, {1}, 0, {}};
  none.room = 3;
  EXPECT_EQ(experiment_of({OpId::erfinv, {none}, {Slot{0}}}).experiment.tensors.at(0).values.size(), 3U);
}

TEST(PlainRun, a_dtype_that_programs_do_not_have_is_a_limit) {
  sweep::Facts facts;
  facts.defined = true;
  facts.dtype = "complex32";
  sweep::Observation observation;
  observation.results = {{-1, "", facts, 0}};
  EXPECT_EQ(outcome_of({OpId::erfinv, {}, {}}, observation).limit, "a result's dtype is complex32");
}

TEST(PlainRun, only_libtorch_and_python_have_a_caller_for_it) { EXPECT_TRUE(plain_caller_of("optimized").empty()); }

}  // namespace
}  // namespace plumbline
