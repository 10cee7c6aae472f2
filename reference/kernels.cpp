// The kernels by op.
#include "reference/kernels.h"

#include <array>
#include <stdexcept>

#include "spec/op_ids.h"

namespace plumbline::reference {

namespace {

const std::array<Kernel, kOps>& kernels() {
  static const auto table = [] {
    std::array<Kernel, kOps> by_op{};
    for (const auto entries : {factory_kernels(), pointwise_kernels(), reduction_kernels(), view_kernels()}) {
      for (const KernelEntry& entry : entries) {
        Kernel& kernel = by_op[static_cast<std::size_t>(entry.op)];
        if (kernel != nullptr) throw std::logic_error("two kernels for " + qualified_name(op(entry.op)));
        kernel = entry.kernel;
      }
    }
    return by_op;
  }();
  return table;
}

}  // namespace

bool has_meaning(OpId op) { return kernels()[static_cast<std::size_t>(op)] != nullptr; }

Effect meaning(const KernelCall& call) {
  const Kernel kernel = kernels()[static_cast<std::size_t>(call.op)];
  if (kernel == nullptr) throw std::logic_error("the reference has no meaning for " + qualified_name(op(call.op)));
  return kernel(call);
}

}  // namespace plumbline::reference
