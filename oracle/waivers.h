// Waivers: known divergences, each with its reason, its link and the day on which it must be looked at again.
#pragma once

#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "oracle/compare.h"

namespace plumbline {

/// One entry of the waivers' file: {"waivers": [{"id", "rules", "implementation", "ops", "when", "signature", "test",
/// "within", "reason", "link", "expires"}]}. At least one of `test` and `within` is there.
struct Waiver {
  std::string id;                  ///< "W-1"
  std::vector<std::string> tests;  ///< the curated tests that show it, "FILE.py::NAME" each
  std::vector<std::string> rules;
  std::string implementation;           ///< a profile ("torch-2.13"), or a name and version ("libtorch-2.13.0")
  std::vector<std::string> ops;         ///< what the statement that differs may be called; `*` stands for anything
  std::vector<std::string> when;        ///< the predicate: facts that must all hold there (oracle/facts.h)
  std::vector<std::string> signatures;  ///< of the differences that it excuses; `*` stands for anything
  std::string reason;
  std::string link;
  std::string expires;       ///< "YYYY-MM-DD", the last day on which it holds
  std::uint64_t within = 0;  ///< it holds for generated programs, and so many are sure to need it; 0: it does not
};

/// A difference, as waivers judge it.
struct Occurrence {
  std::string op;               ///< what the statement that differs is called
  std::set<std::string> facts;  ///< that hold there
  std::string signature;
};

/// What is wrong with the waivers' file: which file, which entry, what, what to do.
struct WaiverError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads and checks a waivers' file; a file that is not there has no waivers. One whose `implementation` is a list
/// becomes one for each of them, of the same id. `today`: "YYYY-MM-DD". Throws WaiverError for anything else than the
/// form above, a rule that is none, two entries of one id, and an entry that has expired.
std::vector<Waiver> load_waivers(const std::string& path, const std::string& today);

/// Today's date in UTC.
std::string today();

/// Whether `text` fits `pattern`, in which `*` stands for anything.
bool fits_glob(std::string_view text, std::string_view pattern);

/// The waivers, and which of them a run has needed. Not thread-safe.
class Waivers {
 public:
  explicit Waivers(std::vector<Waiver> waivers) : waivers_(std::move(waivers)) {}

  /// Says that a test ("FILE.py::NAME") ran on an implementation, so that its waivers must be needed.
  void ran(const Description& implementation, const std::string& test);
  /// The waiver that excuses what a test shows on an implementation, or null.
  const Waiver* find(const Description& implementation, const std::string& test, const Occurrence& occurrence);

  /// The waiver that excuses what a generated program shows, or null. Counts nothing, so workers may share it.
  const Waiver* find_generated(const Description& implementation, const Occurrence& occurrence) const;
  /// One line for each waiver of generated programs that `programs` of them did not need, though so many should;
  /// `needed` names those that some did. `functionalized`: the programs have functionalized bodies; of these alone the
  /// waivers tell that ask for the fact functionalizes.
  std::vector<std::string> stale_of_generated(const Description& implementation, std::uint64_t programs,
                                              const std::set<std::string>& needed, bool functionalized = false) const;

  /// One line for each waiver and test of it that ran, on its implementation, and did not need it.
  std::vector<std::string> stale() const;

  const std::vector<Waiver>& all() const { return waivers_; }

 private:
  using Use = std::pair<std::size_t, std::string>;  // a waiver's index, a test
  std::vector<Waiver> waivers_;
  std::set<Use> present_;
  std::set<Use> needed_;
};

/// What waivers judge a difference by: replays the script under the implementation's profile.
Occurrence occurrence_of(const Script& script, const Difference& difference, const Description& implementation);

}  // namespace plumbline
