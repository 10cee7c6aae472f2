// Ops that are registered on our dispatcher for the benchmarks alone, as a user registers ops.
#include <type_traits>

#include "bench/sides/ours.h"

namespace plumbline::bench {

namespace {

using optimized::dispatcher;
using optimized::Frame;
using optimized::Kernel;
using optimized::KeySet;
using optimized::Library;
using optimized::Operator;
using optimized::Slot;
using optimized::Stack;
using optimized::Tensor;
using optimized::UnboxedFunction;

constexpr KeySet kCpu = KeySet(Functionality::Dense) | KeySet(Backend::CPU);
constexpr auto kAtCpu = static_cast<Slot>(kCpu.entry());
constexpr auto kAtAutograd = optimized::slot_of(AliasKey::Autograd);
constexpr auto kAtADInplaceOrView = static_cast<Slot>(KeySet(Functionality::ADInplaceOrView).entry());
constexpr auto kAtFunctionalize = static_cast<Slot>(KeySet(Functionality::Functionalize).entry());

/// What an op of two tensors gives: one of them where it writes, a fresh one elsewhere.
template <class R>
using Function = R (*)(const Operator& op, KeySet keys, const Tensor& a, const Tensor& b);

template <class R, Function<R> kernel>
void boxed_form(void*, const Operator& op, KeySet keys, Frame& frame) {
  auto& stack = *static_cast<Stack*>(frame.arguments);
  Tensor result = kernel(op, keys, std::get<Tensor>(stack.at(0)), std::get<Tensor>(stack.at(1)));
  stack.clear();
  optimized::push(stack, std::move(result));
}
template <class R, Function<R> kernel>
Kernel both_forms() {
  return {&boxed_form<R, kernel>, nullptr, reinterpret_cast<UnboxedFunction>(kernel)};
}

/// Runs `kernel`, boxed where it has no other form.
template <class R>
R run(const Kernel& kernel, const Operator& op, KeySet keys, const Tensor& a, const Tensor& b) {
  if (kernel.unboxed != nullptr) return reinterpret_cast<Function<R>>(kernel.unboxed)(op, keys, a, b);
  Stack stack{a, b};
  Frame frame{optimized::keys_of(a) | optimized::keys_of(b), &stack};
  kernel.boxed(kernel.context, op, keys, frame);
  if constexpr (std::is_reference_v<R>) {
    return a;
  } else {
    return std::get<Tensor>(std::move(stack.at(0)));
  }
}
template <class R>
R redispatch(const Operator& op, KeySet keys, const Tensor& a, const Tensor& b) {
  return run<R>(op.kernel(keys), op, keys, a, b);
}
template <class R>
[[gnu::noinline]] R call_any(const Operator& op, const Tensor& a, const Tensor& b) {
  const auto [keys, kernel] = op.arrive(optimized::with_thread(optimized::keys_of(a) | optimized::keys_of(b)));
  return run<R>(*kernel, op, keys, a, b);
}
template <class R>
R call(const Operator& op, const Tensor& a, const Tensor& b) {
  return optimized::Signature<R(const Tensor&, const Tensor&)>::template call<&call_any<R>>(op, a, b);
}

// Both write ops add in place by the kernel that `add_` has for the CPU.
const Tensor& write_on_cpu(const Operator&, KeySet, const Tensor& to, const Tensor& from) {
  using Op = optimized::op::add__Tensor;
  return optimized::redispatch<Op>(optimized::operator_of<Op>(), kCpu, to, from, optimized::Scalar(1));
}
const Tensor& go_on(const Operator& op, KeySet keys, const Tensor& to, const Tensor& from) {
  return redispatch<const Tensor&>(op, keys & optimized::kAfterAutograd, to, from);
}
const Tensor& write_and_bump(const Operator& op, KeySet keys, const Tensor& to, const Tensor& from) {
  redispatch<const Tensor&>(op, keys & optimized::kAfterADInplaceOrView, to, from);
  to.impl().bump_version();
  return to;
}

// Both functional ops add by the kernel that `add` has for the CPU.
Tensor add_on_cpu(const Operator&, KeySet, const Tensor& a, const Tensor& b) {
  using Op = optimized::op::add_Tensor;
  return optimized::redispatch<Op>(optimized::operator_of<Op>(), kCpu, a, b, optimized::Scalar(1));
}
Tensor add_below_autograd(const Operator& op, KeySet keys, const Tensor& a, const Tensor& b) {
  return redispatch<Tensor>(op, keys & optimized::kAfterAutograd, a, b);
}
/// As FunctionalizeKernel of optimized/functionalize/kernels.cpp outside a body: what is fresh becomes functional.
Tensor add_functionalized(const Operator& op, KeySet keys, const Tensor& a, const Tensor& b) {
  Tensor fresh = redispatch<Tensor>(op, keys & optimized::below(Functionality::Functionalize), a, b);
  fresh.impl().keys = fresh.impl().keys | Functionality::Functionalize;
  return fresh;
}

void do_nothing(const Operator&, KeySet, const Tensor&) {}
void do_nothing_boxed(void*, const Operator&, KeySet, Frame&) {}

/// The registrations, for as long as the process runs.
Library& library() {
  static Library made(dispatcher(), Library::Kind::DEF, "bench");
  return made;
}
const Operator& define(const std::string& name, std::initializer_list<std::pair<Slot, Kernel>> kernels) {
  library().define(name);
  for (const auto& [slot, kernel] : kernels) library().impl(name, slot, kernel);
  return dispatcher().find("bench::" + name);
}

using Written = const Tensor&;
const Operator& noop_op =
    define("noop", {{kAtCpu, {&do_nothing_boxed, nullptr, reinterpret_cast<UnboxedFunction>(&do_nothing)}}});
const Operator& write_fused_op = define("write_fused", {{kAtAutograd, both_forms<Written, &write_and_bump>()},
                                                        {kAtCpu, both_forms<Written, &write_on_cpu>()}});
const Operator& write_split_op = define("write_split", {{kAtAutograd, both_forms<Written, &go_on>()},
                                                        {kAtADInplaceOrView, both_forms<Written, &write_and_bump>()},
                                                        {kAtCpu, both_forms<Written, &write_on_cpu>()}});
const Operator& fallback_op = define("op_fallback", {{kAtAutograd, both_forms<Tensor, &add_below_autograd>()},
                                                     {kAtCpu, both_forms<Tensor, &add_on_cpu>()}});
const Operator& generated_op = define("op_generated", {{kAtFunctionalize, both_forms<Tensor, &add_functionalized>()},
                                                       {kAtAutograd, both_forms<Tensor, &add_below_autograd>()},
                                                       {kAtCpu, both_forms<Tensor, &add_on_cpu>()}});

[[gnu::noinline]] void call_boxed(const Operator& op, const Tensor& a) {
  Frame frame{optimized::keys_of(a), nullptr};
  op.call(frame);
}

}  // namespace

void Ours::noop(const Tensor& a) { optimized::Signature<void(const Tensor&)>::call<&call_boxed>(noop_op, a); }
const Tensor& Ours::write_fused(const Tensor& to, const Tensor& from) {
  return call<Written>(write_fused_op, to, from);
}
const Tensor& Ours::write_split(const Tensor& to, const Tensor& from) {
  return call<Written>(write_split_op, to, from);
}
Tensor Ours::op_fallback(const Tensor& a, const Tensor& b) { return call<Tensor>(fallback_op, a, b); }
Tensor Ours::op_generated(const Tensor& a, const Tensor& b) { return call<Tensor>(generated_op, a, b); }

}  // namespace plumbline::bench
