// cvc5 gives the expected verdict for every obligation, as an SMT-LIB file. Long: `./test --all`.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <thread>

#include "prove/second_solver.h"
#include "spec/proofs/prove.h"

namespace plumbline {
namespace {

TEST(SecondSolverObligations, cvc5_gives_each_expected_verdict) {
  if (std::system("command -v cvc5 >/dev/null") != 0)
    GTEST_SKIP() << "cvc5 is not on PATH (Debian: apt-get install cvc5)";
  const auto obligations = proofs::all_obligations();
  const proofs::ProveOptions options;
  const auto file = [&](std::size_t i) { return proofs::smtlib_of(obligations[i], options); };
  const auto told = [&](std::size_t i, const proofs::Answer& answer) {
    std::printf("%8.0f ms  %s\n", answer.milliseconds, obligations[i].name.c_str());
    std::fflush(stdout);
  };
  const SolverLimits limits{.seconds = 240};
  const auto answers =
      SecondSolver("cvc5").ask_all(obligations.size(), file, std::thread::hardware_concurrency(), limits, told);
  for (std::size_t i = 0; i < obligations.size(); ++i) {
    const bool refuted = obligations[i].expected_of(options.profile) == proofs::Verdict::refuted;
    EXPECT_EQ(answers[i].kind, refuted ? proofs::Answer::Kind::satisfiable : proofs::Answer::Kind::unsatisfiable)
        << obligations[i].name << ": " << answers[i].why;
  }
}

}  // namespace
}  // namespace plumbline
