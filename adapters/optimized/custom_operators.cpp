// A script's own operators on the optimized runtime.
#include "adapters/optimized/custom_operators.h"

#include "adapters/optimized/memory.h"

namespace plumbline::optimized {

ScriptOperators::ScriptOperators(const std::vector<CustomOperator>& operators, const Run& run) : operators_(operators) {
  for (std::size_t i = 0; i < operators.size(); ++i) {
    const CustomOperator& op = operators[i];
    std::vector<bool> written;
    for (const SchemaTensor& result : op.returns) written.push_back(result.written);
    registered_.define(op.name, std::move(written));
    for (std::size_t k = 0; k < op.kernels.size(); ++k)
      registered_.impl(
          op.name, op.kernels[k].key,
          op.kernels[k].falls_through ? CustomOperators::Kernel() : [run, i, k](const Tensors& inputs, KeySet keys) {
            return run(i, k, inputs, keys);
          });
  }
}

ScriptOperators::Tensors ScriptOperators::call(std::size_t op, const Tensors& inputs) const {
  Tensors results = registered_.call(operators_.at(op).name, inputs);
  script_calls(results, inputs);
  return results;
}

ScriptOperators::Tensors ScriptOperators::redispatch(std::size_t op, KeySet keys, const Tensors& inputs) const {
  Tensors results = registered_.redispatch(operators_.at(op).name, keys, inputs);
  script_calls(results, inputs);
  return results;
}

}  // namespace plumbline::optimized
