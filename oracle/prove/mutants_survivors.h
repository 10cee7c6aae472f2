// The written reasons of spec/proofs/survivors.json: why a mutant stays though nothing shows it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "oracle/prove/mutants_place.h"

namespace plumbline::mutants {

/// One entry. It names a site by its text, so that edits elsewhere leave it true.
struct Survivor {
  std::string file, function, line;  ///< "spec/rules/tls.h", "enter_below", the line without indentation
  std::string change;  ///< "&& -> ||"; "always true", "always false" of a select; "never asked" of a judge
  int nth = 0;         ///< among the same on such lines of the function; 0: each of them
  std::string reason;
  std::string by;        ///< what supports it: an obligation or a program, by its name
  std::size_t used = 0;  ///< how many it explained
};

inline constexpr std::string_view kAlwaysTrue = "always true";
inline constexpr std::string_view kAlwaysFalse = "always false";
inline constexpr std::string_view kNeverAsked = "never asked";

class Survivors {
 public:
  /// Throws std::runtime_error, with file and entry, for what is no such list. A file that is not there is an error.
  static Survivors load(const std::string& path);

  /// The reason that is written for this change at the place; null: none. Counts its use.
  const Survivor* explain(const Place& place, std::string_view change);
  const Survivor* explain_call(const WrittenCall& call);
  /// Whether an entry names a site that is there at all, whatever became of it.
  static bool fits(const Survivor& entry, const Place& place, std::string_view change);

  const std::vector<Survivor>& entries() const { return entries_; }

 private:
  std::vector<Survivor> entries_;
};

}  // namespace plumbline::mutants
