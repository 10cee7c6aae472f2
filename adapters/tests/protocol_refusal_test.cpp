// A message that does not follow the protocol is refused with its place and what was expected there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "adapters/protocol/protocol.h"

namespace plumbline::protocol_refusal_test {
namespace {

/// For EXPECT_PRED2.
bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A message, the wrong place in it, and a part of the error.
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
                  {R"({"cmd":"start","protocol":1})", "$.protocol", "an integer from 3 to 3, found 1"},
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
      {{R"({"do":"jump"})", "$.statements[1].do", "call, make, make_meta, enter"},
       {R"({})", "$.statements[1]", "a member \"do\""},
       {R"(3)", "$.statements[1]", "an object"},
       {R"({"do":"exit","guard":"no_grad"})", "$.statements[1]", "no member \"guard\""},
       {R"({"do":"exit","line":-1})", "$.statements[1].line", "an integer from 0"},
       {R"({"do":"enter","guard":"grad","value":true})", "$.statements[1].guard",
        "one of \"inference_mode\", \"no_grad\""},
       {R"({"do":"enter","guard":"no_grad","value":1})", "$.statements[1].value", "true or false"},
       {R"({"do":"enter","guard":"exclude_key","value":true})", "$.statements[1]", "a member \"key\""},
       {R"({"do":"enter","guard":"include_key","value":true,"key":"Autograd"})", "$.statements[1].key",
        "a runtime key"},
       {R"({"do":"enter","guard":"below_autograd","value":true,"key":"AutogradCPU"})", "$.statements[1]",
        "no member \"key\""},
       {R"({"do":"get_data","tensor":0})", "$.statements[1]", "a member \"result\""},
       {R"({"do":"get_grad","result":1,"tensor":"x"})", "$.statements[1].tensor", "an integer"},
       {R"({"do":"set_data","tensor":0,"value":1})", "$.statements[1]", "no member \"value\""},
       {R"({"do":"backward","tensor":0,"grad_variables":true})", "$.statements[1]", "no member \"grad_variables\""},
       {R"({"do":"backward","tensor":0,"gradient":null})", "$.statements[1].gradient", "an integer"},
       {R"({"do":"backward","tensor":0,"retain_graph":1})", "$.statements[1].retain_graph", "true or false"},
       {R"({"do":"get_gradients","tensor":0,"inputs":[],"results":[]})", "$.statements[1].inputs", "at least one slot"},
       {R"({"do":"get_gradients","tensor":0,"inputs":[0],"results":[1,0]})", "$.statements[1].results",
        "1 slots, one for each input, or none"},
       {R"({"do":"set_grad","tensor":0,"grad":"y"})", "$.statements[1].grad", "an integer"},
       {R"({"do":"retain_grad"})", "$.statements[1]", "a member \"tensor\""},
       {R"({"do":"manual_seed","seed":0.5})", "$.statements[1].seed", "an integer of 64 bits"},
       {R"({"do":"join_thread"})", "$.statements[1].do", "when a thread is the innermost block"},
       {R"({"do":"start_thread"})", "$.statements", "a join_thread for each thread"},
       {R"({"do":"start_thread"},{"do":"leave_forward","returned":[],"results":[]})", "$.statements[2].do",
        "when a forward is the innermost block"},
       {R"({"do":"enter_forward","function":0,"inputs":[]})", "$.statements[1].function", "a function below 0"},
       {R"({"do":"mark_dirty","tensors":[0]})", "$.statements[1].do", "only inside a forward"},
       {R"({"do":"load_saved","results":[0]})", "$.statements[1].do", "only inside a backward"},
       {R"({"do":"read","tensor":-1,"field":"version"})", "$.statements[1].tensor", "an integer from 0"},
       {R"({"do":"read","tensor":0,"field":"gradient"})", "$.statements[1].field", "one of \"dtype\""},
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
       {R"({"do":"call","op":"mm","arguments":[{"slot":0},{"slots":0}],"results":[]})",
        "$.statements[1].arguments[1].slots", "an array"},
       {R"({"do":"call","op":"mm","arguments":[{"slot":0},{"complex":[1]}],"results":[]})",
        "$.statements[1].arguments[1].complex", "two numbers"},
       {R"({"do":"call","op":"aminmax","arguments":[{"slot":0},null,false],"results":[1]})", "$.statements[1].results",
        "2 slots or none for aminmax"},
       {R"({"do":"make","result":0,"dtype":"bool","sizes":[1],"values":[2]})", "$.statements[1].values", "0 and 1"},
       {R"({"do":"make","result":0,"dtype":"bool","sizes":[1],"values":[1],"device":"cuda"})", "$.statements[1].device",
        "\"cpu\""},
       {R"({"do":"make","result":0,"dtype":"uint8","sizes":[1],"values":[-1]})", "$.statements[1].values",
        "integers from 0 to 255"},
       {R"({"do":"make","result":0,"dtype":"int8","sizes":[1],"values":[128]})", "$.statements[1].values",
        "integers of 8 bits"},
       {R"({"do":"make","result":0,"dtype":"int16","sizes":[1],"values":[0.5]})", "$.statements[1].values",
        "integers of 16 bits"},
       {R"({"do":"make","result":0,"dtype":"int32","sizes":[1],"values":[2147483648]})", "$.statements[1].values",
        "integers of 32 bits"},
       {R"({"do":"make","result":0,"dtype":"complex32","sizes":[],"values":[1]})", "$.statements[1].dtype",
        "one of \"float32\""},
       {R"({"do":"make","result":0,"dtype":"complex64","sizes":[2],"values":[1,2]})", "$.statements[1].values",
        "two numbers for each of 2 elements"},
       {R"({"do":"make","result":0,"dtype":"complex64","sizes":[1],"values":[1,2,3]})", "$.statements[1].values",
        "two numbers"},
       {R"({"do":"make","result":0,"dtype":"int64","sizes":[2],"values":[1]})", "$.statements[1].values", "2 values"},
       {R"({"do":"make","result":0,"dtype":"int64","sizes":[1],"values":[1.5]})", "$.statements[1].values",
        "integers up to 2^53"},
       {R"({"do":"make","result":0,"dtype":"int64","sizes":[-1],"values":[]})", "$.statements[1].sizes",
        "sizes of at least 0"},
       {R"({"do":"make","result":0,"dtype":"int64","sizes":[9223372036854775807,9],"values":[]})",
        "$.statements[1].sizes", "64 bits"}},
      in_script);
}

