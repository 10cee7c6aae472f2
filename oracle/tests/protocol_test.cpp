// The protocol's messages: what is written reads back the same.
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
  return *rc::gen::oneOf(
      rc::gen::inRange<std::int64_t>(-3, 4), rc::gen::arbitrary<std::int64_t>(),
      rc::gen::element(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()));
}
double any_number() {
  using Limits = std::numeric_limits<double>;
  return *rc::gen::oneOf(rc::gen::arbitrary<double>(),
                         rc::gen::map(rc::gen::inRange(-5, 5), [](int i) { return double(i); }),
                         rc::gen::element(-0.0, Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(),
                                          Limits::max(), Limits::denorm_min(), 1e22, 0.1));
}
bool any_truth() { return *rc::gen::arbitrary<bool>(); }
int below(int n) { return *rc::gen::inRange(0, n); }
Slot any_slot() { return static_cast<Slot>(below(50)); }
std::string any_text() {
  return *rc::gen::element<std::string>("", "a", "\"\\\n\t\x01", "größe ✓", "RuntimeError", "x[0] {\"k\": 1}");
}

template <class F>
auto some(int most, F item) {
  std::vector<std::invoke_result_t<F>> all(static_cast<std::size_t>(below(most + 1)));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = item();
  return all;
}
std::vector<std::int64_t> any_integers() { return some(4, any_integer); }

Value any_value() {
  switch (below(8)) {
    case 0:
      return None{};
    case 1:
      return any_truth();
    case 2:
      return any_integer();
    case 3:
      return any_number();
    case 4:
      return static_cast<Dtype>(below(kDtypeNames.size()));
    case 5:
      return any_integers();
    case 6:
      return some(3, any_slot);
    default:
      return any_slot();
  }
}

Enter any_enter() {
  Enter enter{static_cast<GuardKind>(below(9)), any_truth()};
  if (enter.kind == GuardKind::exclude_key || enter.kind == GuardKind::include_key)
    enter.key = static_cast<GuardKey>(below(kGuardKeyNames.size()));
  return enter;
}

std::vector<Slot> slots(std::size_t count) {
  std::vector<Slot> all(count);
  for (Slot& slot : all) slot = any_slot();
  return all;
}
std::optional<Slot> perhaps_a_slot() { return any_truth() ? std::optional(any_slot()) : std::nullopt; }

Call any_call() {
  const auto id = static_cast<OpId>(below(static_cast<int>(op_table().size())));
  const Op& o = op(id);
  Call call{id, {}, o.many_results ? some(3, any_slot) : slots(any_truth() ? o.results : 0), any_truth()};
  for (std::size_t i = 0; i < o.arguments.size(); ++i) call.arguments.push_back(any_value());
  return call;
}

StatementKind any_statement() {
  switch (below(17)) {
    case 0:
      return any_call();
    case 1: {
      MakeTensor make{any_slot(), Dtype::float64, {below(3), below(3)}, {}, any_truth()};
      for (std::int64_t i = 0; i < make.sizes[0] * make.sizes[1]; ++i) make.values.push_back(any_number());
      return make;
    }
    case 2:
      return any_enter();
    case 3:
      return Exit{};
    case 4:
      return Try{};
    case 5:
      return EndTry{};
    case 6:
      return SetRequiresGrad{any_slot(), any_truth(), any_truth()};
    case 7:
      return Read{any_slot(), static_cast<Field>(below(kFields))};
    case 8:
      return ReadThread{static_cast<ThreadField>(below(kThreadFields))};
    case 9:
      return GetData{any_slot(), any_slot()};
    case 10:
      return SetData{any_slot(), any_slot()};
    case 11:
      return Backward{any_slot(), perhaps_a_slot(), any_truth()};
    case 12:
      return GetGrad{any_slot(), any_slot()};
    case 13:
      return SetGrad{any_slot(), perhaps_a_slot()};
    case 14:
      return RetainGrad{any_slot()};
    case 15:
      return ManualSeed{any_integer()};
    default:
      return Snapshot{};
  }
}

