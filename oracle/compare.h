// Comparing two traces of one script, or a trace with what a test expects.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "adapters/adapter.h"
#include "language/lower.h"
#include "oracle/verdict.h"

namespace plumbline {

/// One place where an implementation does not do what is expected.
struct Difference {
  std::size_t statement = 0;  ///< in the script
  int line = 0;               ///< in the program; 0: none
  std::optional<Slot> tensor;
  std::optional<Field> field;
  std::optional<ThreadField> thread;
  std::string expected;
  std::string got;
  /// What kind of difference this is, stable under shrinking: "add_.Tensor/values", "detach/version:
  /// inference_version -> value". Waivers and the minimiser match it.
  std::string signature;
  std::size_t blamed = 0;  ///< the statement that probably made the difference, in the script
  std::string what;        ///< what differs, for people: "version of y", "assert x._version == 1"
};

/// How many readings were compared, how many of them a rule leaves unspecified (of values: some elements), and how many
/// were not compared, because the implementation's description leaves the field out.
struct ReadingCount {
  std::uint64_t compared = 0;
  std::uint64_t free = 0;
  std::uint64_t left_out = 0;
  void add(const ReadingCount& more);
};
struct ReadingCounts {
  std::array<ReadingCount, kFields> fields{};  ///< by Field
  ReadingCount thread;                         ///< of the thread's state
  ReadingCount answers;                        ///< of the log, and of queries about kernels and keys
  ReadingCount errors;                         ///< statements that read nothing: whether they raise, and which error
  void add(const ReadingCounts& more);
  /// The sum of all.
  ReadingCount sum() const;
};

/// The result of comparing one trace with expectations or with another trace.
struct Comparison {
  Verdict verdict = Verdict::pass;
  std::string message;                  ///< empty only for `pass`
  std::vector<Difference> differences;  ///< in the order of the run; those after the first statement that differs are
                                        ///< not searched, because they depend on it
  std::size_t statements = 0;           ///< compared
  std::size_t unspecified = 0;          ///< of these, with a value that a rule leaves unspecified
  ReadingCounts readings = {};          ///< what was compared, by field
};

/// Compares what `implementation` did with what the reference did. Fields that it cannot observe are not compared. An
/// unspecified version in a snapshot alone does not make a program `unspecified`: later versions of its counter are
/// compared.
Comparison compare(const Script& script, const Trace& reference, const RunResult& implementation,
                   const Description& description);

/// Compares a trace with the asserts and `pytest.raises` of a test: what pytest would say.
Comparison check_expectations(const program::Test& test, const RunResult& result, const Description& description);

/// The verdict on an implementation that gave no trace: divergent, or unsupported if it says so.
Comparison breakdown(const Breakdown& breakdown);

/// A difference in one line: "line 7: version of y: expected 1, got 0".
std::string describe(const Difference& difference);

}  // namespace plumbline
