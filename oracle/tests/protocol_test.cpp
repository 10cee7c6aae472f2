// The protocol's messages: what is written reads back the same, and what is not of the protocol is refused by its place.
#include "oracle/protocol/protocol.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <functional>
#include <limits>

namespace plumbline {
namespace {

/// For EXPECT_PRED2.
bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Random messages: only JSON's text is random in them, not the sense of the programs.

std::int64_t any_integer() {
  return *rc::gen::oneOf(rc::gen::inRange<std::int64_t>(-3, 4), rc::gen::arbitrary<std::int64_t>(),
                         rc::gen::element(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()));
}
double any_number() {
  using Limits = std::numeric_limits<double>;
  return *rc::gen::oneOf(rc::gen::arbitrary<double>(), rc::gen::map(rc::gen::inRange(-5, 5), [](int i) { return double(i); }),
                         rc::gen::element(-0.0, Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(), Limits::max(),
                                          Limits::denorm_min(), 1e22, 0.1));
}
bool any_truth() { return *rc::gen::arbitrary<bool>(); }
int below(int n) { return *rc::gen::inRange(0, n); }
Slot any_slot() { return static_cast<Slot>(below(50)); }
std::string any_text() { return *rc::gen::element<std::string>("", "a", "\"\\\n\t\x01", "größe ✓", "RuntimeError", "x[0] {\"k\": 1}"); }

template <class F>
auto some(int most, F item) {
  std::vector<std::invoke_result_t<F>> all(static_cast<std::size_t>(below(most + 1)));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = item();
  return all;
}
std::vector<std::int64_t> any_integers() { return some(4, any_integer); }

Value any_value() {
  switch (below(7)) {
    case 0: return None{};
    case 1: return any_truth();
    case 2: return any_integer();
    case 3: return any_number();
    case 4: return static_cast<Dtype>(below(kDtypeNames.size()));
    case 5: return any_integers();
    default: return any_slot();
  }
}

StatementKind any_statement() {
  switch (below(10)) {
    case 0: {
      const auto id = static_cast<OpId>(below(static_cast<int>(op_table().size())));
      Call call{id, {}, some(3, any_slot), any_truth()};
      for (std::size_t i = 0; i < op(id).arguments.size(); ++i) call.arguments.push_back(any_value());
      return call;
    }
    case 1: {
      MakeTensor make{any_slot(), Dtype::float64, {below(3), below(3)}, {}, any_truth()};
      for (std::int64_t i = 0; i < make.sizes[0] * make.sizes[1]; ++i) make.values.push_back(any_number());
      return make;
    }
    case 2: return Enter{static_cast<GuardKind>(below(4)), any_truth()};
    case 3: return Exit{};
    case 4: return Try{};
    case 5: return EndTry{};
    case 6: return SetRequiresGrad{any_slot(), any_truth()};
    case 7: return Read{any_slot(), static_cast<Field>(below(kFields))};
    case 8: return ReadThread{static_cast<ThreadField>(below(kThreadFields))};
    default: return Snapshot{};
  }
}

Script any_script() {
  return {some(12, [] { return Statement{any_statement(), below(100)}; }), some(5, any_text)};
}

Failure any_failure() {
  return {static_cast<ErrorClass>(1 + below(static_cast<int>(ErrorClass::unclassified))), any_text(), any_text()};
}

Values any_values() {
  Values v;
  if (any_truth())
    v.floats = some(6, any_number);
  else
    v.integers = any_integers();
  if (any_truth()) v.known.assign(v.floats.size() + v.integers.size(), any_truth());
  v.exact = any_truth();
  return v;
}

Reading any_reading() {
  switch (below(10)) {
    case 0: return std::monostate{};
    case 1: return None{};
    case 2: return any_truth();
    case 3: return any_integer();
    case 4: return any_text();
    case 5: return any_integers();
    case 6: return some(3, any_text);
    case 7: return any_values();
    case 8: return any_failure();
    default: return Unspecified{any_text()};
  }
}

std::vector<Reading> readings(int count) {
  std::vector<Reading> all;
  for (int i = 0; i < count; ++i) all.push_back(any_reading());
  return all;
}

Trace any_trace() {
  const auto outcome = [] {
    Outcome o;
    o.statement = static_cast<std::size_t>(below(1000));
    if (any_truth()) o.failure = any_failure();
    if (any_truth()) o.reading = any_reading();
    if (any_truth()) {
      o.thread = readings(kThreadFields);
      o.tensors = some(3, [] { return TensorReading{any_slot(), readings(kFields)}; });
    }
    return o;
  };
  return {some(5, outcome), any_truth()};
}

// Equality, written out: the types have none. A NaN equals a NaN, and -0.0 is not 0.0.

bool same(double a, double b) { return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b)); }
bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) { return same(x, y); });
}
bool same(const Failure& a, const Failure& b) {
  return a.error == b.error && a.message == b.message && a.exception == b.exception;
}
bool same(const Values& a, const Values& b) {
  return same(a.floats, b.floats) && a.integers == b.integers && a.known == b.known && a.exact == b.exact;
}
template <class T>
bool same(const T& a, const T& b)
  requires std::equality_comparable<T>
{
  return a == b;
}
bool same(std::monostate, std::monostate) { return true; }
bool same(const Statement& a, const Statement& b);
bool same(const TensorReading& a, const TensorReading& b);
bool same(const Outcome& a, const Outcome& b);
template <class... T>
bool same(const std::variant<T...>& a, const std::variant<T...>& b);
template <class T>
bool same_list(const std::vector<T>& a, const std::vector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const T& x, const T& y) { return same(x, y); });
}
bool same(const Call& a, const Call& b) {
  return a.op == b.op && same_list(a.arguments, b.arguments) && a.results == b.results && a.requires_grad == b.requires_grad;
}
bool same(const MakeTensor& a, const MakeTensor& b) {
  return a.result == b.result && a.dtype == b.dtype && a.sizes == b.sizes && same(a.values, b.values) && a.requires_grad == b.requires_grad;
}
bool same(const Enter& a, const Enter& b) { return a.kind == b.kind && a.value == b.value; }
bool same(const SetRequiresGrad& a, const SetRequiresGrad& b) { return a.tensor == b.tensor && a.value == b.value; }
bool same(const Read& a, const Read& b) { return a.tensor == b.tensor && a.field == b.field; }
bool same(const ReadThread& a, const ReadThread& b) { return a.field == b.field; }
bool same(Exit, Exit) { return true; }
bool same(Try, Try) { return true; }
bool same(EndTry, EndTry) { return true; }
bool same(Snapshot, Snapshot) { return true; }
template <class... T>
bool same(const std::variant<T...>& a, const std::variant<T...>& b) {
  return std::visit([]<class A, class B>(const A& x, const B& y) {
    if constexpr (std::same_as<A, B>) return same(x, y);
    return false;
  }, a, b);
}
bool same(const Statement& a, const Statement& b) { return a.line == b.line && same(a.kind, b.kind); }
bool same(const TensorReading& a, const TensorReading& b) { return a.tensor == b.tensor && same_list(a.fields, b.fields); }
bool same(const Outcome& a, const Outcome& b) {
  return a.statement == b.statement && same(a.failure, b.failure) && same(a.reading, b.reading) &&
         same_list(a.thread, b.thread) && same_list(a.tensors, b.tensors);
}
bool same(const Script& a, const Script& b) { return a.names == b.names && same_list(a.statements, b.statements); }
bool same(const Trace& a, const Trace& b) { return a.completed == b.completed && same_list(a.outcomes, b.outcomes); }

