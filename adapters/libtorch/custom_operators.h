// A script's own operators on LibTorch's dispatcher: what the script registers ends with this object.
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/library.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "adapters/libtorch/key_types.h"
#include "adapters/walk/given.h"
#include "adapters/walk/libraries.h"
#include "spec/vocabulary/statement.h"

namespace plumbline::libtorch {

/// Throws PyTorch's errors.
std::unique_ptr<torch::Library> made_library(const MakeLibrary& statement);
/// The same.
bool answer(const QueryKernel& query);

class CustomOperators {
 public:
  using Tensors = std::vector<at::Tensor>;
  using KeyTypes = libtorch::KeyTypes;
  using Arguments = std::vector<walk::Given<at::Tensor>>;
  /// Runs a kernel on the arguments of a call of the operator `op`, and returns its results. `keys`: its key set.
  using Run = std::function<Tensors(std::size_t kernel, std::size_t op, const Arguments& inputs,
                                    const c10::DispatchKeySet& keys)>;

  /// `script` must outlive it.
  CustomOperators(const Script& script, Run run) : script_(script), run_(std::move(run)) {}

  /// As the statements say. Throw PyTorch's errors.
  void make(const MakeLibrary& statement) {
    libraries_.add(statement.library, made_library(statement));
    spaces_[statement.library] = statement.space;
  }
  void define(const DefineOperator& statement);
  void add(const AddKernel& statement);
  void add(const AddFallback& statement);
  void drop(const DropLibrary& statement) { libraries_.drop(statement.library); }

  static bool answer(const QueryKernel& query) { return libtorch::answer(query); }

  Tensors call(std::size_t op, const Arguments& inputs) const;
  Tensors redispatch(std::size_t op, c10::DispatchKeySet keys, const Arguments& inputs) const;
  /// Runs a kernel for the operator of this name.
  Tensors run(std::size_t kernel, const std::string& op, const Arguments& inputs, c10::DispatchKeySet keys) const;

 private:
  torch::CppFunction function(const std::string& key, const std::optional<std::int32_t>& kernel) const;
  c10::OperatorHandle handle(std::size_t op) const;

  const CustomOperator& schema(std::int32_t op) const { return script_.operators.at(static_cast<std::size_t>(op)); }

  const Script& script_;
  Run run_;
  walk::Libraries<torch::Library> libraries_;
  std::map<std::string, std::string> spaces_;  ///< the libraries' namespaces
};

}  // namespace plumbline::libtorch
