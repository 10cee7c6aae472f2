// The protocol's messages read back the same as they were written.
#include "adapters/protocol/protocol.h"

#include <gtest/gtest.h>

#include "adapters/tests/protocol_random.h"
#include "adapters/tests/protocol_same.h"
#include "spec/ops/op_ids.h"

namespace plumbline {
namespace {

using namespace protocol_random;

/// For EXPECT_PRED2.
bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

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
    RC_ASSERT(same(std::get<Trace>(decode_reply(encode_reply(Reply{-1, trace}), "2.13").result), trace));
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
  EXPECT_EQ(std::get<CannotRun>(decode_reply(encode_reply(Reply{3, CannotRun{"why"}}), "2.13").result).why, "why");
}

TEST(Protocol, the_programs_of_a_description_read_back_the_same) {
  for (const Programs programs : {Programs::plain, Programs::captured, Programs::functionalized}) {
    Description d;
    d.name = d.version = "x";
    d.profile = "torch-2.13";
    d.programs = programs;
    EXPECT_EQ(decode_description(encode(d)).programs, programs);
  }
}

TEST(Protocol, programs_of_an_unknown_kind_are_refused) {
  Description d;
  d.name = d.version = "x";
  d.profile = "torch-2.13";
  d.programs = Programs::captured;
  std::string line = encode(d);
  line.replace(line.find("captured"), 8, "compiled");
  EXPECT_THROW(decode_description(line), ProtocolError);
}

TEST(Protocol, what_a_description_has_reads_back_the_same) {
  Description d{"mine", "0.1", "sound", {}, {}, Strictness::kind, {3}};
  d.fields.fill(Strictness::exact);
  d.has = {Level::aliasing, {OpId::mm, OpId::add_Tensor}, {Dtype::float64}};
  const Description e = decode_description(encode(d));
  EXPECT_EQ(e.has.level, Level::aliasing);
  EXPECT_EQ(e.has.ops, d.has.ops);
  EXPECT_EQ(e.has.dtypes, d.has.dtypes);
  EXPECT_EQ(e.fields[static_cast<std::size_t>(Field::version)], Strictness::ignore) << "it is above the level";
}

TEST(Protocol, levels_ops_and_dtypes_that_no_one_knows_are_refused) {
  Description d{"mine", "0.1", "sound", {}, {}, Strictness::kind, {3}};
  d.has = {Level::values, {OpId::mm}, {Dtype::float64}};
  const std::string line = encode(d);
  for (const std::string_view known : {"\"level\":\"values\"", "\"mm\"", "[\"float64\"]"}) {
    std::string other = line;
    const std::size_t at = other.find(known);
    ASSERT_NE(at, std::string::npos) << known;
    other[at + known.size() - 3] = '?';
    EXPECT_THROW(decode_description(other), ProtocolError) << other;
  }
}

TEST(Protocol, the_reasons_of_a_description_read_back_the_same) {
  Description d{"mine", "0.1", "sound", {}, {}, Strictness::kind, {3}};
  d.fields[static_cast<std::size_t>(Field::version)] = Strictness::changed;
  d.reasons = {{"version", "writes are put off (page 3)"}, {"strides", "none"}};
  const Description e = decode_description(encode(d));
  EXPECT_EQ(e.fields, d.fields);
  EXPECT_EQ(e.reasons, d.reasons);
}

TEST(Protocol, only_versions_are_compared_by_their_changes) {
  Description d{"mine", "0.1", "sound", {}, {}, Strictness::kind, {3}};
  d.fields[static_cast<std::size_t>(Field::strides)] = Strictness::changed;
  EXPECT_THROW(decode_description(encode(d)), ProtocolError);
}

TEST(Protocol, an_exact_field_has_no_reason) {
  Description d{"mine", "0.1", "sound", {}, {}, Strictness::kind, {3}};
  d.fields[static_cast<std::size_t>(Field::strides)] = Strictness::exact;
  d.reasons = {{"strides", "none"}};
  EXPECT_THROW(decode_description(encode(d)), ProtocolError);
}

TEST(Protocol, what_a_program_leaves_changed_reads_back_the_same) {
  EXPECT_EQ(std::get<Leaked>(decode_reply(encode_reply(Reply{3, Leaked{"grad mode is off"}}), "2.13").result).what,
            "grad mode is off");
}

TEST(Protocol, the_counts_of_an_answer_read_back_the_same) {
  const Counts counts{{"graph breaks", 0}, {"graphs", 12}};
  EXPECT_EQ(decode_reply(encode_reply(Reply{3, Trace{}, true, counts}), "2.13").counts, counts);
}

TEST(Protocol, an_answer_is_only_one_of_a_trace_a_reason_and_a_leak) {
  EXPECT_THROW(decode_reply(R"({"id":1,"leak":"x","unsupported":"y"})", "2.13"), ProtocolError);
}

TEST(Protocol, an_answer_may_ask_for_a_restart) {
  EXPECT_TRUE(decode_reply(encode_reply(Reply{3, Trace{}, true}), "2.13").restart);
  EXPECT_FALSE(decode_reply(encode_reply(Reply{3, Trace{}}), "2.13").restart);
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
  EXPECT_EQ(written(Enter{GuardKind::exclude_key, true, "ADInplaceOrView"}),
            script(R"({"do":"enter","guard":"exclude_key","value":true,"key":"ADInplaceOrView"})"));
  EXPECT_EQ(written(Enter{GuardKind::include_key, true, "AutogradCPU"}),
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
  EXPECT_EQ(written(Backward{x, y, true}), script(R"({"do":"backward","tensor":0,"gradient":1,"retain_graph":true})"));
  EXPECT_EQ(written(Backward{x, std::nullopt, false, {y}}), script(R"({"do":"backward","tensor":0,"inputs":[1]})"));
  EXPECT_EQ(written(Backward{x, std::nullopt, false, {}, {{y, x}, {y}}}),
            script(R"({"do":"backward","tensor":0,"more":[{"tensor":1,"gradient":0},{"tensor":1}]})"));
  EXPECT_EQ(written(GetGradients{x, {y}, {Slot{2}}}),
            script(R"({"do":"get_gradients","tensor":0,"inputs":[1],"results":[2]})"));
  EXPECT_EQ(written(GetGradients{x, {x}, {}, y, true, true}),
            script(R"({"do":"get_gradients","tensor":0,"inputs":[0],"results":[],"gradient":1,"retain_graph":true,)"
                   R"("allow_unused":true})"));
  EXPECT_EQ(written(GetGradients{x, {x}, {}, std::nullopt, false, false, {{y}}}),
            script(R"({"do":"get_gradients","tensor":0,"inputs":[0],"results":[],"more":[{"tensor":1}]})"));
  EXPECT_EQ(written(SetGrad{x, y}), script(R"({"do":"set_grad","tensor":0,"grad":1})"));
  EXPECT_EQ(written(SetGrad{x}), script(R"({"do":"set_grad","tensor":0})"));
  EXPECT_EQ(written(RetainGrad{x}), script(R"({"do":"retain_grad","tensor":0})"));
  EXPECT_EQ(written(ManualSeed{7}), script(R"({"do":"manual_seed","seed":7})"));
  EXPECT_EQ(written(StartThread{}), script(R"({"do":"start_thread"})"));
  EXPECT_EQ(written(JoinThread{}), script(R"({"do":"join_thread"})"));
  EXPECT_EQ(written(PauseThread{}), script(R"({"do":"pause_thread"})"));
  EXPECT_EQ(written(ResumeThread{}), script(R"({"do":"resume_thread"})"));
  EXPECT_EQ(written(EnterSavedTensorsHooks{0, 1}), script(R"({"do":"enter_saved_tensors_hooks","pack":0,"unpack":1})"));
  EXPECT_EQ(written(RegisterHook{x, 0}), script(R"({"do":"register_hook","tensor":0,"function":0})"));
  EXPECT_EQ(written(RegisterHook{x, 0, true}),
            script(R"({"do":"register_hook","tensor":0,"function":0,"after":true})"));
  EXPECT_EQ(written(EnterForward{0, {x, y}}), script(R"({"do":"enter_forward","function":0,"inputs":[0,1]})"));
  EXPECT_EQ(written(LeaveForward{{x}, {y}}), script(R"({"do":"leave_forward","returned":[0],"results":[1]})"));
  EXPECT_EQ(written(ContextCall{ContextKind::mark_dirty, {x}}), script(R"({"do":"mark_dirty","tensors":[0]})"));
  EXPECT_EQ(encode(Script{{}, {}, {{"F", {x}, {{LoadSaved{{y}}}}, {x, std::nullopt}}}}),
            R"({"names":[],"statements":[],"functions":[{"name":"F","gradients":[0],"statements":)"
            R"([{"do":"load_saved","results":[1]}],"returned":[0,null]}]})");
}

TEST(Protocol, kernels_are_written_if_there_are_any) {
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
