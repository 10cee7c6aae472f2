// CompositeImplicitAutograd ops that compute: matmul and softmax.
#include <array>
#include <initializer_list>

#include "optimized/autograd/meta.h"
#include "optimized/cpu/checks.h"
#include "optimized/ops.h"
#include "optimized/ops/kernels.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

/// Some sizes, followed by others.
DimVector joined(IntList first, std::initializer_list<std::int64_t> second) {
  DimVector all(first.size() + second.size());
  std::copy(second.begin(), second.end(), std::copy(first.begin(), first.end(), all.begin()));
  return all;
}
/// The dimensions before a tensor's matrix.
IntList batch_of(const Tensor& tensor) {
  const IntList sizes = tensor.sizes();
  return sizes.size() < 3 ? IntList() : IntList(sizes.first(sizes.size() - 2));
}
std::int64_t product(IntList sizes) {
  std::int64_t all = 1;
  for (const std::int64_t size : sizes) all *= size;
  return all;
}

/// Whether a stack of matrices by one matrix (or vector) is treated as one tall matrix: if that moves no data, or if
/// the single matrix requires grad [aten/src/ATen/native/LinearAlgebra.cpp, should_fold].
bool folds(const Tensor& left, const Tensor& right) {
  const bool left_larger = left.dim() >= right.dim();
  const Tensor& larger = left_larger ? left : right;
  const Tensor& smaller = left_larger ? right : left;
  if (larger.dim() < 3 || smaller.dim() > 2) return false;
  if (requires_grad(smaller)) return true;
  if (left.dim() == 2) return false;
  if (larger.numel() == 0) return true;
  const int rank = larger.dim();
  // On the right the stack is read transposed.
  const auto place = [&](int d) { return left_larger || d < rank - 2 ? d : 2 * rank - 3 - d; };
  for (int d = 0; d + 2 < rank; ++d)
    if (larger.stride(d) != larger.stride(place(d + 1)) * larger.size(place(d + 1))) return false;
  return true;
}

/// The stack as one tall matrix.
Tensor folded(const Tensor& left, const Tensor& right) {
  const bool turns = right.dim() > left.dim();
  const Tensor stack = turns ? transpose(right, -2, -1) : left;
  const Tensor other = !turns ? right : left.dim() == 2 ? t(left) : left;
  const IntList sizes = stack.sizes();
  const IntList rows = sizes.first(sizes.size() - 1);
  const Tensor tall = reshape(stack, {product(rows), sizes.back()});
  if (other.dim() == 1) return _unsafe_view(mv(tall, other), rows);
  const Tensor made = _unsafe_view(mm(tall, other), joined(rows, {other.size(1)}));
  return turns ? contiguous(transpose(made, -2, -1)) : made;
}

Tensor matmul_kernel(const Tensor& self, const Tensor& other);

/// Matrix by matrix, over the broadcast stacks.
Tensor stacked(const Tensor& left, const Tensor& right) {
  if (left.dim() == 3 && right.dim() == 3 && left.size(0) != right.size(0)) {
    if (left.size(0) == 1 && requires_grad(left)) return matmul_kernel(squeeze(left, 0), right);
    if (right.size(0) == 1 && requires_grad(right)) return matmul_kernel(left, squeeze(right, 0));
  }
  const bool vector = right.dim() == 1;
  const std::int64_t rows = left.dim() > 1 ? left.size(left.dim() - 2) : 1;
  const std::int64_t inner = left.size(left.dim() - 1);
  const std::int64_t right_inner = vector ? right.size(0) : right.size(right.dim() - 2);
  const std::int64_t columns = vector ? 1 : right.size(right.dim() - 1);
  const DimVector batch = broadcast_sizes(batch_of(left), batch_of(right));
  const std::int64_t count = product(batch);
  const Tensor a = reshape(expand(left, joined(batch, {rows, inner})), {count, rows, inner});
  const Tensor b = vector
                       ? unsqueeze(reshape(expand(right, joined(batch, {right_inner})), {count, right_inner}), 2)
                       : reshape(expand(right, joined(batch, {right_inner, columns})), {count, right_inner, columns});
  const Tensor made = bmm(a, b);
  DimVector sizes = batch;
  if (left.dim() > 1) sizes.push_back(rows);
  if (vector) return _unsafe_view(squeeze(made, -1), sizes);
  sizes.push_back(columns);
  return _unsafe_view(made, sizes);
}

// [aten/src/ATen/native/LinearAlgebra.cpp, _matmul_impl]
Tensor matmul_kernel(const Tensor& self, const Tensor& other) {
  if (self.dim() == 0 || other.dim() == 0)
    raise_saying(ErrorClass::shape, "both arguments to matmul need to be at least 1D, but they are " +
                                        std::to_string(self.dim()) + "D and " + std::to_string(other.dim()) + "D");
  if (self.dim() == 1 && other.dim() == 1) return dot(self, other);
  if (self.dim() == 2 && other.dim() == 1) return mv(self, other);
  if (self.dim() == 1 && other.dim() == 2) return squeeze_(mm(unsqueeze(self, 0), other), 0);
  if (self.dim() == 2 && other.dim() == 2) return mm(self, other);
  return folds(self, other) ? folded(self, other) : stacked(self, other);
}

// [aten/src/ATen/native/SoftMax.cpp, softmax]
Tensor softmax_kernel(const Tensor& self, std::int64_t dim, std::optional<Dtype> dtype) {
  return _softmax(dtype && *dtype != self.dtype() ? _to_copy(self, dtype) : self, dim, false);
}

}  // namespace

std::span<const OpKernel> product_composites() {
  static const std::array kernels{plain_kernel<op::matmul, matmul_kernel>(),
                                  plain_kernel<op::softmax_int, softmax_kernel>()};
  return kernels;
}

}  // namespace plumbline::optimized
