// Comparing the log, the answers of queries, and errors that the program raises itself.
#include <gtest/gtest.h>

#include "oracle/compare.h"
#include "oracle/compare_reading.h"
#include "oracle/reading_text.h"
#include "oracle/tests/dispatch_scripts.h"

namespace plumbline::compare_answers_test {
namespace {

using namespace dispatch_scripts;
using Texts = std::vector<std::string>;

Description exact() {
  Description d;
  d.name = "planted";
  d.fields.fill(Strictness::exact);
  d.thread.fill(Strictness::exact);
  return d;
}

/// A registration, a guard, a call, and what is asked after them.
Script asking(const StatementKind& kind) {
  return {{{AddKernel{"lib", 0, "CPU"}, 1},
           {Enter{GuardKind::exclude_key, true, "CPU"}, 2},
           {Invoke{0, {kX}, {}}, 3},
           {kind, 4}},
          {"x"}};
}
Trace answering(const Reading& answer) {
  Trace t;
  for (std::size_t i = 0; i < 4; ++i) t.outcomes.push_back({i, {}, {}, {}, {}, {}});
  t.outcomes[3].reading = answer;
  return t;
}
Comparison compared(const StatementKind& kind, const Reading& expected, const Reading& got) {
  return compare(asking(kind), answering(expected), answering(got), exact());
}

TEST(CompareAnswers, the_log_is_compared_text_by_text) {
  EXPECT_EQ(compared(ReadLog{}, Texts{"a", "b"}, Texts{"a", "b"}).verdict, Verdict::pass);
  EXPECT_EQ(compared(ReadLog{}, Texts{"a", "b"}, Texts{"b", "a"}).verdict, Verdict::divergent);
  EXPECT_EQ(compared(ReadLog{}, Texts{"a"}, Texts{"a", "a"}).verdict, Verdict::divergent);
  EXPECT_EQ(compared(ReadLog{}, Texts{}, Texts{"no key of this name"}).verdict, Verdict::divergent);
}

TEST(CompareAnswers, a_difference_names_what_was_asked_and_blames_what_may_have_made_it) {
  const Comparison log = compared(ReadLog{}, Texts{"a"}, Texts{});
  EXPECT_EQ(log.message, "line 4: the log: expected ['a'], got []");
  EXPECT_EQ(log.differences.at(0).signature, "custom operator/log");
  const Comparison kernel = compared(QueryKernel{"mine::f", "CPU"}, true, false);
  EXPECT_EQ(kernel.message, "line 4: has_kernel of mine::f for CPU: expected True, got False");
  EXPECT_EQ(kernel.differences.at(0).signature, "impl/has_kernel: true -> false");
  const Comparison thread = compared(QueryThreadKey{"CUDA", true}, false, true);
  EXPECT_EQ(thread.message, "line 4: whether CUDA is excluded: expected False, got True");
  EXPECT_EQ(thread.differences.at(0).signature, "exclude_key/excluded: false -> true");
}

TEST(CompareAnswers, are_counted) {
  EXPECT_EQ(compared(ReadLog{}, Texts{}, Texts{}).readings.answers.compared, 1U);
  EXPECT_EQ(compared(ClearLog{}, {}, {}).readings.answers.compared, 0U);
}

TEST(CompareAnswers, one_that_is_not_shown_is_reported) {
  EXPECT_EQ(compared(ReadLog{}, Texts{}, {}).verdict, Verdict::unsupported);
}

TEST(CompareAnswers, an_assert_about_the_log_says_what_was_expected) {
  program::Test test;
  test.script = asking(ReadLog{});
  program::Expectation& log = test.expectations.emplace_back();
  log.statement = 3;
  log.expected = Texts{"a"};
  log.line = 4;
  log.text = "assert log == ['a']";
  EXPECT_EQ(check_expectations(test, answering(Texts{"a"}), exact()).verdict, Verdict::pass);
  const Comparison wrong = check_expectations(test, answering(Texts{"b"}), exact());
  EXPECT_EQ(wrong.message, "line 4: assert log == ['a']: expected ['a'], got ['b']");
  EXPECT_EQ(wrong.differences.at(0).signature, "custom operator/log");
}

Failure raised(const std::string& message) { return {ErrorClass::raised, message, "RuntimeError"}; }

TEST(CompareRaised, the_message_is_the_programs_own) {
  EXPECT_TRUE(same_failure(raised("k1 raised"), raised("k1 raised"), Strictness::exact, "2.13"));
  EXPECT_FALSE(same_failure(raised("k1 raised"), raised("k2 raised"), Strictness::exact, "2.13"));
  EXPECT_FALSE(same_failure(raised("k1 raised"), raised("k2 raised"), Strictness::classes, "2.13"));
  EXPECT_TRUE(same_failure(raised("k1 raised"), raised("k2 raised"), Strictness::kind, "2.13"));
}

TEST(CompareRaised, a_block_that_expects_one_takes_no_other) {
  program::Test test;
  test.script = {{{Try{}, 1}, {RaiseError{"k1 raised"}, 2}, {EndTry{}, 1}}, {}};
  test.errors = {{0, 2, "RuntimeError", "k1 raised", 1}};
  const auto checked = [&](const Failure& failure) {
    Trace trace;
    trace.outcomes = {{0, {}, {}, {}, {}, {}}, {1, failure, {}, {}, {}, {}}, {2, {}, {}, {}, {}, {}}};
    Description d = exact();
    d.errors = Strictness::classes;
    return check_expectations(test, trace, d);
  };
  EXPECT_EQ(checked(raised("k1 raised")).verdict, Verdict::pass);
  EXPECT_EQ(checked(raised("k2 raised")).verdict, Verdict::divergent);
  EXPECT_EQ(checked({ErrorClass::no_kernel, "in its own words", "RuntimeError"}).differences.at(0).signature,
            "raise/error: raised -> no_kernel");
}

TEST(StatementNames, each_has_one) {
  const auto name = [](const StatementKind& kind) { return statement_name({kind, 0}); };
  EXPECT_EQ(name(AddFallback{}), "fallback");
  EXPECT_EQ(name(QueryKernel{"mine::f", "CPU", QueryKernel::What::falls_through}), "falls_through");
  EXPECT_EQ(name(QueryThreadKey{"CPU"}), "included");
  EXPECT_EQ(name(RaiseError{}), "raise");
  EXPECT_EQ(name(AppendToLog{}), "append");
  EXPECT_EQ(name(ReadLog{}), "log");
  EXPECT_EQ(name(ClearLog{}), "clear");
}

}  // namespace
}  // namespace plumbline::compare_answers_test
