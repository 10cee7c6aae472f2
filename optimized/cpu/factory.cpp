// Factories: tensors of given sizes and numbers, and tensors like another one.
#include <array>
#include <cmath>
#include <string>

#include "optimized/cpu/checks.h"
#include "optimized/cpu/fill.h"
#include "optimized/cpu/options.h"
#include "optimized/cpu/primitives.h"
#include "optimized/elements/dtypes.h"
#include "optimized/elements/elements.h"
#include "optimized/ops.h"
#include "optimized/ops/kernels.h"
#include "optimized/ops/random.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

using Format = std::optional<Enumerated>;

/// What every factory is asked for.
struct Options {
  std::optional<Dtype> dtype;
  std::optional<Enumerated> layout, device;
  std::optional<bool> pin_memory;

  /// The dtype, after the other options were checked.
  Dtype checked(Dtype otherwise) const {
    check_options(layout, device, pin_memory);
    return dtype.value_or(otherwise);
  }
};

/// While it exists, tensors are made on the device that is asked for, if it is here and not the thread's.
class OnAsked {
 public:
  explicit OnAsked(const std::optional<Enumerated>& device) {
    if (device && *device != device_number(thread_state().device) && has_primitives(*device)) [[unlikely]]
      guard_.emplace(*device_numbered(*device));
  }

 private:
  std::optional<DeviceGuard> guard_;
};

/// The number is checked first, so that nothing is made for a number that does not fit.
Tensor filled(IntList sizes, Scalar number, Dtype dtype) {
  (void)numel_of(sizes);
  const Scalar value = checked_number(number, dtype);
  Tensor made = empty_tensor(sizes, dtype);
  fill_elements(made, value);
  return made;
}

Tensor zeros_kernel(IntList size, std::optional<Dtype> dtype, std::optional<Enumerated> layout,
                    std::optional<Enumerated> device, std::optional<bool> pin_memory) {
  if (std::ranges::any_of(size, [](std::int64_t one) { return one < 0; }))
    raise_saying(ErrorClass::range, "zeros: Dimension size must be non-negative.");
  return filled(size, 0, Options{dtype, layout, device, pin_memory}.checked(Dtype::float32));
}
Tensor ones_kernel(IntList size, std::optional<Dtype> dtype, std::optional<Enumerated> layout,
                   std::optional<Enumerated> device, std::optional<bool> pin_memory) {
  return filled(size, 1, Options{dtype, layout, device, pin_memory}.checked(Dtype::float32));
}
Tensor empty_kernel(IntList size, std::optional<Dtype> dtype, std::optional<Enumerated> layout,
                    std::optional<Enumerated> device, std::optional<bool> pin_memory, Format memory_format) {
  check_options(layout, device, pin_memory);
  const Dtype asked = dtype.value_or(Dtype::float32);
  if (!memory_format) [[likely]]
    return empty_tensor(size, asked);
  return empty_in(size, asked, memory_format_of(memory_format, MemoryFormat::contiguous));
}
/// Without a dtype, the number's own dtype decides [aten/src/ATen/native/TensorFactories.cpp, infer_full_options].
Tensor full_kernel(IntList size, Scalar fill_value, std::optional<Dtype> dtype, std::optional<Enumerated> layout,
                   std::optional<Enumerated> device, std::optional<bool> pin_memory) {
  return filled(size, fill_value, Options{dtype, layout, device, pin_memory}.checked(fill_value.dtype()));
}
Tensor new_full_kernel(const Tensor& self, IntList size, Scalar fill_value, std::optional<Dtype> dtype,
                       std::optional<Enumerated> layout, std::optional<Enumerated> device,
                       std::optional<bool> pin_memory) {
  const OnAsked guard(device);
  return filled(size, fill_value, Options{dtype, layout, device, pin_memory}.checked(self.dtype()));
}

Tensor like(const Tensor& self, const Options& options, Format memory_format) {
  const Dtype dtype = options.checked(self.dtype());
  return empty_like_in(self, dtype, memory_format_of(memory_format, MemoryFormat::preserve));
}
Tensor filled_like(const Tensor& self, Scalar number, const Options& options, Format memory_format) {
  const Scalar value = checked_number(number, options.dtype.value_or(self.dtype()));
  const OnAsked guard(options.device);
  Tensor made = like(self, options, memory_format);
  fill_elements(made, value);
  return made;
}

Tensor empty_like_kernel(const Tensor& self, std::optional<Dtype> dtype, std::optional<Enumerated> layout,
                         std::optional<Enumerated> device, std::optional<bool> pin_memory, Format memory_format) {
  const OnAsked guard(device);
  return like(self, {dtype, layout, device, pin_memory}, memory_format);
}
Tensor zeros_like_kernel(const Tensor& self, std::optional<Dtype> dtype, std::optional<Enumerated> layout,
                         std::optional<Enumerated> device, std::optional<bool> pin_memory, Format memory_format) {
  return filled_like(self, 0, {dtype, layout, device, pin_memory}, memory_format);
}
Tensor ones_like_kernel(const Tensor& self, std::optional<Dtype> dtype, std::optional<Enumerated> layout,
                        std::optional<Enumerated> device, std::optional<bool> pin_memory, Format memory_format) {
  return filled_like(self, 1, {dtype, layout, device, pin_memory}, memory_format);
}
Tensor full_like_kernel(const Tensor& self, Scalar fill_value, std::optional<Dtype> dtype,
                        std::optional<Enumerated> layout, std::optional<Enumerated> device,
                        std::optional<bool> pin_memory, Format memory_format) {
  return filled_like(self, fill_value, {dtype, layout, device, pin_memory}, memory_format);
}

