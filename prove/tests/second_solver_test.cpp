// The second solver's process: how its answers are read, and how hangs, crashes and garbage are reported.
#include "prove/second_solver.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "adapters/tests/processes.h"

namespace plumbline {
namespace {

using proofs::Answer;

const std::string kSatisfiable =
    "(set-info :status sat)\n(set-logic ALL)\n(declare-fun x () Int)\n(assert (< x 3))\n(check-sat)\n";
const std::string kContradiction = "(set-logic ALL)\n(declare-fun x () Int)\n(assert (< x x))\n(check-sat)\n";

/// A shell script that prints `version` and runs `body` for a question; each test has its own path.
std::string fake(const std::string& body, const std::string& version = "This is cvc5 version 1.0.3") {
  const std::string path = fresh_path();
  std::ofstream(path) << "#!/bin/sh\nif [ \"$1\" = --version ]; then echo '" << version << "'; exit 0; fi\n"
                      << body << "\n";
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

Answer asked(const std::string& body, const SolverLimits& limits = {.seconds = 20, .resources = 77, .output = 10'000}) {
  return SecondSolver(fake(body)).ask(kSatisfiable, limits);
}

std::string refusal(const std::string& command) {
  try {
    const SecondSolver solver(command);
    return "accepted as " + solver.version();
  } catch (const SolverFailure& failure) {
    return failure.what();
  }
}

void expect_unknown(const Answer& answer, const std::string& why) {
  EXPECT_EQ(answer.kind, Answer::Kind::unknown);
  EXPECT_NE(answer.why.find(why), std::string::npos) << answer.why;
}

TEST(SecondSolver, an_answer_is_one_word_and_exit_code_0) {
  EXPECT_EQ(asked("cat >/dev/null; echo sat").kind, Answer::Kind::satisfiable);
  EXPECT_EQ(asked("cat >/dev/null; echo unsat").kind, Answer::Kind::unsatisfiable);
  EXPECT_EQ(asked("echo unsat").kind, Answer::Kind::unsatisfiable);  // without reading its question
}

TEST(SecondSolver, gets_the_question_without_the_expected_answer) {
  EXPECT_EQ(asked("grep -q status && echo unsat || echo sat").kind, Answer::Kind::satisfiable);
  EXPECT_EQ(asked("grep -q 'assert (< x 3)' && echo unsat || echo sat").kind, Answer::Kind::unsatisfiable);
}

TEST(SecondSolver, gets_the_resource_limit) {
  EXPECT_EQ(asked("case \"$*\" in *--rlimit=77*) echo unsat;; *) echo sat;; esac").kind, Answer::Kind::unsatisfiable);
}

TEST(SecondSolver, a_hanging_solver_is_killed_with_its_child_processes) {
  const std::string path = fake("[ \"$1\" != nap ] || sleep 1000; \"$0\" nap & sleep 1000");
  const Answer answer = SecondSolver(path).ask(kSatisfiable, {.seconds = 0.5});
  expect_unknown(answer, "cvc5 1.0.3 was killed: it had no answer within 0.5 s");
  EXPECT_GE(answer.milliseconds, 500);
  EXPECT_EQ(processes_left_with(path), 0);
}

TEST(SecondSolver, an_answer_without_an_end_is_not_an_answer) {
  expect_unknown(asked("echo unsat; sleep 1000", {.seconds = 0.5}), "was killed");
  expect_unknown(asked("echo unsat; exec >&- 2>&-; sleep 1000", {.seconds = 0.5}), "was killed");
}

TEST(SecondSolver, a_solver_that_dies_is_reported_with_its_output) {
  expect_unknown(asked("echo 'out of memory' >&2; kill -9 $$"), "was killed by signal 9 and printed 'out of memory'");
  expect_unknown(asked("echo unsat; exit 3"), "ended with exit code 3, after 'unsat'");
  expect_unknown(asked("echo unsat; kill -6 $$"), "was killed by signal 6");
}

TEST(SecondSolver, garbage_is_not_an_answer) {
  expect_unknown(asked("echo '(error \"line 4: no\")'"), "printed '(error \"line 4: no\")', not sat or unsat");
  expect_unknown(asked("echo sat; echo unsat"), "not sat or unsat");
  expect_unknown(asked("printf unsat"), "not sat or unsat");  // cut short
  expect_unknown(asked("true"), "printed nothing");
  expect_unknown(asked("yes unsat"), "printed more than 10000 bytes");
}

TEST(SecondSolver, unknown_is_unknown) { expect_unknown(asked("cat >/dev/null; echo unknown"), "gave up"); }

TEST(SecondSolver, asks_cvc5_again_for_a_finite_model_if_a_quantifier_defeats_it) {
  const std::string body = "cat >/dev/null; case \"$*\" in *finite*) echo sat;; *) echo unknown;; esac";
  const SecondSolver solver(fake(body));
  EXPECT_EQ(solver.ask("(assert (forall ((x Int)) (< x x)))\n").kind, Answer::Kind::satisfiable);
  EXPECT_EQ(solver.ask(kContradiction).kind, Answer::Kind::unknown);
}

TEST(SecondSolver, a_missing_old_or_wrong_solver_is_refused_with_advice) {
  EXPECT_NE(refusal("/no/such/solver").find("cannot be started"), std::string::npos) << refusal("/no/such/solver");
  EXPECT_NE(refusal("/no/such/solver").find("apt-get install cvc5"), std::string::npos);
  const std::string old = refusal(fake("", "This is cvc5 version 0.9.9"));
  EXPECT_NE(old.find("is cvc5 0.9.9, but 1.0.3 or later is needed"), std::string::npos) << old;
  const std::string other = refusal("/bin/true");
  EXPECT_NE(other.find("is neither cvc5 nor z3"), std::string::npos) << other;
  EXPECT_EQ(refusal(fake("", "Z3 version 4.13.0 - 64 bit")), "accepted as z3 4.13.0");
}

TEST(SecondSolver, installed_solvers_answer) {
  if (std::system("command -v cvc5 >/dev/null") != 0)
    GTEST_SKIP() << "cvc5 is not on PATH (Debian: apt-get install cvc5)";
  const SecondSolver solver("cvc5");
  EXPECT_EQ(solver.ask(kSatisfiable).kind, Answer::Kind::satisfiable);
  EXPECT_EQ(solver.ask(kContradiction).kind, Answer::Kind::unsatisfiable);
  expect_unknown(solver.ask("(set-logic ALL)\n(assert oops)\n(check-sat)\n"), "ended with exit code 1");
}

}  // namespace
}  // namespace plumbline
