// Ours as a side: the op that does nothing, what a call came to, and every case.
#include "bench/sides/ours.h"

#include "bench/calls.h"
#include "bench/sides/sides.h"
#include "optimized/cpu/parallel.h"

namespace plumbline::bench {

namespace {

using optimized::dispatcher;
using optimized::Frame;
using optimized::KeySet;
using optimized::Library;
using optimized::Operator;

void do_nothing(const Operator&, KeySet, const Ours::Tensor&) {}
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
const Operator& noop_op = make_noop();

[[gnu::noinline]] void call_boxed(const Operator& op, const Ours::Tensor& a) {
  Frame frame{optimized::keys_of(a), nullptr};
  op.call(frame);
}

}  // namespace

void Ours::noop(const Tensor& a) { optimized::Signature<void(const Tensor&)>::call<&call_boxed>(noop_op, a); }

Outcome Ours::outcome_of(const Tensor& tensor) {
  Outcome outcome{"float32 [", {}};
  for (const std::int64_t size : tensor.sizes()) outcome.what += std::to_string(size) + ",";
  outcome.what += "]";
  if (optimized::requires_grad(tensor)) outcome.what += " requires grad";
  if (tensor.is_inference()) outcome.what += " inference";
  const optimized::ExcludeKeys plainly(Functionality::Functionalize);
  const bool functional = optimized::is_functional_tensor(tensor);
  const Tensor dense = optimized::contiguous(functional ? optimized::from_functional_tensor(tensor) : tensor);
  const auto* first = reinterpret_cast<const std::byte*>(dense.data<float>());
  outcome.elements.assign(first, first + dense.numel() * static_cast<std::int64_t>(sizeof(float)));
  return outcome;
}

Side ours() { return {"ours", &workload_of<Ours>, &optimized::set_num_threads, &Ours::trim}; }

}  // namespace plumbline::bench
