// Calling an op of the table by its C++ signature: directly through the dispatch table, or boxed if the kernel is
// boxed.
#pragma once

#include <array>
#include <cstddef>

#include "optimized/autograd/meta.h"
#include "optimized/dispatcher/dispatcher.h"
#include "optimized/ops/boxed.h"
#include "spec/ops/op_ids.h"

namespace plumbline::optimized {

/// The process's dispatcher, which has each op of the table as "aten::NAME.OVERLOAD", with every kernel of this
/// runtime. Register and remove kernels only while no call runs.
Dispatcher& dispatcher();

/// The operators of the table, by OpId.
extern const std::array<const Operator*, kOps> operators;

template <class Op>
const Operator& operator_of() {
  return *operators[static_cast<std::size_t>(Op::id)];
}

[[noreturn]] void raise_undefined();

/// What an argument brings to a call's key set.
template <class T>
KeySet keys_of(const T&) {
  return {};
}
inline KeySet keys_of(const Tensor& tensor) {
  if (!tensor.defined()) [[unlikely]]
    raise_undefined();
  return carried_keys(tensor);
}
inline KeySet keys_of(TensorList tensors) {
  KeySet keys;
  for (const Tensor& tensor : tensors) keys = keys | keys_of(tensor);
  return keys;
}

/// What an argument brings to the key set of a call that is made outside the ideal end state.
template <class T>
KeySet own_keys_of(const T& argument) {
  return keys_of(argument);
}
inline KeySet own_keys_of(const Tensor& tensor) {
  if (!tensor.defined()) [[unlikely]]
    raise_undefined();
  return tensor.keys();
}

/// The C++ signature of an op.
template <class Function>
struct Signature;
template <class R, class... A>
struct Signature<R(A...)> {
  /// A kernel as the dispatch table has it unboxed.
  using Pointer = R (*)(const Operator& op, KeySet keys, A... arguments);

  /// A call of `op`; unusual cases go on in `otherwise`. Both are tail calls, so that the usual path needs no stack.
  template <R (*otherwise)(const Operator& op, A... arguments)>
  [[gnu::always_inline]] static R call(const Operator& op, A... arguments) {
    if (!ideal_end_state.load(std::memory_order_relaxed)) [[likely]] {
      const KeySet all = with_thread((KeySet() | ... | own_keys_of(arguments)));
      if (const Operator::Usual* usual = op.usual(all)) [[likely]]
        return reinterpret_cast<Pointer>(usual->unboxed)(op, usual->keys, arguments...);
    }
    return otherwise(op, arguments...);
  }
};

/// The call that a signature makes, to an op or to the kernels below one.
template <class Op, class Function = typename Op::Function>
struct Caller;

template <class Op, class R, class... A>
struct Caller<Op, R(A...)> {
  using Pointer = typename Signature<R(A...)>::Pointer;

  static R call(A... arguments) {
    return Signature<R(A...)>::template call<&call_any>(operator_of<Op>(), arguments...);
  }
  [[gnu::always_inline]] static R redispatch(const Operator& op, KeySet keys, A... arguments) {
    const Kernel& kernel = op.kernel(keys);
    if (kernel.unboxed != nullptr) [[likely]]
      return reinterpret_cast<Pointer>(kernel.unboxed)(op, keys, arguments...);
    return box(kernel, op, keys, arguments...);
  }

  /// The boxed form of an unboxed kernel, for the dispatch table.
  template <Pointer kernel>
  static void boxed_form(void*, const Operator& op, KeySet keys, Frame& frame) {
    auto& stack = *static_cast<Stack*>(frame.arguments);
    run_boxed<kernel>(op, keys, stack, std::index_sequence_for<A...>());
  }
  /// A public call with the stack's arguments, which its results replace: the adapter calls ops this way.
  static void call_stack(Stack& stack) { call_stack(stack, std::index_sequence_for<A...>()); }

