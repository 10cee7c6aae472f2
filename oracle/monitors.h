// Monitors: checking the invariants on an implementation's own snapshots, without the reference.
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

/// One place where an implementation's own snapshots break an invariant.
struct Breach {
  Invariant invariant{};
  std::size_t culprit = 0;  ///< the statement that probably did it, in the script
  Difference difference;    ///< `statement` is the snapshot; `expected` what the invariant promises
  Reading promised;         ///< of `difference.field` of `difference.tensor`
};

/// The breaches in a trace, in the order of its snapshots: the first of each invariant and culprit. A trace without
/// snapshots has no breaches. Between two snapshots
/// - no tensor may change if every statement that acts raised (only its history may be brought up to date);
/// - no inference tensor's elements, memory or kind may change if both snapshots and every statement that acts are
///   outside inference mode.
/// A variable that was assigned between them is not compared, and neither is a field that the implementation cannot
/// show. Signatures read "add_.Tensor/immutability: values".
std::vector<Breach> monitor(const Script& script, const Trace& trace, const Description& implementation);

/// Whether a statement of the script is unsafe. Hooks of saved tensors are if they write: an op that raises an error
/// may have called them before.
bool is_unsafe(const Script& script, const Statement& statement);

/// Whether a script has an unsafe statement, so that no invariant is promised.
bool is_unsafe(const Script& script);

/// For each statement, whether it is inside inference mode: guards nest as they are written, even if an error occurs,
/// and each thread has its own. A backward is if a hook or a custom function's backward enters the mode.
std::vector<bool> inside_inference_mode(const Script& script);

/// The trace without this breach: as if the invariant held there.
Trace as_promised(Trace trace, const Breach& breach);

/// How many statements that act lie between two snapshots of `watched`: 1, but more in a script that is so long, and
/// has so many variables, that its trace would not fit into memory.
std::size_t watched_every(const Script& script);

/// A copy of a script with a snapshot before and after each statement that acts (`watched_every`), so that no breach is
/// missed. Snapshots change a run (they read histories), so only the invariants are judged by it.
Script watched(const Script& script);

}  // namespace plumbline
