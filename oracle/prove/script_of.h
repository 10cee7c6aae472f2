// A program of the proofs' search as a script that the reference, and everything else, can run.
#pragma once

#include <optional>
#include <span>

#include "reference/state.h"
#include "spec/proofs/search.h"
#include "spec/statement.h"

namespace plumbline::prove {

/// The script of some acts, and where each of them stands in it.
struct ActScript {
  Script script;
  std::vector<std::size_t> places;  ///< of each act's own statement
  std::size_t closed = 0;           ///< how many guards the acts leave open: so many Exits stand at the end
};

/// Tensor i of the acts is slot i, `t0`, `t1`, …, of one element. What raises under `judge` stands in a Try; guards
/// that the acts leave open are closed at the end.
ActScript script_of(std::span<const proofs::Act> acts, const reference::Judge& judge);

}  // namespace plumbline::prove
