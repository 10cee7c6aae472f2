// The reasons in spec/proofs/survivors.json: why a mutant may survive.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mutation/rules/place.h"

namespace plumbline::mutants {

/// One entry. It names a site by its text, so edits elsewhere do not invalidate it.
struct Survivor {
  std::string file, function, line;  ///< "spec/rules/tls.h", "enter_below", the line without indentation
  std::string change;  ///< "&& -> ||"; "always true", "always false" for a select; "never asked" for a judge
  int nth = 0;         ///< its number among equal changes in the function; 0: all of them
  std::string reason;
  std::string by;        ///< the name of the obligation or program that supports it
  std::size_t used = 0;  ///< how many mutants it explained
};

inline constexpr std::string_view kAlwaysTrue = "always true";
inline constexpr std::string_view kAlwaysFalse = "always false";
inline constexpr std::string_view kNeverAsked = "never asked";

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
