// Observations of LibTorch's tensors. Nothing here calls an op: values are read from memory.
#include "oracle/libtorch/readings.h"

#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <fmt/format.h>
#include <torch/csrc/autograd/variable.h>

#include "oracle/libtorch/dtypes.h"
#include "oracle/libtorch/failure.h"

namespace plumbline::libtorch {

namespace {

constexpr std::int64_t kMostElements = std::int64_t{1} << 20;

/// Functionalities by bit, each with the set's backends where it is a family of keys: "CPU", "AutogradCPU".
std::vector<std::string> key_names(c10::DispatchKeySet keys) {
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
      names.emplace_back(c10::toString(functionality));  // no backend: the functionality alone
  }
  return names;
}

/// The elements in row-major order, walked by sizes and strides.
template <class T, class Out>
void walk(const at::Tensor& t, const char* storage, std::vector<Out>& out) {
  const auto* data = reinterpret_cast<const T*>(storage);
  const auto sizes = t.sizes(), strides = t.strides();
  std::vector<std::int64_t> index(sizes.size(), 0);
  std::int64_t at = t.storage_offset();
  out.reserve(static_cast<std::size_t>(t.numel()));
  for (std::int64_t left = t.numel(); left > 0; --left) {
    out.push_back(static_cast<Out>(data[at]));
    for (std::size_t d = sizes.size(); d-- > 0;) {
      at += strides[d];
      if (++index[d] < sizes[d]) break;
      at -= strides[d] * sizes[d];
      index[d] = 0;
    }
  }
}

/// Whether every element lies in the storage; where that cannot even be counted in 64 bits, none does.
bool in_storage(const at::Tensor& t) {
  if (t.numel() == 0) return true;
  std::int64_t first = t.storage_offset(), last = first, bytes = 0;
  for (std::int64_t d = 0; d < t.dim(); ++d) {
    std::int64_t span = 0;
    std::int64_t& end = t.stride(d) < 0 ? first : last;
    if (__builtin_mul_overflow(t.size(d) - 1, t.stride(d), &span) || __builtin_add_overflow(end, span, &end))
      return false;
  }
  return first >= 0 && !__builtin_add_overflow(last, 1, &last) &&
         !__builtin_mul_overflow(last, static_cast<std::int64_t>(t.itemsize()), &bytes) &&
         bytes <= static_cast<std::int64_t>(t.storage().nbytes());
}

Reading values(const at::Tensor& t) {
  if (!t.device().is_cpu() || t.layout() != c10::kStrided || t.is_neg() || t.is_conj()) return std::monostate{};
  if (t.numel() > kMostElements)
    throw Unsupported{fmt::format("a tensor of {} elements; values are read up to {}", t.numel(), kMostElements)};
  Values values;
  if (!in_storage(t))
    return failure(fmt::format("the elements reach beyond the storage of {} bytes", t.storage().nbytes()),
                   "RuntimeError");
  const auto* storage = static_cast<const char*>(t.storage().data());
  switch (t.scalar_type()) {
    case at::kFloat:
      walk<float>(t, storage, values.floats);
      break;
    case at::kDouble:
      walk<double>(t, storage, values.floats);
      break;
    case at::kLong:
      walk<std::int64_t>(t, storage, values.integers);
      break;
    case at::kInt:
      walk<std::int32_t>(t, storage, values.integers);
      break;
    case at::kBool:
      walk<bool>(t, storage, values.integers);
      break;
    default:
      return std::monostate{};
  }
  return values;
}

/// The lowest slot whose tensor satisfies `same`, or `otherwise`.
template <class Same>
std::int64_t lowest(std::span<const at::Tensor> slots, std::int64_t otherwise, Same same) {
  for (std::size_t i = 0; i < slots.size(); ++i)
    if (slots[i].defined() && same(slots[i])) return static_cast<std::int64_t>(i);
  return otherwise;
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
      return lowest(slots, -2, [&](const at::Tensor& other) {
        return other.has_storage() && other.storage().unsafeGetStorageImpl() == storage;
      });
    }
    case Field::keys:
      return key_names(t.key_set());
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
      return lowest(slots, -2, [&](const at::Tensor& other) { return other.is_same(base); });
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
      return key_names(c10::impl::tls_local_dispatch_key_set().included_);
    case ThreadField::excluded:
      return key_names(c10::impl::tls_local_dispatch_key_set().excluded_);
  }
  return std::monostate{};
}

void snapshot(std::span<const at::Tensor> slots, Outcome& outcome) {
  for (int f = 0; f < kThreadFields; ++f) outcome.thread.push_back(read(static_cast<ThreadField>(f)));
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (!slots[i].defined()) continue;
    auto& reading = outcome.tensors.emplace_back(TensorReading{static_cast<Slot>(i), {}});
    reading.fields.reserve(kFields);
    for (int f = 0; f < kFields; ++f) {
      try {
        reading.fields.push_back(read(slots, i, static_cast<Field>(f)));
      } catch (const std::exception&) {
        reading.fields.emplace_back(current_failure());
      }
    }
  }
}

}  // namespace plumbline::libtorch
