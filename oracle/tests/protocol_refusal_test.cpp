// What is not of the protocol is refused, by its place and with what was expected there.
#include <gtest/gtest.h>

#include "oracle/protocol/protocol.h"

namespace plumbline {
namespace {

/// For EXPECT_PRED2.
bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

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
  expect_refused({{"", "$", "one JSON object on one line"},
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
       {R"({"do":"enter","guard":"grad","value":true})", "$.statements[1].guard",
        "one of \"inference_mode\", \"no_grad\""},
       {R"({"do":"enter","guard":"no_grad","value":1})", "$.statements[1].value", "true or false"},
       {R"({"do":"read","tensor":-1,"field":"version"})", "$.statements[1].tensor", "an integer from 0"},
       {R"({"do":"read","tensor":0,"field":"grad"})", "$.statements[1].field", "one of \"dtype\""},
       {R"({"do":"read_thread","field":"version"})", "$.statements[1].field", "one of \"inference_mode\""},
       {R"({"do":"call","op":"frobnicate","arguments":[],"results":[]})", "$.statements[1].op", "an op of the table"},
       {R"({"do":"call","op":"mm","arguments":[{"slot":0}],"results":[]})", "$.statements[1].arguments",
        "2 arguments for mm"},
       {R"({"do":"call","op":"mm","arguments":[{"slot":0},"one"],"results":[]})", "$.statements[1].arguments[1]",
        "a dtype"},
       {R"({"do":"call","op":"mm","arguments":[{"slot":0},{"slut":0}],"results":[]})", "$.statements[1].arguments[1]",
        "no member \"slut\""},
       {R"({"do":"call","op":"mm","arguments":[{"slot":0},[1,2.5]],"results":[]})", "$.statements[1].arguments[1][1]",
        "an integer"},
       {R"({"do":"make","result":0,"dtype":"int8","sizes":[],"values":[1]})", "$.statements[1].dtype",
        "one of \"float32\""},
       {R"({"do":"make","result":0,"dtype":"int64","sizes":[2],"values":[1]})", "$.statements[1].values", "2 values"},
       {R"({"do":"make","result":0,"dtype":"int64","sizes":[1],"values":[1.5]})", "$.statements[1].values",
        "integers up to 2^53"},
       {R"({"do":"make","result":0,"dtype":"int64","sizes":[-1],"values":[]})", "$.statements[1].sizes",
        "sizes from 0"},
       {R"({"do":"make","result":0,"dtype":"int64","sizes":[9223372036854775807,9],"values":[]})",
        "$.statements[1].sizes", "64 bits"}},
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
  expect_refused(
      {{R"({})", at, "a member \"statement\""},
       {R"({"statement":-1})", "$.trace.outcomes[0].statement", "an integer from 0"},
       {R"({"statement":0,"reading":1.5})", "$.trace.outcomes[0].reading", "an integer of 64 bits"},
       {R"({"statement":0,"reading":{}})", "$.trace.outcomes[0].reading", "one of the members"},
       {R"({"statement":0,"reading":{"floats":["x"]}})", "$.trace.outcomes[0].reading.floats[0]", "a number, \"nan\""},
       {R"({"statement":0,"reading":{"floats":[1],"known":[]}})", "$.trace.outcomes[0].reading.known", "1 truths"},
       {R"({"statement":0,"reading":{"names":[1]}})", "$.trace.outcomes[0].reading.names[0]", "a string"},
       {R"({"statement":0,"reading":{"unsupported":false}})", "$.trace.outcomes[0].reading.unsupported", "true"},
       {R"({"statement":0,"error":{"class":"oops","message":"","exception":""}})", "$.trace.outcomes[0].error.class",
        "an error class"},
       {R"({"statement":0,"error":{"class":"none","message":"","exception":""}})", "$.trace.outcomes[0].error.class",
        "an error class"},
       {R"({"statement":0,"thread":[]})", at, "\"thread\" and \"tensors\" together"},
       {R"({"statement":0,"thread":[],"tensors":[]})", "$.trace.outcomes[0].thread", "4 readings"},
       {R"({"statement":0,"thread":[1,1,1,1],"tensors":[{"tensor":0,"fields":[]}]})",
        "$.trace.outcomes[0].tensors[0].fields", "15 readings"}},
      in_reply);
}

TEST(Protocol, traces_that_the_script_cannot_have_are_refused) {
  const Script script{{{Try{}}, {Read{Slot{0}, Field::sizes}}, {ReadThread{ThreadField::grad_mode}}, {Snapshot{}}},
                      {"x"}};
  const auto check = [&](std::string_view outcomes) {
    check_trace(decode_trace("{\"completed\":true,\"outcomes\":[" + std::string(outcomes) + "]}", "2.13"), script);
  };
  check(
      R"({"statement":1,"reading":[2]},{"statement":2,"reading":true},{"statement":3,"thread":[true,true,{"names":[]},{"names":[]}],"tensors":[]})");
  expect_refused(
      {{R"({"statement":4})", "$.trace.outcomes[0].statement", "statements below 4"},
       {R"({"statement":2,"reading":true},{"statement":2,"reading":true})", "$.trace.outcomes[1].statement",
        "rising order"},
       {R"({"statement":0,"reading":true})", "$.trace.outcomes[0].reading", "no reading"},
       {R"({"statement":1,"reading":true})", "$.trace.outcomes[0].reading", "an array of integers for sizes"},
       {R"({"statement":2,"reading":1})", "$.trace.outcomes[0].reading", "true or false for grad_mode"},
       {R"({"statement":3})", "$.trace.outcomes[0].thread", "the readings of a snapshot"},
       {R"({"statement":0,"thread":[true,true,{"names":[]},{"names":[]}],"tensors":[]})", "$.trace.outcomes[0].thread",
        "no snapshot"},
       {R"({"statement":3,"thread":[true,true,[],{"names":[]}],"tensors":[]})", "$.trace.outcomes[0].thread[2]",
        "for included"},
       {R"({"statement":3,"thread":[true,true,{"names":[]},{"names":[]}],"tensors":[{"tensor":1,"fields":["float32",[],[],0,{"floats":[]},0,{"names":[]},true,0,true,true,true,true,0,null]}]})",
        "$.trace.outcomes[0].tensors[0].tensor", "slots below 1"},
       {R"({"statement":3,"thread":[true,true,{"names":[]},{"names":[]}],"tensors":[{"tensor":0,"fields":["float32",[],0,0,{"floats":[]},0,{"names":[]},true,0,true,true,true,true,0,null]}]})",
        "$.trace.outcomes[0].tensors[0].fields[2]", "for strides"}},
      check);
  EXPECT_THROW(check_trace(Trace{{}, false}, script), ProtocolError);
}

}  // namespace
}  // namespace plumbline