TEST(Protocol, a_script_reads_back_the_same) {
  EXPECT_TRUE(rc::check([] {
    const Script script = any_script();
    const std::string line = encode(script);
    RC_ASSERT(line.find('\n') == std::string::npos);
    RC_ASSERT(same(decode_script(line), script));
    const Request request = decode_request(encode_run(7, script));
    RC_ASSERT(std::get<RunRequest>(request).id == 7);
    RC_ASSERT(same(std::get<RunRequest>(request).script, script));
  }));
}

TEST(Protocol, a_trace_reads_back_the_same) {
  EXPECT_TRUE(rc::check([] {
    const Trace trace = any_trace();
    const std::string line = encode(trace);
    RC_ASSERT(line.find('\n') == std::string::npos);
    RC_ASSERT(same(decode_trace(line, "2.13"), trace));
    RC_ASSERT(same(std::get<Trace>(decode_reply(encode_reply({-1, trace}), "2.13").result), trace));
  }));
}

TEST(Protocol, a_description_reads_back_the_same) {
  Description d{"mine", "0.1 \"beta\"", "sound", {}, {}, Strictness::kind, {3}};
  d.fields[4] = Strictness::exact;
  d.thread[1] = Strictness::exact;
  const Description e = decode_description(encode(d));
  EXPECT_EQ(e.name, d.name);
  EXPECT_EQ(e.version, d.version);
  EXPECT_EQ(e.profile, d.profile);
  EXPECT_EQ(e.fields, d.fields);
  EXPECT_EQ(e.thread, d.thread);
  EXPECT_EQ(e.errors, d.errors);
  EXPECT_EQ(e.closeness.ulps, 3);
}

