// Ops that are registered on LibTorch's dispatcher for the benchmarks alone.
#include "bench/libtorch/own_ops.h"

#include <ATen/ATen.h>
#include <ATen/FunctionalTensorWrapper.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/add_ops.h>
#include <torch/library.h>

namespace plumbline::bench::own_ops {

namespace {

using at::Tensor;
using c10::DispatchKeySet;

const DispatchKeySet kCpu(c10::DispatchKey::CPU);

template <class Function>
c10::TypedOperatorHandle<Function> find(const char* name) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, "").typed<Function>();
}
using Write = Tensor&(Tensor&, const Tensor&);
using Functional = Tensor(const Tensor&, const Tensor&);

const c10::TypedOperatorHandle<Write>& fused() {
  static const auto op = find<Write>("bench::write_fused");
  return op;
}
const c10::TypedOperatorHandle<Write>& split() {
  static const auto op = find<Write>("bench::write_split");
  return op;
}
const c10::TypedOperatorHandle<Functional>& fallback() {
  static const auto op = find<Functional>("bench::op_fallback");
  return op;
}
const c10::TypedOperatorHandle<Functional>& generated() {
  static const auto op = find<Functional>("bench::op_generated");
  return op;
}

void do_nothing(const Tensor&) {}

// Both write ops add in place by the kernel that `add_` has for the CPU. As in the RFC's examples, a kernel that
// redispatches has a guard for what the next one calls inside.
Tensor& write_on_cpu(Tensor& to, const Tensor& from) { return at::_ops::add__Tensor::redispatch(kCpu, to, from, 1); }

Tensor& write_fused_at_autograd(DispatchKeySet keys, Tensor& to, const Tensor& from) {
  {
    const at::AutoDispatchBelowADInplaceOrView guard;
    fused().redispatch(keys & c10::after_ADInplaceOrView_keyset, to, from);
  }
  to.unsafeGetTensorImpl()->bump_version();
  return to;
}
Tensor& write_split_at_autograd(DispatchKeySet keys, Tensor& to, const Tensor& from) {
  const at::AutoDispatchBelowAutograd guard;
  return split().redispatch(keys & c10::after_autograd_keyset, to, from);
}
Tensor& write_split_at_adinplaceorview(DispatchKeySet keys, Tensor& to, const Tensor& from) {
  {
    const at::AutoDispatchBelowADInplaceOrView guard;
    split().redispatch(keys & c10::after_ADInplaceOrView_keyset, to, from);
  }
  to.unsafeGetTensorImpl()->bump_version();
  return to;
}

// Both functional ops add by the kernel that `add` has for the CPU.
Tensor add_on_cpu(const Tensor& a, const Tensor& b) { return at::_ops::add_Tensor::redispatch(kCpu, a, b, 1); }
Tensor fallback_below_autograd(DispatchKeySet keys, const Tensor& a, const Tensor& b) {
  return fallback().redispatch(keys & c10::after_autograd_keyset, a, b);
}
Tensor generated_below_autograd(DispatchKeySet keys, const Tensor& a, const Tensor& b) {
  return generated().redispatch(keys & c10::after_autograd_keyset, a, b);
}
/// What functionalizeFallback does for two tensors, without a stack.
Tensor generated_functionalized(const Tensor& a, const Tensor& b) {
  namespace impl = at::functionalization::impl;
  impl::sync(a);
  impl::sync(b);
  const Tensor plain_a = impl::from_functional_tensor(a);
  const Tensor plain_b = impl::from_functional_tensor(b);
  Tensor fresh;
  {
    const at::AutoDispatchSkipFunctionalize guard;
    fresh = generated().call(plain_a, plain_b);
  }
  return impl::to_functional_tensor(fresh);
}

TORCH_LIBRARY(bench, library) {
  library.def("noop(Tensor a) -> ()");
  for (const char* op : {"write_fused", "write_split"})
    library.def((std::string(op) + "(Tensor(a!) to, Tensor from) -> Tensor(a!)").c_str());
  for (const char* op : {"op_fallback", "op_generated"})
    library.def((std::string(op) + "(Tensor a, Tensor b) -> Tensor").c_str());
}
TORCH_LIBRARY_IMPL(bench, CPU, library) {
  library.impl("noop", &do_nothing);
  library.impl("write_fused", &write_on_cpu);
  library.impl("write_split", &write_on_cpu);
  library.impl("op_fallback", &add_on_cpu);
  library.impl("op_generated", &add_on_cpu);
}
TORCH_LIBRARY_IMPL(bench, Autograd, library) {
  library.impl("write_fused", &write_fused_at_autograd);
  library.impl("write_split", &write_split_at_autograd);
  library.impl("op_fallback", &fallback_below_autograd);
  library.impl("op_generated", &generated_below_autograd);
}
TORCH_LIBRARY_IMPL(bench, ADInplaceOrView, library) { library.impl("write_split", &write_split_at_adinplaceorview); }
TORCH_LIBRARY_IMPL(bench, Functionalize, library) { library.impl("op_generated", &generated_functionalized); }

}  // namespace

void noop(const Tensor& a) {
  static const auto op = find<void(const Tensor&)>("bench::noop");
  op.call(a);
}
const Tensor& write_fused(const Tensor& to, const Tensor& from) { return fused().call(const_cast<Tensor&>(to), from); }
const Tensor& write_split(const Tensor& to, const Tensor& from) { return split().call(const_cast<Tensor&>(to), from); }
Tensor op_fallback(const Tensor& a, const Tensor& b) { return fallback().call(a, b); }
Tensor op_generated(const Tensor& a, const Tensor& b) { return generated().call(a, b); }

}  // namespace plumbline::bench::own_ops
