// Comparison: where two traces of one script differ, and what the spec leaves free.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "oracle/adapter.h"
#include "oracle/program/lower.h"
#include "oracle/verdict.h"

namespace plumbline {

/// One place at which an implementation does not do what is expected.
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
  std::size_t blamed = 0;  ///< the statement that is taken to have made the difference, in the script
  std::string what;        ///< what differs, for people: "version of y", "assert x._version == 1"
};

/// How many readings were compared, and how many of these a rule leaves free (of values: some elements).
struct ReadingCount {
  std::uint64_t compared = 0;
  std::uint64_t free = 0;
};
struct ReadingCounts {
  std::array<ReadingCount, kFields> fields{};  ///< by Field
  ReadingCount thread;                         ///< of the thread's state
  ReadingCount errors;                         ///< statements that read nothing: whether they raise, and what
  void add(const ReadingCounts& more);
  /// Of all of them.
  ReadingCount sum() const;
};

/// The outcome of holding one trace against expectations or against another trace.
struct Comparison {
  Verdict verdict = Verdict::pass;
  std::string message;                  ///< empty only for `pass`
  std::vector<Difference> differences;  ///< in the order of the run; after the first differing statement no more are
                                        ///< looked for: what follows depends on it
  std::size_t statements = 0;           ///< compared
  std::size_t unspecified = 0;          ///< of these, with a reading or outcome that a rule leaves free
  ReadingCounts readings = {};          ///< what was compared, by field
};

/// Compares what `implementation` did with what the reference did. Fields that it cannot observe are not compared. A
/// free version that a snapshot shows, beside all else that it compares, makes a program no `unspecified` one: what is
/// counted on top of it is compared.
Comparison compare(const Script& script, const Trace& reference, const RunResult& implementation,
                   const Description& description);

/// Holds a trace against the asserts and `pytest.raises` of a test: what pytest would say.
Comparison check_expectations(const program::Test& test, const RunResult& result, const Description& description);

/// The verdict on an implementation that gave no trace: divergent, or unsupported where it says so.
Comparison breakdown(const Breakdown& breakdown);

/// A difference in one line: "line 7: version of y: expected 1, got 0".
std::string describe(const Difference& difference);

}  // namespace plumbline
