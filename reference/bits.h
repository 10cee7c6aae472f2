// The keys Conjugate and Negative: a tensor that has one stands for the conjugate, or the negative, of its memory.
#pragma once

#include <initializer_list>
#include <optional>
#include <vector>

#include "reference/kernels.h"
#include "spec/rules/bit.h"

namespace plumbline::reference {

/// The bits of a tensor, as keys.
KeySet<Concrete> bits_of(const Tensor& tensor);
bool has_bits(const Tensor& tensor);
bool any_has_bits(const State& state, const Arguments& arguments);
/// The elements of memory as the tensor shows them; also the inverse, for each bit undoes itself.
std::vector<Element> resolved(std::vector<Element> elements, const Tensor& tensor);
/// The elements with the signs turned that these bits turn.
std::vector<Element> turned_by(const KeySet<Concrete>& bits, std::vector<Element> elements);

/// Throws ReferenceLimit for a call whose effective key set is `keys`, under a guard that includes another key, or
/// excludes the backend's: what PyTorch's own ops do then is not specified. `tensors`: the keys of the arguments.
void need_everyday(const State& state, const KeySet<Concrete>& tensors, const KeySet<Concrete>& keys);

/// Throws ReferenceLimit if a tensor has a bit, with `what` it cannot be given to.
void refuse_bits(std::initializer_list<const Tensor*> tensors, const char* what);
/// Throws ReferenceLimit for a view with a bit, or in another dtype than its base: the reference does not know how a
/// write through it changes the base's history.
void refuse_view_of_parts(const State& state, const Tensor& view);

/// Whether the reference's kernel of the op computes with complex elements.
bool computes_complex(OpId op);

/// A call whose arguments with bits are replaced by copies without.
struct ResolvedCall {
  std::vector<Value> values;
  TensorId written = kNoTensor;  ///< the written argument, if it was replaced, and its copy
  TensorId copy = kNoTensor;
};
/// What the fallback of Conjugate and Negative passes on; nothing if no argument has a bit, or if the op carries bits
/// (BIT-11). The copies are new tensors of the state, in new slots. Raises an error if it is to come before the op's
/// own.
std::optional<ResolvedCall> resolve_bits(const Judge& judge, State& state, OpId op, const Arguments& arguments);
/// Copies what was written back into the argument, which is first resized; raises an error if the argument's elements
/// share memory.
void copy_back(const Judge& judge, State& state, const ResolvedCall& call);

}  // namespace plumbline::reference
