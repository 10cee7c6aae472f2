// The parts that pointwise ops share: operands of several dtypes, a result's dtype and layout, and a write's checks.
#pragma once

#include <span>
#include <vector>

#include "reference/kernels.h"
#include "reference/raise.h"

namespace plumbline::reference {

/// One operand of a pointwise op: a tensor, or a number, which counts as a tensor without dimensions.
struct Input {
  Operand operand;
  const Tensor* tensor = nullptr;
  Dtype dtype = Dtype::float32;

  Geometry geometry() const { return tensor != nullptr ? tensor->geometry : Geometry{}; }
  Sizes sizes() const { return tensor != nullptr ? sizes_of(tensor->geometry) : Sizes{}; }
};

Input input_of(const State& state, const Operand& operand);
/// The call's operand at place `i`.
Input input_at(const KernelCall& call, std::size_t i);

/// The common dtype of the operands.
Dtype common_type(const Judge& judge, std::span<const Input> inputs);
/// The same for an op that computes only in floating dtypes.
Dtype common_floating_type(const Judge& judge, std::span<const Input> inputs);
/// The sizes that all operands broadcast to; raises an error if they do not.
Sizes broadcast_all(const Judge& judge, std::span<const Input> inputs);
/// Raises an error if a result of dtype `from` may not be written into a tensor of dtype `to`.
void require_cast(const Judge& judge, Dtype from, Dtype to);

/// The operand's elements for a result of `sizes`, as elements of `dtype`.
std::vector<Element> spread(const KernelCall& call, const Input& input, const Sizes& sizes, Dtype dtype);
/// The geometry in which an operand is read; an operand of another dtype is first copied to `dtype`, densely.
Geometry as_read(const Input& input, Dtype dtype);
/// A result of `sizes` that follows the strides of its operands.
Fresh pointwise_result(const Judge& judge, const Sizes& sizes, std::span<const Geometry> read, Dtype dtype,
                       std::vector<Element> elements);

/// Raises an error if an op may not write `self` while it reads `read`; returns the facts about their memory.
OverlapFacts<Concrete> judged_overlap(const Judge& judge, const Tensor& self, std::span<const Input> read,
                                      bool idempotent);
/// Raises the error, if there is one, with PyTorch's message.
void raise_overlap(ErrorClass error);
/// The facts of such a write, before the rules judge them.
OverlapFacts<Concrete> overlap_of(const Tensor& self, std::span<const Input> read, bool idempotent);
/// Marks as unspecified the elements that depend on the order of the write.
void mark_unspecified(const OverlapFacts<Concrete>& facts, const Tensor& self, std::span<const Input> read,
                      std::vector<Element>& written);
/// Raises an error if the operands broadcast to sizes other than those of `self`, which is written.
void require_sizes(const Judge& judge, const Tensor& self, std::span<const Input> inputs);

/// One new result.
inline Effect made(Fresh fresh) {
  Effect effect;
  effect.fresh.push_back(std::move(fresh));
  return effect;
}
/// The written argument's elements: `computed`, of dtype `from`, converted to its dtype.
Effect written_as(const KernelCall& call, const Tensor& self, std::vector<Element> computed, Dtype from);

}  // namespace plumbline::reference
