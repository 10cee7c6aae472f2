// What can be seen of tensors, read without calling what could write.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <map>
#include <vector>

#include "sweep/experiment.h"

namespace plumbline::sweep::libtorch {

/// Reads facts, and numbers storages as it meets them.
class Reader {
 public:
  /// `made`: the tensors of the experiment, which must outlive it.
  explicit Reader(const std::vector<at::Tensor>& made) : made_(made) {}

  Facts read(const at::Tensor& t);
  std::vector<Facts> read(const std::vector<at::Tensor>& all);
  /// The made tensor that it is, the very same; -1: none of them.
  std::int64_t made_as(const at::TensorBase& t) const;
  /// What an operator returned at this place of its schema.
  void add_results(std::vector<Result>& results, const c10::IValue& value, std::size_t place);

 private:
  const std::vector<at::Tensor>& made_;
  std::map<const c10::StorageImpl*, std::int64_t> storages_;
};

}  // namespace plumbline::sweep::libtorch