TEST(Protocol, bad_functions_are_refused_by_their_place) {
  const auto in_script = [](std::string_view functions) {
    decode_script(R"({"names":["x"],"statements":[{"do":"enter_forward","function":0,"inputs":[0]},)"
                  R"({"do":"leave_forward","returned":[0],"results":[0]}],"functions":[)" +
                  std::string(functions) + "]}");
  };
  EXPECT_NO_THROW(in_script(R"({"name":"F","gradients":[0],"statements":[],"returned":[null]})"));
  expect_refused(
      {{R"({"name":"F","gradients":[0],"statements":[]})", "$.functions[0]", "a member \"returned\""},
       {R"({"name":"F","gradients":[0],"statements":[],"returned":[true]})", "$.functions[0].returned[0]",
        "an integer"},
       {R"({"name":"F","gradients":[0],"statements":[{"do":"snapshot"}],"returned":[0]})",
        "$.functions[0].statements[0].do", "in a backward"},
       {R"({"name":"F","gradients":[],"statements":[],"returned":[null]})", "$.statements[1]", "0 returned"}},
      in_script);
}

TEST(Protocol, bad_hooks_are_refused_by_their_place) {
  const auto in_script = [](std::string_view statements) {
    decode_script(R"({"names":["x","y"],"statements":[)" + std::string(statements) +
                  R"(],"functions":[{"name":"f","gradients":[1],"statements":[],"returned":[1]},)"
                  R"({"name":"F","gradients":[],"statements":[],"returned":[1]}]})");
  };
  EXPECT_NO_THROW(in_script(R"({"do":"register_hook","tensor":0,"function":0},{"do":"remove_hook","function":0})"));
  expect_refused(
      {{R"({"do":"register_hook","tensor":0,"function":2})", "$.statements[0].function", "a function below 2"},
       {R"({"do":"register_hook","tensor":0,"function":1})", "$.statements[0].function", "one gradient"},
       {R"({"do":"register_hook","tensor":0,"function":0},{"do":"register_hook","tensor":0,"function":0})",
        "$.statements[1].function", "no other hook"},
       {R"({"do":"register_hook","function":0})", "$.statements[0]", "a member \"tensor\""},
       {R"({"do":"remove_hook","function":0})", "$.statements[0].function", "a register_hook above"},
       {R"({"do":"remove_hook","tensor":0,"function":0})", "$.statements[0]", "no member \"tensor\""},
       {R"({"do":"enter_forward","function":1,"inputs":[0]},{"do":"register_hook","tensor":0,"function":0})",
        "$.statements[1].do", "outside a forward"}},
      in_script);
}