TEST(Protocol, the_other_messages_read_back_the_same) {
  EXPECT_TRUE(std::holds_alternative<StartRequest>(decode_request(encode_start())));
  EXPECT_TRUE(std::holds_alternative<StopRequest>(decode_request(encode_stop())));
  EXPECT_EQ(std::get<CannotRun>(decode_reply(encode_reply({3, CannotRun{"why"}}), "2.13").result).why, "why");
}

TEST(Protocol, numbers_keep_their_type) {
  const auto id = static_cast<std::size_t>(*find_op("add_", "Tensor"));
  const Script script{{{Call{static_cast<OpId>(id), {Slot{0}, 1.0, std::int64_t{1}}, {}}, 0}}, {"x"}};
  EXPECT_PRED2(contains, encode(script), R"([{"slot":0},1.0,1])");
}

TEST(Protocol, an_error_without_a_class_is_classified_by_its_message) {
  const Trace trace = decode_trace(
      R"({"completed":false,"outcomes":[{"statement":0,"error":{"message":"Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details.","exception":"RuntimeError"}}]})", "2.13");
  EXPECT_EQ(trace.outcomes[0].failure.error, ErrorClass::inference_inplace);
}

/// A message, the place in it that is wrong, and a part of what is said of it.
struct Bad {
  std::string_view line, path, message;
};

template <class Decode>
void expect_refused(std::initializer_list<Bad> all, Decode decode) {
  for (const Bad& bad : all) try {
      decode(bad.line);
      ADD_FAILURE() << "not refused: " << bad.line;
    } catch (const ProtocolError& e) {
      EXPECT_EQ(e.path, bad.path) << bad.line << ": " << e.what();
      EXPECT_PRED2(contains, e.what(), std::string(bad.message)) << bad.line;
    }
}

TEST(Protocol, bad_requests_are_refused_by_their_place) {
  expect_refused(
      {{"", "$", "one JSON object on one line"},
       {"{\"cmd\":\"sta", "$", "11 bytes that begin with"},
       {"[]", "$", "an object, found []"},
       {"\xff\xfe", "$", "one JSON object"},
       {R"({"cmd":"go"})", "$.cmd", "start, run or stop, found \"go\""},
       {R"({"cmd":7})", "$.cmd", "a string, found 7"},
       {R"({"cmd":"start"})", "$", "a member \"protocol\""},
       {R"({"cmd":"start","protocol":2})", "$.protocol", "an integer from 1 to 1, found 2"},
       {R"({"cmd":"stop","now":true})", "$", "no member \"now\""},
       {R"({"cmd":"run","id":1.5,"script":{}})", "$.id", "an integer of 64 bits, found 1.5"},
       {R"({"cmd":"run","id":9223372036854775808,"script":{}})", "$.id", "an integer of 64 bits"},
       {R"({"cmd":"run","id":1,"script":{"names":[]}})", "$.script", "a member \"statements\""},
       {R"({"cmd":"run","id":1,"script":{"names":[1],"statements":[]}})", "$.script.names[0]", "a string"}},
      [](std::string_view line) { decode_request(line); });
}

