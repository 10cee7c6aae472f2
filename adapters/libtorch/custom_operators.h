// A script's own operators, registered with LibTorch's dispatcher while they live.
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/library.h>

#include <functional>
#include <memory>
#include <vector>

#include "adapters/libtorch/key_types.h"
#include "spec/vocabulary/statement.h"

namespace plumbline::libtorch {

class CustomOperators {
 public:
  using Tensors = std::vector<at::Tensor>;
  using KeyTypes = libtorch::KeyTypes;
  /// Runs a kernel of an operator on the tensors of a call, and returns its results. `keys`: the kernel's key set.
  using Run = std::function<Tensors(std::size_t op, std::size_t kernel, const Tensors& inputs,
                                    const c10::DispatchKeySet& keys)>;

  /// `operators` must outlive it. Throws PyTorch's errors.
  CustomOperators(const std::vector<CustomOperator>& operators, Run run);

  Tensors call(std::size_t op, const Tensors& inputs) const;
  Tensors redispatch(std::size_t op, c10::DispatchKeySet keys, const Tensors& inputs) const;

 private:
  c10::OperatorHandle handle(std::size_t op) const;

  const std::vector<CustomOperator>& operators_;
  Run run_;
  std::vector<std::unique_ptr<torch::Library>> libraries_;  ///< one for each operator
};

}  // namespace plumbline::libtorch
