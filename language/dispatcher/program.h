// Programs about the dispatcher as files: the pytest form of a dispatch script, printed and read.
#pragma once

#include <string>
#include <vector>

#include "language/ast.h"
#include "spec/vocabulary/dispatch_script.h"

namespace plumbline::dispatcher {

/// `assert log == [...]` after a statement; then `log.clear()`.
struct ExpectedLog {
  std::size_t statement = 0;       ///< the InvokeOp or RedispatchOp that ran the kernels
  std::vector<std::string> lines;  ///< as `log_lines` gives them
  int line = 0;
};
/// `assert READING is True`.
struct ExpectedReading {
  std::size_t statement = 0;  ///< a QueryOp or a QueryTls
  bool value = false;
  int line = 0;
};
/// `with pytest.raises(EXCEPTION, match=…)` around a statement.
struct ExpectedRaise {
  std::size_t statement = 0;
  std::string exception;  ///< "NotImplementedError"; "Exception" for any error
  std::string match;      ///< for `re.search`; empty: any message
  int line = 0;
};

/// One test function.
struct DispatchTest {
  std::string name;
  int line = 0;
  std::vector<std::string> rules;  ///< the rule ids in the comment after its `def`
  DispatchScript script;
  std::vector<ExpectedLog> logs;
  std::vector<ExpectedReading> readings;
  std::vector<ExpectedRaise> raises;
};

/// The log of these runs: each kernel's name and, if the kernel gets a key set, that set as Python shows it:
/// "DispatchKeySet(CPU, AutogradCPU)". The set of Undefined alone is empty: "DispatchKeySet()".
std::vector<std::string> log_lines(const std::vector<KernelLog>& log);

/// The tests of a file. Throws program::ProgramError with file, line, what was wrong and what to do.
std::vector<DispatchTest> read_program(const std::string& text, const std::string& file);

/// The file of these tests; `header`: the comment lines at its top. Reading it again gives the same tests, except for
/// line numbers. Throws std::invalid_argument for a script that no program can express: a call with tensors that do not
/// fit the operator, a guard that is never left, a kernel that acts and is both an operator's and a fallback's. A
/// kernel of a fallback whose `op` is empty acts on the operator that it is given.
std::string print_program(const std::vector<DispatchTest>& tests, const std::vector<std::string>& header);

/// Whether a file is a program about the dispatcher: one that uses torch.library.
bool is_dispatch_program(const std::string& text);

}  // namespace plumbline::dispatcher
