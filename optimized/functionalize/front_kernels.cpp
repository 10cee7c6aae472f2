// The kernels that run before all others in a functionalized body: they check what it captured.
#include <concepts>
#include <vector>

#include "optimized/autograd/arguments.h"
#include "optimized/autograd/inplace_kernels.h"
#include "optimized/functionalize/body.h"
#include "optimized/functionalize/functionalize.h"
#include "optimized/ops.h"
#include "optimized/ops/kernels.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

template <class T>
bool brings_plain(const T&) {
  return false;
}
bool brings_plain(const Tensor& tensor) {
  if (!tensor.defined()) [[unlikely]]
    raise_undefined();
  return !is_functional_here(tensor);
}
bool brings_plain(const TensorList& tensors) {
  for (const Tensor& tensor : tensors)
    if (brings_plain(tensor)) return true;
  return false;
}

/// Whether a body that runs gave memory examples.
bool examples_were_given() {
  for (const FunctionalBody* body = FunctionalBody::current(); body != nullptr; body = body->around())
    if (body->gave_examples()) return true;
  return false;
}

/// An argument, with each captured tensor that shares memory with an input replaced by a functional tensor.
template <class T>
struct Seen {
  explicit Seen(const T& argument) : value(argument) {}
  const T& value;
  bool changed = false;
};
template <>
struct Seen<Tensor> {
  explicit Seen(const Tensor& argument) : value(argument) {
    FunctionalizedBody* const body = FunctionalizedBody::current();
    for (const FunctionalBody* any = body; any != nullptr; any = any->around()) any->see_examples(argument);
    if (body == nullptr || body->is_functional_here(argument)) return;
    if (const Tensor* functional = body->stands_for(argument)) {
      value = *functional;
      changed = true;
    }
  }
  Tensor value;
  bool changed = false;
};
template <>
struct Seen<TensorList> {
  explicit Seen(const TensorList& argument) {
    for (const Tensor& tensor : argument) {
      Seen<Tensor> one(tensor);
      all.push_back(std::move(one.value));
      changed = changed || one.changed;
    }
    value = all;
  }
  std::vector<Tensor> all;
  TensorList value;
  bool changed = false;
};

template <class Op, class Function = typename Op::Function>
struct FrontKernel;
template <class Op, class R, class... A>
struct FrontKernel<Op, R(A...)> {
  static R run(const Operator& op, KeySet keys, A... arguments) {
    if ((... || brings_plain(arguments)) || examples_were_given()) [[unlikely]]
      return with_captured(op, keys, arguments...);
    return go_on(op, keys, arguments...);
  }

 private:
  static constexpr KeySet kBelowFront = below(Functionality::FuncTorchDynamicLayerFrontMode);

  static R go_on(const Operator& op, KeySet keys, A... arguments) {
    if constexpr (!Op::composite && Op::aliases == Aliases::never && !std::is_same_v<R, const Tensor&>) {
      R fresh = redispatch<Op>(op, keys & kBelowFront, arguments...);
      belongs_to_body(fresh);
      return fresh;
    } else {
      return redispatch<Op>(op, keys & kBelowFront, arguments...);
    }
  }

  [[gnu::noinline]] static R with_captured(const Operator& op, KeySet keys, A... arguments) {
    return [&](const Seen<std::remove_cvref_t<A>>&... seen) -> R {
      if constexpr (std::is_same_v<R, const Tensor&>) {
        if (brings_plain(written_of<Op>(seen.value...)))
          raise(ErrorClass::captured_write, {"a write of a captured tensor"});
      }
      if (!(... || seen.changed)) return go_on(op, keys, arguments...);
      if constexpr (std::is_same_v<R, const Tensor&>) {
        call<Op>(seen.value...);
        return written_of<Op>(arguments...);
      } else {
        return call<Op>(seen.value...);
      }
    }(Seen<std::remove_cvref_t<A>>(arguments)...);
  }
};

}  // namespace

std::span<const OpKernel> front_kernels() {
  static const std::vector<OpKernel> kernels = [] {
    std::vector<OpKernel> all;
    for_each_op([&]<class Op>() { all.push_back(op_kernel<Op, &FrontKernel<Op>::run>()); });
    return all;
  }();
  return kernels;
}

}  // namespace plumbline::optimized
