// A script's own operators on LibTorch's dispatcher: what the script registers ends with this object.
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/library.h>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "adapters/libtorch/key_types.h"
#include "adapters/walk/libraries.h"
#include "spec/vocabulary/statement.h"

namespace plumbline::libtorch {

/// Throws PyTorch's errors.
std::unique_ptr<torch::Library> made_library(const MakeLibrary& statement);

class CustomOperators {
 public:
  using Tensors = std::vector<at::Tensor>;
  using KeyTypes = libtorch::KeyTypes;
  /// Runs a kernel on the tensors of a call, and returns its results. `keys`: the kernel's key set.
  using Run = std::function<Tensors(std::size_t kernel, const Tensors& inputs, const c10::DispatchKeySet& keys)>;

  /// `script` must outlive it.
  CustomOperators(const Script& script, Run run) : script_(script), run_(std::move(run)) {}

  /// As the statements say. Throw PyTorch's errors.
  void make(const MakeLibrary& statement) { libraries_.add(statement.library, made_library(statement)); }
  void define(const DefineOperator& statement);
  void add(const AddKernel& statement);
  void drop(const DropLibrary& statement) { libraries_.drop(statement.library); }

  Tensors call(std::size_t op, const Tensors& inputs) const;
  Tensors redispatch(std::size_t op, c10::DispatchKeySet keys, const Tensors& inputs) const;

 private:
  c10::OperatorHandle handle(std::size_t op) const;

  const CustomOperator& schema(std::int32_t op) const { return script_.operators.at(static_cast<std::size_t>(op)); }

  const Script& script_;
  Run run_;
  walk::Libraries<torch::Library> libraries_;
};

}  // namespace plumbline::libtorch
