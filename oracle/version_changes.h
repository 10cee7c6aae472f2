// Whether versions change, for implementations of which only that is compared.
#pragma once

#include <map>
#include <optional>

#include "spec/vocabulary/observation.h"

namespace plumbline {

/// The versions that a comparison has met, by variable.
class VersionChanges {
 public:
  explicit VersionChanges(const Script& script) : script_(script) {}

  /// Whether the version of a variable has changed since it was read before, on both sides.
  struct Change {
    bool expected = false;
    bool got = false;
    std::size_t since = 0;  ///< the statement that read it before
  };
  /// What a reading of a variable's version at `statement` says. Nothing: it is the first one of this tensor.
  std::optional<Change> read(std::size_t statement, Slot slot, const Reading& expected, const Reading& got);

  /// Whether both are versions whose changes are known: no error, and no version without a counter.
  static bool comparable(const Reading& expected, const Reading& got);

 private:
  struct Versions {
    std::size_t statement;
    std::int64_t expected;  ///< an increment, if the counter's first value is unspecified
    std::int32_t counter;   ///< the reference's counter then; -1: the value is known
    std::int64_t got;
  };
  static std::optional<Versions> versions(std::size_t statement, const Reading& expected, const Reading& got);
  bool is_bound_between(Slot slot, std::size_t first, std::size_t last) const;

  const Script& script_;
  std::map<Slot, Versions> last_;
};

}  // namespace plumbline
