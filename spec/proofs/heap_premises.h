// What is assumed of a heap before a statement: its operands are there, what it makes is new, the invariant holds.
#pragma once

#include <vector>

#include "spec/proofs/moves.h"
#include "spec/proofs/obligation.h"

namespace plumbline::proofs {

/// Free names for what a statement works on.
TensorId<Symbolic> any_tensor(std::string_view name);
Operands<Symbolic> any_operands();

/// `some`, and the operands that a move takes.
std::vector<TensorId<Symbolic>> operands_and(std::vector<TensorId<Symbolic>> some, const Operands<Symbolic>& of,
                                             const Move<Symbolic>& move);
/// `some`, and the family and the base of each in a heap.
std::vector<TensorId<Symbolic>> with_families(const Heap<Symbolic>& heap, std::vector<TensorId<Symbolic>> some);

/// A statement's operands are live, what it makes is new, and `leave` has a guard to leave.
void assume_operands(Question& question, const Heap<Symbolic>& heap, const Operands<Symbolic>& of,
                     const Move<Symbolic>& move);
/// The innermost open guard found a sound thread state.
void assume_frames(Question& question, const Heap<Symbolic>& heap);
/// Every clause of the invariant, of these tensors and each two of them.
void assume_instances(Question& question, const Judge<Symbolic>& judge, const Heap<Symbolic>& heap,
                      const std::vector<TensorId<Symbolic>>& tensors);

}  // namespace plumbline::proofs
