// What a run of tests on implementations found: the data that the text, the table and the JSON are made from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "oracle/adapter.h"
#include "oracle/compare.h"
#include "oracle/verdict.h"
#include "oracle/waivers.h"

namespace plumbline {

/// A file, or a place in one, that could not be used.
struct Problem {
  std::string file;
  int line = 0;  ///< 0: the file as a whole
  int column = 0;
  std::string problem;
  std::string advice;
};

/// A difference with where it was seen and what excuses it.
struct Finding {
  Difference difference;
  std::string against;  ///< "the program's expectations", or "the reference (torch-2.13)"
  std::optional<Waiver> waiver;
  Occurrence occurrence;  ///< what waivers judge it by
};

/// One test on one implementation.
struct TestResult {
  std::string file;
  std::string test;
  int line = 0;
  std::vector<std::string> rules;
  std::size_t implementation = 0;  ///< index into `RunReport::implementations`
  bool ran = false;                ///< false: the run was interrupted before
  Verdict verdict = Verdict::pass;
  bool waived = false;  ///< divergent, and every finding has a waiver
  std::string message;  ///< empty only for `pass`
  std::vector<Finding> findings;
  /// Where the implementation's own states break an invariant; behind `apply_waivers` those alone that are waived, the
  /// others are findings.
  std::vector<Finding> breaches;
  std::size_t statements = 0;   ///< compared
  std::size_t unspecified = 0;  ///< of these, what the spec leaves free

  /// "test_views.py::test_name", as waivers and pytest have it.
  std::string key() const;
};

struct Implementation {
  std::string name;  ///< as given to `--on`
  Description description;
};

/// What a sibling command that a run includes printed, and how it ended.
struct Appendix {
  std::string title;
  std::string text;
  int exit_code = 0;
};

struct RunReport {
  std::string command;  ///< "run" or "check"
  std::string profile;  ///< of the reference among the implementations
  std::string flip;
  std::vector<Implementation> implementations;
  std::vector<TestResult> results;  ///< by test, then by implementation
  std::vector<Problem> problems;
  std::vector<std::string> stale;  ///< waivers that nothing needs any more
  std::vector<Appendix> appendices;
  bool interrupted = false;
  bool require_all = false;
  double seconds = 0;
  unsigned jobs = 1;

  Tally tally() const;
  std::vector<const TestResult*> not_run() const;
  /// As `Tally::exit_code`, but 130 where the run was interrupted, 2 where there are problems, 1 where waivers are
  /// stale, and the first appendix's own that failed.
  int exit_code() const;
};

/// Excuses the findings and breaches of every result for which there is a waiver; a breach without one makes the result
/// divergent. `stale` is filled where `complete` is true.
void apply_waivers(RunReport& report, Waivers& waivers, bool complete);

/// How an implementation is compared, in one line: "fields exact but keys (not observed); errors by class; …".
std::string strictness_text(const Description& description);

}  // namespace plumbline
