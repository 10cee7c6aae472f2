// Monitors, on hand-made traces: exactly the breaches of invariants are reported, with their culprits.
#include "oracle/monitors.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "spec/ops/op_ids.h"

namespace plumbline::monitors_test {
namespace {

constexpr Slot kA{0};
constexpr Slot kB{1};

/// A tensor's readings in a snapshot; the default is a normal tensor of two elements in its own storage.
struct Seen {
  Slot slot = kA;
  bool inference = false;
  std::vector<double> values = {1, 2};
  std::int64_t storage = -1;  ///< -1: its slot's own storage
  std::int64_t version = 0;
  bool requires_grad = false;
  bool grad_fn = false;
  std::vector<bool> known = {};

  TensorReading reading() const {
    TensorReading tensor{slot, std::vector<Reading>(kFields)};
    const auto set = [&](Field field, Reading reading) {
      tensor.fields[static_cast<std::size_t>(field)] = std::move(reading);
    };
    set(Field::sizes, std::vector<std::int64_t>{2});
    set(Field::values, Values{values, {}, known, {}});
    set(Field::storage, storage < 0 ? static_cast<std::int64_t>(slot) : storage);
    set(Field::is_inference, inference);
    set(Field::requires_grad, requires_grad);
    set(Field::grad_fn, grad_fn);
    if (inference)
      set(Field::version, Failure{ErrorClass::inference_version, "", "RuntimeError"});
    else
      set(Field::version, version);
    return tensor;
  }
};

/// A script, and a trace that an implementation could have produced.
class Story {
 public:
  Story() {
    script.names = {"a", "b"};
    description.fields.fill(Strictness::exact);
    description.thread.fill(Strictness::exact);
  }

  std::size_t does(StatementKind kind, ErrorClass error = ErrorClass::none) {
    script.statements.push_back({std::move(kind), static_cast<int>(script.statements.size()) + 1});
    Outcome outcome;
    outcome.statement = script.statements.size() - 1;
    outcome.failure.error = error;
    trace.outcomes.push_back(std::move(outcome));
    return script.statements.size() - 1;
  }
  std::size_t writes(Slot slot, ErrorClass error = ErrorClass::none) {
    return does(Call{OpId::zero_, {slot}, {}}, error);
  }
  std::size_t refused(Slot slot) { return writes(slot, ErrorClass::inference_inplace); }
  std::size_t shows(const std::vector<Seen>& tensors, bool inside = false) {
    const std::size_t place = does(Snapshot{});
    Outcome& outcome = trace.outcomes.back();
    outcome.thread.assign(kThreadFields, std::monostate{});
    outcome.thread[static_cast<std::size_t>(ThreadField::inference_mode)] = inside;
    for (const Seen& tensor : tensors) outcome.tensors.push_back(tensor.reading());
    return place;
  }

  std::vector<Breach> breaches() const { return monitor(script, trace, description); }

