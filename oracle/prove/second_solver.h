// Another solver, as a process: whether it says the same of an SMT-LIB file as Z3's library does.
#pragma once

#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "spec/proofs/solver.h"

namespace plumbline {

/// The solver is missing, too old, or another program; says what to do. The caller ends with exit code 3.
struct SolverFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What one question may cost.
struct SolverLimits {
  double seconds = 60;          ///< of wall time; then its process is killed
  std::uint64_t resources = 0;  ///< in the solver's own unit, which is the same in every run; 0: the solver's standard
  std::size_t output = 1U << 20U;  ///< bytes that it may print
};

/// The options with which cvc5 answers this file soonest, as its command line has them; empty: none.
std::string cvc5_options(std::string_view file);

/// cvc5 or z3, started anew for each question. No shell is involved.
class SecondSolver {
 public:
  /// `command` is "cvc5", "z3", or a path to either: what it is, it says itself (`--version`). Throws SolverFailure.
  explicit SecondSolver(std::string command);

  /// "cvc5 1.0.3".
  const std::string& version() const { return version_; }

  /// What it says of a whole file (`smtlib()`). The file's expected status is withheld from it. Whatever is no plain
  /// answer (it hangs, dies, prints something else, gives up) is `unknown`, with the reason; so `values` stays empty.
  proofs::Answer ask(const std::string& file, const SolverLimits& limits = {}) const;

  /// All of them, `jobs` at once; the answers stand in the order of the questions. `told` hears of each one as it
  /// comes, in any order, never two at the same time. The questions are made when their turn comes, by any thread.
  std::vector<proofs::Answer> ask_all(std::size_t questions, const std::function<std::string(std::size_t)>& file,
                                      unsigned jobs, const SolverLimits& limits = {},
                                      const std::function<void(std::size_t, const proofs::Answer&)>& told = {}) const;

 private:
  std::string command_;
  std::string version_;
  bool cvc5_ = false;
};

}  // namespace plumbline
