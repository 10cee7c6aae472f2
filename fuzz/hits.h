// Hits: for each rule, the generated programs in which its misreading changes what is observed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "spec/rules/rule.h"
#include "spec/vocabulary/profile.h"

namespace plumbline::fuzz {

struct HitOptions {
  std::uint64_t programs = 4000;  ///< every second one with unsafe statements
  std::uint64_t seed = 1;
  Profile profile = Profile::sound;
};

/// How generated programs exercise one rule.
struct Hits {
  const Rule* rule = nullptr;
  std::uint64_t consulted = 0;         ///< programs that ask it
  std::uint64_t mattered = 0;          ///< of these, those in which its misreading would have decided otherwise
  std::uint64_t hit = 0;               ///< of these, those in which the misreading changes an observation
  std::optional<std::uint64_t> first;  ///< the first of the latter
};

/// Measures every rule that tensor programs show, in the order of the catalogue. Depends only on the options.
std::vector<Hits> measure_hits(const HitOptions& options);

/// The same with programs about the dispatcher (which are all safe): the DSP rules, and after them KEY and TLS.
std::vector<Hits> measure_dispatch_hits(const HitOptions& options);

/// Counts program `index`, which made these decisions; `shows`: whether a rule's misreading changes what is observed.
void count_hits(std::vector<Hits>& all, const Decisions& decisions, std::uint64_t index,
                const std::function<bool(const Rule&)>& shows);

/// Why no generated program can hit a rule; empty: some program should.
std::string_view out_of_reach(const Rule& rule);

}  // namespace plumbline::fuzz
