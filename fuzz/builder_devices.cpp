// Programs of two devices: where their tensors are made, and where conversions take them.
#include <array>

#include "fuzz/building.h"
#include "spec/ops/op_ids.h"

namespace plumbline::fuzz {

void Builder::begin_on_two_devices() {
  state_.two_devices = true;
  state_.makes_on = reference::test_device(state_);
  MakeTensor first{next_slot(), Dtype::float32, {2}, {1, 2}};
  first.on_cpu = true;  // so the program has two devices, whatever is left out of it later
  if (perform(first)) ++slots_;
}

/// Three of four tensors are made on the test's device, and a conversion goes to either or to none.
void Builder::choose_devices(StatementKind& kind) {
  if (auto* made = std::get_if<MakeTensor>(&kind)) {
    made->on_cpu = made->on_cpu || next_device() % 4 == 0;
    return;
  }
  auto* call = std::get_if<Call>(&kind);
  if (call == nullptr) return;
  if (call->op == OpId::to_dtype && next_device() % 4 != 0) {
    std::vector<Value>& given = call->arguments;
    given.insert(given.begin() + 2, {None{}, None{}, None{}});
    call->op = OpId::to_dtype_layout;
  }
  const auto arguments = op(call->op).arguments;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].type != ArgType::Device || !std::holds_alternative<None>(call->arguments[i])) continue;
    const std::uint32_t chosen = next_device() % 4;
    if (chosen == 0) call->arguments[i] = std::string(kCpu);
    if (chosen == 1 && op(call->op).kind != OpKind::Factory) call->arguments[i] = std::string(kTestDevice);
  }
}

std::uint32_t Builder::next_device() {
  devices_ = devices_ * 1664525U + 1013904223U;
  return devices_ >> 24U;
}

}  // namespace plumbline::fuzz