 private:
  [[gnu::noinline]] static R call_any(const Operator& op, A... arguments) {
    const KeySet all = with_thread((KeySet() | ... | keys_of(arguments)));
    const Operator::Usual* usual = op.usual_functional(all);
    if (usual == nullptr) usual = op.usual(all);
    if (usual != nullptr) return reinterpret_cast<Pointer>(usual->unboxed)(op, usual->keys, arguments...);
    const auto [keys, kernel] = op.arrive(all);
    if (kernel->unboxed != nullptr) return reinterpret_cast<Pointer>(kernel->unboxed)(op, keys, arguments...);
    return box(*kernel, op, keys, arguments...);
  }

  [[gnu::noinline]] static R box(const Kernel& kernel, const Operator& op, KeySet keys, A... arguments) {
    Stack stack{boxed(arguments)...};
    Frame frame{(KeySet() | ... | keys_of(arguments)), &stack};
    kernel.boxed(kernel.context, op, keys, frame);
    if constexpr (std::is_same_v<R, const Tensor&>) {
      return written(arguments...);
    } else if constexpr (std::is_same_v<R, std::tuple<Tensor, Tensor>>) {
      return {std::get<Tensor>(std::move(stack.at(0))), std::get<Tensor>(std::move(stack.at(1)))};
    } else {
      return std::get<R>(std::move(stack.at(0)));
    }
  }

  /// The tensor that the op writes and returns: its first argument, or `out`, its last.
  static const Tensor& written(A... arguments) {
    return std::get < Op::kind == OpKind::Out ? sizeof...(A) - 1 : 0 > (std::tie(arguments...));
  }

  template <Pointer kernel, std::size_t... I>
  static void run_boxed(const Operator& op, KeySet keys, Stack& stack, std::index_sequence<I...>) {
    leave(stack, [&]() -> R { return kernel(op, keys, Unboxed<std::remove_cvref_t<A>>::from(stack.at(I))...); });
  }
  template <std::size_t... I>
  static void call_stack(Stack& stack, std::index_sequence<I...>) {
    leave(stack, [&]() -> R { return call(Unboxed<std::remove_cvref_t<A>>::from(stack.at(I))...); });
  }
  template <class Run>
  static void leave(Stack& stack, const Run& run) {
    std::remove_cvref_t<R> result = run();
    stack.clear();
    push(stack, std::move(result));
  }
};

/// Calls the op, as its entry in optimized/ops.h does.
template <class Op, class... A>
[[gnu::always_inline]] inline decltype(auto) call(A&&... arguments) {
  return Caller<Op>::call(std::forward<A>(arguments)...);
}
/// Goes on to the kernel that `keys` select: from one kernel of the op to the next.
template <class Op, class... A>
[[gnu::always_inline]] inline decltype(auto) redispatch(const Operator& op, KeySet keys, A&&... arguments) {
  return Caller<Op>::redispatch(op, keys, std::forward<A>(arguments)...);
}

/// The kernel that calls `function`, which has the op's own signature: a backend's, or a composite's.
template <class Op, auto function, class Function = typename Op::Function>
struct Plain;
template <class Op, auto function, class R, class... A>
struct Plain<Op, function, R(A...)> {
  static R run(const Operator&, KeySet, A... arguments) { return function(arguments...); }
};

/// Caller::call_stack of an op that is known only at run time.
using CallStack = void (*)(Stack&);
CallStack stack_call_of(OpId id);

/// A kernel of an op, as the table of a file of kernels lists it.
struct OpKernel {
  OpId op;
  Kernel kernel;
};

/// `run`, of Signature, in both forms.
template <class Op, typename Caller<Op>::Pointer run>
OpKernel op_kernel() {
  return {Op::id, {&Caller<Op>::template boxed_form<run>, nullptr, reinterpret_cast<UnboxedFunction>(run)}};
}
/// `function`, of the op's own signature, in both forms.
template <class Op, auto function>
OpKernel plain_kernel() {
  return op_kernel<Op, &Plain<Op, function>::run>();
}

}  // namespace plumbline::optimized
