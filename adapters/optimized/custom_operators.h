// A script's own operators on the optimized runtime.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "adapters/optimized/key_types.h"
#include "adapters/walk/given.h"
#include "adapters/walk/libraries.h"
#include "optimized/autograd/custom_operators.h"
#include "spec/vocabulary/statement.h"

namespace plumbline::optimized {

class ScriptOperators {
 public:
  using Tensors = std::vector<Tensor>;
  using KeyTypes = optimized::KeyTypes;
  using Arguments = std::vector<walk::Given<Tensor>>;
  /// Runs a kernel on the arguments of a call of the operator `op`, and returns its results. `keys`: its key set.
  using Run = std::function<Tensors(std::size_t kernel, std::size_t op, const Arguments& inputs, const KeySet& keys)>;

  /// `script` must outlive it.
  ScriptOperators(const Script& script, Run run);

  /// As the statements say. Raise the runtime's errors.
  void make(const MakeLibrary& statement);
  void define(const DefineOperator& statement);
  void add(const AddKernel& statement);
  void add(const AddFallback& statement);
  void drop(const DropLibrary& statement) { libraries_.drop(statement.library); }

  /// Raises the runtime's errors.
  bool answer(const QueryKernel& query) const;

  Tensors call(std::size_t op, const Arguments& inputs) const;
  Tensors redispatch(std::size_t op, KeySet keys, const Arguments& inputs) const;

 private:
  const Script& script_;
  Run run_;
  CustomOperators registered_;
  std::unique_ptr<CustomLibrary> of_device_;  ///< what the CPU has, and the device of the programs would lack
  walk::Libraries<CustomLibrary> libraries_;  ///< they end before the operators
};

}  // namespace plumbline::optimized
