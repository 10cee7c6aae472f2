// The kernels of factories, and of the ops that make a tensor like another one.
#include <algorithm>
#include <array>
#include <cmath>

#include "reference/dtype_words.h"
#include "reference/pointwise.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/geo_value.h"
#include "spec/vocabulary/error_texts.h"

namespace plumbline::reference {

namespace {

const Element kUnspecified{.known = false};

/// Lays out a new tensor in a memory format; raises PyTorch's error if it cannot have it.
void lay_out(const KernelCall& call, Fresh& fresh, MemoryFormat format) {
  if (auto failure = format_failure(call.judge, fresh.sizes, format, "unsupported memory format Preserve"))
    throw Raise{std::move(*failure)};
  fresh.strides = strides_in(call.judge, fresh.sizes, format);
}

/// Whether a call is given no memory format, or torch.preserve_format.
bool preserves_layout(const KernelCall& call) {
  return format_asked(call.arguments).value_or(MemoryFormat::preserve) == MemoryFormat::preserve;
}

/// Lays out a new tensor, of the first argument's sizes, in the format that the call gives. Without one, or to preserve
/// its layout, in the order of that argument's strides if `keeps`.
void lay_out_like(const KernelCall& call, Fresh& fresh, bool keeps) {
  if (!preserves_layout(call))
    lay_out(call, fresh, *format_asked(call.arguments));
  else if (keeps)
    fresh.strides = dense_strides(fresh.sizes, strides_of(call.tensor(0).geometry));
}

const Element kOne{.real = 1, .integer = 1};

Dtype asked_dtype(const KernelCall& call, std::size_t i) { return call.arguments.dtype(i).value_or(Dtype::float32); }

Effect zeros(const KernelCall& call) {
  const Sizes sizes = call.arguments.integers(0);
  if (std::ranges::any_of(sizes, [](std::int64_t size) { return size < 0; }))
    raise(ErrorClass::range, "zeros: Dimension size must be non-negative.");  // its own message, since 2.0
  return made(filled(sizes, asked_dtype(call, 1), {}));
}
Effect ones(const KernelCall& call) { return made(filled(call.arguments.integers(0), asked_dtype(call, 1), kOne)); }
Effect empty(const KernelCall& call) {
  Fresh fresh = filled(call.arguments.integers(0), asked_dtype(call, 1), kUnspecified);
  if (const auto format = format_asked(call.arguments)) lay_out(call, fresh, *format);
  return made(std::move(fresh));
}

/// A tensor of `sizes` filled with a number. The error for a negative size comes before that for a number that does not
/// fit.
Fresh full_of(const Sizes& sizes, Dtype dtype, const Operand& value) {
  Fresh fresh = filled(sizes, dtype, {});
  const Element element = checked_element(value, dtype);
  for (Element& each : fresh.elements) each = element;
  return fresh;
}

Effect full(const KernelCall& call) {
  const Operand value = call.arguments.number(1);
  return made(full_of(call.arguments.integers(0), call.arguments.dtype(2).value_or(value.dtype()), value));
}

// Only an int64 range takes its ends as integers [aten/src/ATen/native/RangeFactories.cpp, arange_out].
Fresh arange(const Arguments& arguments, bool has_start) {
  const Operand start = has_start ? arguments.number(0) : Operand{kNoTensor, true, 0, 0};
  const Operand end = arguments.number(has_start ? 1 : 0);
  const Dtype natural = start.integral && end.integral ? Dtype::int64 : Dtype::float32;
  const Dtype dtype = arguments.dtype(has_start ? 2 : 1).value_or(natural);
  if (dtype == Dtype::boolean)
    raise(ErrorClass::dtype_op, "\"arange_cpu\" not implemented for 'Bool'", "NotImplementedError");
  if (!std::isfinite(start.real) || !std::isfinite(end.real))
    raise(ErrorClass::range, message_beginning(ErrorClass::range, "unsupported range", {"…", "…"}));
  if (start.real > end.real) raise(ErrorClass::range, "upper bound and lower bound inconsistent with step sign");
  const bool whole = dtype == Dtype::int64;
  const double from = is_floating(dtype) ? start.real : std::trunc(start.real);
  const double length = whole ? std::trunc(end.real) - from : std::ceil(end.real - start.real);
  if (length >= 0x1p63) raise(ErrorClass::range, "invalid size, possible overflow?");
  Fresh out = filled({static_cast<std::int64_t>(length)}, dtype, {});
  bool rounds = false;  // halves beyond the first that is rounded depend on where a vector of them begins
  for (std::size_t i = 0; i < out.elements.size(); ++i) {
    const double value = from + static_cast<double>(i);
    Element& element = out.elements[i];
    element = element_of({kNoTensor, false, value, 0}, dtype);
    if (is_integer(dtype) && !element.known)  // counted in int64
      element = Element{.integer = wrapped_integer(static_cast<std::int64_t>(value), dtype)};
    rounds = rounds || (is_half(dtype) && std::isfinite(element.real) && element.real != value);
    if (rounds) element.error = 2 * ulp_of(element.real, dtype);
  }
  return out;
}

Effect arange_end(const KernelCall& call) { return made(arange(call.arguments, false)); }
Effect arange_start(const KernelCall& call) { return made(arange(call.arguments, true)); }

// 24 bits of one number make a float32, 53 of two a float64 [aten/src/ATen/core/TransformationHelper.h, uniform_real;
// aten/src/ATen/CPUGeneratorImpl.cpp, random64].
Element uniform(std::mt19937& generator, Dtype dtype) {
  const std::uint64_t first = generator();
  if (dtype != Dtype::float64) {
    const Element drawn =
        element_of({kNoTensor, false, std::ldexp(static_cast<double>(first & 0xffffff), -24), 0}, dtype);
    return drawn.real == 1 ? Element{} : drawn;  // a half is a float32, rounded; 1 is not in the range, so it is 0
  }
  const std::uint64_t both = (first << 32) | generator();
  return Element{.real = std::ldexp(static_cast<double>(both & ((std::uint64_t{1} << 53) - 1)), -53)};
}

Effect rand(const KernelCall& call) {
  const Dtype dtype = asked_dtype(call, 1);
  Effect effect = made(filled(call.arguments.integers(0), dtype, kUnspecified));
  if (!is_floating(dtype))
    raise(ErrorClass::dtype_op, text("\"check_uniform_bounds\" not implemented for '", scalar_name(dtype), "'"),
          "NotImplementedError");
  if (!call.state.generator) return effect;
  std::mt19937 generator = *call.state.generator;
  for (Element& element : effect.fresh.front().elements) element = uniform(generator, dtype);
  if (generator_goes_on(call.judge).v) effect.generator = std::make_shared<const std::mt19937>(generator);
  return effect;
}

/// A tensor like the first argument: its sizes, and the given dtype or its own.
Fresh like(const KernelCall& call, std::size_t dtype_place) {
  const Tensor& self = call.tensor(0);
  const Sizes sizes = sizes_of(self.geometry);
  Fresh fresh = filled(sizes, call.arguments.dtype(dtype_place).value_or(self.dtype), kUnspecified);
  lay_out_like(call, fresh, like_keeps_strides<Concrete>(call.judge, preserves_layout(call)).v);
  return fresh;
}

Fresh like_filled(const KernelCall& call, std::size_t dtype_place, const Operand& value) {
  Fresh fresh = like(call, dtype_place);
  const Element element = checked_element(value, fresh.dtype);
  for (Element& each : fresh.elements) each = element;
  return fresh;
}

Effect empty_like(const KernelCall& call) { return made(like(call, 1)); }
Effect zeros_like(const KernelCall& call) { return made(like_filled(call, 1, {kNoTensor, true, 0, 0})); }
Effect ones_like(const KernelCall& call) { return made(like_filled(call, 1, {kNoTensor, true, 1, 1})); }
Effect full_like(const KernelCall& call) { return made(like_filled(call, 2, call.arguments.number(1))); }
Effect new_full(const KernelCall& call) {
  return made(full_of(call.arguments.integers(1), call.arguments.dtype(3).value_or(call.tensor(0).dtype),
                      call.arguments.number(2)));
}

/// A copy of the first argument as a tensor of `dtype`.
Fresh copy_as(const KernelCall& call, Dtype dtype) {
  const Tensor& self = call.tensor(0);
  const Sizes sizes = sizes_of(self.geometry);
  Fresh fresh{sizes, row_major(sizes), dtype, spread(call, input_at(call, 0), sizes, dtype)};
  lay_out_like(call, fresh, clone_keeps_strides<Concrete>(call.judge, preserves_layout(call)).v);
  return fresh;
}

Effect clone(const KernelCall& call) { return made(copy_as(call, call.tensor(0).dtype)); }
Effect to_copy(const KernelCall& call) {
  return made(copy_as(call, call.arguments.dtype(1).value_or(call.tensor(0).dtype)));
}

}  // namespace

std::span<const KernelEntry> factory_kernels() {
  static constexpr std::array entries{KernelEntry{OpId::zeros, zeros},
                                      KernelEntry{OpId::ones, ones},
                                      KernelEntry{OpId::full, full},
                                      KernelEntry{OpId::empty_memory_format, empty},
                                      KernelEntry{OpId::arange, arange_end},
                                      KernelEntry{OpId::arange_start, arange_start},
                                      KernelEntry{OpId::rand, rand},
                                      KernelEntry{OpId::empty_like, empty_like},
                                      KernelEntry{OpId::zeros_like, zeros_like},
                                      KernelEntry{OpId::ones_like, ones_like},
                                      KernelEntry{OpId::full_like, full_like},
                                      KernelEntry{OpId::new_full, new_full},
                                      KernelEntry{OpId::clone, clone},
                                      KernelEntry{OpId::_to_copy, to_copy}};
  return entries;
}

}  // namespace plumbline::reference