TEST(Protocol, bad_statements_are_refused_by_their_place) {
  const auto in_script = [](std::string_view statement) {
    decode_script("{\"names\":[\"x\"],\"statements\":[{\"do\":\"snapshot\"}," + std::string(statement) + "]}");
  };
  expect_refused(
      {{R"({"do":"jump"})", "$.statements[1].do", "call, make, enter"},
       {R"({})", "$.statements[1]", "a member \"do\""},
       {R"(3)", "$.statements[1]", "an object"},
       {R"({"do":"exit","guard":"no_grad"})", "$.statements[1]", "no member \"guard\""},
       {R"({"do":"exit","line":-1})", "$.statements[1].line", "an integer from 0"},
       {R"({"do":"enter","guard":"grad","value":true})", "$.statements[1].guard", "one of \"inference_mode\", \"no_grad\""},
       {R"({"do":"enter","guard":"no_grad","value":1})", "$.statements[1].value", "true or false"},
       {R"({"do":"read","tensor":-1,"field":"version"})", "$.statements[1].tensor", "an integer from 0"},
       {R"({"do":"read","tensor":0,"field":"grad"})", "$.statements[1].field", "one of \"dtype\""},
       {R"({"do":"read_thread","field":"version"})", "$.statements[1].field", "one of \"inference_mode\""},
       {R"({"do":"call","op":"frobnicate","arguments":[],"results":[]})", "$.statements[1].op", "an op of the table"},
       {R"({"do":"call","op":"mm","arguments":[{"slot":0}],"results":[]})", "$.statements[1].arguments", "2 arguments for mm"},
       {R"({"do":"call","op":"mm","arguments":[{"slot":0},"one"],"results":[]})", "$.statements[1].arguments[1]", "a dtype"},
       {R"({"do":"call","op":"mm","arguments":[{"slot":0},{"slut":0}],"results":[]})", "$.statements[1].arguments[1]", "no member \"slut\""},
       {R"({"do":"call","op":"mm","arguments":[{"slot":0},[1,2.5]],"results":[]})", "$.statements[1].arguments[1][1]", "an integer"},
       {R"({"do":"make","result":0,"dtype":"int8","sizes":[],"values":[1]})", "$.statements[1].dtype", "one of \"float32\""},
       {R"({"do":"make","result":0,"dtype":"int64","sizes":[2],"values":[1]})", "$.statements[1].values", "2 values"},
       {R"({"do":"make","result":0,"dtype":"int64","sizes":[1],"values":[1.5]})", "$.statements[1].values", "integers up to 2^53"},
       {R"({"do":"make","result":0,"dtype":"int64","sizes":[-1],"values":[]})", "$.statements[1].sizes", "sizes from 0"},
       {R"({"do":"make","result":0,"dtype":"int64","sizes":[9223372036854775807,9],"values":[]})", "$.statements[1].sizes", "64 bits"}},
      in_script);
}

