// Reading LibTorch's tensors. Of the CPU's, values are read from memory: nothing calls an op.
#include "adapters/libtorch/readings.h"

#include <ATen/ATen.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/csrc/autograd/variable.h>

#include "adapters/libtorch/dtypes.h"
#include "adapters/walk/elements.h"
#include "adapters/walk/slots.h"

namespace plumbline::libtorch {

namespace {

/// The functionalities of a key set, in the order of their bits; a family of keys is named with each backend:
/// "AutogradCPU".
std::vector<std::string> functionality_names(c10::DispatchKeySet keys) {
  std::vector<std::string> names;
  for (std::uint16_t f = 1; f < static_cast<std::uint16_t>(c10::DispatchKey::EndOfFunctionalityKeys); ++f) {
    const auto functionality = static_cast<c10::DispatchKey>(f);
    if (!keys.has_all(c10::DispatchKeySet(functionality))) continue;
    const std::size_t before = names.size();
    if (c10::isPerBackendFunctionalityKey(functionality))
      for (std::uint8_t b = 1; b <= static_cast<std::uint8_t>(c10::BackendComponent::EndOfBackendKeys); ++b) {
        const auto backend = static_cast<c10::BackendComponent>(b);
        if (keys.has_backend(backend))
          names.emplace_back(c10::toString(c10::toRuntimePerBackendFunctionalityKey(functionality, backend)));
      }
    if (names.size() == before)
      names.emplace_back(c10::toString(functionality));  // without a backend, the functionality alone
  }
  return names;
}

/// Makes of the memory's numbers what a conjugate or a negative view shows.
void resolve(const at::Tensor& t, Values& values) {
  const std::size_t numbers = t.is_complex() ? 2 : 1;
  for (std::size_t i = 0; i < values.floats.size(); ++i) {
    const bool imaginary = numbers == 2 && i % 2 == 1;
    if (t.is_neg() != (imaginary && t.is_conj())) values.floats[i] = -values.floats[i];
  }
}

/// The bytes of a storage where the CPU can read them. Of another device, an op copies them, below all that counts.
at::Tensor bytes_of(const at::Tensor& t) {
  const auto bytes = static_cast<std::int64_t>(t.storage().nbytes());
  const at::AutoDispatchBelowADInplaceOrView guard;
  const c10::InferenceMode mode(false);
  at::Tensor all = at::empty({0}, at::TensorOptions().dtype(at::kByte).device(t.device()));
  return all.set_(t.storage(), 0, {bytes}, {1}).to(at::kCPU);
}

Reading values(const at::Tensor& t) {
  if (t.is_meta() || t.layout() != c10::kStrided) return std::monostate{};
  const auto dtype = dtype_named(dtype_name(t.scalar_type()));
  if (!dtype) return std::monostate{};
  const walk::Layout layout{t.sizes(), t.strides(), t.storage_offset(), t.numel()};
  const at::Tensor copied = t.device().is_cpu() ? at::Tensor() : bytes_of(t);
  const void* data = copied.defined() ? copied.storage().data() : t.storage().data();
  Reading read = walk::values(layout, *dtype, data, static_cast<std::int64_t>(t.storage().nbytes()));
  if (auto* shown = std::get_if<Values>(&read)) resolve(t, *shown);
  return read;
}

Reading creation_meta(const at::Tensor& t) {
  const auto* meta = torch::autograd::impl::get_view_autograd_meta(t);
  if (meta == nullptr || !meta->has_bw_view()) return None{};
  switch (meta->get_creation_meta()) {
    case torch::autograd::CreationMeta::DEFAULT:
      return "DEFAULT";
    case torch::autograd::CreationMeta::IN_CUSTOM_FUNCTION:
      return "IN_CUSTOM_FUNCTION";
    case torch::autograd::CreationMeta::MULTI_OUTPUT_NODE:
      return "MULTI_OUTPUT_NODE";
    case torch::autograd::CreationMeta::NO_GRAD_MODE:
      return "NO_GRAD_MODE";
    case torch::autograd::CreationMeta::INFERENCE_MODE:
      return "INFERENCE_MODE";
  }
  return std::monostate{};
}

}  // namespace

Reading read(std::span<const at::Tensor> slots, std::size_t slot, Field field) {
  const at::Tensor& t = slots[slot];
  switch (field) {
    case Field::dtype:
      return dtype_name(t.scalar_type());
    case Field::sizes:
      return t.sizes().vec();
    case Field::strides:
      return t.strides().vec();
    case Field::offset:
      return t.storage_offset();
    case Field::values:
      return values(t);
    case Field::storage: {
      if (!t.has_storage()) return std::monostate{};
      const auto* storage = t.storage().unsafeGetStorageImpl();
      return walk::lowest(slots, -2, [&](const at::Tensor& other) {
        return other.has_storage() && other.storage().unsafeGetStorageImpl() == storage;
      });
    }
    case Field::keys:
      return functionality_names(t.key_set());
    case Field::is_inference:
      return t.is_inference();
    case Field::version:
      return t._version();
    case Field::requires_grad:
      return t.requires_grad();
    case Field::is_leaf:
      return t.grad_fn() == nullptr;  // as Python's is_leaf [torch/csrc/autograd/python_variable.cpp], which may raise
    case Field::grad_fn:
      return t.grad_fn() != nullptr;
    case Field::is_view:
      return t.is_view();
    case Field::base: {
      if (!t.is_view()) return std::int64_t{-1};
      const at::TensorBase& base = t._base();
      return walk::lowest(slots, -2, [&](const at::Tensor& other) { return other.is_same(base); });
    }
    case Field::creation_meta:
      return creation_meta(t);
    case Field::grad: {
      const at::Tensor grad =
          torch::autograd::impl::get_autograd_meta(t) == nullptr ? at::Tensor() : t.unsafeGetTensorImpl()->grad();
      return grad.defined() ? values(grad) : Reading(None{});
    }
  }
  return std::monostate{};
}

Reading read(ThreadField field) {
  switch (field) {
    case ThreadField::inference_mode:
      return c10::InferenceMode::is_enabled();
    case ThreadField::grad_mode:
      return c10::GradMode::is_enabled();
    case ThreadField::included:
      return functionality_names(c10::impl::tls_local_dispatch_key_set().included_);
    case ThreadField::excluded:
      return functionality_names(c10::impl::tls_local_dispatch_key_set().excluded_);
  }
  return std::monostate{};
}

}  // namespace plumbline::libtorch
