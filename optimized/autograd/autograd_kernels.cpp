// Autograd's kernels: one for each op that is not composite, generated from the op table.
#include "optimized/autograd/autograd_kernels.h"

#include <concepts>
#include <vector>

#include "optimized/ops/kernels.h"

namespace plumbline::optimized {

namespace {

/// A tensor that requires grad keeps its sizes, even in no_grad mode [torch/csrc/autograd/VariableTypeManual.cpp].
const Tensor& refuse_or_resize(const Operator& op, KeySet keys, const Tensor& self, IntList size,
                               const std::optional<Enumerated>& memory_format) {
  if (requires_grad(self)) raise(ErrorClass::resize_requires_grad);
  return redispatch<op::resize_>(op, keys & kAfterAutograd, self, size, memory_format);
}

/// Nothing but the history changes, so no other kernel need run [VariableTypeManual.cpp, detach_].
const Tensor& detach_inplace(const Operator&, KeySet, const Tensor& self) {
  const AutogradMeta* meta = self.impl().autograd;
  if (meta != nullptr && meta->is_view()) raise(ErrorClass::detach_view);
  drop_history(self);
  return self;
}

template <class Op>
void add_autograd_kernel(std::vector<OpKernel>& all) {
  if constexpr (Op::composite) {
    return;  // it runs as the ops that it calls
  } else if constexpr (std::same_as<Op, op::resize_>) {
    all.push_back(op_kernel<Op, &refuse_or_resize>());
  } else if constexpr (std::same_as<Op, op::detach_>) {
    all.push_back(op_kernel<Op, &detach_inplace>());
  } else if constexpr (Flow<Op>::count == 0 || !is_differentiable_result<Op>(0) || std::same_as<Op, op::detach>) {
    all.push_back(op_kernel<Op, &PassingKernel<Op>::run>());
  } else {
    all.push_back(op_kernel<Op, &AutogradKernel<Op>::run>());
  }
}

}  // namespace

std::span<const OpKernel> autograd_kernels() {
  static const std::vector<OpKernel> kernels = [] {
    std::vector<OpKernel> all;
    for_each_op([&]<class Op>() { add_autograd_kernel<Op>(all); });
    return all;
  }();
  return kernels;
}

void record_inner_copy(const Tensor& result, const Tensor& source) {
  const ThreadState& state = thread_state();
  if (!source.is_inference() || !requires_grad(source) || !state.grad_mode) return;
  if (state.excluded.has_any(kAutogradKeys) || ideal_end_state || !is_differentiable(result.dtype())) return;
  Recording<op::copy_, const Tensor&, Tensor, Tensor, bool> recording(result, source, false);
  recording.finish(result);
}

}  // namespace plumbline::optimized
