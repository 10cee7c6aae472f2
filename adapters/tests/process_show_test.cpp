// Asking an adapter process to show a program, also one that crashes or breaks the protocol.
#include <gtest/gtest.h>

#include "adapters/process/process.h"

namespace plumbline::process_show_test {
namespace {

constexpr double kTimeout_s = 5;

/// The fake adapter, which takes `show` if it is started as `shows`.
std::string fake(const std::string& mode) { return "python3 " PLUMBLINE_ADAPTERS "/fake.py " + mode; }

/// A program that asks the fake adapter to behave like this.
Script program(const std::string& how) {
  Script script;
  if (!how.empty()) script.names = {how};
  script.statements = {Statement{EndTry{}, 0}};
  return script;
}

TEST(ProcessAdapter, an_adapter_that_does_not_say_so_is_not_asked_to_show) {
  ProcessAdapter adapter(fake(""), kTimeout_s);
  EXPECT_FALSE(show(adapter, program(""), 0, "found").has_value());
}

TEST(ProcessAdapter, what_it_shows_is_passed_on_and_other_programs_run_after_it) {
  ProcessAdapter adapter(fake("shows"), kTimeout_s);
  for (const std::size_t statement : {1, 2}) {
    const auto exhibit = show(adapter, program("x"), statement, "found");
    ASSERT_TRUE(exhibit.has_value());
    EXPECT_EQ(exhibit->file, "found");
    EXPECT_EQ(exhibit->fails, statement == 1);
    EXPECT_EQ(exhibit->sections.at(0).text, "g");
    EXPECT_TRUE(std::holds_alternative<Trace>(adapter.run(program("x")))) << "it was started again, as it asked";
  }
}

TEST(ProcessAdapter, an_adapter_that_breaks_down_shows_nothing_and_says_why) {
  ProcessAdapter adapter(fake("shows"), kTimeout_s);
  const std::pair<const char*, const char*> cases[] = {{"crash", "killed by signal 11"},
                                                       {"exit", "exit code 7"},
                                                       {"garbage", "does not follow the protocol"},
                                                       {"other_id", "the id is 5, but 4 was asked"},
                                                       {"unsupported", "expected a member \"file\""}};
  for (const auto& [how, why] : cases) {
    const auto exhibit = show(adapter, program(how), 0, "found");
    ASSERT_TRUE(exhibit.has_value()) << how;
    EXPECT_EQ(exhibit->file, "") << how;
    EXPECT_NE(exhibit->why.find(why), std::string::npos) << how << ": " << exhibit->why;
  }
  EXPECT_TRUE(std::holds_alternative<Trace>(adapter.run(program("")))) << "a new process runs it";
}

}  // namespace
}  // namespace plumbline::process_show_test
