// The inputs of a pointwise op, in the dtype in which it computes, and how elements are copied and converted.
#pragma once

#include <cstddef>

#include "optimized/cpu/iterator.h"
#include "optimized/elements/primitives.h"
#include "optimized/tensor/scalar.h"

namespace plumbline::optimized {

/// Copies each element of `from`, broadcast to `sizes`, which are those of `to`, and converts it.
inline void copy_elements(IntList sizes, const Operand& to, const Operand& from) { primitives().copy(sizes, to, from); }

/// A fresh tensor with the elements of `self` as `dtype`, laid out as `clone` does.
Tensor converted_tensor(const Tensor& self, Dtype dtype);

/// An input in the dtype in which the op computes: the tensor's own memory if it has that dtype, else a copy, as
/// TensorIterator makes one; for a tensor without dimensions, a number in here. On another device than the CPU, always
/// the tensor's own memory, whose elements a kernel converts as it reads them.
class Input {
 public:
  Input(const Tensor& tensor, Dtype dtype);
  Input(Scalar number, Dtype dtype);
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  const Operand& operand() const { return operand_; }
  /// With the strides that count for the result's: on every device those that a copy would have, where one would be
  /// made.
  Operand laid_out() const;
  /// Whether the operand is a copy.
  bool is_copy() const { return copy_.defined() || operand_.data == number_; }

 private:
  Operand operand_;
  Tensor copy_;
  DimVector strides_;  ///< of the copy that another device does not make; empty: the operand's own
  alignas(sizeof(double)) std::byte number_[sizeof(double)];  // NOLINT(modernize-avoid-c-arrays): storage
};

}  // namespace plumbline::optimized
