// DEV: tensors of two devices in one program, the CPU and an accelerator. A program of one device asks no rule of
// these.
#pragma once

#include "spec/ops/ops.h"
#include "spec/vocabulary/tensor_meta.h"

namespace plumbline {

inline constexpr Rule DEV_01{Family::DEV, 1};
inline constexpr Rule DEV_02{Family::DEV, 2};
inline constexpr Rule DEV_03{Family::DEV, 3};
inline constexpr Rule DEV_04{Family::DEV, 4};
inline constexpr Rule DEV_05{Family::DEV, 5};
inline constexpr Rule DEV_06{Family::DEV, 6};
inline constexpr Rule DEV_07{Family::DEV, 7};
inline constexpr Rule DEV_08{Family::DEV, 8};
inline constexpr Rule DEV_09{Family::DEV, 9};
inline constexpr Rule DEV_10{Family::DEV, 10};
inline constexpr Rule DEV_11{Family::DEV, 11};

/// The keys of a tensor of the accelerator; `keys`: those that it would have on the CPU.
template <Domain D>
constexpr KeySet<D> accelerator_keys(const Judge<D>& judge, const KeySet<D>& keys) {
  const KeySet<D> of_cpu = KeySet<D>(Functionality::AutocastCPU) | Backend::CPU;
  const KeySet<D> cast =
      select(keys.has_any(Functionality::AutocastCPU), KeySet<D>(Functionality::AutocastCUDA), KeySet<D>());
  return judge(DEV_01, (keys - of_cpu) | Backend::CUDA | cast, keys);
}

/// A tensor of a call.
template <Domain D>
struct Located {
  Bool<D> on_accelerator;
  Bool<D> dimensionless;
  Bool<D> one_element;
  Bool<D> written;  ///< the call writes it
};

/// Whether a call runs on the accelerator; `any`: one of its tensors is there, `first`: its first one is.
template <Domain D>
constexpr Bool<D> runs_on_accelerator(const Judge<D>& judge, const Bool<D>& any, const Bool<D>& first) {
  return judge(DEV_02, any, first);
}
/// Whether a tensor counts as a number of the CPU in a call that runs on the accelerator, by an op that takes numbers.
template <Domain D>
constexpr Bool<D> is_cpu_number(const Judge<D>& judge, const Located<D>& tensor) {
  const Bool<D> read = !tensor.on_accelerator && !tensor.written;
  return judge(DEV_04, read && tensor.dimensionless, read && tensor.one_element);
}
/// Whether a tensor may be on another device than the call; `numbers`: the call's tensors so far that are numbers of
/// the CPU, with this one.
template <Domain D>
constexpr Bool<D> may_be_elsewhere(const Judge<D>& judge, Devices devices, const Located<D>& tensor,
                                   const Num<D>& numbers) {
  const Bool<D> any = judge(DEV_05, Bool<D>(devices == Devices::any), Bool<D>(false));
  if (devices == Devices::any || devices == Devices::same) return any;
  const Bool<D> number = is_cpu_number(judge, tensor);
  return devices == Devices::numbers ? number : number && numbers <= Num<D>(1);
}
/// The error for a tensor of a call; `elsewhere`: it is on another device than the call.
template <Domain D>
constexpr Error<D> check_device(const Judge<D>& judge, const Bool<D>& elsewhere, const Bool<D>& may_be) {
  return error_if(judge(DEV_03, elsewhere && !may_be, Bool<D>(false)), ErrorClass::device);
}

/// Whether `x.to(device)` is x itself; `there`: x is on that device, and nothing else of it changes.
template <Domain D>
constexpr Bool<D> to_stays(const Judge<D>& judge, const Bool<D>& there) {
  return judge(DEV_06, there, Bool<D>(false));
}
/// Whether x is on the accelerator after `x.data = y`; `x` and `y`: whether they were.
template <Domain D>
constexpr Bool<D> data_moves(const Judge<D>& judge, const Bool<D>& x, const Bool<D>& y) {
  return judge(DEV_07, y, x);
}
/// The error of `x.set_(y)`, where `differ`: x and y are on two devices.
template <Domain D>
constexpr Error<D> check_source_device(const Judge<D>& judge, const Bool<D>& differ) {
  return error_if(judge(DEV_08, differ, Bool<D>(false)), ErrorClass::device);
}
/// The error of a gradient that is not on the device of what it belongs to.
template <Domain D>
constexpr Error<D> check_gradient_device(const Judge<D>& judge, const Bool<D>& elsewhere,
                                         const Bool<D>& dimensionless) {
  const Bool<D> moves = judge(DEV_09, dimensionless, Bool<D>(false));
  return error_if(judge(DEV_10, elsewhere && !moves, Bool<D>(false)), ErrorClass::device);
}
/// The error of `x.grad = y`, where `differ`: x and y are on two devices.
template <Domain D>
constexpr Error<D> check_assigned_device(const Judge<D>& judge, const Bool<D>& differ) {
  return judge(DEV_11, error_if(differ, ErrorClass::device), Error<D>(ErrorClass::none),
               In{Profile::torch_1_13, error_if(differ, ErrorClass::grad_shape)});
}

}  // namespace plumbline