StatementKind any_statement_of_backward() {
  switch (below(5)) {
    case 0:
      return any_call();
    case 1:
      return any_enter();
    case 2:
      return Exit{};
    case 3:
      return any_truth() ? StatementKind(Try{}) : EndTry{};
    default:
      return LoadSaved{some(3, any_slot)};
  }
}

/// Statements with forwards and threads among them, which nest.
void add_statements(Script& script, int depth) {
  const auto add = [&](StatementKind kind) { script.statements.push_back({std::move(kind), below(100)}); };
  for (int i = 0, n = below(6); i < n; ++i) {
    const int kind = below(depth > 0 ? 8 : 6);
    if (kind < 6) {
      add(any_statement());
    } else if (kind == 6) {
      add(StartThread{});
      add_statements(script, depth - 1);
      add(JoinThread{});
    } else {
      const auto gradients = some(2, any_slot);
      const auto returned = some(3, perhaps_a_slot);
      add(EnterForward{static_cast<std::int32_t>(script.functions.size()), slots(returned.size())});
      const auto body = some(3, [] { return Statement{any_statement_of_backward(), below(100)}; });
      script.functions.push_back({any_text(), gradients, body, returned});
      if (any_truth()) add(ContextCall{static_cast<ContextKind>(below(3)), some(3, any_slot)});
      add_statements(script, depth - 1);
      add(LeaveForward{slots(gradients.size()), slots(gradients.size())});
    }
  }
}

Script any_script() {
  Script script;
  script.names = some(5, any_text);
  add_statements(script, 2);
  return script;
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
  if (any_truth() && v.integers.empty())
    for (std::size_t i = 0; i < v.floats.size(); ++i) v.bounds.push_back(any_number());
  return v;
}

Reading any_reading() {
  switch (below(10)) {
    case 0:
      return std::monostate{};
    case 1:
      return None{};
    case 2:
      return any_truth();
    case 3:
      return any_integer();
    case 4:
      return any_text();
    case 5:
      return any_integers();
    case 6:
      return some(3, any_text);
    case 7:
      return any_values();
    case 8:
      return any_failure();
    default:
      return any_truth() ? Unspecified{any_text(), -1, 0} : Unspecified{any_text(), below(1000), below(1000)};
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
    if (any_truth())
      o.kernels =
          some(3, [] { return KernelRun{static_cast<Functionality>(1 + below(kFunctionalities)), any_truth()}; });
    if (any_truth()) {
      o.thread = readings(kThreadFields);
      o.tensors = some(3, [] { return TensorReading{any_slot(), readings(kFields)}; });
    }
    return o;
  };
  return {some(5, outcome), any_truth()};
}

// Equality, written out: the types have none. A NaN equals a NaN, and -0.0 is not 0.0.

bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}
bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) { return same(x, y); });
}
bool same(const Failure& a, const Failure& b) {
  return a.error == b.error && a.message == b.message && a.exception == b.exception;
}
bool same(const Values& a, const Values& b) {
  return same(a.floats, b.floats) && a.integers == b.integers && a.known == b.known && same(a.bounds, b.bounds);
}
template <class T>
bool same(const T& a, const T& b)
  requires std::equality_comparable<T>
{
  return a == b;
}
bool same(std::monostate, std::monostate) { return true; }
bool same(const Statement& a, const Statement& b);
bool same(const CustomBackward& a, const CustomBackward& b);
bool same(const TensorReading& a, const TensorReading& b);
bool same(const Outcome& a, const Outcome& b);
template <class... T>
bool same(const std::variant<T...>& a, const std::variant<T...>& b);
template <class T>
bool same_list(const std::vector<T>& a, const std::vector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const T& x, const T& y) { return same(x, y); });
}
bool same(const Call& a, const Call& b) {
  return a.op == b.op && same_list(a.arguments, b.arguments) && a.results == b.results &&
         a.requires_grad == b.requires_grad;
}
bool same(const MakeTensor& a, const MakeTensor& b) {
  return a.result == b.result && a.dtype == b.dtype && a.sizes == b.sizes && same(a.values, b.values) &&
         a.requires_grad == b.requires_grad;
}
bool same(const Enter& a, const Enter& b) { return a.kind == b.kind && a.value == b.value && a.key == b.key; }
bool same(const GetData& a, const GetData& b) { return a.result == b.result && a.tensor == b.tensor; }
bool same(const SetData& a, const SetData& b) { return a.tensor == b.tensor && a.data == b.data; }
bool same(const Backward& a, const Backward& b) {
  return a.tensor == b.tensor && a.gradient == b.gradient && a.retain_graph == b.retain_graph;
}
bool same(const SetGrad& a, const SetGrad& b) { return a.tensor == b.tensor && a.grad == b.grad; }
bool same(const RetainGrad& a, const RetainGrad& b) { return a.tensor == b.tensor; }
bool same(const ManualSeed& a, const ManualSeed& b) { return a.seed == b.seed; }
bool same(StartThread, StartThread) { return true; }
bool same(JoinThread, JoinThread) { return true; }
bool same(const EnterForward& a, const EnterForward& b) { return a.function == b.function && a.inputs == b.inputs; }
bool same(const LeaveForward& a, const LeaveForward& b) { return a.returned == b.returned && a.results == b.results; }
bool same(const ContextCall& a, const ContextCall& b) { return a.kind == b.kind && a.tensors == b.tensors; }
bool same(const LoadSaved& a, const LoadSaved& b) { return a.results == b.results; }
bool same(const GetGrad& a, const GetGrad& b) { return a.result == b.result && a.tensor == b.tensor; }
bool same(const SetRequiresGrad& a, const SetRequiresGrad& b) {
  return a.tensor == b.tensor && a.value == b.value && a.method == b.method;
}
bool same(const Read& a, const Read& b) { return a.tensor == b.tensor && a.field == b.field; }
bool same(const ReadThread& a, const ReadThread& b) { return a.field == b.field; }
bool same(Exit, Exit) { return true; }
bool same(Try, Try) { return true; }
bool same(EndTry, EndTry) { return true; }
bool same(Snapshot, Snapshot) { return true; }
template <class... T>
bool same(const std::variant<T...>& a, const std::variant<T...>& b) {
  return std::visit(
      []<class A, class B>(const A& x, const B& y) {
        if constexpr (std::same_as<A, B>) return same(x, y);
        return false;
      },
      a, b);
}
bool same(const Statement& a, const Statement& b) { return a.line == b.line && same(a.kind, b.kind); }
bool same(const TensorReading& a, const TensorReading& b) {
  return a.tensor == b.tensor && same_list(a.fields, b.fields);
}
bool same(const Outcome& a, const Outcome& b) {
  return a.statement == b.statement && same(a.failure, b.failure) && same(a.reading, b.reading) &&
         a.kernels == b.kernels && same_list(a.thread, b.thread) && same_list(a.tensors, b.tensors);
}
bool same(const CustomBackward& a, const CustomBackward& b) {
  return a.name == b.name && a.gradients == b.gradients && same_list(a.statements, b.statements) &&
         a.returned == b.returned;
}
bool same(const Script& a, const Script& b) {
  return a.names == b.names && same_list(a.statements, b.statements) && same_list(a.functions, b.functions);
}
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
  const Script joined{{{Call{*find_op("cat", ""), {std::vector<Slot>{Slot{0}, Slot{1}}, std::int64_t{0}}, {}}, 0}}, {}};
  EXPECT_PRED2(contains, encode(joined), R"([{"slots":[0,1]},0])");
}

