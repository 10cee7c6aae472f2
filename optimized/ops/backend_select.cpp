// BackendSelect: a factory has no tensor argument, so this kernel adds the backend that its options name.
#include <concepts>
#include <vector>

#include "optimized/elements/primitives.h"
#include "optimized/ops.h"
#include "optimized/ops/kernels.h"
#include "optimized/tensor/device_memory.h"

namespace plumbline::optimized {

namespace {

/// The device in a factory's options, which stands after the layout; else the thread's. One that is not here is left to
/// the kernel, which refuses it.
template <class... A>
Backend asked_device(const A&... arguments) {
  int enumerated = 0;
  Backend device = thread_state().device;
  const auto look = [&]<class T>(const T& argument) {
    if constexpr (std::same_as<T, std::optional<Enumerated>>)
      if (++enumerated == 2 && argument && has_primitives(*argument)) device = *device_numbered(*argument);
  };
  (look(arguments), ...);
  return device;
}

template <class Op, class Function = typename Op::Function>
struct BackendSelect;
template <class Op, class R, class... A>
struct BackendSelect<Op, R(A...)> {
  /// [torchgen/gen_backend_select, computeDispatchKey]
  static R run(const Operator& op, KeySet, A... arguments) {
    const Backend device = asked_device(arguments...);
    const KeySet keys = KeySet(Functionality::Dense) | KeySet(device);
    if (device == thread_state().device) [[likely]]
      return redispatch<Op>(op, keys, arguments...);
    const DeviceGuard guard(device);
    return redispatch<Op>(op, keys, arguments...);
  }
};

}  // namespace

std::span<const OpKernel> backend_select_kernels() {
  static const std::vector<OpKernel> kernels = [] {
    std::vector<OpKernel> all;
    for_each_op([&]<class Op>() {
      if constexpr (Op::kind == OpKind::Factory) all.push_back(op_kernel<Op, &BackendSelect<Op>::run>());
    });
    return all;
  }();
  return kernels;
}

}  // namespace plumbline::optimized
