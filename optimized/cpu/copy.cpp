// copy_, clone, _to_copy, fill_ and zero_.
#include <algorithm>
#include <array>
#include <concepts>
#include <cstring>

#include "optimized/autograd/history.h"
#include "optimized/cpu/fast.h"
#include "optimized/cpu/fill.h"
#include "optimized/cpu/input.h"
#include "optimized/cpu/options.h"
#include "optimized/cpu/primitives.h"
#include "optimized/cpu/simd.h"
#include "optimized/elements/elements.h"
#include "optimized/ops.h"
#include "optimized/ops/kernels.h"
#include "optimized/tensor/device_memory.h"

namespace plumbline::optimized {

namespace {

/// Whether a tensor is another view of the same elements [aten/src/ATen/native/Copy.cpp, copy_impl: is_same_data].
bool is_same_data(const Tensor& a, const Tensor& b) {
  return a.storage() == b.storage() && a.offset() == b.offset() && a.dtype() == b.dtype() &&
         std::ranges::equal(a.sizes(), b.sizes()) && std::ranges::equal(a.strides(), b.strides());
}

void copy_strided(const Tensor& self, const Tensor& src) {
  if (is_same_data(self, src)) return;
  check_internal_overlap(self);
  check_partial_overlap(self, src);
  check_output_sizes(self.sizes(), broadcast_sizes(self.sizes(), src.sizes()));
  copy_elements(self.sizes(), Operand::of(self), Operand::of(src));
}

/// Bytes in a row. The C library's copy is best for many bytes: it knows when to bypass the caches.
void copy_bytes(std::byte* to, const std::byte* from, std::int64_t bytes) {
  constexpr std::int64_t kFew = std::int64_t{32} << 10;
  if (bytes <= kFew) return simd::copy(from, to, bytes);
  parallel_for(bytes, [=](std::int64_t begin, std::int64_t end) {
    std::memcpy(to + begin, from + begin, static_cast<std::size_t>(end - begin));
  });
}

/// A fresh tensor on another device with the elements of `self`, laid out as `clone` does.
Tensor moved(const Tensor& self, Backend device) {
  Tensor row;
  {
    const DeviceGuard guard(self.device());
    row = converted_tensor(self, self.dtype());
  }
  const DeviceGuard guard(device);
  Tensor made = empty_strided(row.sizes(), row.strides(), row.dtype());
  const auto bytes = static_cast<std::size_t>(row.numel() * item_size(row.dtype()));
  if (bytes == 0) return made;
  const bool from_cpu = self.device() == Backend::CPU;
  (from_cpu ? memory_of(device).copy_from_cpu : memory_of(self.device()).copy_to_cpu)(made.storage()->data(),
                                                                                      row.storage()->data(), bytes);
  return made;
}

[[gnu::noinline]] const Tensor& copy_any(const Tensor& self, const Tensor& src) {
  if (self.storage() == src.storage() || self.dtype() == Dtype::boolean || !are_rows(self.impl(), src.impl())) {
    copy_strided(self, src);
  } else {
    const Operand to = Operand::of(self);
    copy_bytes(to.data, Operand::of(src).data, self.numel() * to.item());
  }
  return self;
}

/// Also between devices: a copy with the CPU arrives here, at the other device's kernel.
const Tensor& device_copy_kernel(const Tensor& self, const Tensor& src, bool) {
  if (self.device() == src.device()) return copy_any(self, src);
  const Tensor here = moved(src, self.device());
  const DeviceGuard guard(self.device());
  copy_strided(self, here);
  return self;
}

const Tensor& copy_kernel(const Tensor& self, const Tensor& src, bool) {
  if (!are_single<Dtype::float32>(self.impl(), src.impl()) || self.storage() == src.storage())
    return copy_any(self, src);
  *self.data<float>() = *src.data<float>();
  return self;
}

/// A fresh tensor with the elements of `self`.
Tensor copied(const Tensor& self, Dtype dtype, std::optional<Enumerated> memory_format) {
  const MemoryFormat format = memory_format_of(memory_format, MemoryFormat::preserve);
  const bool in_a_row = format == MemoryFormat::preserve || format == MemoryFormat::contiguous;
  if (self.dtype() == dtype && dtype != Dtype::boolean && self.is_contiguous() && in_a_row && on_cpu()) {
    Tensor copy = format == MemoryFormat::preserve ? empty_strided(self.sizes(), self.strides(), dtype)
                                                   : empty_tensor(self.sizes(), dtype);
    copy_bytes(Operand::of(copy).data, Operand::of(self).data, self.numel() * item_size(dtype));
    return copy;
  }
  Tensor copy = empty_like_in(self, dtype, format);
  copy_elements(self.sizes(), Operand::of(copy), Operand::of(self));
  return copy;
}

/// The same of `here`, which is `self` or what moved of it to another device, as PyTorch makes it: with an inner copy_,
/// which finds the Autograd key of the new tensor.
Tensor copied_by_op(const Tensor& self, const Tensor& here, Dtype dtype, std::optional<Enumerated> memory_format) {
  Tensor copy = copied(here, dtype, memory_format);
  if (self.impl().autograd != nullptr) [[unlikely]]
    record_inner_copy(copy, self);
  return copy;
}

Tensor clone_kernel(const Tensor& self, std::optional<Enumerated> memory_format) {
  return copied_by_op(self, self, self.dtype(), memory_format);
}

Tensor to_copy_kernel(const Tensor& self, std::optional<Dtype> dtype, std::optional<Enumerated> layout,
                      std::optional<Enumerated> device, std::optional<bool> /*pin_memory: of no use on the CPU*/, bool,
                      std::optional<Enumerated> memory_format) {
  if (device && has_primitives(*device) && *device != device_number(self.device())) {
    const Tensor here = moved(self, *device_numbered(*device));
    const DeviceGuard guard(here.device());
    check_options(layout, device, std::nullopt);
    return copied_by_op(self, here, dtype.value_or(self.dtype()), memory_format);
  }
  check_options(layout, device, std::nullopt);
  return copied_by_op(self, self, dtype.value_or(self.dtype()), memory_format);
}

template <class T>
void fill_row(T* to, std::int64_t n, T value) {
  if constexpr (std::same_as<T, bool>) std::memset(to, value ? 1 : 0, static_cast<std::size_t>(n));
  if constexpr (!std::same_as<T, bool>) simd::loops<T>().fill(value, to, n);
}

const Tensor& fill_kernel(const Tensor& self, Scalar value) {
  fill_elements(self, checked_number(value, self.dtype()));
  return self;
}

const Tensor& zero_kernel(const Tensor& self) {
  fill_elements(self, 0);
  return self;
}

}  // namespace

void fill_elements(const Tensor& self, Scalar number) {
  if (self.numel() == 1 && on_cpu())
    return visit_dtype(self.dtype(), [&]<class T>(T) { *self.data<T>() = number.to<T>(); });
  primitives().fill(Operand::of(self), number);
}

void cpu::fill(const Operand& to, Scalar number) {
  visit_dtype(to.dtype, [&]<class T>(T) {
    const T value = number.to<T>();
    StridedLoop(to.sizes, std::array{to})
        .run([value](std::byte* const* data, const std::int64_t* steps, std::int64_t n) {
          if (steps[0] == sizeof(T)) return fill_row(reinterpret_cast<T*>(data[0]), n, value);
          for (std::int64_t i = 0; i < n; ++i) store(data[0] + i * steps[0], value);
        });
  });
}

std::span<const OpKernel> device_copy_kernels() {
  static const std::array kernels{plain_kernel<op::copy_, device_copy_kernel>()};
  return kernels;
}

std::span<const OpKernel> copy_kernels() {
  static const std::array kernels{
      plain_kernel<op::copy_, copy_kernel>(),       plain_kernel<op::clone, clone_kernel>(),
      plain_kernel<op::_to_copy, to_copy_kernel>(), plain_kernel<op::fill__Scalar, fill_kernel>(),
      plain_kernel<op::zero_, zero_kernel>(),
  };
  return kernels;
}

}  // namespace plumbline::optimized
