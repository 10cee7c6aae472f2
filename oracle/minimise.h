// The minimiser: makes a script small while something stays true of it.
#pragma once

#include <functional>

#include "spec/statement.h"

namespace plumbline {

/// Whether a script can be run: guards, Trys, threads and forwards nest and are closed, a slot is bound before it is
/// used, each call has as many arguments as its op, of types that fit, each `MakeTensor` as many values as elements.
/// What a Try's last statement binds does not count as bound behind it. As in Python, what a thread, a forward or a
/// backward binds is its own: nothing else binds or uses that slot; a thread sees what is bound where it starts, a
/// forward its inputs, a backward its gradients. Each function belongs to one apply and fits it.
bool well_formed(const Script& script);

/// Takes out the functions that no apply of the script has, and numbers the others in the order of their applies.
void drop_unused_functions(Script& script);

struct Minimised {
  Script script;
  std::size_t tried = 0;  ///< calls of the predicate
  bool complete = true;   ///< false: the budget ended it, so the script may not be the smallest that can be reached
};

/// Shrinks `script`, of which `holds` must be true, by removing statements, unwrapping guards, Trys, threads and
/// forwards, putting an argument in its result's place, and making sizes and values smaller; only well-formed
/// candidates are asked about. Deterministic. Slots keep their numbers. `budget` bounds the calls of `holds`.
Minimised minimise(const Script& script, const std::function<bool(const Script&)>& holds, std::size_t budget);

}  // namespace plumbline
