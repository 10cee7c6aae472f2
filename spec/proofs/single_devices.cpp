// Claims about the rules of devices: where a call runs, and which tensors and gradients may come from elsewhere.
#include "spec/proofs/key_words.h"
#include "spec/proofs/single_rules.h"
#include "spec/rules/dev.h"
#include "spec/rules/key.h"

namespace plumbline::proofs {

namespace {

using J = Judge<S>;

/// Any tensor of a call that runs on the accelerator. Terms belong to the thread that makes them.
Located<S> any_located() {
  return {any_truth("on_accelerator"), any_truth("dimensionless"), any_truth("one_element"), any_truth("written")};
}
/// A tensor without dimensions has one element.
Truth is_tensor(const Located<S>& tensor) { return implies(tensor.dimensionless, tensor.one_element); }

/// Whether a call on the accelerator takes a tensor, the first that is elsewhere.
Truth takes(const J& judge, Devices devices, const Located<S>& tensor) {
  const Truth may_be = may_be_elsewhere(judge, devices, tensor, Number(1));
  return fine(check_device(judge, !tensor.on_accelerator, may_be));
}
Truth is_number(const Located<S>& tensor) { return !tensor.on_accelerator && tensor.dimensionless && !tensor.written; }

const std::vector<SingleRule> kCalls{
    {"keys-of-the-accelerator",
     "A tensor of the accelerator has its backend key and its Autocast key in place of the CPU's, and no other keys "
     "change.",
     [](const J& judge) {
       const Keys before = tensor_keys(judge, any_truth("inference"));
       const Keys after = accelerator_keys(judge, before);
       const std::uint64_t cpu = bit_of(Backend::CPU) | bit_of(Functionality::AutocastCPU);
       const std::uint64_t accelerator = bit_of(Backend::CUDA) | bit_of(Functionality::AutocastCUDA);
       const Truth cast =
           iff(has(after, bit_of(Functionality::AutocastCUDA)), has(before, bit_of(Functionality::AutocastCPU)));
       return claim(has(after, bit_of(Backend::CUDA)) && !has(after, cpu) && cast &&
                    (after - keys(accelerator)) == (before - keys(cpu)))
           .show("on the CPU", before)
           .show("on the accelerator", after);
     }},
    {"where-a-call-runs", "Where a call runs does not depend on the order of its tensors.",
     [](const J& judge) {
       const Truth a = any_truth("a"), b = any_truth("b");
       return claim(runs_on_accelerator(judge, a || b, a) == runs_on_accelerator(judge, a || b, b));
     }},
    {"one-device", "An op without a column `devices` takes exactly the tensors of its device.",
     [](const J& judge) {
       const Located<S> tensor = any_located();
       return claim(takes(judge, Devices::same, tensor) == tensor.on_accelerator).given(is_tensor(tensor));
     }},
    {"numbers",
     "An op that takes numbers takes exactly the tensors of its device, and those of the CPU without dimensions.",
     [](const J& judge) {
       const Located<S> tensor = any_located();
       return claim(takes(judge, Devices::numbers, tensor) == (tensor.on_accelerator || is_number(tensor)))
           .given(is_tensor(tensor));
     }},
    {"one-number", "An op that takes one number does not take a second one.",
     [](const J& judge) {
       const Located<S> tensor = any_located();
       const Truth second = may_be_elsewhere(judge, Devices::one_number, tensor, Number(2));
       return claim((takes(judge, Devices::one_number, tensor) == (tensor.on_accelerator || is_number(tensor))) &&
                    !second)
           .given(is_tensor(tensor));
     }},
    {"any-device", "An op that copies, or reads sizes, takes every tensor.",
     [](const J& judge) { return claim(takes(judge, Devices::any, any_located())); }},
};

const std::vector<SingleRule> kTensors{
    {"to", "x.to(device) makes a copy exactly if x is elsewhere.",
     [](const J& judge) {
       const Truth there = any_truth("there");
       return claim(iff(!to_stays(judge, there), !there));
     }},
    {"data", "After `x.data = y`, x and y are on one device.",
     [](const J& judge) {
       const Truth x = any_truth("x"), y = any_truth("y");
       return claim(data_moves(judge, x, y) == y);
     }},
    {"set", "x.set_(y) takes exactly memory of its own device.",
     [](const J& judge) {
       const Truth differ = any_truth("differ");
       return claim(fine(check_source_device(judge, differ)) == !differ);
     }},
    {"gradients", "A gradient fits exactly if it is on the device of its tensor, or has no dimensions.",
     [](const J& judge) {
       const Truth elsewhere = any_truth("elsewhere"), dimensionless = any_truth("dimensionless");
       return claim(fine(check_gradient_device(judge, elsewhere, dimensionless)) == (!elsewhere || dimensionless));
     }},
    {"grad", "`x.grad = y` takes exactly tensors of x's device.",
     [](const J& judge) {
       const Truth differ = any_truth("differ");
       return claim(fine(check_assigned_device(judge, differ)) == !differ);
     }},
};

}  // namespace

std::vector<Obligation> device_rules() {
  std::vector<Obligation> all = obligations_of("devices", kCalls);
  for (Obligation& one : obligations_of("devices", kTensors)) all.push_back(std::move(one));
  return all;
}

}  // namespace plumbline::proofs
