// The profile pr-63048: what the pull request says of functionalized bodies, one departure at a time.
#include <gtest/gtest.h>

#include <algorithm>

#include "reference/functionalize/functionalize.h"
#include "reference/machine.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/catalogue.h"
#include "spec/rules/fun.h"

namespace plumbline::reference::functionalized_pr_test {
namespace {

constexpr Slot kX{0};
constexpr Slot kParameter{1};
constexpr Slot kY{2};
constexpr Slot kOut{3};
constexpr Slot kView{4};

Statement made(Slot slot) { return {MakeTensor{slot, Dtype::float32, {2, 3}, {0, 1, 2, 3, 4, 5}, false}}; }
Statement call(OpId op, std::vector<Value> arguments, std::vector<Slot> results = {}) {
  return {Call{op, std::move(arguments), std::move(results), false}};
}
Statement reading(Slot slot, Field field) { return {Read{slot, field}}; }
Statement turned(Slot slot) { return call(OpId::transpose_, {slot, std::int64_t{0}, std::int64_t{1}}); }
Statement strided(Slot slot) { return call(OpId::as_strided, {slot, Sizes{2}, Sizes{1}, std::int64_t{0}}, {kY}); }
Statement resized(Slot slot, const Sizes& sizes) { return call(OpId::resize_, {slot, sizes, None{}}); }
Statement begin(Slot given, Slot parameter) {
  return {EnterFunctionalize{Remove::mutations_and_views, {given}, {parameter}}};
}
Statement end(std::vector<Slot> returned = {}, std::vector<Slot> results = {}) {
  return {LeaveFunctionalize{std::move(returned), std::move(results)}};
}

/// `body` of one input, x of 2 × 3 elements, which is followed by `then`.
std::vector<Statement> around(std::vector<Statement> body, std::vector<Statement> then = {}) {
  std::vector<Statement> all{made(kX), begin(kX, kParameter)};
  all.insert(all.end(), body.begin(), body.end());
  if (body.empty() || !std::holds_alternative<LeaveFunctionalize>(body.back().kind)) all.push_back(end());
  all.insert(all.end(), then.begin(), then.end());
  return all;
}

Judge requested(const Rule& rule) { return {.profile = Profile::pr_63048, .only_variant = &rule}; }
/// What the last statement came to.
Outcome last(const Judge& judge, const std::vector<Statement>& statements) {
  return run(judge, Script{statements, {}, {}}).outcomes.back();
}
std::string error_of(const Judge& judge, const std::vector<Statement>& statements) {
  const Outcome outcome = last(judge, statements);
  EXPECT_TRUE(outcome.failure.error == ErrorClass::none || outcome.failure.error == ErrorClass::not_functional);
  return outcome.failure.message;
}
std::vector<double> values(const Judge& judge, const std::vector<Statement>& statements) {
  return std::get<Values>(last(judge, statements).reading).floats;
}
Sizes list(const Judge& judge, const std::vector<Statement>& statements) {
  return std::get<Sizes>(last(judge, statements).reading);
}

/// With the variant of the rule it fails with this text, under the whole profile too; and under `sound` not at all.
void expect_refused(const Rule& rule, const std::vector<Statement>& program, const std::string& message) {
  EXPECT_EQ(error_of(requested(rule), program), message);
  EXPECT_EQ(error_of({.profile = Profile::pr_63048}, program), message);
  EXPECT_EQ(error_of({}, program), "");
}
/// Under the profile it raises nothing.
void expect_allowed(const std::vector<Statement>& program) {
  EXPECT_EQ(error_of({.profile = Profile::pr_63048}, program), "");
}

/// What the passes make of the program's first body.
functionalize::Program form_of(Profile profile, const std::vector<Statement>& program) {
  const Judge judge{.profile = profile};
  State state = initial_state(judge);
  std::size_t enter = 0;
  for (; !std::holds_alternative<EnterFunctionalize>(program[enter].kind); ++enter) step(judge, state, program[enter]);
  const Script script{program, {"x", "p", "y", "out", "view"}, {}};
  return functionalize::functionalize(judge, functionalize::body_at(judge, state, script, enter),
                                      functionalize::Passes::ab);
}
/// By which rule the passes refuse the body; null: they do not.
const Rule* passes_refuse(Profile profile, const std::vector<Statement>& program) {
  try {
    form_of(profile, program);
  } catch (const functionalize::NotFunctional& why) {
    return why.rule;
  }
  return nullptr;
}
bool in_epilogue(Profile profile, const std::vector<Statement>& program, OpId op) {
  return std::ranges::any_of(form_of(profile, program).epilogue,
                             [&](const Statement& statement) { return std::get<Call>(statement.kind).op == op; });
}

constexpr const char* kUnsupported = "Tried to run the functionalization pass on an unsupported view: ";
constexpr const char* kNeverResized = "you should never resize a functional tensor's storage";

TEST(PullRequest, FUN_15_as_strided_of_an_input_is_refused) {
  expect_refused(FUN_15, around({strided(kParameter)}), std::string(kUnsupported) + "as_strided");
}

TEST(PullRequest, FUN_15_as_strided_of_a_tensor_that_the_body_made_is_refused) {
  expect_refused(FUN_15, around({made(kView), strided(kView)}), std::string(kUnsupported) + "as_strided");
}

TEST(PullRequest, FUN_15_as_strided_in_place_is_refused) {
  expect_refused(FUN_15, around({call(OpId::as_strided_, {kParameter, Sizes{2}, Sizes{1}, std::int64_t{0}})}),
                 std::string(kUnsupported) + "as_strided_");
}

TEST(PullRequest, FUN_15_as_strided_of_a_captured_tensor_and_outside_a_body_is_allowed) {
  std::vector<Statement> captured = around({strided(kView)}, {strided(kX)});
  captured.insert(captured.begin(), made(kView));
  expect_allowed(captured);
}

TEST(PullRequest, FUN_24_an_input_that_was_turned_keeps_its_layout) {
  for (const Field field : {Field::sizes, Field::strides}) {
    const auto program = around({turned(kParameter)}, {reading(kX, field)});
    EXPECT_NE(list(requested(FUN_24), program), list({}, program));
    EXPECT_EQ(list(requested(FUN_24), program), field == Field::sizes ? (Sizes{2, 3}) : (Sizes{3, 1}));
    EXPECT_EQ(list({.profile = Profile::pr_63048}, program), list(requested(FUN_24), program));
  }
}

TEST(PullRequest, FUN_24_what_was_written_after_it_was_turned_is_copied_back) {
  const auto program =
      around({turned(kParameter), call(OpId::select_int, {kParameter, std::int64_t{0}, std::int64_t{1}}, {kY}),
              call(OpId::zero_, {kY})},
             {reading(kX, Field::values)});
  EXPECT_EQ(values(requested(FUN_24), program), (std::vector<double>{0, 0, 2, 3, 0, 5}));
}

TEST(PullRequest, FUN_24_a_result_that_is_the_turned_input_has_the_layout_of_the_body_and_is_a_view_of_the_input) {
  const std::vector<Statement> body{turned(kParameter), end({kParameter, kParameter}, {kOut, kY})};
  EXPECT_EQ(list(requested(FUN_24), around(body, {reading(kOut, Field::sizes)})), (Sizes{3, 2}));
  EXPECT_EQ(list(requested(FUN_24), around(body, {reading(kX, Field::sizes)})), (Sizes{2, 3}));
  const auto program = around(body, {call(OpId::zero_, {kOut}), reading(kX, Field::values)});
  EXPECT_EQ(values(requested(FUN_24), program), std::vector<double>(6, 0));
}

TEST(PullRequest, FUN_24_an_input_that_was_made_smaller_keeps_its_layout) {
  const auto program = around({resized(kParameter, {2})}, {reading(kX, Field::sizes)});
  EXPECT_EQ(list(requested(FUN_24), program), (Sizes{2, 3}));
  EXPECT_EQ(list({}, program), (Sizes{2}));
}

TEST(PullRequest, FUN_24_an_input_that_was_not_turned_is_returned_as_itself) {
  const auto program =
      around({call(OpId::zero_, {kParameter}), end({kParameter}, {kOut})}, {reading(kOut, Field::is_view)});
  EXPECT_FALSE(std::get<bool>(last(requested(FUN_24), program).reading));
}

TEST(PullRequest, FUN_24_an_input_that_was_given_another_storage_is_as_in_sound) {
  std::vector<Statement> program =
      around({call(OpId::set__source_Tensor, {kParameter, kView})}, {reading(kX, Field::sizes)});
  program.insert(program.begin(), {MakeTensor{kView, Dtype::float32, {1}, {7}, false}});
  EXPECT_EQ(list({}, program), (Sizes{1}));
  EXPECT_EQ(list(requested(FUN_24), program), (Sizes{1}));
}

// The text speaks of inputs alone: another tensor with the memory of an input is as in `sound`.
TEST(PullRequest, FUN_24_a_tensor_that_shares_memory_with_an_input_does_not_keep_its_layout) {
  std::vector<Statement> program = around({turned(kView)}, {reading(kView, Field::sizes)});
  program.insert(program.begin() + 1, call(OpId::alias, {kX}, {kView}));
  EXPECT_EQ(list(requested(FUN_24), program), (Sizes{3, 2}));
  EXPECT_TRUE(in_epilogue(Profile::pr_63048, program, OpId::transpose_));
}

TEST(PullRequest, FUN_24_of_a_turned_input_that_requires_grad_the_text_says_nothing) {
  const std::vector<Statement> program{{MakeTensor{kY, Dtype::float32, {2, 3}, {0, 1, 2, 3, 4, 5}, true}},
                                       call(OpId::mul_Tensor, {kY, kY}, {kX}),
                                       begin(kX, kParameter),
                                       turned(kParameter),
                                       end()};
  EXPECT_EQ(error_of({}, program), "");
  EXPECT_THROW(last(requested(FUN_24), program), ReferenceLimit);
}

TEST(PullRequest, FUN_31_resize_beyond_the_storage_is_refused) {
  expect_refused(FUN_31, around({resized(kParameter, {7})}), kNeverResized);
  expect_refused(FUN_31, around({made(kView), resized(kView, {7})}), kNeverResized);
}

TEST(PullRequest, FUN_31_resize_within_the_storage_and_outside_a_body_is_allowed) {
  expect_allowed(around({resized(kParameter, {6})}));
  expect_allowed(around({}, {resized(kX, {7})}));
}

TEST(PullRequest, FUN_31_an_out_that_must_grow_is_allowed) {
  const auto program = around(
      {{MakeTensor{kView, Dtype::float32, {0}, {}, false}}, call(OpId::add_out, {kParameter, kParameter, 1.0, kView})});
  expect_allowed(program);
  EXPECT_EQ(passes_refuse(Profile::pr_63048, program), nullptr);
}

TEST(PullRequest, FUN_36_a_body_within_a_body_is_refused_whatever_it_is_given) {
  for (const Slot given : {kParameter, kView}) {
    std::vector<Statement> program = around({begin(given, kY), end(), end()});
    program.insert(program.begin(), made(kView));
    expect_refused(FUN_36, program, "nested functionalize() calls aren't supported yet");
  }
  expect_allowed(around({}, {begin(kX, kParameter), end()}));
}

// "sync before unwrapping", of printing: no program reads in a body, so a script does.
TEST(PullRequest, a_reading_in_a_body_sees_what_was_written_through_an_alias) {
  const auto program = around(
      {call(OpId::view, {kParameter, Sizes{6}}, {kY}), call(OpId::zero_, {kParameter}), reading(kY, Field::values)});
  const std::size_t read_at = program.size() - 2;
  const auto read = [&](const Judge& judge) {
    return std::get<Values>(run(judge, Script{program, {}, {}}).outcomes.at(read_at).reading).floats;
  };
  for (const ProfileInfo& info : kProfiles)
    EXPECT_EQ(read({.profile = info.profile}), std::vector<double>(6, 0)) << info.name;
  EXPECT_NE(read({.profile = Profile::torch_2_13, .flipped = &FUN_03}), std::vector<double>(6, 0));
}

TEST(PullRequest, the_passes_refuse_what_the_machine_refuses) {
  const auto expect = [](const Rule& rule, const std::vector<Statement>& program) {
    EXPECT_EQ(passes_refuse(Profile::pr_63048, program), &rule) << rule.id();
    EXPECT_EQ(passes_refuse(Profile::sound, program), nullptr) << rule.id();
  };
  expect(FUN_15, around({strided(kParameter)}));
  expect(FUN_15, around({call(OpId::as_strided_, {kParameter, Sizes{2}, Sizes{1}, std::int64_t{0}})}));
  expect(FUN_31, around({resized(kParameter, {7})}));
  expect(FUN_36, around({begin(kParameter, kY), end(), end()}));
}

TEST(PullRequest, the_passes_allow_as_strided_of_a_captured_tensor) {
  std::vector<Statement> program = around({strided(kView)});
  program.insert(program.begin() + 1, made(kView));
  EXPECT_EQ(passes_refuse(Profile::pr_63048, program), nullptr);
}

TEST(PullRequest, the_passes_leave_an_input_as_it_is) {
  const auto program = around({turned(kParameter), end({kParameter}, {kOut})});
  EXPECT_TRUE(in_epilogue(Profile::sound, program, OpId::transpose_));
  EXPECT_FALSE(in_epilogue(Profile::pr_63048, program, OpId::transpose_));
  const auto form = [&](Profile profile) { return form_of(profile, program); };
  EXPECT_EQ(form(Profile::sound).returned, form(Profile::sound).inputs) << "the input itself";
  EXPECT_NE(form(Profile::pr_63048).returned, form(Profile::pr_63048).inputs) << "a view of the input";
  const auto detached = around({call(OpId::detach_, {kParameter})});
  EXPECT_TRUE(in_epilogue(Profile::pr_63048, detached, OpId::detach_)) << "which changes no layout";
}

}  // namespace
}  // namespace plumbline::reference::functionalized_pr_test
