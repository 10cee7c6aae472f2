// A script's own operators on the optimized runtime.
#pragma once

#include <functional>
#include <vector>

#include "optimized/autograd/custom_operators.h"
#include "spec/vocabulary/statement.h"

namespace plumbline::optimized {

class ScriptOperators {
 public:
  using Tensors = std::vector<Tensor>;
  /// Runs a kernel of an operator on the tensors of a call, and returns its results.
  using Run = std::function<Tensors(std::size_t op, std::size_t kernel, const Tensors& inputs)>;

  /// `operators` must outlive it.
  ScriptOperators(const std::vector<CustomOperator>& operators, const Run& run);

  Tensors call(std::size_t op, const Tensors& inputs) const;

 private:
  const std::vector<CustomOperator>& operators_;
  CustomOperators registered_;
};

}  // namespace plumbline::optimized
