// Expectations: what pytest would say about a trace.
#include <gtest/gtest.h>

#include "oracle/compare.h"
#include "spec/ops/op_ids.h"
#include "support/python_regex.h"

namespace plumbline::expectations_test {
namespace {

constexpr Slot kX{0};

Description exact() {
  Description d;
  d.name = "planted";
  d.fields.fill(Strictness::exact);
  d.thread.fill(Strictness::exact);
  return d;
}

Statement add(int line) { return {Call{OpId::add__Tensor, {kX, std::int64_t{1}, std::int64_t{1}}, {kX}}, line}; }

/// x = torch.zeros; with pytest.raises(RuntimeError, match=…): x.add_(1); assert x._version == 1
program::Test raising_test() {
  program::Test t;
  t.script.names = {"x"};
  t.script.statements = {
      {MakeTensor{kX, Dtype::float32, {}, {0}}, 3}, {Try{}, 4}, add(5), {EndTry{}, 4}, {Read{kX, Field::version}, 6}};
  t.errors = {{1, 3, "RuntimeError", "Inplace update to inference tensor", 4}};
  program::Expectation& version = t.expectations.emplace_back();
  version.statement = 4;
  version.expected = std::int64_t{1};
  version.line = 6;
  version.text = "assert x._version == 1";
  return t;
}

Trace raising_trace(Failure failure, Reading version = std::int64_t{1}) {
  Trace t;
  t.outcomes = {{0, {}, {}, {}, {}, {}},
                {1, {}, {}, {}, {}, {}},
                {2, std::move(failure), {}, {}, {}, {}},
                {3, {}, {}, {}, {}, {}},
                {4, {}, std::move(version), {}, {}, {}}};
  return t;
}

const Failure kRight{ErrorClass::inference_inplace,
                     "Inplace update to inference tensor outside InferenceMode is not allowed.", "RuntimeError"};

Comparison checked(const Trace& trace, const Description& d = exact()) {
  return check_expectations(raising_test(), trace, d);
}

TEST(Expectations, a_test_that_holds_passes) { EXPECT_EQ(checked(raising_trace(kRight)).verdict, Verdict::pass); }

TEST(Expectations, an_assert_that_fails_is_named_with_its_line) {
  const Comparison c = checked(raising_trace(kRight, std::int64_t{2}));
  EXPECT_EQ(c.verdict, Verdict::divergent);
  EXPECT_EQ(c.message, "line 6: assert x._version == 1: expected 1, got 2");
  EXPECT_EQ(c.differences.at(0).signature, "add_.Tensor/version");
  EXPECT_EQ(c.differences.at(0).line, 6);
}

TEST(Expectations, a_block_that_does_not_raise_fails) {
  const Comparison c = checked(raising_trace({}));
  EXPECT_EQ(c.verdict, Verdict::divergent);
  EXPECT_EQ(
      c.message,
      "line 4: add_.Tensor: expected RuntimeError matching 'Inplace update to inference tensor', got DID NOT RAISE");
  EXPECT_EQ(c.differences.at(0).signature, "add_.Tensor/error: inference_inplace -> none");
}

TEST(Expectations, a_block_that_raises_another_type_or_text_fails) {
  Failure type = kRight;
  type.exception = "IndexError";
  EXPECT_EQ(checked(raising_trace(type)).differences.at(0).line, 5);
  Failure text = kRight;
  text.message = "something else";
  const Comparison c = checked(raising_trace(text));
  EXPECT_EQ(c.verdict, Verdict::divergent);
  EXPECT_EQ(c.differences.at(0).line, 4);
  Failure derived = kRight;
  derived.exception = "NotImplementedError";  // is a RuntimeError
  EXPECT_EQ(checked(raising_trace(derived)).verdict, Verdict::pass);
}

TEST(Expectations, an_error_of_unknown_type_is_compared_by_its_text) {
  Failure nameless = kRight;
  nameless.exception.clear();
  EXPECT_EQ(checked(raising_trace(nameless)).verdict, Verdict::pass);
  nameless.message = "something else";
  const Comparison c = checked(raising_trace(nameless));
  EXPECT_EQ(c.verdict, Verdict::divergent);
  EXPECT_EQ(c.differences.at(0).line, 4);
  EXPECT_EQ(c.differences.at(0).got, "an error: something else (inference_inplace)");
  program::Test any = raising_test();
  any.errors[0].match.clear();
  EXPECT_EQ(check_expectations(any, raising_trace(nameless), exact()).verdict, Verdict::pass)
      << "the block has no pattern";
}

TEST(Expectations, errors_may_be_compared_by_presence_or_not_at_all) {
  Failure other = kRight;
  other.exception = "ValueError";
  Description d = exact();
  d.errors = Strictness::kind;
  EXPECT_EQ(checked(raising_trace(other), d).verdict, Verdict::pass);
  EXPECT_EQ(checked(raising_trace({}), d).verdict, Verdict::divergent);
  d.errors = Strictness::ignore;
  EXPECT_EQ(checked(raising_trace({}), d).verdict, Verdict::unsupported);
  EXPECT_EQ(checked(raising_trace(other), d).verdict, Verdict::unsupported);
}

TEST(Expectations, an_error_outside_a_block_fails_at_its_line) {
  program::Test t = raising_test();
  t.errors.clear();
  Trace trace = raising_trace(kRight);
  trace.outcomes.resize(3);
  trace.completed = false;
  const Comparison c = check_expectations(t, trace, exact());
  EXPECT_EQ(c.verdict, Verdict::divergent);
  EXPECT_EQ(c.differences.at(0).line, 5);
  EXPECT_EQ(c.differences.at(0).signature, "add_.Tensor/error: none -> inference_inplace");
}

TEST(Expectations, the_first_failure_is_reported) {
  const Comparison c = checked(raising_trace({}, std::int64_t{2}));
  ASSERT_EQ(c.differences.size(), 1U);
  EXPECT_EQ(c.differences[0].line, 4);
}

TEST(Expectations, a_block_may_expect_an_error_of_a_reading) {
  program::Test t;
  t.script.names = {"x"};
  t.script.statements = {
      {MakeTensor{kX, Dtype::float32, {}, {0}}, 3}, {Try{}, 4}, {Read{kX, Field::version}, 5}, {EndTry{}, 4}};
  t.errors = {{1, 3, "RuntimeError", "do not track version", 4}};
  Trace trace;
  trace.outcomes = {{0, {}, {}, {}, {}, {}}, {2, {}, std::int64_t{0}, {}, {}, {}}};  // Try and EndTry may be left out
  EXPECT_EQ(check_expectations(t, trace, exact()).differences.at(0).signature,
            "tensor/version: inference_version -> value");
  trace.outcomes[1] = {
      2, {ErrorClass::inference_version, "Inference tensors do not track version counter.", "RuntimeError"}, {}, {}, {},
      {}};
  EXPECT_EQ(check_expectations(t, trace, exact()).verdict, Verdict::pass);
}

TEST(Expectations, a_block_inside_one_that_raised_before_is_not_reached) {
  program::Test t;
  t.script.names = {"x"};
  t.script.statements = {{MakeTensor{kX, Dtype::float32, {}, {0}}, 3},
                         {Try{}, 4},
                         add(5),
                         {Try{}, 6},
                         add(7),
                         {EndTry{}, 6},
                         {EndTry{}, 4}};
  t.errors = {{1, 6, "RuntimeError", "", 4}, {3, 5, "RuntimeError", "", 6}};
  Trace trace;
  trace.outcomes = {
      {0, {}, {}, {}, {}, {}}, {1, {}, {}, {}, {}, {}}, {2, kRight, {}, {}, {}, {}}, {6, {}, {}, {}, {}, {}}};
  EXPECT_EQ(check_expectations(t, trace, exact()).verdict, Verdict::pass);
}

TEST(Expectations, unobservable_and_unspecified_values_are_reported) {
  Description d = exact();
  d.fields[static_cast<std::size_t>(Field::version)] = Strictness::ignore;
  EXPECT_EQ(checked(raising_trace(kRight, std::int64_t{2}), d).verdict, Verdict::unsupported);
  EXPECT_EQ(checked(raising_trace(kRight, std::monostate{})).verdict, Verdict::unsupported);
  const Comparison c = checked(raising_trace(kRight, Unspecified{"VER-01"}));
  EXPECT_EQ(c.verdict, Verdict::unspecified);
  EXPECT_NE(c.message.find("VER-01"), std::string::npos);
}

TEST(Expectations, an_invalid_pattern_is_the_programs_fault) {
  program::Test t = raising_test();
  t.errors[0].match = "(";
  EXPECT_EQ(check_expectations(t, raising_trace(kRight), exact()).verdict, Verdict::harness_error);
}

TEST(Expectations, a_breakdown_is_a_divergence) {
  EXPECT_EQ(check_expectations(raising_test(), Breakdown{Breakdown::Kind::crash, "signal 11"}, exact()).verdict,
            Verdict::divergent);
}

TEST(PythonRegex, searches_as_re_does) {
  EXPECT_TRUE(python_search("a b", "x a b y"));
  EXPECT_FALSE(python_search("^a b", "x a b y"));
  EXPECT_TRUE(python_search(R"(is not allowed\.)", "this is not allowed."));
  EXPECT_TRUE(python_search(R"(f\(x\)\ \#1)", "f(x) #1"));  // as re.escape writes it
  EXPECT_TRUE(python_search("size {2}", "size {2}") == false);
  EXPECT_TRUE(python_search("size {a}", "a size {a}"));
  EXPECT_TRUE(python_search("a{2,3}$", "caaa"));
  EXPECT_TRUE(python_search(R"(\Aab|cd\Z)", "x cd"));
  EXPECT_TRUE(python_search("[]x]+ (?P<n>[0-9]+)", "]x 12"));
  EXPECT_TRUE(python_search("[[]2, 3]", "[2, 3]"));
  EXPECT_TRUE(python_search("^(?:one|two) (?!three)", "two four"));
  EXPECT_THROW(python_search("(?<=a)b", "ab"), std::invalid_argument);
  EXPECT_THROW(python_search("(?i)b", "B"), std::invalid_argument);
  EXPECT_THROW(python_search("a\\", "a"), std::invalid_argument);
  EXPECT_THROW(python_search("[a", "a"), std::invalid_argument);
  EXPECT_THROW(python_search("*", "a"), std::invalid_argument);
}

TEST(Expectations, an_error_in_a_thread_reaches_no_block_around_it) {
  program::Test t;
  t.script.names = {"x"};
  t.script.statements = {{MakeTensor{kX, Dtype::float32, {}, {0}}, 3},
                         {Try{}, 4},
                         {StartThread{}, 5},
                         add(6),
                         {JoinThread{}, 7},
                         {EndTry{}, 4}};
  t.errors = {{1, 5, "RuntimeError", "", 4}};
  Trace trace;
  for (std::size_t i = 0; i < 6; ++i) trace.outcomes.push_back({i, {}, {}, {}, {}, {}});
  trace.outcomes[3].failure = kRight;
  const Comparison c = check_expectations(t, trace, exact());
  EXPECT_EQ(c.verdict, Verdict::divergent);
  EXPECT_EQ(c.differences.at(0).statement, 3U);
  EXPECT_EQ(c.differences.at(0).expected, "no error");
}

TEST(Expectations, a_gradient_is_none_or_has_values) {
  program::Test t;
  t.script.names = {"x"};
  t.script.statements = {{MakeTensor{kX, Dtype::float32, {}, {0}}, 3}, {Read{kX, Field::grad}, 4}};
  program::Expectation& grad = t.expectations.emplace_back();
  grad.statement = 1;
  grad.expected = None{};
  grad.text = "assert x.grad is None";
  const auto verdict = [&](Reading reading) {
    const Trace trace{{{0, {}, {}, {}, {}, {}}, {1, {}, std::move(reading), {}, {}, {}}}, true};
    return check_expectations(t, trace, exact()).verdict;
  };
  EXPECT_EQ(verdict(None{}), Verdict::pass);
  EXPECT_EQ(verdict(Values{{1}, {}, {}, {}}), Verdict::divergent);
  t.expectations[0].expected = Values{{1}, {}, {}, {}};
  EXPECT_EQ(verdict(Values{{1}, {}, {}, {}}), Verdict::pass);
  EXPECT_EQ(verdict(Values{{1.25}, {}, {}, {0.5}}), Verdict::pass);
  EXPECT_EQ(verdict(None{}), Verdict::divergent);
}

}  // namespace
}  // namespace plumbline::expectations_test
