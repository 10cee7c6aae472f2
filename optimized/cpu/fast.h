// When an op may take its fast path: on the CPU, operands of the same dtype and sizes, without gaps.
#pragma once

#include <cstddef>
#include <type_traits>

#include "optimized/cpu/checks.h"
#include "optimized/elements/dtypes.h"
#include "optimized/tensor/tensor.h"

namespace plumbline::optimized {

/// Whether it is one element of this dtype, with at most four dimensions. It does not look at the device: the kernels
/// that ask are the CPU's alone, and on other devices those of `device_kernels` stand in their place (ops/kernels.h).
template <Dtype kDtype>
bool is_single(const TensorImpl& a) {
  return a.numel == 1 && a.dtype == kDtype && a.dim() <= TensorImpl::kInlineDims;
}
/// Whether both are, with as many dimensions.
template <Dtype kDtype>
bool are_single(const TensorImpl& a, const TensorImpl& b) {
  return is_single<kDtype>(a) && b.numel == 1 && b.dtype == kDtype && a.dim() == b.dim();
}

/// Whether there are elements, and they are a row.
inline bool is_row(const TensorImpl& a) { return a.numel != 0 && a.is_contiguous() && on_cpu(); }

/// The same, and sizes of 1 have the strides of a fresh tensor, too.
inline bool is_fresh_row(const TensorImpl& a) {
  if (a.numel == 0 || !on_cpu()) return false;
  const std::int64_t* const size = a.sizes();
  const std::int64_t* const stride = a.strides();
  std::int64_t expected = 1;
  for (int d = a.dim() - 1; d >= 0; --d) {
    if (stride[d] != expected) return false;
    expected *= size[d];
  }
  return true;
}

inline bool have_same_sizes(const TensorImpl& a, const TensorImpl& b) {
  if (a.numel != b.numel || a.dim() != b.dim()) return false;
  const std::int64_t* const x = a.sizes();
  const std::int64_t* const y = b.sizes();
  for (int d = 0; d < a.dim(); ++d)
    if (x[d] != y[d]) return false;
  return true;
}

/// Whether both are rows of as many elements of one dtype, in the same sizes.
inline bool are_rows(const TensorImpl& a, const TensorImpl& b) {
  if (a.dtype != b.dtype || a.numel != b.numel || a.numel == 0 || a.dim() != b.dim() || !on_cpu()) return false;
  const std::int64_t* const size = a.sizes();
  const std::int64_t* const size_of_b = b.sizes();
  const std::int64_t* const stride = a.strides();
  const std::int64_t* const stride_of_b = b.strides();
  std::int64_t expected = 1;
  for (int d = a.dim() - 1; d >= 0; --d) {
    if (size[d] != size_of_b[d]) return false;
    if (size[d] == 1) continue;
    if (stride[d] != expected || stride_of_b[d] != expected) return false;
    expected *= size[d];
  }
  return true;
}

/// Bools, integers, floats: one element without dimensions, of the tensor's kind or a lower one, leaves the tensor's
/// dtype as it is [TYPE-40].
inline int kind_of(Dtype dtype) { return is_floating(dtype) ? 2 : dtype == Dtype::boolean ? 0 : 1; }

/// Whether `b` is one element, to be taken for all of `a`, in a's dtype and sizes.
inline bool is_number_for(const TensorImpl& a, const TensorImpl& b) {
  if (b.numel != 1) return false;
  if (b.dtype == a.dtype) return b.dim() <= a.dim();
  return b.dim() == 0 && a.dim() != 0 && kind_of(b.dtype) <= kind_of(a.dtype);
}

/// A fresh tensor of the CPU with one element and at most four dimensions, not initialised.
template <Dtype kDtype>
[[gnu::always_inline]] inline Tensor single(int dims) {
  const KeySet keys = fresh_cpu_keys();
  Ref<TensorImpl> impl = TensorImpl::make_small(item_size(kDtype), kDtype, keys, dims);
  impl->numel = 1;
  impl->uncounted = are_of_inference(keys);
  std::int64_t* const sizes_and_strides = impl->sizes();
  for (int i = 0; i < 2 * TensorImpl::kInlineDims; ++i) sizes_and_strides[i] = 1;
  return Tensor(std::move(impl));
}

/// A fresh row-major tensor of the CPU with the sizes of `like`, whose elements are rows of at least as many bytes; not
/// initialised.
inline Tensor rows_like(const TensorImpl& like, Dtype dtype) {
  const KeySet keys = fresh_cpu_keys();
  const int dims = like.dim();
  Ref<TensorImpl> impl =
      TensorImpl::make(Storage::make(static_cast<std::size_t>(like.numel * item_size(dtype))), dtype, keys, dims);
  impl->numel = like.numel;
  impl->uncounted = are_of_inference(keys);
  const std::int64_t* const sizes = like.sizes();
  std::int64_t* const own_sizes = impl->sizes();
  std::int64_t* const own_strides = impl->strides();
  std::int64_t stride = 1;
  for (int d = dims - 1; d >= 0; --d) {
    own_sizes[d] = sizes[d];
    own_strides[d] = stride;
    stride *= sizes[d] == 0 ? 1 : sizes[d];
  }
  return Tensor(std::move(impl));
}

/// Whether a write to an element of `written` reaches at most the same element of `input`.
inline bool are_apart(const Tensor& written, const Tensor& input) {
  return written.storage() != input.storage() || written.is_same(input);
}

}  // namespace plumbline::optimized