TEST(Protocol, bad_operators_are_refused_by_their_place) {
  const auto in_script = [](std::string_view operators) {
    decode_script(R"({"names":["x"],"statements":[{"do":"invoke","operator":0,"inputs":[{"slot":0}],"results":[0]}],)"
                  R"("operators":[)" +
                  std::string(operators) + "]}");
  };
  EXPECT_NO_THROW(in_script(R"({"namespace":"mine","schema":"f(Tensor x) -> Tensor"})"));
  expect_refused(
      {{"", "$.statements[0].operator", "an operator below 0"},
       {R"({"namespace":"aten","schema":"f(Tensor x) -> Tensor"})", "$.operators[0].namespace", "of the program's own"},
       {R"({"namespace":"a b","schema":"f(Tensor x) -> Tensor"})", "$.operators[0].namespace", "of the program's own"},
       {R"({"namespace":"a","schema":"f(Tensor x) -> Tensor"},{"namespace":"a","schema":"f(Tensor y) -> Tensor"})",
        "$.operators[1].schema", "that is not defined above"},
       {R"({"namespace":"mine","schema":"f(str s) -> Tensor"})", "$.operators[0].schema", "a schema"},
       {R"({"namespace":"mine","schema":"f(int n) -> Tensor"})", "$.statements[0].inputs", "f(int n) -> Tensor"},
       {R"x({"namespace":"mine","schema":"f(Tensor x) -> ()"})x", "$.statements[0]",
        "1 inputs, and 0 results or none"}},
      in_script);
}

TEST(Protocol, bad_kernels_are_refused_by_their_place) {
  const auto in_script = [](std::string_view kernel) {
    decode_script(R"({"names":["x"],"statements":[],"kernels":[)" + std::string(kernel) + "]}");
  };
  EXPECT_NO_THROW(in_script(R"({"name":"k","parameters":[0],"statements":[],"returned":[0]})"));
  expect_refused(
      {{R"({"name":"k","statements":[],"returned":[0]})", "$.kernels[0]", "a member \"parameters\""},
       {R"({"name":"k","parameters":[0],"statements":[{"do":"snapshot"}],"returned":[0]})",
        "$.kernels[0].statements[0].do", "in a kernel"},
       {R"({"name":"k","parameters":[0],"statements":[{"do":"drop_library","library":"lib"}],"returned":[]})",
        "$.kernels[0].statements[0].do", "in a kernel"},
       {R"({"name":"k","parameters":[0],"any_arguments":true,"statements":[],"returned":[]})",
        "$.kernels[0].parameters", "none with any_arguments"},
       {R"({"name":"k","parameters":[],"returns_passed":true,"statements":[],"returned":[]})",
        "$.kernels[0].returns_passed", "only with any_arguments"},
       {R"({"name":"k","parameters":[],"statements":[{"do":"append_to_log","keys":true}],"returned":[]})",
        "$.kernels[0].statements[0].keys", "with_keyset"},
       {R"({"name":"k","parameters":[],"statements":[)"
        R"({"do":"invoke","operator":-1,"inputs":[],"results":[],"passes_arguments":true}],"returned":[]})",
        "$.kernels[0].statements[0].passes_arguments", "any_arguments"},
       {R"({"name":"k","parameters":[],"any_arguments":true,"statements":[)"
        R"({"do":"invoke","operator":-1,"inputs":[],"results":[]}],"returned":[]})",
        "$.kernels[0].statements[0].operator", "-1 with passes_arguments"}},
      in_script);
}

