// BackendSelect: a factory has no tensor argument, so this kernel adds the backend that its options name.
#include <vector>

#include "optimized/ops.h"
#include "optimized/ops/kernels.h"

namespace plumbline::optimized {

namespace {

template <class Op, class Function = typename Op::Function>
struct BackendSelect;
template <class Op, class R, class... A>
struct BackendSelect<Op, R(A...)> {
  /// The CPU is the only backend with kernels; the kernel refuses another device in the options
  /// [torchgen/gen_backend_select, computeDispatchKey].
  static R run(const Operator& op, KeySet, A... arguments) {
    return redispatch<Op>(op, KeySet(Functionality::Dense) | KeySet(Backend::CPU), arguments...);
  }
};

}  // namespace

std::span<const OpKernel> backend_select_kernels() {
  static const std::vector<OpKernel> kernels = [] {
    std::vector<OpKernel> all;
    for_each_op([&]<class Op>() {
      if constexpr (Op::kind == OpKind::Factory) all.push_back(op_kernel<Op, &BackendSelect<Op>::run>());
    });
    return all;
  }();
  return kernels;
}

}  // namespace plumbline::optimized
