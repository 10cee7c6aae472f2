// Threads: lowering `start` and `join`, and the scope of names.
#include <gtest/gtest.h>

#include "language/parse.h"
#include "language/print.h"
#include "language/tests/program_malformed.h"
#include "language/tests/program_show.h"

namespace plumbline::program::program_thread_test {
namespace {

/// A program that also runs under pytest.
constexpr const char* kProgram = R"PY(import pytest
import threading
import torch

pytestmark = pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")


def worker(x, n):
    x.add_(n)
    y = x.mul(2)
    assert torch.is_grad_enabled() is True


def test_threads(device):
    x = torch.zeros([2], device=device)
    def run():
        y = x.view([2])
        with pytest.raises(RuntimeError):
            y.view([3])
    with torch.no_grad():
        t = threading.Thread(target=run)
        t.start()
        t.join()
        u = threading.Thread(target=worker, args=(x, 2))
        u.start()
        # Nothing runs between them.
        u.join()
    assert x.tolist() == [2.0, 2.0]
)PY";

TEST(Threads, canonical_text_is_printed_as_it_is) { EXPECT_EQ(print(parse(kProgram, "a.py")), kProgram); }

TEST(Threads, the_targets_body_is_inlined_between_start_and_join) {
  const program::Test test = lower(parse(kProgram, "a.py")).at(0);
  EXPECT_EQ(show(test.script),
            "%0 = zeros([2], None, None, None, None)\n"
            "enter 1 false\n"
            "start thread\n"
            "%1 = view(%0, [2])\n"
            "try\n"
            "view(%1, [3])\n"
            "end try\n"
            "join thread\n"
            "start thread\n"
            "add_.Tensor(%0, 2, 1)\n"
            "%2 = mul.Tensor(%0, 2)\n"
            "read thread 1\n"
            "join thread\n"
            "exit\n"
            "read %0 1\n"
            "read %0 4\n");
  EXPECT_EQ(test.script.names, (std::vector<std::string>{"x", "y", "worker_y"}));
  EXPECT_EQ(test.script.statements[8].line, 25);
  EXPECT_EQ(test.script.statements[12].line, 27);
}

std::string program_of(const std::string& body) {
  std::string indented = "    ";
  for (const char c : body) indented += c == '\n' ? "\n    " : std::string(1, c);
  return "import pytest\nimport threading\nimport torch\n\ndef helper(a):\n    a.t()\n\ndef test_a(device):\n"
         "    x = torch.ones(2)\n" +
         indented + "\n";
}
std::string shown(const std::string& body) { return show(lower(parse(program_of(body), "a.py")).at(0).script); }
constexpr const char* kMade = "%0 = ones([2], None, None, None, None)\n";

TEST(Threads, names_that_the_target_assigns_are_local) {
  EXPECT_EQ(shown("y = x.t()\ndef run(y):\n    y = y.t()\nt = threading.Thread(target=run, args=(x,))\nt.start()\n"
                  "t.join()\ny.t()"),
            std::string(kMade) + "%1 = t(%0)\nstart thread\n%2 = t(%0)\njoin thread\nt(%1)\n");
}

TEST(Threads, a_target_sees_the_tests_names_at_its_start) {
  EXPECT_EQ(shown("def run():\n    y.t()\nt = threading.Thread(target=run)\ny = x.t()\nt.start()\nt.join()"),
            std::string(kMade) + "%1 = t(%0)\nstart thread\nt(%1)\njoin thread\n");
}

TEST(Threads, a_threads_arguments_are_taken_when_it_is_made) {
  EXPECT_EQ(shown("t = threading.Thread(target=helper, args=(x,))\nx = x.mul(2)\nt.start()\nt.join()"),
            std::string(kMade) + "%1 = mul.Tensor(%0, 2)\nstart thread\nt(%0)\njoin thread\n");
}

TEST(Threads, a_function_inside_a_test_can_be_called) {
  EXPECT_EQ(shown("def twice(a):\n    b = a.mul(x)\n    return b\ny = twice(x)\ny.t()"),
            std::string(kMade) + "%1 = mul.Tensor(%0, %0)\nt(%1)\n");
}

TEST(Threads, a_thread_can_start_a_thread) {
  EXPECT_EQ(shown("def run():\n    def inner():\n        x.t()\n    u = threading.Thread(target=inner)\n    u.start()\n"
                  "    u.join()\nt = threading.Thread(target=run)\nt.start()\nt.join()"),
            std::string(kMade) + "start thread\nstart thread\nt(%0)\njoin thread\njoin thread\n");
}

struct BadThread {
  std::string body;   ///< the test's body; its first line is line 10
  std::string error;  ///< after "a.py:"
};
std::ostream& operator<<(std::ostream& os, const BadThread& b) { return os << b.body; }

class ThreadRefused : public testing::TestWithParam<BadThread> {};

TEST_P(ThreadRefused, says_why) { EXPECT_EQ(error_of(program_of(GetParam().body)), "a.py:" + GetParam().error); }

const std::string kThread = "t = threading.Thread(target=helper, args=(x,))\n";

INSTANTIATE_TEST_SUITE_P(
    Threads, ThreadRefused,
    testing::Values(
        BadThread{kThread + "t.start()\nx.t()\nt.join()",
                  "11:7: a thread is started but not joined on the next line. Write `t.join()` on the line below "
                  "`t.start()`, or below the last `e.set()` that lets it go on: otherwise the order of the two "
                  "threads' statements is not determined."},
        BadThread{kThread + "t.start()",
                  "11:7: a thread is started but not joined on the next line. Write `t.join()` on the line below "
                  "`t.start()`, or below the last `e.set()` that lets it go on: otherwise the order of the two "
                  "threads' statements is not determined."},
        BadThread{kThread + "with torch.no_grad():\n    t.start()\nt.join()",
                  "12:11: a thread is started but not joined on the next line. Write `t.join()` on the line below "
                  "`t.start()`, or below the last `e.set()` that lets it go on: otherwise the order of the two "
                  "threads' statements is not determined."},
        BadThread{kThread + "t.start()\nt.join()\nt.start()",
                  "13:7: the thread t is started twice. Make another threading.Thread."},
        BadThread{
            kThread + "t.join()",
            "11:7: the thread t is joined but was not started on the line above. Write t.start() and t.join() on two "
            "lines."},
        BadThread{kThread + "x.t()",
                  "10:19: a thread is never started. Write `t.start()` and `t.join()` below it, or remove the thread."},
        BadThread{kThread + "t.start()\nt.join(1)",
                  "12:7: t.join takes no arguments and returns nothing. Write t.join()."},
        BadThread{kThread + "t.is_alive()",
                  "11:7: a thread has no 'is_alive' in programs. Write t.start() and t.join()."},
        BadThread{
            kThread + "with pytest.raises(RuntimeError):\n    t.start()\n    t.join()",
            "13:9: pytest.raises ends with t.join(). An error in a thread does not reach the thread that joins it: "
            "write pytest.raises in the thread's function."},
        BadThread{"t = threading.Thread(helper)",
                  "10:19: threading.Thread does not take these arguments. Write "
                  "threading.Thread(target=train)."},
        BadThread{"t = threading.Thread(target=helper, args=[x])",
                  "10:46: threading.Thread is given args=[x]. It takes target=, a function, and args=, a tuple as in "
                  "`args=(x,)`."},
        BadThread{
            "t = threading.Thread(target=helper, daemon=True)",
            "10:48: threading.Thread is given daemon=True. It takes target=, a function, and args=, a tuple as in "
            "`args=(x,)`."},
        BadThread{"t = threading.Thread(target=x)",
                  "10:33: 'x' is not a function of this file. Define it with `def`, and write only its name."},
        BadThread{"t = threading.Thread(target=helper)",
                  "10:19: the argument 'a' of helper is missing. It is defined as helper(a)."},
        BadThread{"threading.Thread(target=helper, args=(x,))",
                  "10:15: the thread is not assigned to a name. Write `t = threading.Thread(target=train)`."},
        BadThread{"def run():\n    x.t()\n    x = x.mul(2)\nt = threading.Thread(target=run)\nt.start()\nt.join()",
                  "11:9: the name 'x' is not defined here. The function assigns it below, so it is a local name from "
                  "the function's first line on."},
        BadThread{"def run():\n    y = x.t()\nt = threading.Thread(target=run)\nt.start()\nt.join()\ny.t()",
                  "15:5: the name 'y' is not defined here. Did you mean t or x?"},
        BadThread{"def helper():\n    pass", "10:5: the name 'helper' is taken. Assign to another name."}));

TEST(Threads, threading_must_be_imported) {
  EXPECT_EQ(error_of("import torch\n\ndef f():\n    pass\n\ndef test_a(device):\n    t = threading.Thread(target=f)\n"),
            "a.py:7:9: threading is used but not imported. Write `import threading` at the top of the file.");
}

}  // namespace
}  // namespace plumbline::program::program_thread_test