TEST(Protocol, bad_registrations_are_refused_by_their_place) {
  const auto in_script = [](std::string_view statements) {
    decode_script(R"({"names":["x"],"operators":[{"namespace":"mine","schema":"f(Tensor x) -> Tensor"}],)"
                  R"("kernels":[{"name":"k","parameters":[],"statements":[],"returned":[0]}],"statements":[)"
                  R"({"do":"make_library","library":"lib","namespace":"mine","kind":"FRAGMENT"},)"
                  R"({"do":"make_library","library":"other","namespace":"others","kind":"IMPL"},)"
                  R"({"do":"define_operator","library":"lib","operator":0},)" +
                  std::string(statements) + "]}");
  };
  EXPECT_NO_THROW(in_script(R"({"do":"add_kernel","library":"lib","operator":0,"key":"CPU","kernel":null})"));
  expect_refused(
      {{R"({"do":"make_library","library":"lib","namespace":"mine","kind":"DEF"})", "$.statements[3].library",
        "no library above"},
       {R"({"do":"make_library","library":"l","namespace":"mine","kind":"PART"})", "$.statements[3].kind",
        "one of \"DEF\""},
       {R"({"do":"make_library","library":"l","namespace":"aten","kind":"DEF"})", "$.statements[3].namespace",
        "of the program's own"},
       {R"({"do":"define_operator","library":"l","operator":0})", "$.statements[3].library", "make_library above"},
       {R"({"do":"define_operator","library":"lib","operator":1})", "$.statements[3].operator", "below 1"},
       {R"({"do":"define_operator","library":"other","operator":0})", "$.statements[3].operator", "\"others\""},
       {R"({"do":"drop_library","library":"lib"},{"do":"define_operator","library":"lib","operator":0})",
        "$.statements[4].library", "make_library above"},
       {R"({"do":"add_fallback","library":"l","key":"CPU","kernel":null})", "$.statements[3].library",
        "make_library above"},
       {R"({"do":"add_fallback","library":"lib","key":"CPU","kernel":0})", "$.statements[3].kernel", "any_arguments"},
       {R"({"do":"add_kernel","library":"lib","operator":0,"key":"CPU","kernel":1})", "$.statements[3].kernel",
        "a kernel below 1"},
       {R"({"do":"add_kernel","library":"lib","operator":0,"key":"CPU","kernel":0})", "$.statements[3].kernel",
        "1 parameters and 1 returned"}},
      in_script);
}

TEST(Protocol, kernels_that_pass_other_arguments_on_than_the_operator_takes_are_refused) {
  const auto in_script = [](std::string_view kernel) {
    decode_script(R"({"names":["x"],"operators":[{"namespace":"mine","schema":"f(Tensor x) -> Tensor"},)"
                  R"x({"namespace":"mine","schema":"g(Tensor x, Tensor y) -> Tensor"},)x"
                  R"x({"namespace":"mine","schema":"h(Tensor x) -> ()"}],"kernels":[)x" +
                  std::string(kernel) +
                  R"(],"statements":[{"do":"make_library","library":"lib","namespace":"mine","kind":"FRAGMENT"},)"
                  R"({"do":"define_operator","library":"lib","operator":0},)"
                  R"({"do":"add_kernel","library":"lib","operator":0,"key":"CPU","kernel":0}]})");
  };
  const auto passing = [](int op, std::string_view kernel) {
    return fmt::format(
        R"({{"name":"k","parameters":[],"any_arguments":true,{}"statements":[{{"do":"invoke","operator":{})"
        R"(,"inputs":[],"results":[],"passes_arguments":true}}]}})",
        kernel, op);
  };
  constexpr std::string_view kPassed = R"("returns_passed":true,"returned":[],)";
  EXPECT_NO_THROW(in_script(passing(0, kPassed)));
  const std::string more = passing(1, kPassed), less = passing(2, kPassed);
  expect_refused({{more, "$.statements[2].kernel", "to operators that take the same"},
                  {less, "$.statements[2].kernel", "whose last call with its arguments returns 1"}},
                 in_script);
}

