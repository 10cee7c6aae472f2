// Lowering: from a program to the script that runs, and the expectations of its asserts.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "language/ast.h"
#include "spec/vocabulary/observation.h"
#include "spec/vocabulary/statement.h"

namespace plumbline::program {

/// An `assert` about the reading that the script's statement `statement` makes; see `meets` in expectation.h.
///
/// An assert lowers to one reading (Read, ReadThread, QueryKernel, QueryThreadKey or ReadLog) and one Expectation, with
/// two exceptions: `x.tolist() == [[…]]` reads sizes, then values, with an expectation each (the nesting of the list
/// says the sizes); `torch._C._is_alias_of(x, y)` reads the storage of x, then of y, with one expectation on the
/// second.
struct Expectation {
  std::size_t statement = 0;
  bool negated = false;  ///< `is not`, or `is False` for a reading that is not a truth value
  Reading expected;      ///< `_base is y`: the number of the lowest slot that holds y's tensor object
  int line = 0;
  std::string text;  ///< as written, for reports
  /// The reading must equal that of this earlier statement; `expected` is not used.
  std::optional<std::size_t> same_as_statement;
  /// The reading, a list of names, must contain this name; `expected` is not used. Empty: no such condition.
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

/// The exceptions that `pytest.raises` takes.
inline constexpr std::array<std::string_view, 7> kExceptions{
    "RuntimeError", "IndexError", "ValueError", "TypeError", "NotImplementedError", "AttributeError", "Exception"};

/// One test function, ready to run.
struct Test {
  std::string name;
  int line = 0;
  std::vector<std::string> rules;      ///< the rule ids in the comment after its `def`
  std::vector<std::string> sentences;  ///< and the ids of sentences of the texts there: "F-12", "D-03"
  Script script;
  std::vector<Expectation> expectations;
  std::vector<ExpectedError> errors;
  std::map<std::size_t, std::vector<std::string>> remarks = {};  ///< comments above statements; a lowered test has none
};

/// Lowers every test of a program in order, and inlines calls of the program's own functions. What the file registers
/// outside its tests comes first in each test that uses its namespace, directly or through functions and kernels. A
/// function that is registered several times is one kernel. Throws ProgramError for a name that is not defined, an op
/// that the table lacks, an argument that does not fit, …
///
/// Slots are numbered in the order of first assignment. A name that is assigned again keeps its slot, unless another
/// name stands for the same slot (`y = x`): then it gets a new one. In a `pytest.raises` block the last statement is
/// assumed to raise: the names that it assigns are not defined after the block.
std::vector<Test> lower(const Program& program);

/// The inverse, for generated scripts: a program with one test that runs `script`. `errors` say which statements
/// are inside `pytest.raises` (a Try without one expects any RuntimeError); `expectations` become asserts.
/// If slots are numbered by first assignment, operators by first definition or registration and kernels by first
/// registration, lowering the result gives the same script, with some exceptions: line numbers; Snapshots, which have
/// no form in Python and are left out; names that Python does not allow, or that two things share; the schema of an
/// operator that is never defined; and what a body returns after it raises an error. The log is a list of the test. A
/// kernel's function is defined in the test itself, above the block that registers it first. A script with
/// at::AutoNonVariableTypeMode, which only C++ has, becomes text for people, marked `# C++ only`, that neither Python
/// nor `lower` accepts. Throws std::invalid_argument for what Python cannot express: guards that do not nest, a
/// `torch.tensor` with a size of 0 before its last dimension, an expectation of no known form, a slot that is read
/// before it is assigned, a library that a thread makes, an operator that is used before it is defined, …
Program raise(const Test& test);

}  // namespace plumbline::program
