// The operations of LibTorch that a walk over a script needs.
#include "adapters/libtorch/run.h"

#include <ATen/ATen.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/util/Exception.h>

#include "adapters/libtorch/autograd.h"
#include "adapters/libtorch/call.h"
#include "adapters/libtorch/custom_function.h"
#include "adapters/libtorch/custom_operators.h"
#include "adapters/libtorch/device.h"
#include "adapters/libtorch/failure.h"
#include "adapters/libtorch/func_grad.h"
#include "adapters/libtorch/functionalize.h"
#include "adapters/libtorch/guards.h"
#include "adapters/libtorch/readings.h"
#include "adapters/libtorch/vmap.h"
#include "adapters/walk/walk.h"

namespace plumbline::libtorch {

namespace {

using Given = std::span<const at::Tensor>;

struct Traits {
  using Tensor = at::Tensor;
  using Guard = libtorch::Guard;
  using Operators = CustomOperators;

  /// 1.13's guards of one key do not remove its backend again.
  class ThreadState {
   public:
    ThreadState() = default;
    ThreadState(const ThreadState&) = delete;
    ThreadState& operator=(const ThreadState&) = delete;
    ~ThreadState() { c10::impl::_force_tls_local_dispatch_key_set(found_); }

   private:
    c10::impl::LocalDispatchKeySet found_ = c10::impl::tls_local_dispatch_key_set();
  };

  static Tensors call(const Call& call, Given slots, Outcome&) {
    Tensors results = libtorch::call(call, slots);
    wait_for_device();  // so an error belongs to the call that caused it
    return results;
  }
  static Tensor make_meta_tensor(const MakeMetaTensor& make) { return libtorch::make_meta_tensor(make); }
  static Tensor make_tensor(const MakeTensor& make) { return libtorch::make_tensor(make); }
  static Guard enter(const Enter& guard) { return libtorch::enter(guard); }
  static void set_requires_grad(const Tensor& x, bool value) { libtorch::set_requires_grad(x, value); }
  static void requires_grad_method(const Tensor& x, bool value) { libtorch::requires_grad_method(x, value); }
  static Tensor get_data(const Tensor& x) { return libtorch::get_data(x); }
  static void set_data(const Tensor& x, const Tensor& data) { libtorch::set_data(x, data); }
  static void backward(const Tensors& roots, const Tensors& gradients, bool retain_graph, bool create_graph,
                       const Tensors& inputs) {
    libtorch::backward(roots, gradients, retain_graph, create_graph, inputs);
    wait_for_device();
  }
  static Tensors get_gradients(const Tensors& roots, const Tensors& inputs, const Tensors& gradients, bool retain_graph,
                               bool create_graph, bool allow_unused) {
    return libtorch::get_gradients(roots, inputs, gradients, retain_graph, create_graph, allow_unused);
  }
  static Tensor get_grad(const Tensor& x) { return libtorch::get_grad(x); }
  static void set_grad(const Tensor& x, const Tensor& grad) { libtorch::set_grad(x, grad); }
  static void retain_grad(const Tensor& x) { libtorch::retain_grad(x); }
  using Hook = libtorch::Hook;
  static Hook register_hook(const Tensor& x, std::function<Tensor(const Tensor&)> hook) {
    return libtorch::register_hook(x, std::move(hook));
  }
  static Guard saved_tensors_hooks(std::function<Tensor(const Tensor&)> pack,
                                   std::function<Tensor(const Tensor&)> unpack) {
    return libtorch::saved_tensors_hooks(std::move(pack), std::move(unpack));
  }
  static Hook register_hook_after(const Tensor& x, std::function<Tensor(const Tensor&)> hook) {
    return libtorch::register_hook_after(x, std::move(hook));
  }
  static void manual_seed(std::uint64_t seed) { at::manual_seed(seed); }
  static Tensors apply(const Bodies& bodies, const Tensors& inputs) { return libtorch::apply(bodies, inputs); }
  template <class Body>
  static Tensors functionalize(const Body& body, Remove remove, const Tensors& inputs) {
    return libtorch::functionalize(body, remove, inputs);
  }
  template <class Body>
  static Tensors vmap(const Body& body, const Vmap& how, const std::vector<MappedDim>& out_dims,
                      const Tensors& inputs) {
    return libtorch::vmap(body, how, out_dims, inputs);
  }
  template <class Body>
  static Tensors func_grad(const Body& body, const Grad& how, const Tensors& inputs) {
    return libtorch::func_grad(body, how, inputs);
  }
  static Reading read(Given slots, std::size_t slot, Field field) { return libtorch::read(slots, slot, field); }
  static Reading read(ThreadField field) { return libtorch::read(field); }
  static bool answer(const QueryThreadKey& query) {
    const c10::DispatchKey key = key_named(query.key);
    return query.excluded ? c10::impl::tls_is_dispatch_key_excluded(key) : c10::impl::tls_is_dispatch_key_included(key);
  }
  static Failure current_failure() { return libtorch::current_failure(); }
  [[noreturn]] static void raise_value_error(const std::string& message) { TORCH_CHECK_VALUE(false, message); }
};

}  // namespace

Trace run_script(const Script& script) { return walk::Walk<Traits>(script).trace(); }

}  // namespace plumbline::libtorch
