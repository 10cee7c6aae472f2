// The process's dispatcher, with the ops of the table and every kernel of this runtime.
#include <memory>

#include "optimized/functionalize/fallback.h"
#include "optimized/ops/kernels.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

struct Runtime {
  Dispatcher dispatcher{functionalize_fallbacks()};
  Library aten{dispatcher, Library::Kind::DEF, "aten"};
};

void implement(Library& aten, Slot slot, std::span<const OpKernel> kernels) {
  for (const OpKernel& kernel : kernels) aten.impl(qualified_name(plumbline::op(kernel.op)), slot, kernel.kernel);
}

Slot entry_of(KeySet keys) { return static_cast<Slot>(keys.entry()); }

/// Never destroyed: tensors of static storage may be used until the very end.
Runtime& runtime() {
  static Runtime* const made = [] {
    auto* all = new Runtime;  // NOLINT(cppcoreguidelines-owning-memory)
    for (const Op& op : op_table()) all->aten.define(qualified_name(op));
    // A list of no tensors brings no key; the kernel then says what is wrong [OperatorEntry.cpp: the entry of
    // Undefined].
    implement(all->aten, entry_of(KeySet()), join_kernels());
    const Slot cpu = entry_of(KeySet(Functionality::Dense) | KeySet(Backend::CPU));
    for (const auto kernels : dense_kernels()) implement(all->aten, cpu, kernels);
    const Slot functionalize = entry_of(KeySet(Functionality::Functionalize));
    const Slot batched = entry_of(KeySet(Functionality::FuncTorchBatched));
    for (const auto kernels : {shape_composites(), product_composites()}) {
      implement(all->aten, slot_of(AliasKey::CompositeImplicitAutograd), kernels);
      implement(all->aten, functionalize, kernels);
      implement(all->aten, batched, kernels);
    }
    implement(all->aten, batched, batched_kernels());
    implement(all->aten, entry_of(KeySet(Functionality::FuncTorchGradWrapper)), grad_kernels());
    implement(all->aten, entry_of(KeySet(Functionality::BackendSelect)), backend_select_kernels());
    implement(all->aten, slot_of(AliasKey::Autograd), autograd_kernels());
    implement(all->aten, entry_of(KeySet(Functionality::ADInplaceOrView)), ad_inplace_or_view_kernels());
    implement(all->aten, functionalize, functionalize_kernels());
    implement(all->aten, entry_of(KeySet(Functionality::FuncTorchDynamicLayerFrontMode)), front_kernels());
    return all;
  }();
  return *made;
}

}  // namespace

std::vector<std::span<const OpKernel>> dense_kernels() {
  return {factory_kernels(), pointwise_kernels(), unary_kernels(),     slope_kernels(),   comparison_kernels(),
          copy_kernels(),    reduction_kernels(), maximum_kernels(),   matrix_kernels(),  index_kernels(),
          join_kernels(),    view_kernels(),      view_copy_kernels(), scatter_kernels(), layout_kernels()};
}

std::vector<std::span<const OpKernel>> device_kernels() {
  return {device_pointwise_kernels(), device_unary_kernels(), device_comparison_kernels(), device_copy_kernels(),
          device_reduction_kernels()};
}

Dispatcher& dispatcher() { return runtime().dispatcher; }

void raise_undefined() { raise_saying(ErrorClass::unclassified, "a tensor argument is not defined"); }

const std::array<const Operator*, kOps> operators = [] {
  std::array<const Operator*, kOps> all{};
  const std::span<const Op> table = op_table();
  for (std::size_t i = 0; i < table.size(); ++i) all.at(i) = &dispatcher().find("aten::" + qualified_name(table[i]));
  return all;
}();

}  // namespace plumbline::optimized
