// The devices of tensors, in programs that use two: the CPU, and the test's device, which the trace calls CUDA.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "reference/graph.h"

namespace plumbline::reference {

/// What the test calls `device`.
Backend test_device(const State& state);

/// The device that a call is given by its argument `device`; nothing: it is given none.
std::optional<Backend> device_asked(const State& state, const Op& op, std::span<const Value> values);

/// The keys of a tensor that was made with these keys and is on this device.
KeySet<Concrete> keys_on(const Judge& judge, const KeySet<Concrete>& keys, Backend device);

/// "cpu" or "cuda:0".
std::string printed(Backend device);

/// Where a call runs, and the error if one of its tensors must not be where it is.
struct CallDevice {
  Backend device = Backend::CPU;
  std::optional<Failure> failure = std::nullopt;
};
CallDevice device_of_call(const Judge& judge, const State& state, OpId op, std::span<const Placed> operands);

/// Puts a tensor on a device, with its keys.
void move_to(const Judge& judge, Tensor& tensor, Backend device);

/// Raises if a tensor may not be the `.grad` of the other, because of their devices.
void check_assigned_device(const Judge& judge, const Tensor& grad, const Tensor& tensor);

/// Throws ReferenceLimit for an op whose meaning is not known in a program of two devices.
void refuse_on_two_devices(const Op& op);

/// Raises if a gradient may not move to the device of what it belongs to: "invalid gradient at index 0 - expected
/// device cpu but got cuda:0". `function` is empty where backward starts.
void check_gradient_device(const Judge& judge, const std::string& function, std::size_t index, const Tensor& gradient,
                           Backend wanted);

}  // namespace plumbline::reference