TEST(Protocol, key_sets_without_a_kernel_begin_with_only) {
  const auto in_script = [](std::string_view steps) {
    decode_script(R"({"names":["x"],"operators":[{"namespace":"mine","schema":"f(Tensor x) -> Tensor"}],"statements":[)"
                  R"({"do":"invoke","operator":0,"inputs":[{"slot":0}],"results":[],"redispatch":[)" +
                  std::string(steps) + "]}]}");
  };
  EXPECT_NO_THROW(in_script(R"({"kind":"only","key":"CUDA"},{"kind":"add","key":"SparseCPU"})"));
  EXPECT_NO_THROW(in_script(R"({"kind":"only","key":"Undefined"})"));
  expect_refused({{"", "$.statements[0].redispatch", "\"only\" as the first step"},
                  {R"({"kind":"add","key":"CPU"})", "$.statements[0].redispatch", "\"only\" as the first step"},
                  {R"({"kind":"only","key":"CPU"},{"kind":"only","key":"CPU"})", "$.statements[0].redispatch",
                   "only as the first step"},
                  {R"({"kind":"only","key":"Nope"})", "$.statements[0].redispatch", "a runtime key"}},
                 in_script);
}

TEST(Protocol, bad_questions_are_refused_by_their_place) {
  expect_refused({{R"({"do":"query_kernel","operator":"mine::f","key":"CPU","what":"has"})", "$.statements[0].what",
                   "one of \"has_kernel\""},
                  {R"({"do":"query_thread_key","key":"Autograd"})", "$.statements[0].key", "a runtime key"},
                  {R"({"do":"append_to_log"})", "$.statements[0]", "either \"text\" or \"keys\""},
                  {R"({"do":"append_to_log","keys":true})", "$.statements[0].keys", "with_keyset"}},
                 [](std::string_view statement) {
                   decode_script(R"({"names":[],"statements":[)" + std::string(statement) + "]}");
                 });
}

TEST(Protocol, bad_replies_are_refused_by_their_place) {
  const auto in_reply = [](std::string_view outcome) {
    decode_reply("{\"id\":1,\"trace\":{\"completed\":true,\"outcomes\":[" + std::string(outcome) + "]}}", "2.13");
  };
  expect_refused({{R"({"id":1})", "$", "one of \"trace\", \"unsupported\" and \"leak\""},
                  {R"({"unsupported":"x"})", "$", "a member \"id\""},
                  {R"({"id":1,"leak":["grad"]})", "$.leak", "a string"},
                  {R"({"id":1,"unsupported":"x","counts":{"graphs":1.5}})", "$.counts.graphs", "an integer"},
                  {R"({"id":1,"unsupported":"x","counts":{"":1}})", "$.counts", "1 to 200 bytes"},
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
       {R"({"statement":0,"reading":{"floats":[1],"known":[]}})", "$.trace.outcomes[0].reading.known",
        "expected 1 booleans"},
       {R"({"statement":0,"reading":{"names":[1]}})", "$.trace.outcomes[0].reading.names[0]", "a string"},
       {R"({"statement":0,"reading":{"unsupported":false}})", "$.trace.outcomes[0].reading.unsupported", "true"},
       {R"({"statement":0,"error":{"class":"oops","message":"","exception":""}})", "$.trace.outcomes[0].error.class",
        "an error class"},
       {R"({"statement":0,"error":{"class":"none","message":"","exception":""}})", "$.trace.outcomes[0].error.class",
        "an error class"},
       {R"({"statement":0,"kernels":[{"kernel":"AutogradCPU","fallthrough":true}]})",
        "$.trace.outcomes[0].kernels[0].kernel", "one of \"Undefined\""},
       {R"({"statement":0,"kernels":[{"kernel":"Undefined","fallthrough":true}]})",
        "$.trace.outcomes[0].kernels[0].kernel", "the functionality of a kernel"},
       {R"({"statement":0,"kernels":[{"kernel":"Dense"}]})", "$.trace.outcomes[0].kernels[0]",
        "a member \"fallthrough\""},
       {R"({"statement":0,"thread":[]})", at, "\"thread\" and \"tensors\" together"},
       {R"({"statement":0,"thread":[],"tensors":[]})", "$.trace.outcomes[0].thread", "4 readings"},
       {R"({"statement":0,"thread":[1,1,1,1],"tensors":[{"tensor":0,"fields":[]}]})",
        "$.trace.outcomes[0].tensors[0].fields", "16 readings"}},
      in_reply);
}