TEST(Protocol, unsafe_statements_are_written_as_documented) {
  const auto written = [](StatementKind kind) { return encode(Script{{{std::move(kind), 0}}, {}}); };
  const auto script = [](const std::string& statement) { return R"({"names":[],"statements":[)" + statement + "]}"; };
  EXPECT_EQ(written(Enter{GuardKind::exclude_key, true, GuardKey::ADInplaceOrView}),
            script(R"({"do":"enter","guard":"exclude_key","value":true,"key":"ADInplaceOrView"})"));
  EXPECT_EQ(written(Enter{GuardKind::include_key, true, GuardKey::AutogradCPU}),
            script(R"({"do":"enter","guard":"include_key","value":true,"key":"AutogradCPU"})"));
  EXPECT_EQ(written(Enter{GuardKind::below_autograd}),
            script(R"({"do":"enter","guard":"below_autograd","value":true})"));
  EXPECT_EQ(written(Enter{GuardKind::below_ad_inplace_or_view}),
            script(R"({"do":"enter","guard":"below_ad_inplace_or_view","value":true})"));
  EXPECT_EQ(written(Enter{GuardKind::auto_non_variable_type_mode}),
            script(R"({"do":"enter","guard":"auto_non_variable_type_mode","value":true})"));
  EXPECT_EQ(written(GetData{Slot{1}, Slot{0}}), script(R"({"do":"get_data","result":1,"tensor":0})"));
  EXPECT_EQ(written(SetData{Slot{0}, Slot{1}}), script(R"({"do":"set_data","tensor":0,"data":1})"));
  EXPECT_EQ(written(Backward{Slot{0}}), script(R"({"do":"backward","tensor":0})"));
  EXPECT_EQ(written(GetGrad{Slot{1}, Slot{0}}), script(R"({"do":"get_grad","result":1,"tensor":0})"));
}

TEST(Protocol, statements_of_autograd_and_threads_are_written_as_documented) {
  const Slot x{0}, y{1};
  const auto written = [](StatementKind kind) { return encode(Script{{{std::move(kind), 0}}, {}}); };
  const auto script = [](const std::string& statement) { return R"({"names":[],"statements":[)" + statement + "]}"; };
  EXPECT_EQ(written(SetRequiresGrad{x, true, true}),
            script(R"({"do":"set_requires_grad","tensor":0,"value":true,"method":true})"));
  EXPECT_EQ(written(Backward{x, y, true}),
            script(R"({"do":"backward","tensor":0,"gradient":1,"retain_graph":true})"));
  EXPECT_EQ(written(SetGrad{x, y}), script(R"({"do":"set_grad","tensor":0,"grad":1})"));
  EXPECT_EQ(written(SetGrad{x}), script(R"({"do":"set_grad","tensor":0})"));
  EXPECT_EQ(written(RetainGrad{x}), script(R"({"do":"retain_grad","tensor":0})"));
  EXPECT_EQ(written(ManualSeed{7}), script(R"({"do":"manual_seed","seed":7})"));
  EXPECT_EQ(written(StartThread{}), script(R"({"do":"start_thread"})"));
  EXPECT_EQ(written(JoinThread{}), script(R"({"do":"join_thread"})"));
  EXPECT_EQ(written(EnterForward{0, {x, y}}), script(R"({"do":"enter_forward","function":0,"inputs":[0,1]})"));
  EXPECT_EQ(written(LeaveForward{{x}, {y}}), script(R"({"do":"leave_forward","returned":[0],"results":[1]})"));
  EXPECT_EQ(written(ContextCall{ContextKind::mark_dirty, {x}}), script(R"({"do":"mark_dirty","tensors":[0]})"));
  EXPECT_EQ(encode(Script{{}, {}, {{"F", {x}, {{LoadSaved{{y}}}}, {x, std::nullopt}}}}),
            R"({"names":[],"statements":[],"functions":[{"name":"F","gradients":[0],"statements":)"
            R"([{"do":"load_saved","results":[1]}],"returned":[0,null]}]})");
}

TEST(Protocol, kernels_are_written_where_there_are_some) {
  Outcome o;
  EXPECT_EQ(encode(Trace{{o}, true}), R"({"completed":true,"outcomes":[{"statement":0}]})");
  o.kernels = {{Functionality::ADInplaceOrView, true}, {Functionality::Dense, false}};
  EXPECT_EQ(
      encode(Trace{{o}, true}),
      R"({"completed":true,"outcomes":[{"statement":0,"kernels":[{"kernel":"ADInplaceOrView","fallthrough":true},)"
      R"({"kernel":"Dense","fallthrough":false}]}]})");
}

TEST(Protocol, an_error_without_a_class_is_classified_by_its_message) {
  const Trace trace = decode_trace(
      R"({"completed":false,"outcomes":[{"statement":0,"error":{"message":"Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details.","exception":"RuntimeError"}}]})",
      "2.13");
  EXPECT_EQ(trace.outcomes[0].failure.error, ErrorClass::inference_inplace);
}

}  // namespace
}  // namespace plumbline
