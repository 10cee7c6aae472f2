// Where the elements of a tensor are, as loops and kernels get it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "optimized/tensor/int_list.h"
#include "optimized/tensor/tensor.h"

namespace plumbline::optimized {

/// Where the elements of a tensor are, or of a number, which has no dimensions. Sizes and strides belong to someone
/// else.
struct Operand {
  std::byte* data = nullptr;
  IntList sizes;
  IntList strides;
  Dtype dtype = Dtype::float32;
  Backend device = Backend::CPU;  ///< whose memory it is; with kernels of another device, only a number's is the CPU's

  static Operand of(const Tensor& tensor) {
    return {tensor.storage()->data() + tensor.offset() * item_size(tensor.dtype()), tensor.sizes(), tensor.strides(),
            tensor.dtype(), tensor.device()};
  }

  /// Bytes of an element.
  std::int64_t item() const { return item_size(dtype); }
};

/// The stride with which an operand takes part in dimension `d` of `sizes`, to which its own broadcast; 0 where it is
/// repeated.
inline std::int64_t broadcast_stride(const Operand& operand, IntList sizes, std::size_t d) {
  const std::size_t in_front = sizes.size() - operand.sizes.size();
  if (d < in_front) return 0;
  return operand.sizes[d - in_front] == 1 && sizes[d] != 1 ? 0 : operand.strides[d - in_front];
}

}  // namespace plumbline::optimized