TEST(Protocol, bad_replies_are_refused_by_their_place) {
  const auto in_reply = [](std::string_view outcome) {
    decode_reply("{\"id\":1,\"trace\":{\"completed\":true,\"outcomes\":[" + std::string(outcome) + "]}}", "2.13");
  };
  expect_refused({{R"({"id":1})", "$", "either \"trace\" or \"unsupported\""},
                  {R"({"unsupported":"x"})", "$", "a member \"id\""},
                  {R"({"id":"1","unsupported":"x"})", "$.id", "an integer"},
                  {R"({"id":1,"trace":{"outcomes":[]}})", "$.trace", "a member \"completed\""}},
                 [](std::string_view line) { decode_reply(line, "2.13"); });
  const std::string at = "$.trace.outcomes[0]";
  expect_refused({{R"({})", at, "a member \"statement\""},
                  {R"({"statement":-1})", "$.trace.outcomes[0].statement", "an integer from 0"},
                  {R"({"statement":0,"reading":1.5})", "$.trace.outcomes[0].reading", "an integer of 64 bits"},
                  {R"({"statement":0,"reading":{}})", "$.trace.outcomes[0].reading", "one of the members"},
                  {R"({"statement":0,"reading":{"floats":["x"]}})", "$.trace.outcomes[0].reading.floats[0]", "a number, \"nan\""},
                  {R"({"statement":0,"reading":{"floats":[1],"known":[]}})", "$.trace.outcomes[0].reading.known", "1 truths"},
                  {R"({"statement":0,"reading":{"names":[1]}})", "$.trace.outcomes[0].reading.names[0]", "a string"},
                  {R"({"statement":0,"reading":{"unsupported":false}})", "$.trace.outcomes[0].reading.unsupported", "true"},
                  {R"({"statement":0,"error":{"class":"oops","message":"","exception":""}})", "$.trace.outcomes[0].error.class", "an error class"},
                  {R"({"statement":0,"error":{"class":"none","message":"","exception":""}})", "$.trace.outcomes[0].error.class", "an error class"},
                  {R"({"statement":0,"thread":[]})", at, "\"thread\" and \"tensors\" together"},
                  {R"({"statement":0,"thread":[],"tensors":[]})", "$.trace.outcomes[0].thread", "4 readings"},
                  {R"({"statement":0,"thread":[1,1,1,1],"tensors":[{"tensor":0,"fields":[]}]})", "$.trace.outcomes[0].tensors[0].fields", "15 readings"}},
                 in_reply);
}

TEST(Protocol, traces_that_the_script_cannot_have_are_refused) {
  const Script script{{{Try{}}, {Read{Slot{0}, Field::sizes}}, {ReadThread{ThreadField::grad_mode}}, {Snapshot{}}}, {"x"}};
  const auto check = [&](std::string_view outcomes) {
    check_trace(decode_trace("{\"completed\":true,\"outcomes\":[" + std::string(outcomes) + "]}", "2.13"), script);
  };
  check(R"({"statement":1,"reading":[2]},{"statement":2,"reading":true},{"statement":3,"thread":[true,true,{"names":[]},{"names":[]}],"tensors":[]})");
  expect_refused(
      {{R"({"statement":4})", "$.trace.outcomes[0].statement", "statements below 4"},
       {R"({"statement":2,"reading":true},{"statement":2,"reading":true})", "$.trace.outcomes[1].statement", "rising order"},
       {R"({"statement":0,"reading":true})", "$.trace.outcomes[0].reading", "no reading"},
       {R"({"statement":1,"reading":true})", "$.trace.outcomes[0].reading", "an array of integers for sizes"},
       {R"({"statement":2,"reading":1})", "$.trace.outcomes[0].reading", "true or false for grad_mode"},
       {R"({"statement":3})", "$.trace.outcomes[0].thread", "the readings of a snapshot"},
       {R"({"statement":0,"thread":[true,true,{"names":[]},{"names":[]}],"tensors":[]})", "$.trace.outcomes[0].thread", "no snapshot"},
       {R"({"statement":3,"thread":[true,true,[],{"names":[]}],"tensors":[]})", "$.trace.outcomes[0].thread[2]", "for included"},
       {R"({"statement":3,"thread":[true,true,{"names":[]},{"names":[]}],"tensors":[{"tensor":1,"fields":["float32",[],[],0,{"floats":[]},0,{"names":[]},true,0,true,true,true,true,0,null]}]})",
        "$.trace.outcomes[0].tensors[0].tensor", "slots below 1"},
       {R"({"statement":3,"thread":[true,true,{"names":[]},{"names":[]}],"tensors":[{"tensor":0,"fields":["float32",[],0,0,{"floats":[]},0,{"names":[]},true,0,true,true,true,true,0,null]}]})",
        "$.trace.outcomes[0].tensors[0].fields[2]", "for strides"}},
      check);
  EXPECT_THROW(check_trace(Trace{{}, false}, script), ProtocolError);
}

}  // namespace
}  // namespace plumbline
