// The minimiser: makes a script small while something stays true of it.
#pragma once

#include <functional>

#include "spec/statement.h"

namespace plumbline {

/// Whether a script can be run: guards and Trys nest and are closed, a slot is bound before it is used, each call has
/// as many arguments as its op, of types that fit, each `MakeTensor` as many values as elements. What a Try's last
/// statement binds does not count as bound behind it.
bool well_formed(const Script& script);

struct Minimised {
  Script script;
  std::size_t tried = 0;  ///< calls of the predicate
  bool complete = true;   ///< false: the budget ended it, so the script may not be the smallest that can be reached
};

/// Shrinks `script`, of which `holds` must be true, by removing statements, unwrapping guards and Trys, putting an
/// argument in its result's place, and making sizes and values smaller; only well-formed candidates are asked about.
/// Deterministic. Slots keep their numbers. `budget` bounds the calls of `holds`.
Minimised minimise(const Script& script, const std::function<bool(const Script&)>& holds, std::size_t budget);

}  // namespace plumbline
