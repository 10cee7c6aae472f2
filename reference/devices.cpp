// The devices of tensors, in programs that use two.
#include "reference/devices.h"

#include <algorithm>

#include "reference/raise.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/dev.h"
#include "spec/vocabulary/device_argument.h"
#include "spec/vocabulary/error_texts.h"

namespace plumbline::reference {

namespace {

bool is_accelerator(Backend device) { return device != Backend::CPU; }

std::string two_devices(std::string_view beginning, Backend one, Backend other) {
  return message_beginning(ErrorClass::device, beginning, {printed(one), printed(other)});
}

}  // namespace

Backend test_device(const State& state) { return state.two_devices ? Backend::CUDA : Backend::CPU; }

std::optional<Backend> device_asked(const State& state, const Op& op, std::span<const Value> values) {
  const std::string* name = device_argument(op, values);
  if (name == nullptr) return std::nullopt;
  return *name == kCpu ? Backend::CPU : test_device(state);
}

KeySet<Concrete> keys_on(const Judge& judge, const KeySet<Concrete>& keys, Backend device) {
  return is_accelerator(device) ? accelerator_keys<Concrete>(judge, keys) : keys;
}

std::string printed(Backend device) { return is_accelerator(device) ? "cuda:0" : "cpu"; }

namespace {

/// A tensor of a call, or a number in a tensor's place, which is a tensor of the CPU without dimensions.
struct SeenTensor {
  Located<Concrete> located;
  Backend device;
};

std::vector<SeenTensor> seen_by(const State& state, const Op& called, std::span<const Placed> operands) {
  std::vector<SeenTensor> all;
  for (const auto& [place, operand] : operands) {
    if (operand.is_number()) {
      all.push_back({{false, true, true, false}, Backend::CPU});
      continue;
    }
    const Tensor& tensor = state.tensors[static_cast<std::size_t>(operand.tensor)];
    const bool written = static_cast<int>(place) == written_argument(called);
    all.push_back({{is_accelerator(tensor.device), tensor.geometry.rank() == 0,
                    element_count(sizes_of(tensor.geometry)) == 1, written},
                   tensor.device});
  }
  return all;
}

Failure misplaced(const SeenTensor& one, Backend call, bool number) {
  constexpr std::string_view kTooMany = "Trying to pass too many CPU scalars";
  constexpr std::string_view kTwoDevices = "Expected all tensors to be on the same device, but found";
  return {ErrorClass::device,
          number ? message_beginning(ErrorClass::device, kTooMany, {}) : two_devices(kTwoDevices, call, one.device),
          "RuntimeError"};
}

bool raises(const Error<Concrete>& error) { return static_cast<ErrorClass>(error.v) != ErrorClass::none; }

}  // namespace

CallDevice device_of_call(const Judge& judge, const State& state, OpId id, std::span<const Placed> operands) {
  const Op& called = op(id);
  const std::vector<SeenTensor> tensors = seen_by(state, called, operands);
  if (tensors.empty()) return {test_device(state)};
  const Bool<Concrete> first = tensors.front().located.on_accelerator;
  const bool any = std::ranges::any_of(tensors, [](const SeenTensor& one) { return one.located.on_accelerator.v; });
  const bool by_first = called.devices == Devices::any;
  const bool runs = by_first ? first.v : runs_on_accelerator<Concrete>(judge, any, first).v;
  CallDevice found{runs ? test_device(state) : Backend::CPU};
  if (id == OpId::set__source_Tensor) {
    if (raises(check_source_device<Concrete>(judge, tensors.front().device != tensors.back().device)))
      found.failure = {ErrorClass::device,
                       two_devices("Attempted to set the storage", tensors.front().device, tensors.back().device),
                       "RuntimeError"};
    return found;
  }
  std::int64_t numbers = 0;
  for (const SeenTensor& one : tensors) {
    if (one.device == found.device || found.failure) continue;
    ++numbers;
    const auto may_be = may_be_elsewhere<Concrete>(judge, called.devices, one.located, numbers);
    if (!raises(check_device<Concrete>(judge, true, may_be))) continue;
    const bool number = called.devices == Devices::one_number && is_cpu_number<Concrete>(judge, one.located).v;
    found.failure = misplaced(one, found.device, number);
  }
  return found;
}

void move_to(const Judge& judge, Tensor& tensor, Backend device) {
  const KeySet<Concrete> of_accelerator = KeySet<Concrete>(Functionality::AutocastCUDA) | Backend::CUDA;
  const KeySet<Concrete> of_cpu = KeySet<Concrete>(Functionality::AutocastCPU) | Backend::CPU;
  tensor.device = device;
  if (is_accelerator(device))
    tensor.meta.keys = accelerator_keys<Concrete>(judge, tensor.meta.keys);
  else if (tensor.meta.keys.has_any(Backend::CUDA).v)
    tensor.meta.keys = (tensor.meta.keys - of_accelerator) | of_cpu;
}

void refuse_on_two_devices(const Op& op) {
  if (op.by_schema || op.name == "rand" || op.name == "rand_like")
    throw ReferenceLimit(text(qualified_name(op), " in a program of two devices"));
}

void check_assigned_device(const Judge& judge, const Tensor& grad, const Tensor& tensor) {
  const auto error =
      static_cast<ErrorClass>(plumbline::check_assigned_device<Concrete>(judge, grad.device != tensor.device).v);
  if (error == ErrorClass::none) return;
  if (error == ErrorClass::grad_shape) raise(error, "assigned grad has data of a different type");
  const auto kind = [](Backend device) { return std::string(is_accelerator(device) ? "cuda" : "cpu"); };
  raise(error, message_beginning(error, "attempting to assign a gradient with device type",
                                 {kind(grad.device), kind(tensor.device)}));
}

void check_gradient_device(const Judge& judge, const std::string& function, std::size_t index, const Tensor& gradient,
                           Backend wanted) {
  if (gradient.device == wanted) return;
  const auto error =
      static_cast<ErrorClass>(plumbline::check_gradient_device<Concrete>(judge, true, gradient.geometry.rank() == 0).v);
  if (error == ErrorClass::none) return;
  raise(error, text(function.empty() ? "" : "Function " + function + " returned an ", "invalid gradient at index ",
                    index, " - expected device ", printed(wanted), " but got ", printed(gradient.device)));
}

}  // namespace plumbline::reference