  Script script;
  Trace trace;
  Description description;
};

/// Expects exactly one breach, with this invariant, culprit, tensor, field and signature.
void expect_breach(const Story& story, Invariant invariant, std::size_t culprit, Slot tensor, Field field,
                   const std::string& signature) {
  const std::vector<Breach> found = story.breaches();
  ASSERT_EQ(found.size(), 1U) << signature;
  EXPECT_EQ(found[0].invariant, invariant);
  EXPECT_EQ(found[0].culprit, culprit);
  EXPECT_EQ(found[0].difference.blamed, culprit);
  EXPECT_EQ(found[0].difference.tensor, tensor);
  EXPECT_EQ(found[0].difference.field, field);
  EXPECT_EQ(found[0].difference.signature, signature);
  EXPECT_EQ(found[0].difference.line, static_cast<int>(culprit) + 1);
}

TEST(Monitors, an_inference_and_a_normal_tensor_that_share_storage_are_reported) {
  Story story;
  story.shows({{.slot = kA, .inference = true}, {.slot = kB}});
  const std::size_t by = story.does(Call{OpId::set__source_Tensor, {kB, kA}, {}});
  story.shows({{.slot = kA, .inference = true}, {.slot = kB, .storage = 0, .version = 1}});
  expect_breach(story, Invariant::no_aliasing, by, kB, Field::storage, "set_.source_Tensor/no-aliasing: storage");
}

TEST(Monitors, the_statement_that_made_a_view_is_blamed_and_not_an_earlier_write_or_one_that_raised) {
  Story story;
  const Slot c{2};
  story.shows({{.slot = kA, .inference = true}, {.slot = kB, .storage = 1}});
  story.writes(kB);
  const std::size_t by = story.does(Call{OpId::alias, {kA}, {c}});
  story.does(Call{OpId::alias, {kB}, {c}}, ErrorClass::shape);
  story.shows({{.slot = kA, .inference = true}, {.slot = kB, .storage = 1, .version = 1}, {.slot = c, .storage = 0}});
  expect_breach(story, Invariant::no_aliasing, by, c, Field::storage, "alias/no-aliasing: storage");
}

TEST(Monitors, a_write_to_a_reassigned_variable_is_not_blamed_for_an_earlier_write) {
  Story story;
  const Slot c{2};
  story.shows({{.slot = kA}, {.slot = kB, .inference = true}, {.slot = c, .inference = true, .storage = 1}});
  const std::size_t by = story.refused(kB);  // but it wrote
  story.does(Call{OpId::alias, {kA}, {kB}});
  story.writes(kB);
  story.shows({{.slot = kA, .values = {0, 0}, .version = 1},
               {.slot = kB, .values = {0, 0}, .storage = 0, .version = 1},
               {.slot = c, .inference = true, .values = {0, 0}, .storage = 2}});
  expect_breach(story, Invariant::immutability, by, c, Field::values, "zero_/immutability: values");
}

TEST(Monitors, tensors_of_one_kind_may_share_storage) {
  for (const bool inference : {false, true}) {
    Story story;
    story.shows({{.slot = kA, .inference = inference}});
    story.does(Call{OpId::alias, {kA}, {kB}});
    story.shows({{.slot = kA, .inference = inference}, {.slot = kB, .inference = inference, .storage = 0}});
    EXPECT_TRUE(story.breaches().empty()) << inference;
  }
}

TEST(Monitors, an_inference_tensor_that_changes_outside_the_mode_is_reported) {
  Story story;
  story.shows({{.inference = true}});
  const std::size_t by = story.writes(kA);
  story.shows({{.inference = true, .values = {0, 0}}});
  expect_breach(story, Invariant::immutability, by, kA, Field::values, "zero_/immutability: values");
}

TEST(Monitors, a_write_to_a_tensor_that_shares_the_storage_is_the_culprit) {
  Story story;
  const Seen b{.slot = kB, .inference = true, .storage = 0};
  story.shows({{.inference = true}, b});
  const std::size_t by = story.writes(kB);
  const Slot other{2};
  story.writes(other);
  story.does(MakeTensor{other, Dtype::float32, {1}, {1}});
  Seen written = b;
  written.values = {0, 0};
  story.shows({{.inference = true, .values = {0, 0}}, written});
  expect_breach(story, Invariant::immutability, by, kA, Field::values, "zero_/immutability: values");
}

TEST(Monitors, a_refused_statement_that_wrote_is_reported) {
  Story story;
  story.shows({{.values = {1, 2}}});
  story.does(Try{});
  const std::size_t by = story.writes(kA, ErrorClass::leaf_inplace);
  story.does(EndTry{});
  story.shows({{.values = {0, 0}}});
  expect_breach(story, Invariant::raise_changes_nothing, by, kA, Field::values, "zero_/raise-changes-nothing: values");
}

TEST(Monitors, a_refused_statement_that_counted_a_version_is_reported) {
  Story story;
  story.shows({{.version = 3}});
  const std::size_t by = story.writes(kA, ErrorClass::leaf_inplace);
  story.shows({{.version = 4}});
  expect_breach(story, Invariant::raise_changes_nothing, by, kA, Field::version,
                "zero_/raise-changes-nothing: version");
}

TEST(Monitors, one_statement_can_break_two_invariants) {
  Story story;
  story.shows({{.inference = true}});
  const std::size_t by = story.refused(kA);
  story.shows({{.inference = true, .values = {0, 0}}});
  const std::vector<Breach> found = story.breaches();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].invariant, Invariant::raise_changes_nothing);
  EXPECT_EQ(found[1].invariant, Invariant::immutability);
  EXPECT_EQ(found[0].culprit, by);
  EXPECT_EQ(found[1].culprit, by);
}

