// The premises about a heap before a statement: its operands exist, its results are new, the invariant holds.
#pragma once

#include <vector>

#include "spec/proofs/moves.h"
#include "spec/proofs/obligation.h"

namespace plumbline::proofs {

/// Free names for a statement's operands and results.
TensorId<Symbolic> any_tensor(std::string_view name);
Operands<Symbolic> any_operands();

/// `some` and the operands of a move.
std::vector<TensorId<Symbolic>> operands_and(std::vector<TensorId<Symbolic>> some, const Operands<Symbolic>& of,
                                             const Move<Symbolic>& move);
/// `some`, and the family and base of each in a heap.
std::vector<TensorId<Symbolic>> with_families(const Heap<Symbolic>& heap, std::vector<TensorId<Symbolic>> some);

/// A statement's operands are live, its results are new, and `leave` has an open guard.
void assume_operands(Question& question, const Heap<Symbolic>& heap, const Operands<Symbolic>& of,
                     const Move<Symbolic>& move);
/// The innermost open guard found a sound thread state.
void assume_frames(Question& question, const Heap<Symbolic>& heap);
/// Every clause of the invariant, for these tensors and for each pair of them.
void assume_instances(Question& question, const Judge<Symbolic>& judge, const Heap<Symbolic>& heap,
                      const std::vector<TensorId<Symbolic>>& tensors);

}  // namespace plumbline::proofs
