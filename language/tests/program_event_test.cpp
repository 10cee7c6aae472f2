// Events: threads that take turns.
#include <gtest/gtest.h>

#include "language/parse.h"
#include "language/print.h"
#include "language/tests/program_malformed.h"
#include "language/tests/program_show.h"

namespace plumbline::program::program_event_test {
namespace {

/// A test whose thread runs `thread`, and whose own lines from the thread's start on are `starter`.
std::string program_of(const std::string& thread, const std::string& starter) {
  std::string text =
      "import pytest\nimport threading\nimport torch\n\ndef test_a(device):\n    x = torch.ones(2)\n"
      "    a = threading.Event()\n    b = threading.Event()\n    c = threading.Event()\n    d = threading.Event()\n"
      "    def run():\n        ";
  for (const char letter : thread) text += letter == '\n' ? "\n        " : std::string(1, letter);
  text += "\n    t = threading.Thread(target=run)\n    ";
  for (const char letter : starter) text += letter == '\n' ? "\n    " : std::string(1, letter);
  return text + "\n";
}
std::string shown(const std::string& thread, const std::string& starter) {
  return show(lower(parse(program_of(thread, starter), "a.py")).at(0).script);
}
constexpr const char* kMade = "%0 = ones([2], None, None, None, None)\n";

TEST(Events, the_starters_lines_stand_where_the_thread_waits) {
  EXPECT_EQ(shown("y = x.t()\na.set()\nb.wait()\nz = y.t()", "t.start()\na.wait()\nw = x.mul(2)\nb.set()\nt.join()"),
            std::string(kMade) +
                "start thread\n%1 = t(%0)\npause thread\n%2 = mul.Tensor(%0, 2)\nresume thread\n%3 = t(%1)\n"
                "join thread\n");
}

TEST(Events, a_thread_may_wait_in_a_guard_and_more_than_once) {
  EXPECT_EQ(shown("with torch.no_grad():\n    a.set()\n    b.wait()\nc.set()\nd.wait()",
                  "t.start()\na.wait()\nx.t()\nb.set()\nc.wait()\nx.mul(2)\nd.set()\nt.join()"),
            std::string(kMade) +
                "start thread\nenter 1 false\npause thread\nt(%0)\nresume thread\nexit\npause thread\n"
                "mul.Tensor(%0, 2)\nresume thread\njoin thread\n");
}

TEST(Events, a_thread_sees_what_its_starter_assigns_meanwhile) {
  EXPECT_EQ(shown("a.set()\nb.wait()\nx.t()", "t.start()\na.wait()\nx = x.mul(2)\nb.set()\nt.join()"),
            std::string(kMade) +
                "start thread\npause thread\n%0 = mul.Tensor(%0, 2)\nresume thread\nt(%0)\n"
                "join thread\n");
}

TEST(Events, a_wait_may_give_up_after_some_seconds) {
  EXPECT_EQ(shown("a.set()\nb.wait(timeout=10)", "t.start()\na.wait(10)\nb.set()\nt.join()"),
            std::string(kMade) + "start thread\npause thread\nresume thread\njoin thread\n");
}

TEST(Events, another_thread_may_run_meanwhile) {
  EXPECT_EQ(shown("a.set()\nb.wait()",
                  "t.start()\na.wait()\ndef other():\n    x.t()\nu = threading.Thread(target=other)\nu.start()\n"
                  "u.join()\nb.set()\nt.join()"),
            std::string(kMade) +
                "start thread\npause thread\nstart thread\nt(%0)\njoin thread\nresume thread\n"
                "join thread\n");
}

struct BadTurn {
  std::string thread, starter;
  std::string error;  ///< part of it
};
std::ostream& operator<<(std::ostream& os, const BadTurn& bad) { return os << bad.thread << " | " << bad.starter; }

class TurnRefused : public testing::TestWithParam<BadTurn> {};

TEST_P(TurnRefused, says_why) {
  const std::string error = error_of(program_of(GetParam().thread, GetParam().starter));
  EXPECT_NE(error.find(GetParam().error), std::string::npos) << error;
}

INSTANTIATE_TEST_SUITE_P(
    Events, TurnRefused,
    testing::Values(
        BadTurn{"a.set()\nx.t()", "t.start()\na.wait()\nt.join()",
                "12:11: the thread sets a and does not wait on the next line"},
        BadTurn{"a.set()\nb.wait()", "t.start()\nt.join()",
                "12:11: the thread hands over with a.set(), and the one that started it does not wait for a next"},
        BadTurn{"a.set()\nb.wait()", "t.start()\na.wait()\nx.t()\nt.join()", "the thread t is joined while it waits"},
        BadTurn{"a.set()\nb.wait()", "t.start()\na.wait()\nx.t()", "nothing lets it go on"},
        BadTurn{"a.set()\nb.wait()", "t.start()\na.wait()\nc.set()\nb.set()\nt.join()",
                "the thread that waits does not wait for c"},
        BadTurn{"a.set()\nb.wait()", "t.start()\na.wait()\nwith torch.no_grad():\n    b.set()\nt.join()",
                "b.set() is not among the lines of the block that started the thread"},
        BadTurn{"a.set()\nb.wait()\na.set()\nc.wait()", "t.start()\na.wait()\nb.set()\na.wait()\nc.set()\nt.join()",
                "an event is used a second time"},
        BadTurn{"with pytest.raises(RuntimeError):\n    a.set()\n    b.wait()\n    x.view([7])",
                "t.start()\na.wait()\nb.set()\nt.join()", "a thread waits in pytest.raises"},
        BadTurn{"x.t()", "a.set()\nt.start()\nt.join()", "no thread waits for a"},
        BadTurn{"x.t()", "a.wait()\nt.start()\nt.join()", "a.wait() is not where a thread hands over"},
        BadTurn{"x.t()", "a.clear()\nt.start()\nt.join()", "an event has only a.set() and a.wait() in programs"},
        BadTurn{"a.set()\nb.wait(1, 2)", "t.start()\na.wait()\nb.set()\nt.join()",
                "b.wait does not take these arguments"},
        BadTurn{"x.t()", "e = threading.Event(1)\nt.start()\nt.join()", "threading.Event takes no arguments"}));

}  // namespace
}  // namespace plumbline::program::program_event_test
