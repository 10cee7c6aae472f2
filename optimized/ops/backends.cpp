// Backends beside the CPU: the kernels of the ops, on another device.
#include "optimized/ops/backends.h"

#include <array>
#include <string>

#include "optimized/ops.h"
#include "optimized/ops/kernels.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

/// A tensor without dimensions may be the CPU's: a number. [c10/core/TensorImpl.h, OptionalDeviceGuard;
/// aten/src/ATen/TensorIterator.cpp, compute_types: common_device]
template <class T>
void check_device(Backend /*device*/, const T& /*other*/) {}
void check_device(Backend device, const Tensor& tensor) {
  if (tensor.device() == device || tensor.dim() == 0) return;
  const auto name = [](Backend one) { return one == Backend::CPU ? std::string("cpu") : std::string("cuda:0"); };
  raise_saying(ErrorClass::unclassified,
               "Expected all tensors to be on the same device, but found at least two "
               "devices, " +
                   name(device) + " and " + name(tensor.device()) + "!");
}
void check_device(Backend device, TensorList tensors) {
  for (const Tensor& tensor : tensors) check_device(device, tensor);
}

/// A kernel of the CPU's list, which computes by the primitives of the thread's device.
template <class Op, class Function = typename Op::Function>
struct OnDevice;
template <class Op, class R, class... A>
struct OnDevice<Op, R(A...)> {
  static inline typename Caller<Op>::Pointer kernel = nullptr;

  static R run(const Operator& op, KeySet keys, A... arguments) {
    const auto device = static_cast<Backend>(keys.backend());
    if constexpr (Op::id != OpId::copy_) (check_device(device, arguments), ...);  // copy_ goes between devices
    const DeviceGuard guard(device);
    return kernel(op, keys, arguments...);
  }
};

/// The kernels for devices, by op; a null one where the CPU's list has none.
std::array<UnboxedFunction, kOps> unboxed_by_op() {
  std::array<UnboxedFunction, kOps> all{};
  for (const auto& lists : {dense_kernels(), device_kernels()})
    for (const auto kernels : lists)
      for (const OpKernel& one : kernels) all.at(static_cast<std::size_t>(one.op)) = one.kernel.unboxed;
  return all;
}

std::vector<OpKernel> kernels_on_devices() {
  const std::array<UnboxedFunction, kOps> unboxed = unboxed_by_op();
  std::vector<OpKernel> all;
  for_each_op([&]<class Op>() {
    const UnboxedFunction kernel = unboxed.at(static_cast<std::size_t>(Op::id));
    if (kernel == nullptr) return;
    OnDevice<Op>::kernel = reinterpret_cast<typename Caller<Op>::Pointer>(kernel);
    all.push_back(op_kernel<Op, &OnDevice<Op>::run>());
  });
  return all;
}

}  // namespace

void register_backend(Backend device, const Primitives& all, const DeviceMemory& memory) {
  set_memory(device, memory);
  set_primitives(device, all);
  // Never destroyed, as the dispatcher.
  static auto* const library = new Library(dispatcher(), Library::Kind::IMPL, "aten");  // NOLINT(*-owning-memory)
  const auto slot = static_cast<Slot>((KeySet(Functionality::Dense) | KeySet(device)).entry());
  for (const OpKernel& kernel : kernels_on_devices())
    library->impl(qualified_name(plumbline::op(kernel.op)), slot, kernel.kernel);
}

}  // namespace plumbline::optimized
