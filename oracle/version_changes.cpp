// Whether versions change, for implementations of which only that is compared.
#include "oracle/version_changes.h"

#include <utility>

#include "language/slots.h"

namespace plumbline {

std::optional<VersionChanges::Versions> VersionChanges::versions(std::size_t statement, const Reading& expected,
                                                                 const Reading& got) {
  const auto* version = std::get_if<std::int64_t>(&got);
  if (version == nullptr) return std::nullopt;
  if (const auto* known = std::get_if<std::int64_t>(&expected)) return Versions{statement, *known, -1, *version};
  const auto* free = std::get_if<Unspecified>(&expected);
  if (free == nullptr || free->counter < 0) return std::nullopt;
  return Versions{statement, free->counted, free->counter, *version};
}

bool VersionChanges::comparable(const Reading& expected, const Reading& got) {
  return versions(0, expected, got).has_value();
}

bool VersionChanges::is_bound_between(Slot slot, std::size_t first, std::size_t last) const {
  bool bound = false;
  for (std::size_t at = first + 1; at < last; ++at)
    visit_slots(script_.statements.at(at).kind, [](Slot) {}, [&](Slot given) { bound = bound || given == slot; });
  return bound;
}

std::optional<VersionChanges::Change> VersionChanges::read(std::size_t statement, Slot slot, const Reading& expected,
                                                           const Reading& got) {
  const std::optional<Versions> now = versions(statement, expected, got);
  if (!now) return std::nullopt;
  const auto [before, is_new] = last_.emplace(slot, *now);
  const Versions then = std::exchange(before->second, *now);
  if (is_new || then.counter != now->counter || is_bound_between(slot, then.statement, statement)) return std::nullopt;
  return Change{now->expected != then.expected, now->got != then.got, then.statement};
}

}  // namespace plumbline
