// Lowering: from a program as written to the script that runs, and the expectations that its asserts state.
#pragma once

#include <string>
#include <vector>

#include "oracle/program/ast.h"
#include "spec/observation.h"
#include "spec/statement.h"

namespace plumbline::program {

/// `assert` on the reading that the script's statement `statement` makes.
struct Expectation {
  std::size_t statement = 0;
  bool negated = false;   ///< `is not`
  Reading expected;       ///< an observation of another tensor is lowered to its slot's number
  int line = 0;
  std::string text;       ///< as written, for reports
};

/// `with pytest.raises(exception, match=…)` around the statements [first, last] of the script (Try to EndTry).
struct ExpectedError {
  std::size_t first = 0;
  std::size_t last = 0;
  std::string exception;  ///< "RuntimeError"
  std::string match;      ///< a regular expression for `re.search`; empty: any message
  int line = 0;
};

/// One test function, ready to run.
struct Test {
  std::string name;
  int line = 0;
  std::vector<std::string> rules;  ///< the rule ids in the comment behind its `def`
  Script script;
  std::vector<Expectation> expectations;
  std::vector<ExpectedError> errors;
};

/// Lowers every test of a program, in order; calls of the program's own functions are inlined. Throws
/// ProgramError for a name that is not defined, an op that the table lacks, an argument that does not fit, …
std::vector<Test> lower(const Program& program);

/// The inverse, for generated scripts: a program with one test that runs `script`. `errors` say which statements
/// stand under `pytest.raises`; `expectations` become asserts behind their statements.
Program raise(const Test& test);

}  // namespace plumbline::program
