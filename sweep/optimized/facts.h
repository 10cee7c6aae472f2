// What can be seen of the optimized runtime's tensors.
#pragma once

#include <vector>

#include "optimized/tensor/tensor.h"
#include "sweep/experiment.h"

namespace plumbline::sweep::optimized {

/// Reads facts, and numbers storages as it meets them. Raises what the runtime raises for a view that is stale.
class Reader {
 public:
  using Tensor = plumbline::optimized::Tensor;

  /// `made`: the tensors of the experiment, which must outlive it.
  explicit Reader(const std::vector<Tensor>& made) : made_(made) {}

  Facts read(const Tensor& t);
  std::vector<Facts> read(const std::vector<Tensor>& all);
  /// The results of a call; `are_listed`: they are one list, the only result of the schema.
  std::vector<Result> results(const std::vector<Tensor>& results, bool are_listed);

 private:
  std::int64_t number_of(const Tensor& t);

  const std::vector<Tensor>& made_;
  std::vector<plumbline::optimized::Ref<plumbline::optimized::Storage>> storages_;  ///< kept, so that none is reused
};

}  // namespace plumbline::sweep::optimized