TEST(Monitors, each_window_is_judged_alone) {
  Story story;
  story.shows({{.inference = true, .values = {1, 1}}});
  story.writes(kA);
  story.shows({{.inference = true, .values = {2, 2}}});
  story.shows({{.inference = true, .values = {2, 2}}});
  const std::size_t second = story.writes(kA);
  story.shows({{.inference = true, .values = {3, 3}}});
  ASSERT_EQ(story.breaches().size(), 2U);
  EXPECT_EQ(story.breaches()[1].culprit, second);
}

TEST(Monitors, a_successful_write_to_a_normal_tensor_is_not_a_breach) {
  Story story;
  story.shows({{.values = {1, 2}}});
  story.writes(kA);
  story.shows({{.values = {0, 0}, .version = 1}});
  EXPECT_TRUE(story.breaches().empty());
}

TEST(Monitors, a_rebound_variable_is_not_compared) {
  Story story;
  story.shows({{.inference = true}});
  story.does(MakeTensor{kA, Dtype::float32, {2}, {3, 4}});
  story.shows({{.values = {3, 4}}});
  EXPECT_TRUE(story.breaches().empty());
}

TEST(Monitors, a_write_inside_the_mode_is_not_a_breach) {
  Story inside;
  inside.shows({{.inference = true}}, true);
  inside.writes(kA);
  inside.shows({{.inference = true, .values = {0, 0}}}, true);
  EXPECT_TRUE(inside.breaches().empty());
  Story between;
  between.shows({{.inference = true}});
  between.does(Enter{GuardKind::inference_mode});
  between.writes(kA);
  between.does(Exit{});
  between.shows({{.inference = true, .values = {0, 0}}});
  EXPECT_TRUE(between.breaches().empty());
}

TEST(Monitors, another_guard_between_the_snapshots_does_not_excuse_a_breach) {
  Story story;
  story.shows({{.inference = true}});
  story.does(Enter{GuardKind::no_grad});
  const std::size_t by = story.writes(kA);
  story.does(Exit{});
  story.shows({{.inference = true, .values = {0, 0}}});
  expect_breach(story, Invariant::immutability, by, kA, Field::values, "zero_/immutability: values");
}

TEST(Monitors, a_field_that_cannot_be_shown_is_not_compared) {
  Story written;
  written.shows({{.inference = true}});
  written.writes(kA);
  written.shows({{.inference = true, .values = {0, 0}}});
  Story shared;
  shared.shows({{.slot = kA, .inference = true}, {.slot = kB}});
  shared.writes(kB);
  shared.shows({{.slot = kA, .inference = true}, {.slot = kB, .storage = 0, .version = 1}});
  const auto hidden = [](Story story, Field field) {
    EXPECT_EQ(story.breaches().size(), 1U);
    story.description.fields[static_cast<std::size_t>(field)] = Strictness::ignore;
    return story.breaches().empty();
  };
  EXPECT_TRUE(hidden(written, Field::values));
  EXPECT_TRUE(hidden(written, Field::is_inference));
  EXPECT_FALSE(hidden(written, Field::version));
  EXPECT_TRUE(hidden(shared, Field::storage));
  EXPECT_TRUE(hidden(shared, Field::is_inference));
  EXPECT_FALSE(hidden(shared, Field::values));
}

TEST(Monitors, unspecified_elements_are_not_compared) {
  Story story;
  story.shows({{.inference = true, .values = {7, 2}, .known = {false, true}}});
  const std::size_t by = story.writes(kA);
  story.shows({{.inference = true, .values = {9, 2}}});
  EXPECT_TRUE(story.breaches().empty());
  story.trace.outcomes.back().tensors[0] = Seen{.inference = true, .values = {9, 3}}.reading();
  expect_breach(story, Invariant::immutability, by, kA, Field::values, "zero_/immutability: values");
}

TEST(Monitors, history_that_a_refused_statement_updated_is_not_a_breach) {
  Story story;
  story.shows({{.grad_fn = false}});
  story.writes(kA, ErrorClass::leaf_inplace);
  story.shows({{.grad_fn = true}});
  EXPECT_TRUE(story.breaches().empty());
}

