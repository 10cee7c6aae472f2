// The reasons in spec/proofs/survivors.json: why a mutant may survive.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mutation/entries.h"
#include "mutation/rules/place.h"

namespace plumbline::mutants {

/// One entry. Its change is that of a token, or one of the three below.
struct Survivor : mutate::Entry {
  std::size_t used = 0;  ///< how many mutants it explained
};

inline constexpr std::string_view kAlwaysTrue = "always true";  ///< of a select
inline constexpr std::string_view kAlwaysFalse = "always false";
inline constexpr std::string_view kNeverAsked = "never asked";  ///< of a judge

class Survivors {
 public:
  /// Throws std::runtime_error, with file and entry, if the file is missing or malformed.
  static Survivors load(const std::string& path);

  /// The entry for this change at this place, or null. Counts its use.
  const Survivor* explain(const Place& place, std::string_view change);
  const Survivor* explain_call(const WrittenCall& call);
  /// Whether an entry names an existing site, even if it explained nothing.
  static bool fits(const Survivor& entry, const Place& place, std::string_view change);

  const std::vector<Survivor>& entries() const { return entries_; }

 private:
  std::vector<Survivor> entries_;
};

}  // namespace plumbline::mutants
