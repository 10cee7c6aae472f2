// Monitors, statement by statement: which statements act or assign, where the mode is on, and who is blamed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "oracle/monitors.h"
#include "spec/ops/op_ids.h"

namespace plumbline::monitors_windows_test {
namespace {

using Integers = std::vector<std::int64_t>;

constexpr Slot kA{0}, kB{1}, kC{2}, kD{3};

/// A tensor's readings in a snapshot.
struct Seen {
  Slot slot = kA;
  Reading inference = true;
  Reading values = Values{{1, 2}, {}, {}, {}};
  Reading storage = {};

  TensorReading reading() const {
    TensorReading tensor{slot, std::vector<Reading>(kFields)};
    tensor.fields[static_cast<std::size_t>(Field::is_inference)] = inference;
    tensor.fields[static_cast<std::size_t>(Field::values)] = values;
    tensor.fields[static_cast<std::size_t>(Field::storage)] = storage;
    return tensor;
  }
};
Values numbers(std::vector<double> values) { return {std::move(values), {}, {}, {}}; }

class Course {
 public:
  Course() {
    script.names = {"a", "b", "c", "d"};
    description.fields.fill(Strictness::exact);
    description.thread.fill(Strictness::exact);
  }
  std::size_t does(StatementKind kind, ErrorClass error = ErrorClass::none) {
    script.statements.push_back({std::move(kind), 1});
    trace.outcomes.emplace_back();
    trace.outcomes.back().statement = script.statements.size() - 1;
    trace.outcomes.back().failure.error = error;
    return script.statements.size() - 1;
  }
  std::size_t shows(const std::vector<Seen>& tensors, const Reading& inside = false) {
    const std::size_t place = does(Snapshot{});
    trace.outcomes.back().thread.assign(kThreadFields, std::monostate{});
    trace.outcomes.back().thread[static_cast<std::size_t>(ThreadField::inference_mode)] = inside;
    for (const Seen& tensor : tensors) trace.outcomes.back().tensors.push_back(tensor.reading());
    return place;
  }
  std::vector<Breach> breaches() const { return monitor(script, trace, description); }

