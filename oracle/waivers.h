// Waivers: known divergences, each with its reason, its link and its expiry date.
#pragma once

#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "oracle/compare.h"
#include "oracle/earlier.h"

namespace plumbline {

/// One entry of a waivers' file: {"waivers": [{"id", "rules", "implementation", "ops", "when", "earlier", "anywhere",
/// "signature", "got", "test", "within", "reason", "link", "expires"}]}. At least one of `test` and `within` is
/// present, and one of `when` and `got`; `earlier` and `anywhere` may be missing.
struct Waiver {
  std::string id;                  ///< "W-1", or the name of a page of docs/findings
  std::vector<std::string> tests;  ///< the curated tests that show it, "FILE.py::NAME" each
  std::vector<std::string> rules;
  std::string implementation;           ///< a profile ("torch-2.13"), a name ("lazy", "compile-*"), or a name and
                                        ///< version ("python-2.9.1", any build); `*` in a name matches anything
  std::vector<std::string> ops;         ///< names of the statement that differs; `*` matches anything
  std::vector<std::string> when;        ///< the predicate: facts that must all hold there (oracle/facts.h)
  bool earlier = false;                 ///< `ops` and `when` may also fit an earlier statement that it depends on; for
                                        ///< a crash or a hang, any statement of the program
  std::vector<std::string> signatures;  ///< of the differences that it excuses; `*` matches anything
  std::vector<std::string> got;         ///< what the implementation gave, or its error; `*` matches anything
  std::string reason;
  std::string link;
  std::string expires;       ///< "YYYY-MM-DD", the last day on which it holds
  std::uint64_t within = 0;  ///< so many generated programs are sure to need it, and it excuses each program that has
                             ///< its cause; 0: only its tests
  bool anywhere = false;     ///< `ops` and `when` may fit any statement of the program: it writes outside its memory,
                             ///< so what it changes does not depend on it
};

/// What a difference departs from.
enum class Against : std::uint8_t {
  reference,  ///< from what the reference does under the implementation's profile
  statement   ///< from what the program states, or from an invariant
};

/// A difference, as waivers judge it.
struct Occurrence {
  std::string op;               ///< the name of the statement that differs
  std::set<std::string> facts;  ///< that hold there
  std::string signature;
  std::string got = {};                        ///< what the implementation gave
  std::vector<EarlierStatement> earlier = {};  ///< the statements that it depends on
  Against against = Against::reference;
  std::function<std::vector<EarlierStatement>()> whole = {};  ///< all statements; facts cost time, and few waivers ask
};

/// An error in the waivers' file: the file, the entry, what is wrong and what to do.
struct WaiverError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads and checks a waivers' file; a missing file has no waivers. An entry whose `implementation` is a list becomes
/// one waiver for each of them, with the same id. Entries whose link is one page of docs/findings share its id.
/// `today`: "YYYY-MM-DD". Throws WaiverError for another form, an unknown rule, fact or implementation, two entries
/// with one id, and an expired entry.
std::vector<Waiver> load_waivers(const std::string& path, const std::string& today);

/// The waivers of `file`; if it is empty, those of waivers.json and findings.json in the folder `corpus`.
std::vector<Waiver> load_waivers_or(const std::string& file, const std::string& corpus, const std::string& today);

/// Today's date in UTC.
std::string today();

/// What a campaign generates: plain programs, programs with unsafe statements, programs with functionalized bodies, or
/// programs about the dispatcher, which no waiver expects.
enum class Generated : std::uint8_t { plain, unsafe, functionalized, mapped, about_the_dispatcher };

/// The waivers, and the ones that a run has needed. Not thread-safe.
class Waivers {
 public:
  explicit Waivers(std::vector<Waiver> waivers) : waivers_(std::move(waivers)) {}

  /// Records that a test ("FILE.py::NAME") ran on an implementation: its waivers must now be needed.
  void ran(const Description& implementation, const std::string& test);
  /// The waiver that excuses a difference of a test on an implementation, or null: one that names the test, or one of
  /// generated programs.
  const Waiver* find(const Description& implementation, const std::string& test, const Occurrence& occurrence);

  /// The waiver that excuses a difference of a generated program, or null. It records nothing, so workers may share it.
  const Waiver* find_generated(const Description& implementation, const Occurrence& occurrence) const;
  /// One line for each waiver of generated programs that `programs` programs did not need, although so many should;
  /// `needed` names the waivers that some program needed. A waiver is judged only by the programs that can show it: one
  /// that asks for the fact `functionalizes` by functionalized ones, one that asks for `excluded_a_backend` by unsafe
  /// ones, and all others by plain ones.
  std::vector<std::string> stale_of_generated(const Description& implementation, std::uint64_t programs,
                                              const std::set<std::string>& needed, Generated generated) const;

  /// One line for each waiver and each of its tests that ran on its implementation and did not need it.
  std::vector<std::string> stale() const;

  const std::vector<Waiver>& all() const { return waivers_; }

 private:
  using Use = std::pair<std::size_t, std::string>;  // a waiver's index, a test
  std::vector<Waiver> waivers_;
  std::set<Use> present_;
  std::set<Use> needed_;
};

/// What waivers need to know of a difference: replays the script under the implementation's profile.
Occurrence occurrence_of(const Script& script, const Difference& difference, const Description& implementation,
                         Against against = Against::reference);

}  // namespace plumbline
