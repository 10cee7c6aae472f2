// cvc5 gives the expected verdict for every obligation, as an SMT-LIB file. Long: `./test --all`.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "prove/second_solver.h"
#include "spec/proofs/prove.h"
#include "support/workers.h"

namespace plumbline {
namespace {

TEST(SecondSolverObligations, cvc5_gives_each_expected_verdict) {
  if (std::system("command -v cvc5 >/dev/null") != 0)
    GTEST_SKIP() << "cvc5 is not on PATH (Debian: apt-get install cvc5)";
  const auto obligations = proofs::all_obligations();
  const proofs::ProveOptions options;
  const SolverLimits limits{.seconds = 240};
  const SecondSolver cvc5("cvc5");
  std::vector<proofs::Answer> answers(obligations.size());
  cli::share_work(obligations.size(), {.jobs = std::thread::hardware_concurrency()}, [&](std::size_t i) {
    answers[i] = cvc5.ask(proofs::smtlib_of(obligations[i], options), limits);
    std::puts(fmt::format("{:8.0f} ms  {}", answers[i].milliseconds, obligations[i].name).c_str());
  });
  for (std::size_t i = 0; i < obligations.size(); ++i) {
    const bool refuted = obligations[i].expected_of(options.profile) == proofs::Verdict::refuted;
    EXPECT_EQ(answers[i].kind, refuted ? proofs::Answer::Kind::satisfiable : proofs::Answer::Kind::unsatisfiable)
        << obligations[i].name << ": " << answers[i].why;
  }
}

}  // namespace
}  // namespace plumbline