TEST(Monitors, requires_grad_may_be_turned_off_on_an_inference_tensor) {
  Story story;
  story.shows({{.inference = true, .requires_grad = true}});
  story.does(SetRequiresGrad{kA, false});
  story.shows({{.inference = true, .requires_grad = false}});
  EXPECT_TRUE(story.breaches().empty());
}

TEST(Monitors, without_an_acting_statement_nothing_is_reported) {
  Story story;
  story.shows({{.inference = true}});
  story.does(Read{kA, Field::values});
  story.shows({{.inference = true, .values = {0, 0}}});
  EXPECT_TRUE(story.breaches().empty());
}

TEST(Monitors, a_trace_without_snapshots_shows_nothing) {
  Story story;
  story.refused(kA);
  EXPECT_TRUE(story.breaches().empty());
}

TEST(AsPromised, changes_exactly_the_reading_that_breaks_the_invariant) {
  Story story;
  story.shows({{.slot = kA, .inference = true}, {.slot = kB, .inference = true, .values = {5, 6}}});
  story.writes(kA);
  const std::size_t after = story.shows(
      {{.slot = kA, .inference = true, .values = {0, 0}}, {.slot = kB, .inference = true, .values = {5, 6}}});
  const Breach breach = story.breaches().at(0);
  EXPECT_EQ(breach.difference.statement, after);
  const Trace mended = as_promised(story.trace, breach);
  EXPECT_TRUE(monitor(story.script, mended, story.description).empty());
  const auto values = [](const Outcome& outcome, std::size_t tensor) {
    return std::get<Values>(outcome.tensors.at(tensor).fields.at(static_cast<std::size_t>(Field::values))).floats;
  };
  EXPECT_EQ(values(mended.outcomes.back(), 0), (std::vector<double>{1, 2}));
  EXPECT_EQ(values(mended.outcomes.back(), 1), (std::vector<double>{5, 6}));
  EXPECT_EQ(values(mended.outcomes.front(), 0), (std::vector<double>{1, 2}));
  EXPECT_EQ(values(story.trace.outcomes.back(), 0), (std::vector<double>{0, 0})) << "the original trace stays";
}

/// A script as letters: S a snapshot, C a call, M a tensor made, [ and ] a Try, ( and ) a guard, r a reading.
std::string shape(const Script& script) {
  std::string letters;
  for (const Statement& statement : script.statements) {
    const StatementKind& kind = statement.kind;
    letters += std::holds_alternative<Snapshot>(kind)     ? 'S'
               : std::holds_alternative<Call>(kind)       ? 'C'
               : std::holds_alternative<MakeTensor>(kind) ? 'M'
               : std::holds_alternative<Try>(kind)        ? '['
               : std::holds_alternative<EndTry>(kind)     ? ']'
               : std::holds_alternative<Enter>(kind)      ? '('
               : std::holds_alternative<Exit>(kind)       ? ')'
                                                          : 'r';
  }
  return letters;
}

TEST(Watched, has_a_snapshot_before_and_after_each_statement_that_acts_and_after_each_try) {
  Story story;
  story.does(MakeTensor{kA, Dtype::float32, {2}, {1, 2}});
  story.does(Enter{GuardKind::inference_mode});
  story.does(Try{});
  story.writes(kA);
  story.does(EndTry{});
  story.does(Exit{});
  story.does(Read{kA, Field::values});
  const Script with = watched(story.script);
  EXPECT_EQ(shape(with), "SMS([SCS]S)r");
  EXPECT_EQ(with.names, story.script.names);
  EXPECT_EQ(with.statements[0].line, 1);
  EXPECT_EQ(with.statements[5].line, 4) << "a snapshot has the line of its statement";
}

TEST(Watched, only_statements_that_break_invariants_by_design_are_unsafe) {
  Story safe;
  safe.writes(kA);
  safe.does(Enter{GuardKind::no_grad});
  EXPECT_FALSE(is_unsafe(safe.script));
  for (const StatementKind& kind :
       std::vector<StatementKind>{GetData{kB, kA}, SetData{kA, kB}, Enter{GuardKind::below_autograd},
                                  Call{OpId::set__source_Tensor, {kB, kA}, {}}}) {
    Story story = safe;
    story.does(kind);
    EXPECT_TRUE(is_unsafe(story.script));
  }
}

}  // namespace
}  // namespace plumbline::monitors_test
