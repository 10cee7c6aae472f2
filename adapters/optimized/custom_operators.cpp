// A script's own operators on the optimized runtime.
#include "adapters/optimized/custom_operators.h"

#include <memory>

#include "adapters/optimized/memory.h"

namespace plumbline::optimized {

void ScriptOperators::make(const MakeLibrary& statement) {
  libraries_.add(statement.library, registered_.library(static_cast<Library::Kind>(statement.kind), statement.space));
}

void ScriptOperators::define(const DefineOperator& statement) {
  const CustomOperator& op = script_.operators.at(static_cast<std::size_t>(statement.op));
  std::vector<bool> written;
  for (const SchemaTensor& result : op.returns) written.push_back(result.written);
  libraries_.at(statement.library).define(op.name, std::move(written));
}

void ScriptOperators::add(const AddKernel& statement) {
  CustomOperators::Kernel kernel;
  if (statement.kernel)
    kernel = [this, number = static_cast<std::size_t>(*statement.kernel)](const Tensors& inputs, KeySet keys) {
      return run_(number, inputs, keys);
    };
  libraries_.at(statement.library)
      .impl(script_.operators.at(static_cast<std::size_t>(statement.op)).name, statement.key, std::move(kernel));
}

ScriptOperators::Tensors ScriptOperators::call(std::size_t op, const Tensors& inputs) const {
  Tensors results = registered_.call(script_.operators.at(op).name, inputs);
  script_calls(results, inputs);
  return results;
}

ScriptOperators::Tensors ScriptOperators::redispatch(std::size_t op, KeySet keys, const Tensors& inputs) const {
  Tensors results = registered_.redispatch(script_.operators.at(op).name, keys, inputs);
  script_calls(results, inputs);
  return results;
}

}  // namespace plumbline::optimized
