// Ours as a side: the op that does nothing, what a call came to, and every case.
#include "bench/sides/ours.h"

#include "bench/calls.h"
#include "bench/sides/sides.h"
#include "optimized/cpu/parallel.h"

namespace plumbline::bench {

namespace {

using optimized::dispatcher;
using optimized::Frame;
using optimized::Kernel;
using optimized::KeySet;
using optimized::Library;
using optimized::Operator;

using Noop = void (*)(void* context, const Operator& op, KeySet keys, const Ours::Tensor& a);
void do_nothing(void*, const Operator&, KeySet, const Ours::Tensor&) {}
void do_nothing_boxed(void*, const Operator&, KeySet, Frame&) {}

/// "bench::noop", registered for the CPU as a user's op is.
const Operator& make_noop() {
  static Library library(dispatcher(), Library::Kind::DEF, "bench");
  library.define("noop");
  const KeySet cpu = KeySet(Functionality::Dense) | KeySet(Backend::CPU);
  library.impl("noop", static_cast<optimized::Slot>(cpu.entry()),
               {&do_nothing_boxed, nullptr, reinterpret_cast<optimized::UnboxedFunction>(&do_nothing)});
  return dispatcher().find("bench::noop");
}

}  // namespace

// The entry of an op that is not of the table is what optimized/ops/call.h makes for those that are.
void Ours::noop(const Tensor& a) {
  static const Operator& op = make_noop();
  const KeySet keys = op.arriving(optimized::keys_of(a));
  const Kernel& kernel = op.kernel(keys);
  if (kernel.unboxed != nullptr) return reinterpret_cast<Noop>(kernel.unboxed)(kernel.context, op, keys, a);
  Frame frame{optimized::keys_of(a), nullptr};
  kernel.boxed(kernel.context, op, keys, frame);
}

Outcome Ours::outcome_of(const Tensor& tensor) {
  Outcome outcome{"float32 [", {}};
  for (const std::int64_t size : tensor.sizes()) outcome.what += std::to_string(size) + ",";
  outcome.what += "]";
  if (optimized::requires_grad(tensor)) outcome.what += " requires grad";
  if (tensor.is_inference()) outcome.what += " inference";
  const Tensor dense = optimized::contiguous(tensor);
  const auto* first = reinterpret_cast<const std::byte*>(dense.data<float>());
  outcome.elements.assign(first, first + dense.numel() * static_cast<std::int64_t>(sizeof(float)));
  return outcome;
}

Side ours() { return {"ours", &workload_of<Ours>, &optimized::set_num_threads, &Ours::trim}; }

}  // namespace plumbline::bench
