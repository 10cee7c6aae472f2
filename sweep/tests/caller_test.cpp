// A caller's process: its crashes, hangs and other answers each cost one call.
#include "sweep/caller.h"

#include <gtest/gtest.h>

#include "sweep/candidates.h"
#include "sweep/tests/fake.h"

namespace plumbline::sweep {
namespace {

ProcessCaller caller(const std::string& how, double timeout_s = 5) {
  return ProcessCaller({"python3", PLUMBLINE_SWEEP_TESTS "/fake_caller.py", how}, timeout_s);
}

Experiment calling(const std::string& op) {
  Experiment one = candidate(fake::operators()[1], 1, 0);
  one.op = op;
  return one;
}

void expect_broken(ProcessCaller& from, const std::string& op, Broken::Kind kind, const std::string& message) {
  const auto seen = from.call(calling(op));
  ASSERT_TRUE(std::holds_alternative<Broken>(seen)) << op;
  EXPECT_EQ(std::get<Broken>(seen).kind, kind) << op;
  EXPECT_NE(std::get<Broken>(seen).message.find(message), std::string::npos) << std::get<Broken>(seen).message;
  EXPECT_TRUE(std::holds_alternative<Observation>(from.call(calling("fine")))) << "it is started again";
}

TEST(ProcessCaller, lists_operators) {
  ProcessCaller one = caller("good");
  const Registered all = one.registered();
  EXPECT_EQ(all.version, "3");
  EXPECT_EQ(all.operators.size(), 1U);
}

TEST(ProcessCaller, a_list_in_another_form_is_an_error_that_names_the_page) {
  for (const char* how : {"bad_list", "dies_at_once"}) {
    ProcessCaller one = caller(how);
    try {
      one.registered();
      FAIL() << how;
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find("lists"), std::string::npos) << error.what();
    }
  }
}

TEST(ProcessCaller, a_crash_names_its_signal) {
  ProcessCaller one = caller("good");
  expect_broken(one, "crash", Broken::Kind::crash, "killed by signal 11");
}
TEST(ProcessCaller, an_exit_names_its_code) {
  ProcessCaller one = caller("good");
  expect_broken(one, "exit", Broken::Kind::crash, "exit code 7");
}
TEST(ProcessCaller, a_hang_ends_after_the_limit) {
  ProcessCaller one = caller("good", 1);
  expect_broken(one, "hang", Broken::Kind::hang, "no answer within 1 s");
}
TEST(ProcessCaller, garbage_is_a_crash_of_the_call) {
  ProcessCaller one = caller("good");
  expect_broken(one, "garbage", Broken::Kind::crash, "docs/SWEEP.md");
}
TEST(ProcessCaller, what_it_cannot_make_is_unsupported) {
  ProcessCaller one = caller("good");
  expect_broken(one, "cannot", Broken::Kind::unsupported, "not today");
}
TEST(ProcessCaller, lines_that_an_operator_prints_are_left_out) {
  ProcessCaller one = caller("good");
  EXPECT_TRUE(std::holds_alternative<Observation>(one.call(calling("prints"))));
}

}  // namespace
}  // namespace plumbline::sweep
