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

using Keys = KeySet<Concrete>;

/// An error of an op by schema: its words are PyTorch's.
[[noreturn]] void refuse(std::string message) { raise(ErrorClass::by_schema, std::move(message)); }

/// `bits` with the bit turned.
Keys turned(const Keys& bits, Functionality bit) { return bits.has_any(bit).v ? bits - Keys(bit) : bits | bit; }

/// [aten/src/ATen/native/UnaryOps.cpp, _conj]
Effect conj_view(const KernelCall& call) {
  const Tensor& self = call.tensor(0);
  Effect effect;
  effect.is_self = !is_complex(self.dtype);
  effect.views.push_back(self.geometry);
  effect.view_bits = turned(bits_of(self), Functionality::Conjugate);
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

/// The views of one part, or of both; a negative view stays one.
Effect part_view(const Tensor& self, const Geometry& geometry) {
  Effect effect;
  effect.views.push_back(geometry);
  effect.view_dtype = part_of(self.dtype);
  effect.view_bits = bits_of(self) - Keys(Functionality::Conjugate);
  return effect;
}

/// [aten/src/ATen/native/ComplexHelper.h, view_as_real]
Effect view_as_real(const KernelCall& call) {
  const Tensor& self = call.tensor(0);
  if (self.meta.keys.has_any(Functionality::Conjugate).v)
    refuse(
        "view_as_real doesn't work on unresolved conjugated tensors.  To resolve the conjugate tensor so you can view "
        "it as real, use self.resolve_conj(); however, be warned that the resulting tensor will NOT alias the "
        "original.");
  if (!is_complex(self.dtype)) refuse("view_as_real is only supported for complex tensors");
  return part_view(self, parts_of(self.geometry));
}

/// [aten/src/ATen/native/UnaryOps.cpp, real, imag]: a part of the tensor without its conjugate bit; the imaginary part
/// of a conjugate is a negative view.
Effect one_part(const KernelCall& call) {
  const Tensor& self = call.tensor(0);
  const bool imaginary = call.op == OpId::imag;
  Geometry geometry = parts_of(self.geometry);
  Sizes sizes = sizes_of(geometry);
  Sizes strides = strides_of(geometry);
  sizes.pop_back();
  strides.pop_back();
  Effect effect = part_view(self, geometry_of(sizes, strides, geometry.offset.v + (imaginary ? 1 : 0)));
  if (imaginary && self.meta.keys.has_any(Functionality::Conjugate).v)
    effect.view_bits = turned(*effect.view_bits, Functionality::Negative);
  return effect;
}

/// [aten/src/ATen/native/ComplexHelper.h, view_as_complex, computeStrideForViewAsComplex]
Effect view_as_complex(const KernelCall& call) {
  const Tensor& self = call.tensor(0);
  refuse_bits({&self}, "view_as_complex");
  if (self.dtype != Dtype::float32 && self.dtype != Dtype::float64)
    throw ReferenceLimit("view_as_complex of a dtype that is neither float32 nor float64");
  Sizes sizes = sizes_of(self.geometry);
  Sizes strides = strides_of(self.geometry);
  if (sizes.empty()) refuse("Input tensor must have one or more dimensions");
  if (sizes.back() != 2) refuse("Tensor must have a last dimension of size 2");
  if (strides.back() != 1) refuse("Tensor must have a last dimension with stride 1");
  sizes.pop_back();
  strides.pop_back();
  const bool every = call.judge.profile == Profile::torch_1_13;  // it looks at dimensions of one element too
  for (std::size_t i = 0; i < strides.size(); ++i) {
    if (strides[i] % 2 != 0 && (every || sizes[i] != 1))
      refuse("Tensor must have a stride divisible by 2 for all but last dimension");
    strides[i] /= 2;
  }
  if (self.geometry.offset.v % 2 != 0) refuse("Tensor must have a storage_offset divisible by 2");
  Effect effect;
  effect.views.push_back(geometry_of(sizes, strides, self.geometry.offset.v / 2));
  effect.view_dtype = self.dtype == Dtype::float32 ? Dtype::complex64 : Dtype::complex128;
  return effect;
}

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

/// [aten/src/ATen/native/UnaryOps.cpp, conj_physical_]: real numbers stay, without a check, but count a version.
Effect conj_physical_in_place(const KernelCall& call) {
  const Input self = input_at(call, 0);
  if (!is_complex(self.dtype)) return written_as(call, *self.tensor, conjugates(call, self), self.dtype);
  (void)judged_overlap(call.judge, *self.tensor, {&self, 1}, false);
  return written_as(call, *self.tensor, conjugates(call, self), self.dtype);
}

/// Composites that return their argument itself if it has no complex elements.
std::vector<TensorId> of_complex(CompositeRun& run) {
  const Arguments& of = run.arguments();
  const TensorId self = of.tensor(0);
  const OpId id = *find_op(of.op().name, of.op().overload);
  if (is_complex(run.tensor(self).dtype)) return run.own_kernels(id);
  if (id == OpId::imag) refuse("imag is not implemented for tensors with non-complex dtypes.");
  return {self};
}

/// A copy if the tensor has the bit, and otherwise the tensor itself; the copy resolves both bits.
std::vector<TensorId> resolve(CompositeRun& run) {
  const TensorId self = run.arguments().tensor(0);
  const auto bit = run.arguments().op().name == "resolve_conj" ? Functionality::Conjugate : Functionality::Negative;
  if (!run.tensor(self).meta.keys.has_any(bit).v) return {self};
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
