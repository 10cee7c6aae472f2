// The abstract machine: binding, errors and guards, and one statement of each kind. The rules' programs are in the
// corpus.
#include "reference/machine.h"

#include <gtest/gtest.h>

#include <array>

#include "reference/kernels.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/catalogue.h"
#include "spec/rules/geo.h"
#include "spec/rules/inf.h"
#include "spec/rules/ver.h"

namespace plumbline::reference::machine_test {
namespace {

constexpr Slot kX{0};
constexpr Slot kY{1};

Statement ones(Slot slot) { return {MakeTensor{slot, Dtype::float32, {2}, {1, 1}, false}}; }
Statement call(OpId op, std::vector<Value> arguments, std::vector<Slot> results = {}) {
  return {Call{op, std::move(arguments), std::move(results), false}};
}
Statement zero(Slot slot) { return call(OpId::zero_, {slot}); }
Statement inference(bool enabled) { return {Enter{GuardKind::inference_mode, enabled}}; }
Statement reading(Slot slot, Field field) { return {Read{slot, field}}; }

Trace run_statements(std::vector<Statement> statements, const Judge& judge = {}) {
  return run(judge, Script{std::move(statements), {}});
}

bool truth(const Trace& trace, std::size_t outcome) { return std::get<bool>(trace.outcomes.at(outcome).reading); }

TEST(Machine, an_error_outside_any_try_ends_the_run) {
  const Trace trace = run_statements({inference(true), ones(kX), {Exit{}}, zero(kX), ones(kY)});
  EXPECT_FALSE(trace.completed);
  EXPECT_EQ(trace.outcomes.size(), 4U);
  EXPECT_EQ(trace.outcomes.back().failure.error, ErrorClass::inference_inplace);
}

/// mine::f of one tensor with this kernel for the CPU, and a call of it.
Script calling(CustomKernel kernel) {
  Script script{{ones(kX),
                 {MakeLibrary{"lib", "mine", MakeLibrary::Kind::FRAGMENT}},
                 {DefineOperator{"lib", 0}},
                 {AddKernel{"lib", 0, "CPU", 0}},
                 {Invoke{0, {kX}, {kY}}}},
                {"x", "y"}};
  script.operators.push_back({"mine::f", {{"x"}}, {{""}}});
  script.kernels.push_back(std::move(kernel));
  return script;
}
ErrorClass last_error(const Script& script) { return run(Judge{}, script).outcomes.back().failure.error; }

TEST(Machine, kernels_that_call_each_other_without_end_are_beyond_its_limits) {
  EXPECT_THROW(run(Judge{}, calling({"f", {kX}, {{Invoke{0, {kX}, {kX}}}}, {kX}})), ReferenceLimit);
}

TEST(Machine, an_error_in_a_kernel_is_the_calls) {
  EXPECT_EQ(last_error(calling({"f", {kX}, {call(OpId::view, {kX, std::vector<std::int64_t>{3}}, {kX})}, {kX}})),
            ErrorClass::shape);
}

TEST(Machine, an_operator_that_is_not_defined_cannot_be_called) {
  Script script = calling({"f", {kX}, {}, {kX}});
  script.statements.erase(script.statements.begin() + 2);
  EXPECT_EQ(last_error(script), ErrorClass::unknown_operator);
}

TEST(Machine, a_library_ends_with_what_it_registered) {
  Script script = calling({"f", {kX}, {}, {kX}});
  EXPECT_EQ(last_error(script), ErrorClass::none);
  script.statements.insert(script.statements.end() - 1, Statement{DropLibrary{"lib"}});
  EXPECT_EQ(last_error(script), ErrorClass::unknown_operator);
}

TEST(Machine, an_operator_is_defined_once) {
  Script script = calling({"f", {kX}, {}, {kX}});
  script.statements.push_back({DefineOperator{"lib", 0}});
  EXPECT_EQ(last_error(script), ErrorClass::defined_twice);
}

TEST(Machine, an_error_changes_no_registration) {
  Script script = calling({"f", {kX}, {}, {kX}});
  script.statements.insert(script.statements.end() - 1, {{Try{}}, {DefineOperator{"lib", 0}}, {EndTry{}}});
  EXPECT_EQ(last_error(script), ErrorClass::none);
}

TEST(Machine, a_library_that_could_not_be_made_is_beyond_its_limits) {
  Script script = calling({"f", {kX}, {}, {kX}});
  script.statements.erase(script.statements.begin() + 1);
  EXPECT_THROW(run(Judge{}, script), ReferenceLimit);
}

TEST(Machine, after_an_error_inside_a_try_the_run_goes_on) {
  const Trace trace = run_statements(
      {inference(true), ones(kX), {Exit{}}, {Try{}}, zero(kX), ones(kY), {EndTry{}}, reading(kX, Field::is_inference)});
  EXPECT_TRUE(trace.completed);
  EXPECT_EQ(trace.outcomes.size(), 7U) << "the statement after the error is skipped";
  EXPECT_TRUE(truth(trace, 6));
}

TEST(Machine, an_error_ends_the_guards_that_it_crosses) {
  const Trace trace = run_statements({inference(true),
                                      ones(kX),
                                      {Exit{}},
                                      {Try{}},
                                      {Enter{GuardKind::no_grad, false}},
                                      zero(kX),
                                      {Exit{}},
                                      {EndTry{}},
                                      {ReadThread{ThreadField::grad_mode}}});
  EXPECT_TRUE(truth(trace, trace.outcomes.size() - 1));
}

/// What is said of a kernel that gives an op this effect; empty: nothing.
std::string refusal(OpId op, const Effect& effect) {
  try {
    hold_to_contract(op, effect);
    return "";
  } catch (const std::logic_error& error) {
    return error.what();
  }
}

TEST(Kernels, one_that_changes_a_layout_which_was_to_stay_is_named) {
  Effect moves;
  moves.layout = geometry_of({2, 3}, {1, 2});
  const Geometry was = geometry_of({2, 3}, {3, 1});
  EXPECT_THROW(hold_to_contract(OpId::resize_, moves, &was), std::logic_error);
  moves.layout = was;
  EXPECT_NO_THROW(hold_to_contract(OpId::resize_, moves, &was));
}

TEST(Kernels, one_that_changes_an_argument_of_an_op_that_writes_none_is_named) {
  Effect writes;
  writes.written.emplace();
  EXPECT_EQ(refusal(OpId::add__Tensor, writes), "");
  EXPECT_NE(refusal(OpId::add_Tensor, writes).find("kernel for add.Tensor changes an argument"), std::string::npos);
  Effect grows;
  grows.grown = 3;
  EXPECT_NE(refusal(OpId::transpose_int, grows).find("kernel for transpose.int"), std::string::npos);
}

TEST(Kernels, one_that_makes_a_tensor_for_an_op_that_writes_is_named) {
  Effect makes;
  makes.fresh.emplace_back();
  EXPECT_EQ(refusal(OpId::add_Tensor, makes), "");
  EXPECT_NE(refusal(OpId::add__Tensor, makes).find("kernel for add_.Tensor makes a tensor"), std::string::npos);
}

TEST(Machine, a_flip_reaches_the_run) {
  const std::vector<Statement> program{
      ones(kX), inference(true), call(OpId::alias, {kX}, {kY}), {Exit{}}, reading(kY, Field::is_inference)};
  EXPECT_FALSE(truth(run_statements(program), 4));
  EXPECT_TRUE(truth(run_statements(program, Judge{.flipped = &INF_03}), 4));
}

TEST(Machine, an_in_place_op_returns_the_tensor_itself) {
  const Trace trace = run_statements(
      {ones(kX), call(OpId::zero_, {kX}, {kY}), reading(kY, Field::storage), reading(kX, Field::version)});
  EXPECT_EQ(std::get<std::int64_t>(trace.outcomes[2].reading), 0);
  EXPECT_EQ(std::get<std::int64_t>(trace.outcomes[3].reading), 1);
}

TEST(Machine, results_that_do_not_match_their_targets_are_an_error) {
  const Trace trace =
      run_statements({ones(kX), call(OpId::split_Tensor, {kX, std::int64_t{1}, std::int64_t{0}}, {kY})});
  EXPECT_EQ(trace.outcomes[1].failure.error, ErrorClass::unpack);
}

TEST(Machine, a_snapshot_reads_every_live_tensor) {
  const Trace trace = run_statements({ones(kX), ones(kY), {Snapshot{}}});
  ASSERT_EQ(trace.outcomes[2].tensors.size(), 2U);
  EXPECT_EQ(trace.outcomes[2].tensors[1].fields.size(), static_cast<std::size_t>(kFields));
  EXPECT_EQ(trace.outcomes[2].thread.size(), static_cast<std::size_t>(kThreadFields));
}

TEST(Machine, uninitialized_elements_are_unspecified) {
  const Trace trace = run_statements(
      {call(OpId::empty_memory_format, {std::vector<std::int64_t>{2}, None{}, None{}, None{}, None{}, None{}}, {kX}),
       reading(kX, Field::values)});
  EXPECT_EQ(std::get<Values>(trace.outcomes[1].reading).known, (std::vector<bool>{false, false}));
}

TEST(Machine, a_gradient_by_an_unspecified_element_is_unspecified) {
  const Statement grown = call(OpId::resize_, {kX, std::vector<std::int64_t>{3}, None{}});
  const Statement cut = call(OpId::threshold_backward, {kX, kX, 2.0}, {kY});
  const Trace trace = run_statements({ones(kX),
                                      grown,
                                      {SetRequiresGrad{kX, true}},
                                      cut,
                                      call(OpId::sum, {kY, None{}}, {Slot{2}}),
                                      {Backward{Slot{2}}},
                                      {GetGrad{Slot{3}, kX}},
                                      reading(Slot{3}, Field::values)});
  EXPECT_EQ(std::get<Values>(trace.outcomes.back().reading).known, (std::vector<bool>{true, true, false}));
}

TEST(Machine, an_inexact_sum_has_a_bound) {
  const Statement big{MakeTensor{kX, Dtype::float32, {2}, {16777216, 1}, false}};
  const Trace trace = run_statements({big, call(OpId::sum, {kX, None{}}, {kY}), reading(kY, Field::values)});
  const auto& bounds = std::get<Values>(trace.outcomes[2].reading).bounds;
  ASSERT_EQ(bounds.size(), 1U);
  EXPECT_GT(bounds[0], 0);
}

TEST(Machine, decisions_name_the_rules_that_were_asked) {
  Decisions decisions;
  run_statements({ones(kX), zero(kX)}, Judge{.decisions = &decisions});
  EXPECT_TRUE(decisions.consulted.test(VER_03.index()));
  EXPECT_FALSE(decisions.consulted.test(GEO_06.index()));
}

/// Runs the statements; before the last one z's counter is brought to 2^32 - 1 and bumped once more.
Outcome after_many_versions(const Judge& judge, const std::vector<Statement>& before, Slot z, const Statement& last) {
  State state;
  for (const Statement& statement : before) EXPECT_EQ(step(judge, state, statement).failure.error, ErrorClass::none);
  const TensorId tensor = state.slots.at(static_cast<std::size_t>(z));
  const auto counter = static_cast<std::size_t>(state.tensors.at(static_cast<std::size_t>(tensor)).counter);
  state.counters.at(counter).version = (std::int64_t{1} << 32) - 1;
  step(judge, state, zero(z));
  return step(judge, state, last);
}
constexpr std::array kWithCounterOf32Bits{Profile::torch_2_13, Profile::torch_1_13};

TEST(Machine, a_version_counter_never_shows_a_number_twice) {  // VER-19
  const Statement read = reading(kX, Field::version);
  const Outcome sound = after_many_versions({}, {ones(kX)}, kX, read);
  EXPECT_EQ(std::get<std::int64_t>(sound.reading), std::int64_t{1} << 32);
  for (const Profile profile : kWithCounterOf32Bits) {
    const Outcome ships = after_many_versions(Judge{.profile = profile}, {ones(kX)}, kX, read);
    EXPECT_EQ(std::get<std::int64_t>(ships.reading), 0);
  }
}

TEST(Machine, backward_notices_any_number_of_writes_to_a_saved_tensor) {  // VER-19
  const std::vector<Statement> saved{{MakeTensor{kX, Dtype::float32, {2}, {1, 1}, true}},
                                     ones(kY),
                                     call(OpId::mul_Tensor, {kX, kY}, {Slot{2}}),
                                     call(OpId::sum, {Slot{2}, None{}}, {Slot{3}})};
  const Statement backward{Backward{Slot{3}}};
  EXPECT_EQ(after_many_versions({}, saved, kY, backward).failure.error, ErrorClass::saved_modified);
  for (const Profile profile : kWithCounterOf32Bits)
    EXPECT_EQ(after_many_versions(Judge{.profile = profile}, saved, kY, backward).failure.error, ErrorClass::none);
}

}  // namespace
}  // namespace plumbline::reference::machine_test
