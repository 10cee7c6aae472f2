// Backends beside the CPU: the kernels of the ops, on another device.
#include "optimized/ops/backends.h"

#include <algorithm>
#include <array>
#include <string>

#include "optimized/ops.h"
#include "optimized/ops/cpu_fallback.h"
#include "optimized/ops/kernels.h"
#include "optimized/tensor/error.h"
#include "spec/vocabulary/key_layout.h"

namespace plumbline::optimized {

namespace {

[[noreturn]] void raise_elsewhere(Backend device, Backend other) {
  raise_saying(ErrorClass::device,
               "Expected all tensors to be on the same device, but found at least two "
               "devices, " +
                   printed(device) + " and " + printed(other) + "!");
}

/// Checks that the tensors of a call are on its device. [c10/core/TensorImpl.h, OptionalDeviceGuard;
/// aten/src/ATen/TensorIterator.cpp, compute_types: common_device]
class DeviceCheck {
 public:
  DeviceCheck(OpId op, Backend device) : op_(plumbline::op(op)), device_(device) {}

  template <class T>
  void see(const T& /*no tensor*/) {
    ++place_;
  }
  void see(const Tensor& tensor) { look(tensor), ++place_; }
  void see(TensorList tensors) {
    for (const Tensor& tensor : tensors) look(tensor);
    ++place_;
  }

 private:
  void look(const Tensor& tensor) {
    if (!tensor.defined() || tensor.device() == device_) [[likely]]
      return;
    const bool takes_numbers = op_.devices == Devices::numbers || op_.devices == Devices::one_number;
    const bool number = takes_numbers && tensor.device() == Backend::CPU && tensor.dim() == 0;
    if (!number || place_ == written_argument(op_)) raise_elsewhere(device_, tensor.device());
    if (++numbers_ > 1 && op_.devices == Devices::one_number)
      raise_saying(ErrorClass::device, "Trying to pass too many CPU scalars to non-CPU kernel!");
  }

  const plumbline::Op& op_;
  Backend device_;
  int place_ = 0;
  int numbers_ = 0;
};

/// The first tensor of a call, whose device decides for ops that take the others from anywhere.
template <class First, class... Rest>
const Tensor& first_tensor(const First& first, const Rest&... rest) {
  if constexpr (std::is_same_v<First, Tensor>)
    return first;
  else
    return first_tensor(rest...);
}
template <class T>
const T& moved_to(const T& other, Backend /*device*/) {
  return other;
}
Tensor moved_to(const Tensor& tensor, Backend device) {
  if (tensor.device() == device) return tensor;
  return _to_copy(tensor, std::nullopt, std::nullopt, device_number(device));
}

/// Whether an op copies a tensor of any device into a copy of its first one.
constexpr bool is_scatter(OpId op) {
  return op == OpId::as_strided_scatter || op == OpId::diagonal_scatter || op == OpId::select_scatter ||
         op == OpId::slice_scatter;
}

/// What do_before_kernels was given, by device.
std::array<void (*)(), kBackends> before_kernels{};

/// A kernel of the CPU's list, which computes by the primitives of the thread's device.
template <class Op, class Function = typename Op::Function>
struct OnDevice;
template <class Op, class R, class... A>
struct OnDevice<Op, R(A...)> {
  static inline typename Caller<Op>::Pointer kernel = nullptr;

  static R run(const Operator& op, KeySet keys, A... arguments) {
    const auto device = static_cast<Backend>(keys.backend());
    if (const auto before = before_kernels[static_cast<std::size_t>(device)]) before();
    if constexpr (is_scatter(Op::id)) {
      const Backend own = first_tensor(arguments...).device();
      const DeviceGuard guard(own);
      if (own != device)
        return redispatch<Op>(op, KeySet(Functionality::Dense) | KeySet(own), moved_to(arguments, own)...);
      return kernel(op, keys, moved_to(arguments, own)...);
    } else {
      if constexpr (Op::id != OpId::copy_ && Op::id != OpId::set__source_Tensor) {
        DeviceCheck check(Op::id, device);
        (check.see(arguments), ...);
      }
      const DeviceGuard guard(device);
      return kernel(op, keys, arguments...);
    }
  }
};

/// A kernel of the CPU beside other devices: the thread may be on one of them.
template <class Op, class Function = typename Op::Function>
struct OnCpu;
template <class Op, class R, class... A>
struct OnCpu<Op, R(A...)> {
  static inline typename Caller<Op>::Pointer kernel = nullptr;

