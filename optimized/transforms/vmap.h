// vmap: the body sees one example, and each op in it is mapped over all.
#pragma once

#include <functional>
#include <vector>

#include "optimized/tensor/tensor.h"
#include "spec/vocabulary/statement.h"

namespace plumbline::optimized {

/// Runs `body` on one example of each input, which stands for all [torch.vmap]. `how.in_dims` has a dimension for each
/// input, and `out_dims` one for each result. Raises ErrorClass::mapped_dim, mapped_sizes and mapped_nothing for
/// dimensions that do not fit, mapped_none for a result with examples where out_dims says None, and what the body
/// raises. Ops in it raise mapped_write, mapped_out and mapped_random.
std::vector<Tensor> vmap(const std::function<std::vector<Tensor>(std::vector<Tensor>)>& body, const Vmap& how,
                         const std::vector<MappedDim>& out_dims, const std::vector<Tensor>& inputs);

}  // namespace plumbline::optimized
