// Ops of which only the schema is known, recorded for backward: what is learned from the implementation's own runs.
#include <gtest/gtest.h>

#include "adapters/tests/erfinv.h"
#include "reference/machine.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"

namespace plumbline {
namespace {

using reference::PlainCall;
using reference::PlainOutcome;
using reference::PlainTensor;

Failure failure(const std::string& words) { return {ErrorClass::by_schema, words, "RuntimeError"}; }

/// An implementation whose erfinv has the derivative 3. A test changes what it saves.
class RecordedBySchema : public ::testing::Test {
 protected:
  void SetUp() override {
    reference::compute_by_schema([this](const PlainCall& call) { return answer(call); });
  }
  void TearDown() override { reference::compute_by_schema(nullptr); }

  PlainOutcome answer(const PlainCall& call) const {
    PlainOutcome outcome{"", {}, {vector_of({7, 8})}, call.tensors, {0}};
    if (!call.backward) return outcome;
    outcome.recorded = {records_};
    const auto& gradients = call.backward->gradients;
    if (!gradients) {  // a probe: what is saved?
      if (call.backward->disturbed == saves_ && saves_ >= 0)
        outcome.failure = failure("a variable has been modified by an inplace operation");
      return outcome;
    }
    if (gradients->empty()) return outcome;
    PlainTensor gradient = *gradients->front();
    for (auto& element : gradient.elements) element.real *= 3;
    gradient.in_other = passes_on_;
    outcome.gradients = {gradient};
    return outcome;
  }

  /// The trace of `x = [1, 2]`, which requires grad, and these statements. An error ends it.
  static Trace run(std::vector<StatementKind> statements) {
    Script script;
    script.names = {"x", "y"};
    script.statements = {{MakeTensor{Slot{0}, Dtype::float32, {2}, {1, 2}}, 0}, {SetRequiresGrad{Slot{0}, true}, 0}};
    for (StatementKind& kind : statements) script.statements.push_back({std::move(kind), 0});
    script.statements.push_back({Snapshot{}, 0});
    return reference::run(reference::Judge{}, script);
  }
  static Reading of(const Trace& trace, std::size_t slot, Field field) {
    return trace.outcomes.back().tensors.at(slot).fields.at(static_cast<std::size_t>(field));
  }
  static std::vector<StatementKind> back(std::vector<StatementKind> between = {}) {
    std::vector<StatementKind> all{kErfinv};
    all.insert(all.end(), between.begin(), between.end());
    all.emplace_back(Call{OpId::sum, {Slot{1}, None{}}, {Slot{1}}, false});
    all.emplace_back(Backward{Slot{1}});
    return all;
  }
  static ErrorClass error_of(const Trace& trace) {
    for (const Outcome& outcome : trace.outcomes)
      if (outcome.failure.error != ErrorClass::none) return outcome.failure.error;
    return ErrorClass::none;
  }

  bool records_ = true;
  bool passes_on_ = false;
  std::int64_t saves_ = -1;
};

const std::vector<StatementKind> kWriteArgument{Enter{GuardKind::no_grad, false},
                                                Call{OpId::zero_, {Slot{0}}, {}, false}, Exit{}};
const std::vector<StatementKind> kWriteResult{Enter{GuardKind::no_grad, false}, Call{OpId::zero_, {Slot{1}}, {}, false},
                                              Exit{}};

TEST_F(RecordedBySchema, the_result_has_a_grad_fn) {
  EXPECT_EQ(std::get<bool>(of(run({kErfinv}), 1, Field::grad_fn)), true);
}

TEST_F(RecordedBySchema, with_grad_mode_off_it_has_none) {
  EXPECT_EQ(std::get<bool>(of(run({Enter{GuardKind::no_grad, false}, kErfinv, Exit{}}), 1, Field::grad_fn)), false);
}

TEST_F(RecordedBySchema, what_the_implementation_does_not_record_has_none) {
  records_ = false;
  EXPECT_EQ(std::get<bool>(of(run({kErfinv}), 1, Field::grad_fn)), false);
}

TEST_F(RecordedBySchema, the_gradient_is_that_of_the_implementations_own_backward) {
  const Trace trace = run(back());
  EXPECT_EQ(error_of(trace), ErrorClass::none);
  const auto gradient = std::get<Values>(of(trace, 0, Field::grad)).floats;
  EXPECT_EQ(gradient, (std::vector<double>{3, 3}));
}

TEST_F(RecordedBySchema, a_saved_argument_that_is_written_is_refused_in_backward) {
  saves_ = 0;
  EXPECT_EQ(error_of(run(back(kWriteArgument))), ErrorClass::saved_modified);
}

TEST_F(RecordedBySchema, a_saved_result_that_is_written_is_refused_in_backward) {
  saves_ = 1;
  EXPECT_EQ(error_of(run(back(kWriteResult))), ErrorClass::saved_modified);
}

TEST_F(RecordedBySchema, what_is_not_saved_may_be_written) {
  EXPECT_EQ(error_of(run(back(kWriteArgument))), ErrorClass::none);
}

TEST_F(RecordedBySchema, a_gradient_that_may_be_passed_on_is_out_of_reach) {
  passes_on_ = true;
  EXPECT_THROW(run(back()), reference::ReferenceLimit);
}

}  // namespace
}  // namespace plumbline