TEST(Protocol, a_message_that_would_overflow_the_stack_or_the_report_is_refused) {
  const auto in_description = [](std::string_view name) {
    return fmt::format(R"({{"protocol":3,"name":"{}","version":"1","profile":"sound"}})", name);
  };
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  const std::string deep = nested(1'000'000), too_deep = nested(33), just = nested(32);
  std::string wide = "[]";
  for (int i = 0; i < 1 << 22; ++i) wide += ",0";
  const std::string long_name = in_description(std::string(201, 'x'));
  const std::string escape = in_description("\\u001b[31m");
  expect_refused({{deep, "$", "at most 32 deep"},
                  {too_deep, "$", "at most 32 deep"},
                  {just, "$", "an object"},
                  {wide, "$", "at most 4194304 values in a message, found 4194305"}},
                 [](std::string_view line) { decode_request(line); });
  expect_refused({{long_name, "$.name", "1 to 200 bytes"},
                  {escape, "$.name", "without control characters"},
                  {in_description(""), "$.name", "1 to 200 bytes"}},
                 [](std::string_view line) { decode_description(line); });
  const auto message = [](std::size_t size) {
    return fmt::format(R"({{"id":1,"unsupported":"{}"}})", std::string(size, 'x'));
  };
  const std::string too_long = message(65537);
  expect_refused({{too_long, "$.unsupported", "at most 64 KiB, found a longer one"}},
                 [](std::string_view line) { decode_reply(line, "2.13"); });
  EXPECT_NO_THROW(decode_reply(message(65536), "2.13"));
}

TEST(Protocol, brackets_in_text_do_not_nest) {
  const std::string name = std::string(100, '[') + R"(\"{)";
  EXPECT_NO_THROW(decode_script(fmt::format(R"({{"names":["{}"],"statements":[]}})", name)));
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
       {R"({"statement":0,"kernels":[{"kernel":"Dense","fallthrough":false}]})", "$.trace.outcomes[0].kernels",
        "no kernels"},
       {R"({"statement":3,"kernels":[{"kernel":"Dense","fallthrough":false}],"thread":[true,true,[],[]],"tensors":[]})",
        "$.trace.outcomes[0].kernels", "no kernels"},
       {R"({"statement":1,"reading":true})", "$.trace.outcomes[0].reading", "an array of integers for sizes"},
       {R"({"statement":2,"reading":1})", "$.trace.outcomes[0].reading", "true or false for grad_mode"},
       {R"({"statement":3})", "$.trace.outcomes[0].thread", "the readings of a snapshot"},
       {R"({"statement":0,"thread":[true,true,{"names":[]},{"names":[]}],"tensors":[]})", "$.trace.outcomes[0].thread",
        "no snapshot"},
       {R"({"statement":3,"thread":[true,true,[],{"names":[]}],"tensors":[]})", "$.trace.outcomes[0].thread[2]",
        "for included"},
       {R"({"statement":3,"thread":[true,true,{"names":[]},{"names":[]}],"tensors":[{"tensor":1,"fields":["float32",[],[],0,{"floats":[]},0,{"names":[]},true,0,true,true,true,true,0,null,null]}]})",
        "$.trace.outcomes[0].tensors[0].tensor", "slots below 1"},
       {R"({"statement":3,"thread":[true,true,{"names":[]},{"names":[]}],"tensors":[{"tensor":0,"fields":["float32",[],0,0,{"floats":[]},0,{"names":[]},true,0,true,true,true,true,0,null,null]}]})",
        "$.trace.outcomes[0].tensors[0].fields[2]", "for strides"}},
      check);
  EXPECT_THROW(check_trace(Trace{{}, false}, script), ProtocolError);
}

}  // namespace
}  // namespace plumbline::protocol_refusal_test
