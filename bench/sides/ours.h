// Ours as a side of the comparison: the public entries of optimized/ops.h under the names of bench/calls.h.
#pragma once

#include <benchmark/benchmark.h>

#include <cstring>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "bench/rows.h"
#include "bench/workload.h"
#include "optimized/autograd/variable.h"
#include "optimized/functionalize/functionalize.h"
#include "optimized/ops.h"
#include "optimized/tensor/error.h"

namespace plumbline::bench {

struct Ours {
  using Tensor = optimized::Tensor;
  using InferenceMode = optimized::InferenceMode;
  using BelowADInplaceOrView = optimized::AutoDispatchBelowADInplaceOrView;
  using Error = optimized::Error;
  using Sizes = std::initializer_list<std::int64_t>;

  /// The mode of a case, for a scope.
  class Guard {
   public:
    explicit Guard(Mode mode) : ideal_(mode == Mode::ideal) {
      if (mode == Mode::inference) inference_.emplace();
      if (mode == Mode::no_grad) no_grad_.emplace(false);
      if (mode == Mode::functional) functionalizing_.emplace();
      if (mode == Mode::below) below_.emplace();
      if (ideal_) optimized::ideal_end_state.store(true);
    }
    ~Guard() {
      if (ideal_) optimized::ideal_end_state.store(false);
    }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

   private:
    std::optional<optimized::InferenceMode> inference_;
    std::optional<optimized::GradMode> no_grad_;
    std::optional<optimized::Functionalizing> functionalizing_;
    std::optional<optimized::AutoDispatchBelowADInplaceOrView> below_;
    bool ideal_;
  };

  static Tensor tensor(const std::vector<float>& values, Sizes sizes) {
    const Tensor made = optimized::empty(sizes);
    std::memcpy(made.data<float>(), values.data(), values.size() * sizeof(float));
    return made;
  }
  static void require_grad(const Tensor& tensor) { optimized::set_requires_grad(tensor, true); }
  static void detach_(const Tensor& tensor) { optimized::detach_(tensor); }

  static Tensor add(const Tensor& a, const Tensor& b) { return optimized::add(a, b); }
  static const Tensor& add_(const Tensor& a, const Tensor& b) { return optimized::add_(a, b); }
  static const Tensor& copy_(const Tensor& to, const Tensor& from) { return optimized::copy_(to, from); }
  static Tensor sum(const Tensor& a) { return optimized::sum(a); }
  static Tensor view(const Tensor& a, Sizes sizes) { return optimized::view(a, sizes); }
  static Tensor slice(const Tensor& a, std::int64_t dim, std::int64_t start, std::int64_t end, std::int64_t step) {
    return optimized::slice(a, dim, start, end, step);
  }
  static Tensor select(const Tensor& a, std::int64_t dim, std::int64_t index) {
    return optimized::select(a, dim, index);
  }
  static Tensor functional(const Tensor& a) { return optimized::to_functional_tensor(a); }
  static void sync(const Tensor& a) { optimized::sync(a); }
  static Tensor empty(Sizes sizes) { return optimized::empty(sizes); }
  static Tensor mm(const Tensor& a, const Tensor& b) { return optimized::mm(a, b); }
  static Tensor addmm(const Tensor& bias, const Tensor& a, const Tensor& b) { return optimized::addmm(bias, a, b); }
  static Tensor relu(const Tensor& a) { return optimized::relu(a); }
  static void bump(const Tensor& a) { a.impl().bump_version(); }
  // Ops that are registered for the benchmarks alone: bench/sides/ours_ops.cpp.
  static void noop(const Tensor& a);
  static const Tensor& write_fused(const Tensor& to, const Tensor& from);
  static const Tensor& write_split(const Tensor& to, const Tensor& from);
  static Tensor op_fallback(const Tensor& a, const Tensor& b);
  static Tensor op_generated(const Tensor& a, const Tensor& b);

  /// Forces the compiler to keep the thread's state in memory here.
  static void barrier() {
    benchmark::DoNotOptimize(&optimized::thread_state());
    benchmark::ClobberMemory();
  }
  static bool in_inference_mode() { return optimized::thread_state().inference_mode; }
  static std::string message_of(const Error& error) { return error.what(); }
  static Outcome outcome_of(const Tensor& tensor);
  static void trim() { optimized::trim_pools(); }
};

}  // namespace plumbline::bench
