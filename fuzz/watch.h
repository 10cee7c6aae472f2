// What the monitors saw in a campaign: which invariant broke, through which unsafe statement, or under which waiver.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "fuzz/gene.h"
#include "fuzz/reproduce.h"
#include "oracle/monitors.h"
#include "oracle/waivers.h"

namespace plumbline::fuzz {

/// One kind of breach, and the first program that showed it.
struct Sighting {
  /// "no-aliasing through set_.source_Tensor", "immutability (W-08)", or a signature, where nothing explains it.
  std::string key;
  std::string waiver;      ///< the id of the one that excuses it; empty: none
  bool explained = false;  ///< by a waiver, or by an unsafe statement
  std::uint64_t index = 0;
  std::uint64_t times = 1;  ///< programs
  std::string message;
};

/// The kinds of breach in one run, each once. A program with two kinds of unsafe statements reports none: a smaller
/// program shows the same.
std::vector<Sighting> sightings(const Script& script, const RunResult& result, const Description& implementation,
                                const Waivers& waivers);

/// Adds what was seen in another program, or by another worker.
void note(std::vector<Sighting>& all, Sighting one);

/// The shortest program found that shows the same kind of breach, as a pytest file that asserts what the invariant
/// promises: it fails on the implementation at the line that it names.
Reproducer show_breach(const rc::Shrinkable<Genes>& genes, const Recipe& recipe, const Sighting& sighting,
                       Adapter& adapter, const Waivers& waivers, std::size_t runs, const Label& label);

}  // namespace plumbline::fuzz
