// Another solver as a process, to check the answers of Z3's library with SMT-LIB files.
#pragma once

#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "spec/proofs/solver.h"

namespace plumbline {

/// The solver is missing, too old, or another program. The message says what to do. The caller exits with code 3.
struct SolverFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The limits of one question.
struct SolverLimits {
  double seconds = 60;             ///< of wall time; after that its process is killed
  std::uint64_t resources = 0;     ///< in the solver's own deterministic unit; 0: a default for the solver
  std::size_t output = 1U << 20U;  ///< the limit for its output, in bytes
};

/// The command-line options with which cvc5 answers this file fastest; may be empty.
std::string cvc5_options(std::string_view file);

/// cvc5 or z3, started again for each question. No shell is involved.
class SecondSolver {
 public:
  /// `command` is "cvc5", "z3", or a path to either; `--version` tells which one it is. Throws SolverFailure.
  explicit SecondSolver(std::string command);

  /// "cvc5 1.0.3".
  const std::string& version() const { return version_; }

  /// The solver's answer for a whole file (`smtlib()`). The solver does not see the file's expected status. Anything
  /// other than a plain answer (it hangs, dies, prints something else, gives up) is `unknown`, with the reason.
  /// `values` stays empty.
  proofs::Answer ask(const std::string& file, const SolverLimits& limits = {}) const;

 private:
  std::string command_;
  std::string version_;
  bool cvc5_ = false;
};

}  // namespace plumbline