/// How many numbers there are from `start`, one apart, below `end` [aten/src/ATen/native/RangeUtils.h,
/// compute_arange_size].
std::int64_t range_length(Scalar start, Scalar end, Dtype dtype) {
  if (!std::isfinite(start.real()) || !std::isfinite(end.real()))
    raise_saying(ErrorClass::range,
                 "unsupported range: " + std::to_string(start.real()) + " -> " + std::to_string(end.real()));
  if (end.real() < start.real())
    raise_saying(ErrorClass::range, "upper bound and lower bound inconsistent with step sign");
  if (dtype == Dtype::int64) {
    std::int64_t length = 0;
    if (__builtin_sub_overflow(checked_number(end, dtype).integer(), checked_number(start, dtype).integer(), &length) ||
        length < 0)
      raise_saying(ErrorClass::range, "invalid size, possible overflow?");
    return length;
  }
  const double length = std::ceil(end.real() - start.real());
  constexpr double kLimit = 9223372036854775808.0;
  if (length >= kLimit) raise_saying(ErrorClass::range, "invalid size, possible overflow?");
  return static_cast<std::int64_t>(length);
}

Tensor arange_start_kernel(Scalar start, Scalar end, std::optional<Dtype> dtype, std::optional<Enumerated> layout,
                           std::optional<Enumerated> device, std::optional<bool> pin_memory) {
  const Dtype natural = start.is_real() || end.is_real() ? Dtype::float32 : Dtype::int64;
  const Dtype asked = Options{dtype, layout, device, pin_memory}.checked(natural);
  if (asked == Dtype::boolean) raise(ErrorClass::dtype_op, {"arange_cpu", "Bool"});
  const std::int64_t length = range_length(start, end, asked);
  // Integers count in 64 bits, floats in double.
  const Scalar first = checked_number(start, is_floating(asked) ? Dtype::float64 : Dtype::int64);
  Tensor made = empty_tensor({length}, asked);
  primitives().count(Operand::of(made), first);
  return made;
}
Tensor arange_kernel(Scalar end, std::optional<Dtype> dtype, std::optional<Enumerated> layout,
                     std::optional<Enumerated> device, std::optional<bool> pin_memory) {
  return arange_start_kernel(0, end, dtype, layout, device, pin_memory);
}

Tensor rand_kernel(IntList size, std::optional<Dtype> dtype, std::optional<Enumerated> layout,
                   std::optional<Enumerated> device, std::optional<bool> pin_memory) {
  const Dtype asked = Options{dtype, layout, device, pin_memory}.checked(Dtype::float32);
  (void)numel_of(size);
  if (!is_floating(asked)) raise(ErrorClass::dtype_op, {"check_uniform_bounds", scalar_name(asked)});
  Tensor made = empty_tensor(size, asked);
  if (made.numel() != 0) primitives().uniform(Operand::of(made));
  return made;
}

}  // namespace

void cpu::count(const Operand& to, Scalar first) {
  visit_dtype(to.dtype, [&]<class T>(T) {
    for (std::int64_t i = 0; i < to.sizes[0]; ++i) {
      const auto at = static_cast<std::uint64_t>(i);
      store(to.data + i * to.strides[0] * to.item(),
            first.is_real() ? counted<T>(first.real(), at) : counted<T>(first.integer(), at));
    }
  });
}

void cpu::uniform(const Operand& to) {
  const auto count = static_cast<std::size_t>(numel_of(to.sizes));
  visit_dtype(to.dtype, [&]<class T>(T) {
    if constexpr (std::floating_point<T>) fill_uniform(std::span(reinterpret_cast<T*>(to.data), count));
  });
}

std::span<const OpKernel> factory_kernels() {
  static const std::array kernels{
      plain_kernel<op::zeros, zeros_kernel>(),
      plain_kernel<op::ones, ones_kernel>(),
      plain_kernel<op::empty_memory_format, empty_kernel>(),
      plain_kernel<op::full, full_kernel>(),
      plain_kernel<op::arange, arange_kernel>(),
      plain_kernel<op::arange_start, arange_start_kernel>(),
      plain_kernel<op::rand, rand_kernel>(),
      plain_kernel<op::empty_like, empty_like_kernel>(),
      plain_kernel<op::zeros_like, zeros_like_kernel>(),
      plain_kernel<op::ones_like, ones_like_kernel>(),
      plain_kernel<op::full_like, full_like_kernel>(),
      plain_kernel<op::new_full, new_full_kernel>(),
  };
  return kernels;
}

}  // namespace plumbline::optimized
