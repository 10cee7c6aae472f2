// Waivers: known divergences, each with its reason, its link and the day on which it must be looked at again.
#pragma once

#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "oracle/adapter.h"

namespace plumbline {

/// One entry of the waivers' file: {"waivers": [{"id", "test", "rules", "implementation", "signature", "reason",
/// "link", "expires"}]}.
struct Waiver {
  std::string id;                  ///< "W-1"
  std::vector<std::string> tests;  ///< "FILE.py::NAME" each
  std::vector<std::string> rules;
  std::string implementation;  ///< a profile ("torch-2.13"), or a name and version ("libtorch-2.13.0")
  std::string signature;       ///< of the differences that it excuses; `*` stands for anything
  std::string reason;
  std::string link;
  std::string expires;  ///< "YYYY-MM-DD", the last day on which it holds
};

/// What is wrong with the waivers' file: which file, which entry, what, what to do.
struct WaiverError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads and checks a waivers' file; a file that is not there has no waivers. `today`: "YYYY-MM-DD". Throws WaiverError
/// for anything else than the form above, a rule that is none, two entries of one id, and an entry that has expired.
std::vector<Waiver> load_waivers(const std::string& path, const std::string& today);

/// Today's date in UTC.
std::string today();

/// Whether `text` fits `pattern`, in which `*` stands for anything.
bool fits_glob(std::string_view text, std::string_view pattern);

/// The waivers, and which of them a run has needed. Not thread-safe.
class Waivers {
 public:
  explicit Waivers(std::vector<Waiver> waivers) : waivers_(std::move(waivers)) {}

  /// The waiver that excuses a difference with this signature in this test ("FILE.py::NAME") on this implementation,
  /// or null. To be called for every test that ran on it; with an empty signature where it did not differ.
  const Waiver* find(const Description& implementation, const std::string& test, const std::string& signature);

  /// One line for each waiver and test of it that ran, on its implementation, and did not need it.
  std::vector<std::string> stale() const;

  const std::vector<Waiver>& all() const { return waivers_; }

 private:
  using Use = std::pair<std::size_t, std::string>;  // a waiver's index, a test
  std::vector<Waiver> waivers_;
  std::set<Use> present_;
  std::set<Use> needed_;
};

}  // namespace plumbline
