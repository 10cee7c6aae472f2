// LibTorch's calls under the names of bench/calls.h: the public calls of at::, with the version that this is built
// against.
#pragma once

#include <ATen/ATen.h>
#include <ATen/FunctionalTensorWrapper.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <benchmark/benchmark.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <cstring>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "bench/libtorch/own_ops.h"
#include "bench/rows.h"
#include "bench/workload.h"

namespace plumbline::bench {

struct LibTorch {
  using Tensor = at::Tensor;
  using InferenceMode = c10::InferenceMode;
  using BelowADInplaceOrView = at::AutoDispatchBelowADInplaceOrView;
  using AutoNonVariableTypeMode = at::AutoNonVariableTypeMode;
  using Error = c10::Error;
  using Sizes = std::initializer_list<std::int64_t>;

  class Guard {
   public:
    explicit Guard(Mode mode) {
      if (mode == Mode::inference) inference_.emplace(true);
      if (mode == Mode::no_grad) no_grad_.emplace(false);
      if (mode == Mode::functional) functionalizing_.emplace(c10::DispatchKey::Functionalize);
      if (mode == Mode::below) below_.emplace();
    }

   private:
    std::optional<c10::InferenceMode> inference_;
    std::optional<at::AutoGradMode> no_grad_;
    std::optional<c10::impl::IncludeDispatchKeyGuard> functionalizing_;
    std::optional<at::AutoDispatchBelowADInplaceOrView> below_;
  };

  static Tensor tensor(const std::vector<float>& values, Sizes sizes) {
    Tensor made = at::empty(at::IntArrayRef(sizes), at::kFloat);
    std::memcpy(made.data_ptr<float>(), values.data(), values.size() * sizeof(float));
    return made;
  }
  static void require_grad(const Tensor& tensor) { tensor.requires_grad_(); }
  static void detach_(const Tensor& tensor) { tensor.detach_(); }

  static Tensor add(const Tensor& a, const Tensor& b) { return at::add(a, b); }
  static const Tensor& add_(const Tensor& a, const Tensor& b) { return a.add_(b); }
  static const Tensor& copy_(const Tensor& to, const Tensor& from) { return to.copy_(from); }
  static Tensor sum(const Tensor& a) { return at::sum(a); }
  static Tensor view(const Tensor& a, Sizes sizes) { return a.view(at::IntArrayRef(sizes)); }
  static Tensor slice(const Tensor& a, std::int64_t dim, std::int64_t start, std::int64_t end, std::int64_t step) {
    return at::slice(a, dim, start, end, step);
  }
  static Tensor select(const Tensor& a, std::int64_t dim, std::int64_t index) { return at::select(a, dim, index); }
  static Tensor functional(const Tensor& a) { return at::functionalization::impl::to_functional_tensor(a); }
  static void sync(const Tensor& a) { at::functionalization::impl::sync(a); }
  static Tensor empty(Sizes sizes) { return at::empty(at::IntArrayRef(sizes), at::kFloat); }
  static Tensor mm(const Tensor& a, const Tensor& b) { return at::mm(a, b); }
  static Tensor addmm(const Tensor& bias, const Tensor& a, const Tensor& b) { return at::addmm(bias, a, b); }
  static Tensor relu(const Tensor& a) { return at::relu(a); }
  static void bump(const Tensor& a) { a.unsafeGetTensorImpl()->bump_version(); }
  static void noop(const Tensor& a) { own_ops::noop(a); }
  static const Tensor& write_fused(const Tensor& to, const Tensor& from) { return own_ops::write_fused(to, from); }
  static const Tensor& write_split(const Tensor& to, const Tensor& from) { return own_ops::write_split(to, from); }
  static Tensor op_fallback(const Tensor& a, const Tensor& b) { return own_ops::op_fallback(a, b); }
  static Tensor op_generated(const Tensor& a, const Tensor& b) { return own_ops::op_generated(a, b); }

  static void barrier() { benchmark::ClobberMemory(); }
  static bool in_inference_mode() { return c10::InferenceMode::is_enabled(); }
  static std::string message_of(const Error& error) { return error.what_without_backtrace(); }
  static Outcome outcome_of(const Tensor& tensor) {
    Outcome outcome{std::string(tensor.scalar_type() == at::kFloat ? "float32" : "another dtype") + " [", {}};
    for (const std::int64_t size : tensor.sizes()) outcome.what += std::to_string(size) + ",";
    outcome.what += "]";
    if (tensor.requires_grad()) outcome.what += " requires grad";
    if (tensor.is_inference()) outcome.what += " inference";
    const c10::impl::ExcludeDispatchKeyGuard plainly(c10::DispatchKey::Functionalize);
    const bool functional = at::functionalization::impl::isFunctionalTensor(tensor);
    if (functional) at::functionalization::impl::sync(tensor);
    const Tensor dense =
        (functional ? at::functionalization::impl::from_functional_tensor(tensor) : tensor).contiguous();
    const auto* first = reinterpret_cast<const std::byte*>(dense.data_ptr<float>());
    outcome.elements.assign(first, first + dense.numel() * static_cast<std::int64_t>(sizeof(float)));
    return outcome;
  }
  static void trim() {}
};

}  // namespace plumbline::bench
