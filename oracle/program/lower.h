// Lowering: from a program as written to the script that runs, and the expectations that its asserts state.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "oracle/program/ast.h"
#include "spec/observation.h"
#include "spec/statement.h"

namespace plumbline::program {

/// `assert` on the reading that the script's statement `statement` makes; see `meets` in expectation.h.
///
/// An assert lowers to one Read (or ReadThread) and one Expectation, but for two: `x.tolist() == [[…]]` reads
/// sizes, then values, with an expectation each (the nesting of the list says the sizes);
/// `torch._C._is_alias_of(x, y)` reads the storage of x, then of y, with one expectation on the second.
struct Expectation {
  std::size_t statement = 0;
  bool negated = false;  ///< `is not`, or `is False` of something that is not a truth value itself
  Reading expected;      ///< `_base is y`: the number of the lowest slot that holds y's tensor object
  int line = 0;
  std::string text;  ///< as written, for reports
  /// The reading must equal that of this earlier statement; `expected` is not used.
  std::optional<std::size_t> same_as_statement;
  /// The reading, a list of names, must have this one; `expected` is not used. Empty: not asked.
  std::string contains;
  /// The reading, a list of integers, must begin with `expected`: `[]` is what `tolist` gives for [0] and [0, 3].
  bool prefix = false;
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
  std::vector<std::string> rules;      ///< the rule ids in the comment behind its `def`
  std::vector<std::string> sentences;  ///< and the ids of the texts' sentences there: "F-12", "D-03"
  Script script;
  std::vector<Expectation> expectations;
  std::vector<ExpectedError> errors;
  std::map<std::size_t, std::vector<std::string>> remarks = {};  ///< comments above statements; a lowered test has none
};

/// Lowers every test of a program, in order; calls of the program's own functions are inlined. Throws
/// ProgramError for a name that is not defined, an op that the table lacks, an argument that does not fit, …
///
/// Slots are numbered in the order of first assignment. A name that is assigned again keeps its slot, unless another
/// name stands for the same slot (`y = x`): then it gets a new one. In a `pytest.raises` block the last statement is
/// taken to be the one that raises: what it would have assigned is not assigned behind the block.
std::vector<Test> lower(const Program& program);

/// The inverse, for generated scripts: a program with one test that runs `script`. `errors` say which statements
/// stand under `pytest.raises` (a Try without one expects any RuntimeError); `expectations` become asserts.
/// Lowering the result gives the same script, up to lines, where slots are numbered by first assignment, and but for
/// Snapshots, which have no form in Python and are left out. A script with at::AutoNonVariableTypeMode, which only C++
/// has, becomes text for people, marked `# C++ only`, that neither Python nor `lower` takes.
/// Throws std::invalid_argument for what Python cannot say: guards that do not nest, a `torch.tensor` with a size of 0
/// before its last dimension, an expectation of no known form, a slot that is read before it is assigned, …
Program raise(const Test& test);

}  // namespace plumbline::program
