// ADInplaceOrView's kernels: one for each op that makes views or writes, generated from the op table.
#include <algorithm>
#include <concepts>
#include <vector>

#include "optimized/autograd/inplace_kernels.h"
#include "optimized/autograd/view_kernels.h"
#include "optimized/cpu/options.h"
#include "optimized/ops/kernels.h"

namespace plumbline::optimized {

namespace {

/// Whether resize_ changes sizes or strides. If the sizes cannot have the format, the kernel raises option.
bool changes_layout(const Tensor& self, IntList size, const std::optional<Enumerated>& memory_format) {
  if (!std::ranges::equal(self.sizes(), size)) return true;
  if (!memory_format || *memory_format == static_cast<Enumerated>(MemoryFormat::preserve)) return false;
  const MemoryFormat format = memory_format_of(memory_format, MemoryFormat::contiguous);
  return can_have(size, format) && !std::ranges::equal(strides_in(size, format), self.strides());
}

/// resize_ is a write only if the layout changes [torch/csrc/autograd/VariableTypeManual.cpp, ADInplaceOrView::resize_,
/// which looks at the sizes alone].
const Tensor& resize_and_count(const Operator& op, KeySet keys, const Tensor& self, IntList size,
                               const std::optional<Enumerated>& memory_format) {
  const bool writes = changes_layout(self, size, memory_format);
  if (writes) check_writable(self.impl());
  redispatch<op::resize_>(op, keys & kAfterADInplaceOrView, self, size, memory_format);
  if (writes) count_write(self.impl());
  return self;
}

/// Adds the op's kernel, if it has one: all other ops fall through.
template <class Op>
void add_view_kernel(std::vector<OpKernel>& all) {
  if constexpr (Op::composite || std::same_as<Op, op::detach_>) {
    return;  // a composite op runs as the ops that it calls; detach_ writes nothing
  } else if constexpr (std::same_as<Op, op::resize_>) {
    all.push_back(op_kernel<Op, &resize_and_count>());
  } else if constexpr (std::same_as<Op, op::detach> || std::same_as<Op, op::view_dtype>) {
    all.push_back(op_kernel<Op, &SharedCounterKernel<Op>::run>());
  } else if constexpr (Op::kind == OpKind::View) {
    all.push_back(op_kernel<Op, &ViewKernel<Op>::run>());
  } else if constexpr (Op::kind == OpKind::Inplace || Op::kind == OpKind::InplaceView || Op::kind == OpKind::Out) {
    all.push_back(op_kernel<Op, &InplaceKernel<Op>::run>());
  }
}

}  // namespace

std::span<const OpKernel> ad_inplace_or_view_kernels() {
  static const std::vector<OpKernel> kernels = [] {
    std::vector<OpKernel> all;
    for_each_op([&]<class Op>() { add_view_kernel<Op>(all); });
    return all;
  }();
  return kernels;
}

}  // namespace plumbline::optimized
