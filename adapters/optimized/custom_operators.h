// A script's own operators on the optimized runtime.
#pragma once

#include <functional>
#include <vector>

#include "adapters/optimized/key_types.h"
#include "optimized/autograd/custom_operators.h"
#include "spec/vocabulary/statement.h"

namespace plumbline::optimized {

class ScriptOperators {
 public:
  using Tensors = std::vector<Tensor>;
  using KeyTypes = optimized::KeyTypes;
  /// Runs a kernel of an operator on the tensors of a call, and returns its results. `keys`: the kernel's key set.
  using Run = std::function<Tensors(std::size_t op, std::size_t kernel, const Tensors& inputs, const KeySet& keys)>;

  /// `operators` must outlive it.
  ScriptOperators(const std::vector<CustomOperator>& operators, const Run& run);

  Tensors call(std::size_t op, const Tensors& inputs) const;
  Tensors redispatch(std::size_t op, KeySet keys, const Tensors& inputs) const;

 private:
  const std::vector<CustomOperator>& operators_;
  CustomOperators registered_;
};

}  // namespace plumbline::optimized