  static R run(const Operator& op, KeySet keys, A... arguments) {
    if (thread_state().device == Backend::CPU) [[likely]]
      return kernel(op, keys, arguments...);
    const DeviceGuard guard(Backend::CPU);
    return kernel(op, keys, arguments...);
  }
};

using KernelLists = std::vector<std::span<const OpKernel>>;

/// The kernels of these lists by op, of which a later one counts; a null one where they have none.
std::array<UnboxedFunction, kOps> unboxed_by_op(std::initializer_list<KernelLists> all_lists) {
  std::array<UnboxedFunction, kOps> all{};
  for (const KernelLists& lists : all_lists)
    for (const auto kernels : lists)
      for (const OpKernel& one : kernels) all.at(static_cast<std::size_t>(one.op)) = one.kernel.unboxed;
  return all;
}

/// What `Wrapped` makes of each of these kernels.
template <template <class, class> class Wrapped>
std::vector<OpKernel> wrapped(const std::array<UnboxedFunction, kOps>& unboxed) {
  std::vector<OpKernel> all;
  for_each_op([&]<class Op>() {
    const UnboxedFunction kernel = unboxed.at(static_cast<std::size_t>(Op::id));
    if (kernel == nullptr) return;
    using Kernel = Wrapped<Op, typename Op::Function>;
    Kernel::kernel = reinterpret_cast<typename Caller<Op>::Pointer>(kernel);
    all.push_back(op_kernel<Op, &Kernel::run>());
  });
  return all;
}

/// The library in which fallbacks are registered, never destroyed, as the dispatcher.
Library& fallbacks() {
  static auto* const library = new Library(dispatcher(), Library::Kind::IMPL, "_");  // NOLINT(*-owning-memory)
  return *library;
}

/// Lets calls fall through Autocast's key of the device, as PyTorch does for its own devices.
void fall_through_autocast(Backend device) {
  const KeyLayout& layout = layout_of(Profile::sound);
  const int entry = autocast_on(device).entry();
  if (entry == 0 || shipped_fallback(layout, key_at(layout, entry)) != ShippedFallback::none) return;
  fallbacks().fallback(entry, fallthrough_kernel());
}

/// The kernels of a device, but for those of the ops that it lacks.
void register_kernels(Backend device, const Primitives& all, const DeviceMemory& memory, std::span<const OpId> lacks) {
  set_memory(device, memory);
  set_primitives(device, all);
  fall_through_autocast(device);
  // Never destroyed, as the dispatcher.
  static auto* const library = new Library(dispatcher(), Library::Kind::IMPL, "aten");  // NOLINT(*-owning-memory)
  const auto add = [](Backend backend, const std::vector<OpKernel>& kernels) {
    const auto slot = static_cast<Slot>((KeySet(Functionality::Dense) | KeySet(backend)).entry());
    for (const OpKernel& kernel : kernels) library->impl(qualified_name(plumbline::op(kernel.op)), slot, kernel.kernel);
  };
  std::vector<OpKernel> own = wrapped<OnDevice>(unboxed_by_op({dense_kernels(), device_kernels()}));
  std::erase_if(own, [&](const OpKernel& kernel) { return std::ranges::find(lacks, kernel.op) != lacks.end(); });
  add(device, own);
  add(Backend::CPU, wrapped<OnCpu>(unboxed_by_op({dense_kernels()})));
}

}  // namespace

void register_backend(Backend device, const Primitives& all, const DeviceMemory& memory, std::span<const OpId> lacks) {
  for (const OpId op : lacks)
    if (!may_fall_back(op))
      raise_saying(ErrorClass::option, "a backend cannot lack " + qualified_name(plumbline::op(op)) +
                                           ": it is composite, or moves tensors to the backend");
  register_kernels(device, all, memory, lacks);
  fallbacks().fallback((KeySet(Functionality::Dense) | KeySet(device)).entry(), cpu_fallback_kernel());
}

void register_backend(Backend device, const Primitives& all, const DeviceMemory& memory) {
  register_kernels(device, all, memory, {});
}

void do_before_kernels(Backend device, void (*before)()) { before_kernels[static_cast<std::size_t>(device)] = before; }

}  // namespace plumbline::optimized