  Script script;
  Trace trace;
  Description description;
};

Call zero(Slot slot) { return Call{OpId::zero_, {slot}, {}}; }

/// One statement of every kind that acts; no statement assigns or writes `a`.
std::vector<StatementKind> acting() {
  return {zero(kB),
          MakeTensor{kB, Dtype::float32, {}, {0}},
          SetRequiresGrad{kB, true},
          GetData{kB, kC},
          SetData{kB, kC},
          Backward{kB},
          GetGrad{kB, kC},
          SetGrad{kB},
          LeaveForward{{}, {kB}},
          LeaveFunctionalize{{}, {kB}}};
}

TEST(Windows, each_kind_of_statement_that_acts_is_watched) {
  for (const StatementKind& kind : acting()) {
    Course run;
    run.shows({{.slot = kA}});
    const std::size_t by = run.does(kind);
    run.shows({{.slot = kA, .values = numbers({0, 0})}});
    ASSERT_EQ(run.breaches().size(), 1U) << kind.index();
    EXPECT_EQ(run.breaches()[0].culprit, by) << kind.index();
    Course refused;
    refused.shows({{.slot = kA, .inference = false}});
    refused.does(kind, ErrorClass::leaf_inplace);
    refused.shows({{.slot = kA, .inference = false, .values = numbers({0, 0})}});
    EXPECT_EQ(refused.breaches().size(), 1U) << kind.index();
  }
}

TEST(Windows, statements_that_only_steer_or_read_do_not_act) {
  for (const StatementKind& kind :
       std::vector<StatementKind>{Enter{GuardKind::no_grad}, Exit{}, Try{}, EndTry{}, Read{kA, Field::values},
                                  ReadThread{ThreadField::grad_mode}}) {
    Course run;
    run.shows({{.slot = kA}});
    run.does(kind);
    run.shows({{.slot = kA, .values = numbers({0, 0})}});
    EXPECT_TRUE(run.breaches().empty()) << kind.index();
  }
}

TEST(Windows, a_variable_that_a_statement_assigned_is_another_tensor) {
  for (const StatementKind& kind : std::vector<StatementKind>{
           Call{OpId::alias, {kB}, {kA}}, Call{OpId::split_Tensor, {kB, std::int64_t{1}, std::int64_t{0}}, {kC, kA}},
           MakeTensor{kA, Dtype::float32, {}, {0}}, GetData{kA, kB}, GetGrad{kA, kB}, LeaveForward{{kB}, {kC, kA}},
           LeaveFunctionalize{{kB}, {kC, kA}}}) {
    Course run;
    run.shows({{.slot = kA}});
    run.does(kind);
    run.shows({{.slot = kA, .values = numbers({0, 0})}});
    EXPECT_TRUE(run.breaches().empty()) << kind.index();
    Course refused;
    refused.shows({{.slot = kA}});
    refused.does(kind, ErrorClass::leaf_inplace);
    refused.shows({{.slot = kA, .values = numbers({0, 0})}});
    EXPECT_FALSE(refused.breaches().empty()) << "a statement that raises assigns nothing: " << kind.index();
  }
}

TEST(Windows, a_change_is_allowed_if_one_statement_did_not_raise) {
  for (const bool first : {false, true}) {
    Course run;
    run.shows({{.slot = kA, .inference = false}});
    run.does(zero(kA), first ? ErrorClass::none : ErrorClass::leaf_inplace);
    run.does(zero(kA), first ? ErrorClass::leaf_inplace : ErrorClass::none);
    run.shows({{.slot = kA, .inference = false, .values = numbers({0, 0})}});
    EXPECT_TRUE(run.breaches().empty());
  }
}

TEST(Windows, nothing_is_promised_if_either_snapshot_is_in_the_mode_or_does_not_show_it) {
  const auto told = [](const Reading& before, const Reading& after) {
    Course run;
    run.shows({{.slot = kA}}, before);
    run.does(zero(kA));
    run.shows({{.slot = kA, .values = numbers({0, 0})}}, after);
    return !run.breaches().empty();
  };
  EXPECT_TRUE(told(false, false));
  EXPECT_FALSE(told(true, false));
  EXPECT_FALSE(told(false, true));
  EXPECT_FALSE(told(std::monostate{}, false));
  EXPECT_FALSE(told(false, std::monostate{}));
  Course silent;
  silent.shows({{.slot = kA}});
  silent.does(zero(kA));
  silent.shows({{.slot = kA, .values = numbers({0, 0})}});
  silent.trace.outcomes.front().thread.clear();
  EXPECT_TRUE(silent.breaches().empty());
}

TEST(Windows, a_removed_or_new_tensor_is_not_compared) {
  Course run;
  run.shows({{.slot = kA}, {.slot = kB}});
  run.does(zero(kD));
  run.shows({{.slot = kB}, {.slot = kC, .values = numbers({7})}});
  EXPECT_TRUE(run.breaches().empty());
}

TEST(Windows, readings_are_compared_by_their_kind) {
  const auto told = [](const Reading& was, const Reading& is) {
    Course run;
    run.shows({{.slot = kA, .values = was}});
    run.does(zero(kA));
    run.shows({{.slot = kA, .values = is}});
    return !run.breaches().empty();
  };
  const Values unknown{{1, 2}, {}, {false, true}, {}};
  EXPECT_FALSE(told(numbers({1, 2}), numbers({1, 2})));
  EXPECT_TRUE(told(numbers({1, 2}), numbers({1, 3})));
  EXPECT_TRUE(told(numbers({1, 2}), numbers({1})));
  EXPECT_TRUE(told(numbers({1}), numbers({1, 2})));
  EXPECT_TRUE(told(numbers({}), Values{{}, {1}, {}, {}}));
  EXPECT_FALSE(told(Values{{}, {1, 2}, {}, {}}, Values{{}, {1, 2}, {}, {}}));
  EXPECT_TRUE(told(Values{{}, {1, 2}, {}, {}}, Values{{}, {1, 3}, {}, {}}));
  EXPECT_TRUE(told(Values{{}, {1, 2}, {}, {}}, Values{{}, {1}, {}, {}}));
  EXPECT_FALSE(told(numbers({NAN}), numbers({-NAN}))) << "all NaNs count as the same";
  EXPECT_TRUE(told(numbers({NAN}), numbers({0})));
  EXPECT_TRUE(told(numbers({0}), numbers({NAN})));
  EXPECT_TRUE(told(numbers({0.0}), numbers({-0.0})));
  EXPECT_FALSE(told(unknown, numbers({7, 2})));
  EXPECT_FALSE(told(numbers({7, 2}), unknown));
  EXPECT_TRUE(told(unknown, numbers({7, 3})));
  const Failure one{ErrorClass::inference_version, "a", "RuntimeError"}, two{ErrorClass::shape, "a", "RuntimeError"};
  EXPECT_FALSE(told(one, Failure{ErrorClass::inference_version, "in other words", ""}));
  EXPECT_TRUE(told(one, two));
  EXPECT_TRUE(told(one, numbers({1})));
  EXPECT_TRUE(told(numbers({1}), one));
  EXPECT_FALSE(told(None{}, None{}));
  EXPECT_TRUE(told(None{}, numbers({1})));
  EXPECT_TRUE(told(std::int64_t{1}, std::string("1")));
  for (const Reading& free : {Reading(), Reading(Unspecified{"VER-10"})}) {
    EXPECT_FALSE(told(free, numbers({1})));
    EXPECT_FALSE(told(numbers({1}), free));
  }
}

TEST(Windows, storages_are_renumbered_if_a_variable_was_assigned) {
  const auto told = [](bool assigns) {
    Course run;
    run.shows({{.slot = kA, .storage = std::int64_t{0}}});
    run.does(assigns ? StatementKind(MakeTensor{kB, Dtype::float32, {}, {0}}) : StatementKind(zero(kB)));
    run.shows({{.slot = kA, .storage = std::int64_t{3}}});
    return !run.breaches().empty();
  };
  EXPECT_TRUE(told(false));
  EXPECT_FALSE(told(true));
}

TEST(Windows, an_unknown_storage_is_shared_with_no_tensor) {
  const auto told = [](const Reading& one, const Reading& two, const Reading& inference = false) {
    Course run;
    run.shows({});
    run.does(zero(kC));
    run.shows({{.slot = kA, .storage = one}, {.slot = kB, .inference = inference, .storage = two}});
    return !run.breaches().empty();
  };
  EXPECT_TRUE(told(std::int64_t{0}, std::int64_t{0}));
  EXPECT_FALSE(told(std::int64_t{0}, std::int64_t{1}));
  EXPECT_FALSE(told(std::int64_t{-1}, std::int64_t{-1})) << "memory that belongs to no variable";
  EXPECT_FALSE(told({}, {}));
  EXPECT_FALSE(told(std::int64_t{0}, std::int64_t{0}, {}));
  EXPECT_FALSE(told(std::int64_t{0}, std::int64_t{0}, true));
}

/// The culprit of a change of `a` after these statements.
std::size_t culprit(const std::vector<StatementKind>& statements, const Seen& b, const Seen& b_after) {
  Course run;
  run.shows({{.slot = kA, .storage = std::int64_t{0}}, b});
  for (const StatementKind& kind : statements) run.does(kind);
  run.shows({{.slot = kA, .values = numbers({0, 0}), .storage = std::int64_t{0}}, b_after});
  const std::vector<Breach> found = run.breaches();
  return found.empty() ? 0 : found[0].culprit;
}
std::size_t culprit(const std::vector<StatementKind>& statements, std::int64_t storage_of_b = 5) {
  const Seen b{.slot = kB, .storage = storage_of_b};
  return culprit(statements, b, b);
}

TEST(Culprits, the_last_write_to_the_memory_is_blamed_else_the_last_write_or_act) {
  EXPECT_EQ(culprit({zero(kA), zero(kB)}), 1U) << "the variable itself";
  EXPECT_EQ(culprit({zero(kA), zero(kA), zero(kB)}), 2U) << "the last write of the variable";
  EXPECT_EQ(culprit({zero(kB), zero(kC)}, 0), 1U) << "a tensor that shares its storage";
  EXPECT_EQ(culprit({zero(kB), zero(kC), SetGrad{kD}}), 2U) << "the last write";
  EXPECT_EQ(culprit({SetGrad{kD}, SetGrad{kD}}), 2U) << "the last statement that acts";
  EXPECT_EQ(culprit({Backward{kD}, zero(kB)}), 1U) << "backward writes gradients that no variable holds";
  EXPECT_EQ(culprit({Backward{kD}, zero(kA)}), 2U) << "but a write of the variable itself comes first";
  EXPECT_EQ(culprit({SetData{kA, kB}, zero(kC)}), 1U);
  EXPECT_EQ(culprit({zero(kA), Call{OpId::detach_, {kA}, {}}}), 1U) << "detach_ writes no memory";
  EXPECT_EQ(culprit({Call{OpId::add_out, {kB, kB, std::int64_t{1}, kA}, {}}, zero(kC)}), 1U) << "out= is written";
}

TEST(Culprits, a_write_is_matched_by_the_storage_that_its_variable_had_then) {
  const Seen shared{.slot = kB, .storage = std::int64_t{0}}, own{.slot = kB, .storage = std::int64_t{1}};
  const MakeTensor makes{kB, Dtype::float32, {}, {0}};
  EXPECT_EQ(culprit({zero(kB), makes, zero(kC)}, shared, own), 1U) << "it shared the storage when it was written";
  EXPECT_EQ(culprit({zero(kC), makes, zero(kB), zero(kD)}, shared, own), 3U)
      << "b was reassigned before the write and no longer shares the storage";
  EXPECT_EQ(culprit({makes, zero(kB), zero(kC)}, own, shared), 2U) << "it shares the storage since its assignment";
  EXPECT_EQ(culprit({zero(kB), zero(kC)}, own, shared), 1U)
      << "a variable that was not reassigned may share the storage now";
}

std::vector<bool> inside(const std::vector<StatementKind>& kinds) {
  Script script;
  for (const StatementKind& kind : kinds) script.statements.push_back({kind, 0});
  return inside_inference_mode(script);
}

TEST(InMode, each_thread_has_its_own_guards) {
  const Enter enters{GuardKind::inference_mode};
  EXPECT_EQ(inside({enters, StartThread{}, zero(kA), JoinThread{}, zero(kA)}),
            (std::vector<bool>{true, false, false, true, true}));
  EXPECT_EQ(inside({StartThread{}, enters, PauseThread{}, zero(kA), ResumeThread{}, zero(kA), Exit{}, JoinThread{}}),
            (std::vector<bool>{false, true, false, false, true, true, false, false}));
  EXPECT_EQ(inside({enters, StartThread{}, PauseThread{}, zero(kA), StartThread{}, JoinThread{}, ResumeThread{},
                    zero(kA), JoinThread{}}),
            (std::vector<bool>{true, false, true, true, false, true, false, false, true}));
}

TEST(InMode, guards_nest_as_they_are_written) {
  const Enter enters{GuardKind::inference_mode}, normal{GuardKind::inference_mode, false}, other{GuardKind::no_grad};
  EXPECT_EQ(inside({zero(kA), enters, zero(kA), Exit{}, zero(kA)}),
            (std::vector<bool>{false, true, true, false, false}));
  EXPECT_EQ(inside({enters, normal, other, Exit{}, Exit{}, Exit{}}),
            (std::vector<bool>{true, false, false, false, true, false}));
  EXPECT_EQ(inside({enters, other, Exit{}, Exit{}}), (std::vector<bool>{true, true, true, false}));
  EXPECT_EQ(inside({Exit{}, zero(kA), enters}), (std::vector<bool>{false, false, true}))
      << "a guard that is left too often";
}

TEST(InMode, a_backward_whose_hook_enters_the_mode_may_change_what_it_may) {
  const auto of_backward = [](const Enter& enter) {
    Script script;
    script.statements = {{Backward{kA}}, {GetGradients{kA, {kB}, {}}}, {zero(kA)}};
    script.functions = {{"hook", {kC}, {{enter}, {zero(kC)}, {Exit{}}}, {kC}}};
    return inside_inference_mode(script);
  };
  EXPECT_EQ(of_backward({GuardKind::inference_mode}), (std::vector<bool>{true, true, false}));
  EXPECT_EQ(of_backward({GuardKind::no_grad}), (std::vector<bool>{false, false, false}));
}

TEST(Watching, nothing_is_observed_in_a_functionalized_body) {
  Script script;
  for (const StatementKind& kind :
       std::vector<StatementKind>{zero(kA), EnterFunctionalize{}, zero(kA), EnterFunctionalize{}, zero(kA),
                                  LeaveFunctionalize{}, Try{}, zero(kA), EndTry{}, LeaveFunctionalize{}, zero(kA)})
    script.statements.push_back({kind, 0});
  std::string shape;
  for (const Statement& s : watched(script).statements)
    shape += std::holds_alternative<Snapshot>(s.kind)             ? 'S'
             : std::holds_alternative<Call>(s.kind)               ? 'C'
             : std::holds_alternative<EnterFunctionalize>(s.kind) ? '{'
             : std::holds_alternative<LeaveFunctionalize>(s.kind) ? '}'
                                                                  : '.';
  EXPECT_EQ(shape, "SCS{C{C}.C.}SCS");
}

TEST(Watching, a_long_script_with_many_variables_has_fewer_snapshots) {
  Script script;
  for (int i = 0; i < 300; ++i) script.names.push_back("x");
  for (int i = 0; i < 1000; ++i) script.statements.push_back({zero(kA), 0});
  EXPECT_EQ(watched_every(script), 10U);
  const auto snapshots = std::ranges::count_if(
      watched(script).statements, [](const Statement& s) { return std::holds_alternative<Snapshot>(s.kind); });
  EXPECT_EQ(snapshots, 101);
  script.names.resize(3);
  EXPECT_EQ(watched_every(script), 1U);
}

TEST(AsPromisedToo, a_missing_reading_is_left_alone) {
  Course run;
  run.shows({{.slot = kA}});
  run.does(zero(kA));
  run.shows({{.slot = kA, .values = numbers({0, 0})}});
  Breach breach = run.breaches().at(0);
  EXPECT_EQ(as_promised(run.trace, breach).outcomes.size(), 3U);
  breach.difference.tensor = kB;
  EXPECT_EQ(std::get<Values>(
                as_promised(run.trace, breach).outcomes[2].tensors[0].fields[static_cast<std::size_t>(Field::values)])
                .floats,
            (std::vector<double>{0, 0}));
  breach.difference.statement = 99;
  EXPECT_EQ(as_promised(run.trace, breach).outcomes.size(), 3U);
}

}  // namespace
}  // namespace plumbline::monitors_windows_test
