// What the pointwise ops share: operands of several dtypes, a result's dtype and layout, and a write's checks.
#pragma once

#include <span>
#include <vector>

#include "reference/kernels.h"
#include "reference/raise.h"

namespace plumbline::reference {

/// One operand of a pointwise op: a tensor, or a number, which is a tensor without dimensions.
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

/// The dtype that the operands have in common.
Dtype common_type(const Judge& judge, std::span<const Input> inputs);
/// The same, for an op that computes in floating dtypes alone.
Dtype common_floating_type(const Judge& judge, std::span<const Input> inputs);
/// The sizes that all of them broadcast to; raises where they do not.
Sizes broadcast_all(const Judge& judge, std::span<const Input> inputs);
/// Raises where a result of dtype `from` may not be written into a `to`.
void require_cast(const Judge& judge, Dtype from, Dtype to);

/// The operand's elements for a result of `sizes`, as elements of `dtype`.
std::vector<Element> spread(const KernelCall& call, const Input& input, const Sizes& sizes, Dtype dtype);
/// The geometry in which an operand is read: one of another dtype is first copied to `dtype`, densely.
Geometry as_read(const Input& input, Dtype dtype);
/// A result of `sizes` that follows the strides of what it was computed from.
Fresh pointwise_result(const Judge& judge, const Sizes& sizes, std::span<const Geometry> read, Dtype dtype,
                       std::vector<Element> elements);

/// Raises where an op may not write `self` while it reads `read`; gives what is to be known of their memory.
OverlapFacts<Concrete> judged_overlap(const Judge& judge, const Tensor& self, std::span<const Input> read,
                                      bool idempotent);
/// Raises the error, if it is one, in PyTorch's words.
void raise_overlap(ErrorClass error);
/// The facts of such a write, not judged yet.
OverlapFacts<Concrete> overlap_of(const Tensor& self, std::span<const Input> read, bool idempotent);
/// Marks as unspecified what depends on the order of the write.
void mark_unspecified(const OverlapFacts<Concrete>& facts, const Tensor& self, std::span<const Input> read,
                      std::vector<Element>& written);
/// Raises where the operands broadcast to other sizes than those of `self`, which is written.
void require_sizes(const Judge& judge, const Tensor& self, std::span<const Input> inputs);

/// One fresh result.
inline Effect made(Fresh fresh) {
  Effect effect;
  effect.fresh.push_back(std::move(fresh));
  return effect;
}
/// The written argument's elements: `computed`, of dtype `from`, as elements of its own.
Effect written_as(const KernelCall& call, const Tensor& self, std::vector<Element> computed, Dtype from);

}  // namespace plumbline::reference
