// The results of running tests on implementations: the data behind the text, the table and the JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/adapter.h"
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

/// A difference, what it was compared with, and the waiver that excuses it.
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
  bool ran = false;                ///< false: the run was interrupted before it
  Verdict verdict = Verdict::pass;
  bool waived = false;  ///< divergent, and every finding has a waiver
  std::string message;  ///< empty only for `pass`
  std::vector<Finding> findings;
  /// Where the implementation's own states break an invariant. After `apply_waivers` only waived breaches are here; the
  /// others are findings.
  std::vector<Finding> breaches;
  std::size_t watched_every = 1;  ///< statements that act between two looks of the monitors; more in long programs
  std::size_t statements = 0;     ///< compared
  std::size_t unspecified = 0;    ///< of these, with a value that the specification does not define

  /// "test_views.py::test_name", as waivers and pytest write it.
  std::string key() const;
  /// As reports name it: "waived" instead of "divergent" if it is.
  std::string_view verdict_name() const { return waived ? "waived" : name_of(verdict); }
};

struct Implementation {
  std::string name;  ///< as given to `--on`
  Description description;
  Counts counts = {};  ///< what it counted in all programs
};

/// The output and the exit code of a sibling command that is part of a run.
struct Appendix {
  std::string title;
  std::string text;
  int exit_code = 0;
  std::string profile;  ///< the profile whose departures from sound it shows; empty: it shows something else
};

struct RunReport {
  std::string command;  ///< "run" or "check"
  std::string profile;  ///< the profile of the reference, if it is one of the implementations
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

  /// Appends a result for each implementation, with what this one has.
  void add_for_each_implementation(TestResult result);

  Tally tally() const;
  std::vector<const TestResult*> not_run() const;
  /// As `Tally::exit_code`, but 130 if the run was interrupted, 2 if there are problems, 1 if waivers are stale, and
  /// otherwise the exit code of the first appendix that failed.
  int exit_code() const;
};

/// Excuses the findings and breaches that have a waiver; a breach without a waiver makes its result divergent. Fills
/// `stale` if `complete` is true.
void apply_waivers(RunReport& report, Waivers& waivers, bool complete);

/// "python 2.9.1+cpu has no profile of its own; the nearest is torch-2.13"; empty if it has its own, or is compared
/// with a profile that is of no release.
std::string nearest_profile_text(const Description& description);

/// How an implementation is compared, in one line: "every reading exactly except keys (not observed); errors …".
std::string strictness_text(const Description& description);

}  // namespace plumbline
