// Expectations: each kind of assertion, of block and of error type.
#include <gtest/gtest.h>

#include <array>

#include "oracle/compare.h"
#include "spec/ops/op_ids.h"

namespace plumbline::expectations_forms_test {
namespace {

constexpr Slot kX{0}, kY{1};

Description exact() {
  Description d;
  d.name = "planted";
  d.fields.fill(Strictness::exact);
  d.thread.fill(Strictness::exact);
  return d;
}
Statement add(int line) { return {Call{OpId::add__Tensor, {kX, std::int64_t{1}, std::int64_t{1}}, {kX}}, line}; }

/// Two readings of versions, each with an assertion.
program::Test two_asserts() {
  program::Test t;
  t.script.names = {"x", "y"};
  t.script.statements = {{MakeTensor{kX, Dtype::float32, {}, {0}}, 1},
                         {MakeTensor{kY, Dtype::float32, {}, {0}}, 2},
                         {Read{kX, Field::version}, 3},
                         {Read{kY, Field::version}, 4}};
  for (const std::size_t at : {2U, 3U}) {
    program::Expectation& e = t.expectations.emplace_back();
    e.statement = at;
    e.expected = std::int64_t{0};
    e.line = static_cast<int>(at) + 1;
    e.text = at == 2 ? "x._version == 0" : "assert y._version == 0";
  }
  return t;
}
Trace versions(const Reading& x, const Reading& y) {
  Trace t;
  for (std::size_t i = 0; i < 4; ++i) {
    t.outcomes.emplace_back();
    t.outcomes.back().statement = i;
  }
  t.outcomes[2].reading = x;
  t.outcomes[3].reading = y;
  return t;
}

TEST(Assertions, each_assertion_is_checked_and_counted) {
  const Comparison good = check_expectations(two_asserts(), versions(std::int64_t{0}, std::int64_t{0}), exact());
  EXPECT_EQ(good.verdict, Verdict::pass);
  EXPECT_EQ(good.statements, 4U);
  const Comparison first = check_expectations(two_asserts(), versions(std::int64_t{1}, std::int64_t{1}), exact());
  EXPECT_EQ(first.message, "line 3: assert x._version == 0: expected 0, got 1");
  ASSERT_EQ(first.differences.size(), 1U);
  EXPECT_EQ(first.differences[0].tensor, kX);
  EXPECT_EQ(first.differences[0].field, Field::version);
  EXPECT_EQ(first.differences[0].blamed, 0U);
  EXPECT_EQ(first.statements, 3U) << "nothing after the failure is checked";
  const Comparison second = check_expectations(two_asserts(), versions(std::int64_t{0}, std::int64_t{1}), exact());
  EXPECT_EQ(second.message, "line 4: assert y._version == 0: expected 0, got 1");
  EXPECT_EQ(second.differences.at(0).blamed, 1U);
}

TEST(Assertions, an_unspecified_or_unobservable_value_does_not_hide_a_later_failure) {
  const Comparison free = check_expectations(two_asserts(), versions(Unspecified{"VER-10"}, std::int64_t{0}), exact());
  EXPECT_EQ(free.verdict, Verdict::unspecified);
  EXPECT_EQ(free.unspecified, 1U);
  EXPECT_EQ(free.message, "line 3: assert x._version == 0: the specification does not define this (VER-10)");
  EXPECT_EQ(check_expectations(two_asserts(), versions(Unspecified{"VER-10"}, std::int64_t{1}), exact()).verdict,
            Verdict::divergent);
  const Comparison both =
      check_expectations(two_asserts(), versions(Unspecified{"VER-10"}, Unspecified{"VER-17"}), exact());
  EXPECT_EQ(both.unspecified, 2U);
  EXPECT_NE(both.message.find("VER-10"), std::string::npos) << "the first is reported";
  const Comparison unseen = check_expectations(two_asserts(), versions({}, Unspecified{"VER-10"}), exact());
  EXPECT_EQ(unseen.verdict, Verdict::unspecified) << "the worse one counts";
  EXPECT_EQ(check_expectations(two_asserts(), versions({}, std::int64_t{0}), exact()).message,
            "line 3: assert x._version == 0: planted cannot observe it");
}

TEST(Assertions, two_readings_can_be_asserted_to_be_the_same) {
  program::Test t = two_asserts();
  t.expectations.erase(t.expectations.begin());
  t.expectations[0].same_as_statement = 2;
  const auto verdict = [&](const Reading& x, const Reading& y) {
    return check_expectations(t, versions(x, y), exact()).verdict;
  };
  EXPECT_EQ(verdict(std::int64_t{3}, std::int64_t{3}), Verdict::pass);
  EXPECT_EQ(verdict(std::int64_t{3}, std::int64_t{4}), Verdict::divergent);
  EXPECT_EQ(verdict(Unspecified{"VER-10"}, std::int64_t{4}), Verdict::unspecified);
  EXPECT_EQ(check_expectations(t, versions(std::int64_t{3}, std::int64_t{4}), exact()).differences.at(0).expected, "3");
}

TEST(Assertions, unknown_elements_are_unspecified) {
  program::Test t = two_asserts();
  t.script.statements[2].kind = Read{kX, Field::values};
  t.expectations[0].expected = Values{{1, 2}, {}, {}, {}};
  const auto checked = [&](const Values& values) {
    return check_expectations(t, versions(values, std::int64_t{0}), exact());
  };
  EXPECT_EQ(checked({{1, 2}, {}, {}, {}}).verdict, Verdict::pass);
  EXPECT_EQ(checked({{1, 2}, {}, {true, true}, {}}).verdict, Verdict::pass);
  const Comparison some = checked({{1, 7}, {}, {true, false}, {}});
  EXPECT_EQ(some.verdict, Verdict::unspecified);
  EXPECT_EQ(some.unspecified, 1U);
  EXPECT_EQ(checked({{0, 7}, {}, {true, false}, {}}).verdict, Verdict::divergent);
}

TEST(Assertions, assertions_about_fields_that_are_not_compared_exactly_are_unsupported) {
  for (const Strictness strictness : {Strictness::ignore, Strictness::kind}) {
    Description d = exact();
    d.fields[static_cast<std::size_t>(Field::version)] = strictness;
    EXPECT_EQ(check_expectations(two_asserts(), versions(std::int64_t{1}, std::int64_t{1}), d).verdict,
              Verdict::unsupported);
  }
}

TEST(Assertions, a_failed_assertion_about_the_thread_names_its_field) {
  program::Test t;
  t.script.statements = {{Enter{GuardKind::no_grad}, 1}, {ReadThread{ThreadField::grad_mode}, 2}};
  program::Expectation& e = t.expectations.emplace_back();
  e.statement = 1;
  e.expected = false;
  e.line = 2;
  e.text = "torch.is_grad_enabled() is False";
  Trace trace;
  trace.outcomes.resize(2);
  trace.outcomes[1].statement = 1;
  trace.outcomes[1].reading = true;
  const Comparison c = check_expectations(t, trace, exact());
  ASSERT_EQ(c.differences.size(), 1U);
  EXPECT_EQ(c.differences[0].thread, ThreadField::grad_mode);
  EXPECT_EQ(c.differences[0].signature, "no_grad/grad_mode: false -> true");
  EXPECT_FALSE(c.differences[0].field);
  Description blind = exact();
  blind.thread.fill(Strictness::ignore);
  EXPECT_EQ(check_expectations(t, trace, blind).verdict, Verdict::unsupported);
  t.expectations[0].negated = true;
  t.expectations[0].expected = true;
  const Comparison negated = check_expectations(t, trace, exact());
  EXPECT_EQ(negated.differences.at(0).expected, "anything but True");
  EXPECT_EQ(negated.differences[0].signature, "no_grad/grad_mode") << "the signature does not name the other value";
}

/// The verdict on `with pytest.raises(EXCEPTION, match=MATCH): x.add_(1)`, if it raises this.
Comparison raised(const std::string& exception, const std::string& got, const std::string& match = "",
                  const std::string& message = "in words", const Description& description = exact(),
                  ErrorClass error = ErrorClass::shape) {
  program::Test t;
  t.script.names = {"x"};
  t.script.statements = {{MakeTensor{kX, Dtype::float32, {}, {0}}, 1}, {Try{}, 2}, add(3), {EndTry{}, 2}};
  t.errors = {{1, 3, exception, match, 2}};
  Trace trace;
  trace.outcomes.resize(4);
  for (std::size_t i = 0; i < 4; ++i) trace.outcomes[i].statement = i;
  trace.outcomes[2].failure = {error, message, got};
  return check_expectations(t, trace, description);
}

TEST(Blocks, exceptions_are_caught_as_in_python) {
  constexpr std::array<std::array<const char*, 2>, 14> caught{{{"RuntimeError", "RuntimeError"},
                                                               {"Exception", "RuntimeError"},
                                                               {"BaseException", "IndexError"},
                                                               {"RuntimeError", "NotImplementedError"},
                                                               {"RuntimeError", "RecursionError"},
                                                               {"RuntimeError", "OutOfMemoryError"},
                                                               {"RuntimeError", "torch.OutOfMemoryError"},
                                                               {"LookupError", "IndexError"},
                                                               {"LookupError", "KeyError"},
                                                               {"ArithmeticError", "OverflowError"},
                                                               {"ArithmeticError", "ZeroDivisionError"},
                                                               {"Exception", "NotImplementedError"},
                                                               {"Exception", "SomethingNew"},
                                                               {"NotImplementedError", "NotImplementedError"}}};
  for (const auto& [wanted, got] : caught) EXPECT_EQ(raised(wanted, got).verdict, Verdict::pass) << wanted << got;
  constexpr std::array<std::array<const char*, 2>, 7> other{{{"NotImplementedError", "RuntimeError"},
                                                             {"RuntimeError", "IndexError"},
                                                             {"IndexError", "LookupError"},
                                                             {"LookupError", "OverflowError"},
                                                             {"ValueError", "NotImplementedError"},
                                                             {"ValueError", "SomethingNew"},
                                                             {"KeyError", "IndexError"}}};
  for (const auto& [wanted, got] : other) {
    const Comparison c = raised(wanted, got);
    EXPECT_EQ(c.verdict, Verdict::divergent) << wanted << got;
    EXPECT_EQ(c.differences.at(0).signature, "add_.Tensor/error: " + std::string(wanted) + " -> shape");
    EXPECT_EQ(c.differences[0].line, 3);
    EXPECT_EQ(c.differences[0].expected, wanted);
  }
}

TEST(Blocks, own_words_are_compared_by_the_class_that_the_pattern_asks_for) {
  Description own = exact();
  own.errors = Strictness::classes;
  const auto verdict = [&](const char* match, const char* message, ErrorClass error) {
    return raised("RuntimeError", "RuntimeError", match, message, own, error).verdict;
  };
  constexpr const char* kWrite = "Inplace update to inference tensor";
  EXPECT_EQ(verdict(kWrite, "no writes, please", ErrorClass::inference_inplace), Verdict::pass);
  EXPECT_EQ(verdict(kWrite, "no writes, please", ErrorClass::shape), Verdict::divergent);
  EXPECT_EQ(verdict("no message has this", "mine", ErrorClass::shape), Verdict::pass)
      << "the pattern asks for no class";
  EXPECT_EQ(verdict("no message has this", "Inference tensors do not track version counter.", ErrorClass::shape),
            Verdict::divergent)
      << "PyTorch's own message: the pattern is searched in it";
}

TEST(Blocks, an_invalid_pattern_ends_the_judgement_wherever_it_is_used) {
  const Comparison c = raised("RuntimeError", "RuntimeError", "(");
  EXPECT_EQ(c.verdict, Verdict::harness_error);
  EXPECT_TRUE(c.message.starts_with("line 2: ")) << c.message;
  EXPECT_TRUE(c.differences.empty());
}

/// Two blocks, one after the other, and whether each raises.
Comparison two_blocks(bool first, bool second, bool completed = true) {
  program::Test t;
  t.script.names = {"x"};
  t.script.statements = {{MakeTensor{kX, Dtype::float32, {}, {0}}, 1},
                         {Try{}, 2},
                         add(3),
                         {EndTry{}, 2},
                         {Try{}, 4},
                         add(5),
                         {EndTry{}, 4}};
  t.errors = {{1, 3, "RuntimeError", "", 2}, {4, 6, "RuntimeError", "", 4}};
  Trace trace;
  const Failure failure{ErrorClass::shape, "in words", "RuntimeError"};
  for (std::size_t i = 0; i < 7; ++i) {
    trace.outcomes.emplace_back();
    trace.outcomes.back().statement = i;
    if ((i == 2 && first) || (i == 5 && second)) trace.outcomes.back().failure = failure;
  }
  trace.completed = completed;
  return check_expectations(t, trace, exact());
}

TEST(Blocks, each_block_must_raise) {
  EXPECT_EQ(two_blocks(true, true).verdict, Verdict::pass);
  const Comparison first = two_blocks(false, true);
  EXPECT_EQ(first.differences.at(0).line, 2);
  EXPECT_EQ(first.differences[0].statement, 2U);
  EXPECT_EQ(first.differences[0].got, "DID NOT RAISE");
  const Comparison second = two_blocks(true, false);
  EXPECT_EQ(second.differences.at(0).line, 4);
  EXPECT_EQ(second.differences[0].statement, 5U) << "the last statement of the block is the culprit";
  EXPECT_EQ(two_blocks(true, false, false).verdict, Verdict::pass) << "an error ended the run before the block's end";
}

TEST(Blocks, a_read_that_should_raise_is_unsupported_where_the_field_is_not_shown) {
  program::Test t;
  t.script.statements = {
      {MakeTensor{kX, Dtype::float32, {1}, {1}}, 1}, {Try{}, 2}, {Read{kX, Field::version}, 3}, {EndTry{}, 2}};
  t.errors = {{1, 3, "RuntimeError", "", 2}};
  Trace trace;
  for (std::size_t i = 0; i < 4; ++i) trace.outcomes.push_back({i, {}, {}, {}, {}, {}});
  EXPECT_EQ(check_expectations(t, trace, exact()).verdict, Verdict::divergent);
  Description silent = exact();
  silent.fields[static_cast<std::size_t>(Field::version)] = Strictness::ignore;
  EXPECT_EQ(check_expectations(t, trace, silent).verdict, Verdict::unsupported);
}

TEST(Assertions, an_assertion_about_a_part_or_two_readings_is_named_only_by_the_field) {
  program::Test t = two_asserts();
  t.script.statements[2].kind = Read{kX, Field::keys};
  t.expectations[0].expected = Reading();
  t.expectations[0].contains = "Negative";
  const Comparison part = check_expectations(t, versions(std::vector<std::string>{"CPU"}, std::int64_t{0}), exact());
  EXPECT_EQ(part.differences.at(0).signature, "tensor/keys");
  EXPECT_EQ(part.differences[0].expected, "a set with Negative");
  t = two_asserts();
  t.script.statements[2].kind = Read{kX, Field::values};
  t.expectations[0].expected = std::vector<std::int64_t>{1};
  t.expectations[0].prefix = true;
  EXPECT_EQ(check_expectations(t, versions(None{}, std::int64_t{0}), exact()).differences.at(0).signature,
            "tensor/values");
  t = two_asserts();
  t.expectations.erase(t.expectations.begin());
  t.expectations[0].same_as_statement = 2;
  EXPECT_EQ(check_expectations(t, versions(true, false), exact()).differences.at(0).signature, "tensor/version");
  t.expectations[0].same_as_statement.reset();
  t.expectations[0].expected = true;
  EXPECT_EQ(check_expectations(t, versions(true, false), exact()).differences.at(0).signature,
            "tensor/version: true -> false");
}

/// The signature of a block with this pattern whose statements do not raise.
std::string missed(const std::string& match) {
  program::Test t;
  t.script.names = {"x"};
  t.script.statements = {{MakeTensor{kX, Dtype::float32, {}, {0}}, 1}, {Try{}, 2}, add(3), {EndTry{}, 2}};
  t.errors = {{1, 3, "RuntimeError", match, 2}};
  Trace trace;
  trace.outcomes.resize(4);
  for (std::size_t i = 0; i < 4; ++i) trace.outcomes[i].statement = i;
  return check_expectations(t, trace, exact()).differences.at(0).signature;
}

TEST(Blocks, a_block_that_did_not_raise_is_named_by_the_class_that_its_pattern_fits) {
  EXPECT_EQ(missed("Inplace update to inference tensor"), "add_.Tensor/error: inference_inplace -> none");
  EXPECT_EQ(missed("Inplace update to inference tensor|do not track version"),
            "add_.Tensor/error: RuntimeError -> none");
  EXPECT_EQ(missed("no message has this"), "add_.Tensor/error: RuntimeError -> none");
  EXPECT_EQ(missed(""), "add_.Tensor/error: RuntimeError -> none");
}

TEST(Blocks, a_block_around_a_reading_blames_the_statement_that_made_the_tensor) {
  program::Test t;
  t.script.names = {"x"};
  t.script.statements = {
      {MakeTensor{kX, Dtype::float32, {}, {0}}, 1}, {Try{}, 2}, {Read{kX, Field::version}, 3}, {EndTry{}, 2}};
  t.errors = {{1, 3, "RuntimeError", "", 2}};
  Trace trace;
  trace.outcomes.resize(4);
  for (std::size_t i = 0; i < 4; ++i) trace.outcomes[i].statement = i;
  trace.outcomes[2].reading = std::int64_t{0};
  const Comparison c = check_expectations(t, trace, exact());
  EXPECT_EQ(c.differences.at(0).blamed, 0U);
  EXPECT_EQ(c.differences[0].statement, 2U);
  EXPECT_EQ(c.differences[0].what, "version of x");
}

/// Whether a block around all but the first statement catches the error of the last statement but one.
bool caught(const std::vector<StatementKind>& kinds) {
  program::Test t;
  t.script.names = {"x"};
  for (const StatementKind& kind : kinds) t.script.statements.push_back({kind, 1});
  t.errors = {{1, kinds.size() - 1, "RuntimeError", "", 1}};
  Trace trace;
  trace.outcomes.resize(kinds.size());
  for (std::size_t i = 0; i < kinds.size(); ++i) trace.outcomes[i].statement = i;
  trace.outcomes[kinds.size() - 2].failure = {ErrorClass::shape, "in words", "RuntimeError"};
  return check_expectations(t, trace, exact()).verdict == Verdict::pass;
}

TEST(Blocks, blocks_catch_only_in_their_own_thread) {
  const MakeTensor makes{kX, Dtype::float32, {}, {0}};
  const StatementKind raises = add(1).kind;
  EXPECT_TRUE(caught({makes, Try{}, raises, EndTry{}}));
  EXPECT_TRUE(caught({makes, Try{}, StartThread{}, makes, JoinThread{}, raises, EndTry{}})) << "the thread has ended";
  EXPECT_FALSE(caught({makes, Try{}, StartThread{}, raises, EndTry{}}));
  EXPECT_TRUE(caught({StartThread{}, Try{}, raises, EndTry{}})) << "both are in the thread";
  EXPECT_TRUE(caught({makes, Try{}, StartThread{}, StartThread{}, JoinThread{}, JoinThread{}, raises, EndTry{}}));
  EXPECT_FALSE(caught({makes, Try{}, StartThread{}, StartThread{}, JoinThread{}, raises, EndTry{}}));
  EXPECT_TRUE(caught({makes, Try{}, JoinThread{}, raises, EndTry{}})) << "the thread never started";
}

TEST(Blocks, the_innermost_block_catches) {
  program::Test t;
  t.script.names = {"x"};
  t.script.statements = {
      {Try{}, 1}, {Try{}, 2}, {MakeTensor{kX, Dtype::float32, {}, {0}}, 3}, {EndTry{}, 2}, {EndTry{}, 1}};
  t.errors = {{0, 4, "IndexError", "", 1}, {1, 3, "RuntimeError", "", 2}};
  Trace trace;
  for (const std::size_t at : {0U, 1U, 2U}) {
    trace.outcomes.emplace_back();
    trace.outcomes.back().statement = at;
  }
  trace.outcomes[2].failure = {ErrorClass::shape, "in words", "RuntimeError"};
  trace.completed = false;
  EXPECT_EQ(check_expectations(t, trace, exact()).verdict, Verdict::pass);
  std::swap(t.errors[0], t.errors[1]);
  EXPECT_EQ(check_expectations(t, trace, exact()).verdict, Verdict::pass) << "the order of the list does not matter";
  t.errors[0].exception = "IndexError";
  EXPECT_EQ(check_expectations(t, trace, exact()).verdict, Verdict::divergent);
}

}  // namespace
}  // namespace plumbline::expectations_forms_test
