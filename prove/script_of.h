// Translating a program of the proofs' search into a script that every implementation can run.
#pragma once

#include <optional>
#include <span>

#include "reference/state.h"
#include "spec/proofs/search.h"
#include "spec/vocabulary/statement.h"

namespace plumbline::prove {

/// The script for some acts, and the position of each act in it.
struct ActScript {
  Script script;
  std::vector<std::size_t> places;  ///< the index of each act's own statement
  std::size_t closed = 0;           ///< the number of guards that the acts leave open, and so of Exits at the end
};

/// Tensor i of the acts is slot i, `t0`, `t1`, …, of one element. A statement that raises under `judge` is inside a
/// Try; guards that the acts leave open are closed at the end.
ActScript script_of(std::span<const proofs::Act> acts, const reference::Judge& judge);

}  // namespace plumbline::prove
