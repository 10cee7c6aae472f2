// Comparing two runs to the end: every statement, and every tensor of a snapshot.
#include <gtest/gtest.h>

#include "oracle/compare.h"
#include "oracle/compare_reading.h"
#include "spec/ops/op_ids.h"

namespace plumbline::compare_course_test {
namespace {

constexpr Slot kX{0}, kY{1};

Description exact() {
  Description d;
  d.name = "planted";
  d.fields.fill(Strictness::exact);
  d.thread.fill(Strictness::exact);
  return d;
}

Statement add(Slot slot, int line) {
  return {Call{OpId::add__Tensor, {slot, std::int64_t{1}, std::int64_t{1}}, {}}, line};
}
/// Two tensors, a Try with a call in it, a snapshot.
Script script() {
  return {{{MakeTensor{kX, Dtype::float32, {}, {0}}, 1},
           {MakeTensor{kY, Dtype::float32, {}, {0}}, 2},
           {Try{}, 3},
           add(kX, 4),
           {EndTry{}, 3},
           {Snapshot{}, 5}},
          {"x", "y"}};
}
TensorReading tensor(Slot slot) {
  TensorReading reading{slot, std::vector<Reading>(kFields, None{})};
  reading.fields[static_cast<std::size_t>(Field::version)] = std::int64_t{0};
  return reading;
}
Trace trace(const std::vector<std::size_t>& statements) {
  Trace t;
  for (const std::size_t statement : statements) {
    t.outcomes.emplace_back();
    t.outcomes.back().statement = statement;
    if (statement == 5) t.outcomes.back().tensors = {tensor(kX), tensor(kY)};
  }
  return t;
}
Trace whole() { return trace({0, 1, 2, 3, 4, 5}); }
Comparison compared(const Trace& expected, const Trace& got, const Description& description = exact()) {
  return compare(script(), expected, got, description);
}

TEST(Course, every_tensor_of_a_snapshot_is_compared) {
  for (const std::size_t which : {0U, 1U}) {
    Trace got = whole();
    got.outcomes[5].tensors[which].fields[static_cast<std::size_t>(Field::version)] = std::int64_t{7};
    const Comparison c = compared(whole(), got);
    ASSERT_EQ(c.differences.size(), 1U) << which;
    EXPECT_EQ(c.differences[0].tensor, which == 0 ? kX : kY);
    EXPECT_EQ(c.message,
              which == 0 ? "line 5: version of x: expected 0, got 7" : "line 5: version of y: expected 0, got 7");
  }
}

TEST(Course, live_slots_are_compared_by_number) {
  Trace got = whole();
  got.outcomes[5].tensors[1].tensor = Slot{2};
  EXPECT_EQ(compared(whole(), got).differences.at(0).signature, "snapshot/live tensors");
}

TEST(Course, an_adapter_may_leave_out_try_and_end_try) {
  EXPECT_EQ(compared(whole(), trace({0, 1, 3, 5})).verdict, Verdict::pass);
  EXPECT_EQ(compared(trace({0, 1, 3, 5}), whole()).verdict, Verdict::pass);
  EXPECT_EQ(compared(whole(), trace({0, 1, 3, 5})).statements, 4U);
  const Comparison open = compare({{{MakeTensor{kX, Dtype::float32, {}, {0}}, 1}, {Try{}, 2}, {EndTry{}, 2}}, {"x"}},
                                  trace({0, 1, 2}), trace({0}), exact());
  EXPECT_EQ(open.verdict, Verdict::pass) << open.message;
}

TEST(Course, a_run_that_skips_a_statement_or_takes_another_path_is_caught) {
  const Comparison skips = compared(whole(), trace({0, 1, 2, 4, 5}));
  ASSERT_EQ(skips.differences.size(), 1U);
  EXPECT_EQ(skips.differences[0].signature, "add_.Tensor/order");
  EXPECT_EQ(skips.differences[0].expected, "the run goes on with statement 3");
  EXPECT_EQ(skips.differences[0].got, "the run goes on with statement 5");
}

TEST(Course, both_runs_must_end_together) {
  const Comparison early = compared(whole(), trace({0, 1, 2, 3, 4}));
  EXPECT_EQ(early.differences.at(0).signature, "snapshot/ended");
  EXPECT_EQ(early.differences.at(0).line, 5);
  const Comparison late = compared(trace({0, 1}), whole());
  EXPECT_EQ(late.differences.at(0).signature, "add_.Tensor/went on");
  Trace incomplete = whole();
  incomplete.completed = false;
  EXPECT_EQ(compared(incomplete, whole()).differences.at(0).signature, "snapshot/completed");
  EXPECT_EQ(compared(whole(), incomplete).differences.at(0).got, "an error ends the run");
  EXPECT_EQ(compared(incomplete, whole()).differences.at(0).got, "the run completes");
  EXPECT_EQ(compared(incomplete, whole()).differences.at(0).expected, "an error ends the run");
  EXPECT_EQ(compared(whole(), incomplete).differences.at(0).expected, "the run completes");
  EXPECT_EQ(compare({}, Trace{{}, false}, Trace{{}, true}, exact()).verdict, Verdict::pass) << "there is no statement";
}

TEST(Course, thread_fields_that_one_side_does_not_show_are_not_compared) {
  Trace all = whole();
  all.outcomes[5].thread = {false, true, std::vector<std::string>{}, std::vector<std::string>{}};
  EXPECT_EQ(compared(all, whole()).verdict, Verdict::pass);
  EXPECT_EQ(compared(whole(), all).verdict, Verdict::pass);
  Trace last = all;
  last.outcomes[5].thread[3] = std::vector<std::string>{"AutogradCPU"};
  EXPECT_EQ(compared(all, last).differences.at(0).thread, static_cast<ThreadField>(3));
}

TEST(Course, an_implementation_cannot_call_a_value_unspecified) {
  Trace got = whole();
  got.outcomes[5].tensors[0].fields[static_cast<std::size_t>(Field::version)] = Unspecified{"VER-10"};
  EXPECT_EQ(compared(whole(), got).verdict, Verdict::divergent);
}

TEST(Course, without_errors_a_run_that_takes_another_path_is_not_followed) {
  Description silent = exact();
  silent.errors = Strictness::ignore;
  Trace raises = whole();
  raises.outcomes[3].failure = {ErrorClass::leaf_inplace, "no", "RuntimeError"};
  const Comparison c = compared(raises, whole(), silent);
  EXPECT_EQ(c.verdict, Verdict::unsupported);
  EXPECT_EQ(c.message, "statement 3 raises on one side only, and planted does not show errors");
  EXPECT_EQ(c.statements, 3U);
  EXPECT_EQ(compared(raises, raises, silent).verdict, Verdict::pass);
  EXPECT_EQ(compared(raises, raises, silent).statements, 4U);
}

/// The same for a statement that reads.
Comparison read(const Reading& expected, const Reading& got, const Description& description) {
  const Script reads{{{MakeTensor{kX, Dtype::float32, {}, {0}}, 1}, {Read{kX, Field::version}, 2}, add(kX, 3)}, {"x"}};
  const auto one = [](const Reading& reading) {
    Trace t = trace({0, 1, 2});
    t.outcomes[1].reading = reading;
    if (const auto* failure = std::get_if<Failure>(&reading)) {
      t.outcomes[1].failure = *failure;
      t.outcomes[1].reading = {};
    }
    return t;
  };
  return compare(reads, one(expected), one(got), description);
}

TEST(Course, a_reading_that_raises_on_one_side_only_is_not_followed_either) {
  const Failure raised{ErrorClass::inference_version, "no", "RuntimeError"};
  Description silent = exact();
  silent.errors = Strictness::ignore;
  EXPECT_EQ(read(raised, std::int64_t{0}, silent).verdict, Verdict::unsupported);
  EXPECT_EQ(read(raised, std::int64_t{0}, silent).statements, 2U);
  EXPECT_EQ(read(std::int64_t{0}, std::int64_t{0}, silent).statements, 3U);
  EXPECT_EQ(read(raised, std::int64_t{0}, exact()).verdict, Verdict::divergent);
  EXPECT_EQ(read(raised, raised, exact()).verdict, Verdict::pass);
  const Failure other{ErrorClass::shape, "no", "RuntimeError"};
  EXPECT_EQ(read(raised, other, exact()).verdict, Verdict::divergent);
  Description by_kind = exact();
  by_kind.fields[static_cast<std::size_t>(Field::version)] = Strictness::kind;
  EXPECT_EQ(read(raised, other, by_kind).verdict, Verdict::pass);
  EXPECT_EQ(read(std::int64_t{0}, std::int64_t{1}, by_kind).verdict, Verdict::pass);
  EXPECT_EQ(read(raised, std::int64_t{1}, by_kind).verdict, Verdict::divergent);
}

TEST(Course, thread_fields_that_a_program_reads_are_compared_and_named) {
  const Script reads{{{ReadThread{ThreadField::grad_mode}, 2}}, {}};
  const auto one = [](bool mode) {
    Trace t = trace({0});
    t.outcomes[0].reading = mode;
    return t;
  };
  EXPECT_EQ(compare(reads, one(true), one(true), exact()).verdict, Verdict::pass);
  const Comparison c = compare(reads, one(true), one(false), exact());
  EXPECT_EQ(c.message, "line 2: the thread's grad_mode: expected True, got False");
  EXPECT_EQ(c.differences.at(0).thread, ThreadField::grad_mode);
  Description blind = exact();
  blind.thread.fill(Strictness::ignore);
  EXPECT_EQ(compare(reads, one(true), one(false), blind).message, "planted cannot observe grad_mode");
}

TEST(Course, a_difference_without_a_line_names_no_line) {
  Difference d;
  d.what = "the run";
  d.expected = "a trace";
  d.got = "crash";
  EXPECT_EQ(describe(d), "the run: expected a trace, got crash");
  d.line = 1;
  EXPECT_EQ(describe(d), "line 1: the run: expected a trace, got crash");
}

TEST(Course, a_breakdown_names_its_kind) {
  using Kind = Breakdown::Kind;
  EXPECT_EQ(breakdown({Kind::unsupported, ""}).message, "it says that it cannot run this program");
  EXPECT_EQ(breakdown({Kind::unsupported, "no mm"}).message, "no mm");
  EXPECT_EQ(breakdown({Kind::limit, "beyond it"}).verdict, Verdict::unknown);
  EXPECT_EQ(breakdown({Kind::crash, ""}).message, "the run: expected a trace, got crash");
  EXPECT_EQ(breakdown({Kind::crash, "signal 11"}).message, "the run: expected a trace, got crash: signal 11");
  for (const Kind kind : {Kind::unsupported, Kind::limit, Kind::crash}) {
    EXPECT_EQ(breakdown({kind, ""}).statements, 0U);
    EXPECT_EQ(breakdown({kind, ""}).unspecified, 0U);
  }
}

TEST(Course, extra_and_missing_keys_are_both_named) {
  using Names = std::vector<std::string>;
  const Measure measure{Strictness::exact, Strictness::exact, Closeness{}, {}};
  const auto shape = [&](const Names& expected, const Names& got) {
    return compare_reading(Field::keys, expected, got, measure).shape;
  };
  EXPECT_EQ(shape({"CPU", "AutogradCPU"}, {"AutogradCPU", "CPU"}), "");
  EXPECT_EQ(shape({"CPU", "AutogradCPU"}, {"CPU"}), "-AutogradCPU");
  EXPECT_EQ(shape({"CPU"}, {"CPU", "AutogradCPU"}), "+AutogradCPU");
  EXPECT_EQ(shape({"CPU", "Negative"}, {"Conjugate", "AutogradCPU"}), "+AutogradCPU +Conjugate -CPU -Negative");
  EXPECT_EQ(shape({"Dense"}, {"CPU"}), "+CPU -Dense");
}

}  // namespace
}  // namespace plumbline::compare_course_test
