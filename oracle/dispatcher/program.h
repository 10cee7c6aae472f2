// Programs about the dispatcher as files: the pytest form of a dispatch script, printed and read.
#pragma once

#include <string>
#include <vector>

#include "oracle/program/ast.h"
#include "spec/dispatch_script.h"

namespace plumbline::dispatcher {

/// `assert log == [...]` after a statement; then `log.clear()`.
struct ExpectedLog {
  std::size_t statement = 0;       ///< the kernels that this one (an InvokeOp or RedispatchOp) ran
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
  std::string exception;  ///< "NotImplementedError"; "Exception" where any will do
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

/// What a log holds of these runs: each kernel's name, and after it, where it is given a key set, that set as Python
/// shows it: "DispatchKeySet(CPU, AutogradCPU)". An empty one, "DispatchKeySet()", is that of Undefined alone.
std::vector<std::string> log_lines(const std::vector<KernelLog>& log);

/// The tests of a file. Throws program::ProgramError with file, line, what was wrong and what to do.
std::vector<DispatchTest> read_program(const std::string& text, const std::string& file);

/// The file of these tests; `header`: the comment lines at its top. Reading it again gives the same tests, up to lines.
/// Throws std::invalid_argument for a script that no program can say: a call with tensors that do not fit the operator,
/// a guard that is never left, a kernel that acts and is both an operator's and a fallback's. A kernel of a fallback
/// whose `op` is empty acts on the operator that it is given.
std::string print_program(const std::vector<DispatchTest>& tests, const std::vector<std::string>& header);

/// Whether a file is a program about the dispatcher: one that uses torch.library.
bool is_dispatch_program(const std::string& text);

}  // namespace plumbline::dispatcher
