// The kernels of FuncTorchGradWrapper, which run before all others while a differentiated body runs: they check what
// it writes, and note what it makes.
#include <vector>

#include "optimized/autograd/arguments.h"
#include "optimized/autograd/inplace_kernels.h"
#include "optimized/ops.h"
#include "optimized/ops/kernels.h"
#include "optimized/transforms/body.h"
#include "optimized/transforms/func_grad.h"

namespace plumbline::optimized {

namespace {

/// The arguments to which gradients flow.
template <class Op, class... A>
std::vector<Tensor> flowing(const A&... arguments) {
  std::vector<Tensor> tensors;
  std::size_t place = 0;
  const auto add = [&]<class One>(const One& one) {
    if (!Flow<Op>::to.at(place++)) return;
    if constexpr (kIsTensor<One>) {
      if (one.defined()) tensors.push_back(one);
    } else if constexpr (kIsTensorList<One>) {
      tensors.insert(tensors.end(), one.begin(), one.end());
    }
  };
  (add(arguments), ...);
  return tensors;
}

template <class Op, class Function = typename Op::Function>
struct GradKernel;
template <class Op, class R, class... A>
struct GradKernel<Op, R(A...)> {
  static R run(const Operator& op, KeySet keys, A... arguments) {
    const KeySet below_it = keys & below(Functionality::FuncTorchGradWrapper);
    if constexpr (Op::kind == OpKind::Out && !Op::composite) {
      const std::vector<Tensor> tensors = flowing<Op>(arguments...);
      if ((plumbline::op(Op::id).differentiable & 1U) != 0) check_out(Op::id, tensors);
      const GradMode mode(thread_state().grad_mode && records_out(tensors));
      return redispatch<Op>(op, below_it, arguments...);
    } else if constexpr (std::is_same_v<R, const Tensor&>) {
      // In a mapped body the checks of that one come first.
      if (innermost_is_grad()) check_captured_write(Op::id, written_of<Op>(arguments...));
      return redispatch<Op>(op, below_it, arguments...);
    } else if constexpr (!Op::composite && Op::aliases == Aliases::never) {
      R fresh = redispatch<Op>(op, below_it, arguments...);
      belongs_to_body(fresh);
      return fresh;
    } else {
      return redispatch<Op>(op, below_it, arguments...);
    }
  }
};

}  // namespace

std::span<const OpKernel> grad_kernels() {
  static const std::vector<OpKernel> kernels = [] {
    std::vector<OpKernel> all;
    for_each_op([&]<class Op>() { all.push_back(op_kernel<Op, &GradKernel<Op>::run>()); });
    return all;
  }();
  return kernels;
}

}  // namespace plumbline::optimized
