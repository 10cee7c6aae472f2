// The inputs of a pointwise op, in the dtype in which it computes, and how elements are copied and converted.
#pragma once

#include <cstddef>

#include "optimized/cpu/iterator.h"
#include "optimized/tensor/scalar.h"

namespace plumbline::optimized {

/// Copies each element of `from`, broadcast to `sizes`, which are those of `to`, and converts it.
void copy_elements(IntList sizes, const Operand& to, Dtype to_dtype, const Operand& from, Dtype from_dtype);

/// A fresh tensor with the elements of `self` as `dtype`, laid out as `clone` does.
Tensor converted_tensor(const Tensor& self, Dtype dtype);

/// An input in the dtype in which the op computes: the tensor's own memory if it has that dtype, else a copy, as
/// TensorIterator makes one; for a tensor without dimensions, a number in here.
class Input {
 public:
  Input(const Tensor& tensor, Dtype dtype);
  Input(Scalar number, Dtype dtype);
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  const Operand& operand() const { return operand_; }

 private:
  Operand operand_;
  Tensor copy_;
  alignas(sizeof(double)) std::byte number_[sizeof(double)];  // NOLINT(modernize-avoid-c-arrays): storage
};

}  // namespace plumbline::optimized
