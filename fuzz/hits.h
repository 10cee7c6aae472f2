// Hits: for each rule, the generated programs in which its misreading changes what is observed.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "spec/rules/rule.h"
#include "spec/vocabulary/profile.h"

namespace plumbline::fuzz {

struct HitOptions {
  std::uint64_t programs = 4000;  ///< every second one with unsafe statements, unless they are about the dispatcher;
                                  ///< an eighth more are of two devices
  std::uint64_t seed = 1;
  Profile profile = Profile::sound;
  bool dispatcher = false;  ///< only programs about the dispatcher
  bool transforms = false;  ///< only programs with mapped bodies
};

/// How generated programs exercise one rule.
struct Hits {
  const Rule* rule = nullptr;
  std::uint64_t consulted = 0;         ///< programs that ask it
  std::uint64_t mattered = 0;          ///< of these, those in which its misreading would have decided otherwise
  std::uint64_t hit = 0;               ///< of these, those in which the misreading changes an observation
  std::optional<std::uint64_t> first;  ///< the first of the latter
};

/// Measures every rule but DSP, FUN and TRF in the order of the catalogue; with programs about the dispatcher DSP, and
/// after it KEY and TLS; with those that have mapped bodies TRF. Depends only on the options.
std::vector<Hits> measure_hits(const HitOptions& options);

/// Why no generated program can hit a rule; empty: some program should.
std::string_view out_of_reach(const Rule& rule);

}  // namespace plumbline::fuzz
