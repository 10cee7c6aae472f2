// The minimiser: makes a script small while a predicate stays true.
#pragma once

#include <functional>

#include "spec/vocabulary/statement.h"

namespace plumbline {

/// Whether a script can be run. Guards, Trys, threads and forwards nest and are closed. A slot is bound before it is
/// used; a slot that a Try's last statement binds does not count as bound after the Try. Each call has as many
/// arguments as its op, and their types fit; each `MakeTensor` has as many values as elements. As in Python, slots that
/// a thread, a forward or a backward binds are local to it. A thread sees the slots that are bound where it starts, a
/// forward sees its inputs, a backward its gradients. Each function belongs to one apply and fits it. Libraries are
/// made in the test itself, before they are used; a kernel fits the operators that get it, a fallback's all of them. A
/// kernel's key set and its `*args` are used in the kernel itself; elsewhere a redispatch says its keys. Nothing reads
/// the log in a body, and a functionalized one neither logs nor raises.
bool well_formed(const Script& script);

/// Removes the kernels, operators and functions that no statement uses, and numbers the others in the order of their
/// uses.
void drop_unused_parts(Script& script);

struct Minimised {
  Script script;
  std::size_t tried = 0;  ///< calls of the predicate
  bool complete = true;   ///< false: the budget ran out, so a smaller script may be reachable
};

/// Shrinks `script` while `holds` is true for it: removes statements, unwraps guards, Trys, threads and forwards, uses
/// an argument in place of a result, and makes sizes and values smaller. Only well-formed candidates are tried.
/// Deterministic. Slots keep their numbers. `budget` limits the calls of `holds`.
Minimised minimise(const Script& script, const std::function<bool(const Script&)>& holds, std::size_t budget);

}  // namespace plumbline
