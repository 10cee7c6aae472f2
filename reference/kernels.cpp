// The table of kernels, and the helpers for elements and sizes that kernels share.
#include "reference/kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "reference/bits.h"
#include "reference/by_schema.h"
#include "reference/dtype_words.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"
#include "spec/vocabulary/half.h"

namespace plumbline::reference {

namespace {

const std::array<Kernel, kAllOps>& kernels() {
  static const auto table = [] {
    std::array<Kernel, kAllOps> by_op{};
    for (const auto entries :
         {factory_kernels(), pointwise_kernels(), unary_kernels(), comparison_kernels(), sum_kernels(), max_kernels(),
          matrix_kernels(), view_kernels(), copy_kernels(), memory_kernels(), index_kernels(), join_kernels(),
          out_kernels(), bit_kernels(), everyday_kernels()}) {
      for (const KernelEntry& entry : entries) {
        Kernel& kernel = by_op[static_cast<std::size_t>(entry.op)];
        if (kernel != nullptr) throw std::logic_error("two kernels for " + qualified_name(op(entry.op)));
        kernel = entry.kernel;
      }
    }
    return by_op;
  }();
  return table;
}

}  // namespace

bool has_meaning(OpId op) { return kernels()[static_cast<std::size_t>(op)] != nullptr; }

namespace {

/// Whether a tensor, a dtype or a complex number among the arguments is of such a dtype.
bool has_dtype(const KernelCall& call, bool (*is)(Dtype)) {
  const auto is_tensor = [&](Slot slot) {
    return is(call.state.tensors[static_cast<std::size_t>(held(call.state, slot))].dtype);
  };
  return std::ranges::any_of(call.arguments.values(), [&](const Value& value) {
    if (const auto* slot = std::get_if<Slot>(&value)) return is_tensor(*slot);
    if (const auto* slots = std::get_if<std::vector<Slot>>(&value)) return std::ranges::any_of(*slots, is_tensor);
    if (std::holds_alternative<Complex>(value)) return is(Dtype::complex128);
    const auto* dtype = std::get_if<Dtype>(&value);
    return dtype != nullptr && is(*dtype);
  });
}

}  // namespace

bool has_complex(const KernelCall& call) { return has_dtype(call, is_complex); }

namespace {

void refuse_complex_in_1_13(const KernelCall& call) {
  if (has_dtype(call, [](Dtype dtype) { return dtype == Dtype::boolean; }))
    throw ReferenceLimit("complex numbers and bools in PyTorch 1.13, which makes bools of the real parts alone");
  // [aten/src/ATen/cpu/vec/vec256/vec256_complex_float.h, eq, of 1.13]
  if (call.op == OpId::eq_Tensor_out || call.op == OpId::eq_Scalar_out)
    throw ReferenceLimit("eq(out=) of complex numbers in PyTorch 1.13, whose vectors compare each part by itself");
}

}  // namespace

Effect meaning(const KernelCall& call) {
  const bool complex = has_complex(call);
  const bool by_schema = op(call.op).by_schema;
  if (complex && !by_schema && !computes_complex(call.op))
    throw ReferenceLimit(text("what ", qualified_name(op(call.op)), " computes of complex numbers"));
  const bool old = call.judge.profile == Profile::torch_1_13;
  if (complex && by_schema && !computes_complex(call.op) && (old || !everyday_computes_complex(call.op)))
    return effect_by_schema(call);
  if (old && complex) refuse_complex_in_1_13(call);
  if (old && has_dtype(call, is_half))
    throw ReferenceLimit("float16 and bfloat16 in PyTorch 1.13, which lacks some of their kernels on the CPU");
  const Kernel kernel = kernels()[static_cast<std::size_t>(call.op)];
  if (kernel == nullptr && by_schema) return effect_by_schema(call);
  if (kernel == nullptr)
    throw std::logic_error("the reference has no kernel for " + qualified_name(op(call.op)) +
                           "; add it to a list of kernels in reference/kernels_*.cpp");
  return kernel(call);
}

void hold_to_contract(OpId id, const Effect& effect, const Geometry* kept) {
  const bool writes = written_argument(op(id)) >= 0;
  const bool changes = effect.written || effect.layout || effect.grown > 0 || effect.source != kNoTensor;
  const bool makes = !effect.fresh.empty() || !effect.views.empty();
  if (!writes && changes)
    throw std::logic_error("the reference's kernel for " + qualified_name(op(id)) +
                           " changes an argument, but the op table says that the op writes none");
  if (writes && makes)
    throw std::logic_error("the reference's kernel for " + qualified_name(op(id)) +
                           " makes a tensor, but the op table says that the op returns what it writes");
  const auto same = [](const Geometry& a, const Geometry& b) {
    return sizes_of(a) == sizes_of(b) && strides_of(a) == strides_of(b);
  };
  if (kept != nullptr && effect.layout && !same(*effect.layout, *kept))
    throw std::logic_error("the reference's kernel for " + qualified_name(op(id)) +
                           " changes sizes or strides, but the call said that they stay");
}

Element element_of(const Operand& number, Dtype dtype) {
  if (number.complex) return converted({.real = number.real, .imag = number.imag}, Dtype::complex128, dtype);
  const Element element = number.integral ? Element{.integer = number.integer} : Element{.real = number.real};
  return converted(element, number.integral ? Dtype::int64 : Dtype::float64, dtype);
}

namespace {

/// [c10/util/TypeCast.h, overflows]
bool overflows(const Operand& number, Dtype dtype) {
  if (number.complex && dtype != Dtype::boolean) {
    const auto part_overflows = [&](double part) { return overflows({.real = part}, part_of(dtype)); };
    return (!is_complex(dtype) && number.imag != 0) || part_overflows(number.real) || part_overflows(number.imag);
  }
  dtype = part_of(dtype);
  if (dtype == Dtype::boolean || dtype == Dtype::float64) return false;
  if (dtype == Dtype::float32)
    return std::isfinite(number.real) && std::fabs(number.real) > double{std::numeric_limits<float>::max()};
  if (is_half(dtype)) return std::isfinite(number.real) && std::fabs(number.real) > format_of(dtype).greatest;
  if (dtype == Dtype::int64) return !number.integral && !(std::fabs(number.real) <= 9223372036854775808.0);
  const IntegerRange range = range_of(dtype);
  // A negative integer wraps, so that a − b can be computed as a + 255 · b.
  const auto least = static_cast<double>(dtype == Dtype::uint8 && number.integral ? -range.greatest : range.least);
  return !(number.real >= least && number.real <= static_cast<double>(range.greatest));
}

}  // namespace

Element checked_element(const Operand& number, Dtype dtype) {
  if (overflows(number, dtype))
    raise(ErrorClass::number_cast,
          text("value cannot be converted to type ", conversion_name(dtype), " without overflow"));
  return element_of(number, dtype);
}

std::string printed(const Sizes& sizes) {
  std::string out = "[";
  for (std::size_t i = 0; i < sizes.size(); ++i) out += (i > 0 ? ", " : "") + std::to_string(sizes[i]);
  return out + "]";
}

Sizes broadcast_sizes(const Judge& judge, const Sizes& a, const Sizes& b) {
  const std::size_t rank = std::max(a.size(), b.size());
  const bool front = pads_in_front(judge).v;
  const auto size_at = [&](const Sizes& sizes, std::size_t i) {
    const std::size_t pad = front ? rank - sizes.size() : 0;
    return i < pad || i - pad >= sizes.size() ? std::int64_t{1} : sizes[i - pad];
  };
  Sizes out(rank);
  for (std::size_t i = rank; i-- > 0;) {
    const auto stretched = broadcast<Concrete>(size_at(a, i), size_at(b, i));
    if (!stretched.fits.v)
      raise(ErrorClass::shape, text("The size of tensor a (", size_at(a, i), ") must match the size of tensor b (",
                                    size_at(b, i), ") at non-singleton dimension ", i));
    out[i] = stretched.size.v;
  }
  return out;
}

Fresh filled(const Sizes& sizes, Dtype dtype, const Element& element) {
  for (const std::int64_t size : sizes)
    if (size < 0)
      raise(ErrorClass::range, text("Trying to create tensor with negative dimension ", size, ": ", printed(sizes)));
  return {sizes, row_major(sizes), dtype,
          std::vector<Element>(static_cast<std::size_t>(element_count(sizes)), element)};
}

int wrapped_dim(const Judge& judge, std::int64_t dim, std::size_t rank) {
  const auto at = wrap_dim(judge, dim, static_cast<int>(rank));
  const auto extent = std::max<std::int64_t>(static_cast<std::int64_t>(rank), 1);
  if (!at.valid)
    raise(ErrorClass::dim_range,
          text("Dimension out of range (expected to be in range of [", -extent, ", ", extent - 1, "], but got ", dim,
               ")"),
          "IndexError");
  return at.dim;
}

}  // namespace plumbline::reference
