// The kernels of conj, real, imag, view_as_real, view_as_complex and conj_physical, and the composites around them.
#include <array>

#include "reference/bits.h"
#include "reference/call.h"
#include "reference/composite.h"
#include "reference/pointwise.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"

namespace plumbline::reference {

namespace {

/// An error of an op by schema: its words are PyTorch's.
[[noreturn]] void refuse(std::string message) { raise(ErrorClass::by_schema, std::move(message)); }

std::vector<Element> conjugates(const KernelCall& call, const Input& self) {
  std::vector<Element> elements = spread(call, self, self.sizes(), self.dtype);
  for (Element& element : elements) element.imag = -element.imag;
  return elements;
}

/// Into empty_like's result [aten/src/ATen/native/UnaryOps.cpp, _conj_physical].
Effect conj_physical(const KernelCall& call) {
  const Input self = input_at(call, 0);
  const Sizes strides = dense_strides(self.sizes(), strides_of(self.geometry()));
  return made({self.sizes(), strides, self.dtype, conjugates(call, self)});
}

/// [aten/src/ATen/native/UnaryOps.cpp, _conj]
Effect conj_view(const KernelCall& call) {
  const Tensor& self = call.tensor(0);
  if (!conj_shares_memory<Concrete>(call.judge, is_complex(self.dtype)).v) return conj_physical(call);
  Effect effect;
  effect.views.push_back(self.geometry);
  effect.view_bits = turned_bits(call.judge, bits_of(self), Functionality::Conjugate);
  return effect;
}

/// Both parts of each element, in a new last dimension [aten/src/ATen/native/ComplexHelper.h,
/// computeStrideForViewAsReal].
Geometry parts_of(const Geometry& geometry) {
  Sizes sizes = sizes_of(geometry);
  Sizes strides = strides_of(geometry);
  for (std::int64_t& stride : strides) stride *= 2;
  sizes.push_back(2);
  strides.push_back(1);
  return geometry_of(sizes, strides, 2 * geometry.offset.v);
}

/// A view in the dtype of the parts, or of the pairs; `imaginary`: of the imaginary parts alone.
Effect part_view(const KernelCall& call, const Geometry& geometry, Dtype dtype, bool imaginary) {
  Effect effect;
  effect.views.push_back(geometry);
  effect.view_dtype = dtype;
  effect.view_bits = part_bits(call.judge, bits_of(call.tensor(0)), imaginary);
  return effect;
}

/// [aten/src/ATen/native/ComplexHelper.h, view_as_real]
Effect view_as_real(const KernelCall& call) {
  const Tensor& self = call.tensor(0);
  const auto error = static_cast<ErrorClass>(check_view_as_real(call.judge, bits_of(self)).v);
  if (error != ErrorClass::none)
    raise(
        error,
        "view_as_real doesn't work on unresolved conjugated tensors.  To resolve the conjugate tensor so you can view "
        "it as real, use self.resolve_conj(); however, be warned that the resulting tensor will NOT alias the "
        "original.");
  if (!is_complex(self.dtype)) refuse("view_as_real is only supported for complex tensors");
  return part_view(call, parts_of(self.geometry), part_of(self.dtype), false);
}

/// [aten/src/ATen/native/UnaryOps.cpp, real, imag]
Effect one_part(const KernelCall& call) {
  const Tensor& self = call.tensor(0);
  const bool imaginary = call.op == OpId::imag;
  Geometry geometry = parts_of(self.geometry);
  Sizes sizes = sizes_of(geometry);
  Sizes strides = strides_of(geometry);
  sizes.pop_back();
  strides.pop_back();
  geometry = geometry_of(sizes, strides, geometry.offset.v + (imaginary ? 1 : 0));
  return part_view(call, geometry, part_of(self.dtype), imaginary);
}

/// [aten/src/ATen/native/ComplexHelper.h, view_as_complex, computeStrideForViewAsComplex]
Effect view_as_complex(const KernelCall& call) {
  const Tensor& self = call.tensor(0);
  if (self.dtype != Dtype::float32 && self.dtype != Dtype::float64)
    throw ReferenceLimit("view_as_complex of a dtype that is neither float32 nor float64");
  Sizes sizes = sizes_of(self.geometry);
  Sizes strides = strides_of(self.geometry);
  if (sizes.empty()) refuse("Input tensor must have one or more dimensions");
  if (sizes.back() != 2) refuse("Tensor must have a last dimension of size 2");
  if (!pairs_fit<Concrete>(call.judge, strides.back() == 1, strides.back() > 1).v)
    refuse("Tensor must have a last dimension with stride 1");
  sizes.pop_back();
  strides.pop_back();
  for (std::size_t i = 0; i < strides.size(); ++i) {
    if (!pair_stride_fits<Concrete>(call.judge, strides[i] % 2 == 0, sizes[i] == 1).v)
      refuse("Tensor must have a stride divisible by 2 for all but last dimension");
    strides[i] /= 2;
  }
  if (self.geometry.offset.v % 2 != 0) refuse("Tensor must have a storage_offset divisible by 2");
  const Dtype dtype = self.dtype == Dtype::float32 ? Dtype::complex64 : Dtype::complex128;
  return part_view(call, geometry_of(sizes, strides, self.geometry.offset.v / 2), dtype, false);
}

/// [aten/src/ATen/native/UnaryOps.cpp, conj_physical_]
Effect conj_physical_in_place(const KernelCall& call) {
  const Input self = input_at(call, 0);
  if (conj_checks_overlap<Concrete>(call.judge, is_complex(self.dtype)).v)
    (void)judged_overlap(call.judge, *self.tensor, {&self, 1}, false);
  Effect effect = written_as(call, *self.tensor, conjugates(call, self), self.dtype);
  if (is_complex(self.dtype))
    mark_unspecified(overlap_of(*self.tensor, {&self, 1}, false), *self.tensor, {&self, 1}, *effect.written);
  return effect;
}

/// Where no Autograd key runs it as a composite, a negative view goes to the fallback: only ConjugateFallback.cpp
/// registers conj_physical [aten/src/ATen/native/NegateFallback.cpp].
void refuse_fallback(const CompositeRun& run, TensorId self) {
  const bool negative = run.tensor(self).meta.keys.has_any(Functionality::Negative).v;
  if (negative && run.state().tls.excluded.has_any(autograd_keys<Concrete>()).v)
    throw ReferenceLimit("conj_physical of a negative view where Autograd is excluded");
}

/// Composites that return their argument itself if it has no complex elements.
std::vector<TensorId> of_complex(CompositeRun& run) {
  const Arguments& of = run.arguments();
  const TensorId self = of.tensor(0);
  const OpId id = run.op();
  if (id == OpId::conj_physical) refuse_fallback(run, self);
  const bool complex = is_complex(run.tensor(self).dtype);
  if (id == OpId::imag) {
    if (imag_refuses<Concrete>(run.judge(), complex).v)
      refuse("imag is not implemented for tensors with non-complex dtypes.");
    if (!complex) return {run.call(OpId::zeros_like, {run.value(self), None{}, None{}, None{}, None{}, None{}})};
  } else if (part_is_self<Concrete>(run.judge(), complex).v) {
    return {self};
  }
  if (complex) return run.own_kernels(id);
  return {run.call(OpId::view, {run.value(self), sizes_of(run.tensor(self).geometry)})};
}

/// A copy, which resolves both bits, or the tensor itself.
std::vector<TensorId> resolve(CompositeRun& run) {
  const TensorId self = run.arguments().tensor(0);
  const auto bit = run.arguments().op().name == "resolve_conj" ? Functionality::Conjugate : Functionality::Negative;
  if (!resolve_copies(run.judge(), run.tensor(self).meta.keys.has_any(bit)).v) return {self};
  return {run.call(OpId::clone, {run.value(self), None{}})};
}

}  // namespace

std::span<const CompositeEntry> bit_composites() {
  static constexpr std::array entries{
      CompositeEntry{OpId::conj, of_complex},      CompositeEntry{OpId::real, of_complex},
      CompositeEntry{OpId::imag, of_complex},      CompositeEntry{OpId::conj_physical, of_complex},
      CompositeEntry{OpId::resolve_conj, resolve}, CompositeEntry{OpId::resolve_neg, resolve}};
  return entries;
}

std::span<const KernelEntry> bit_kernels() {
  static constexpr std::array entries{KernelEntry{OpId::conj, conj_view},
                                      KernelEntry{OpId::real, one_part},
                                      KernelEntry{OpId::imag, one_part},
                                      KernelEntry{OpId::view_as_real, view_as_real},
                                      KernelEntry{OpId::view_as_complex, view_as_complex},
                                      KernelEntry{OpId::conj_physical, conj_physical},
                                      KernelEntry{OpId::conj_physical_, conj_physical_in_place}};
  return entries;
}

}  // namespace plumbline::reference
