// Monitors: the invariants, checked on an implementation's own observed states, with no reference involved.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "oracle/compare.h"

namespace plumbline {

/// What every implementation promises of programs without unsafe statements [rfc-0011-final, 'a pair of invariants'].
enum class Invariant : std::uint8_t {
  no_aliasing,            ///< an inference and a normal tensor never share storage
  immutability,           ///< an inference tensor never changes outside inference mode
  raise_changes_nothing,  ///< a statement that raises changes no tensor
};
inline constexpr std::array<std::string_view, 3> kInvariantNames{"no-aliasing", "immutability",
                                                                 "raise-changes-nothing"};

/// One place at which an implementation's own snapshots break an invariant.
struct Breach {
  Invariant invariant{};
  std::size_t culprit = 0;  ///< the statement that is taken to have done it, in the script
  Difference difference;    ///< `statement` is the snapshot; `expected` what the invariant promises
  Reading promised;         ///< of `difference.field` of `difference.tensor`
};

/// The breaches that a trace shows, in the order of its snapshots, the first of each invariant and culprit. A trace
/// without snapshots shows none. Between two snapshots
/// - no tensor may change where every statement that acts has raised (its history may be brought up to date);
/// - no inference tensor's elements, memory or kind may change where both snapshots, and every statement that acts,
///   stand outside inference mode.
/// A variable that was assigned in between is not compared, nor is a field that the implementation cannot show.
/// Signatures read "add_.Tensor/immutability: values".
std::vector<Breach> monitor(const Script& script, const Trace& trace, const Description& implementation);

/// Whether a script has an unsafe statement, so that nothing is promised of it.
bool is_unsafe(const Script& script);

/// For each statement, whether it stands inside inference mode: guards nest as they are written, errors or not.
std::vector<bool> inside_inference_mode(const Script& script);

/// The trace as it would be had the invariant held at this breach alone.
Trace as_promised(Trace trace, const Breach& breach);

/// A copy of a script with a snapshot before and behind each statement that acts, so that no breach hides. Observing
/// changes a run (it asks for histories), so the invariants alone are judged by it.
Script watched(const Script& script);

}  // namespace plumbline
