// Which ops run once for all examples.
#include "optimized/transforms/pointwise.h"

#include <algorithm>
#include <array>

#include "spec/ops/op_ids.h"

namespace plumbline::optimized {

bool is_pointwise(OpId id) {
  using enum OpId;
  constexpr std::array kOnes{add_Tensor,
                             mul_Tensor,
                             sub_Tensor,
                             div_Tensor,
                             neg,
                             relu,
                             exp,
                             tanh,
                             sqrt,
                             where_self,
                             gt_Tensor,
                             gt_Scalar,
                             ge_Tensor,
                             ge_Scalar,
                             eq_Tensor,
                             eq_Scalar,
                             add__Tensor,
                             mul__Tensor,
                             sub__Tensor,
                             div__Tensor,
                             neg_,
                             relu_,
                             exp_,
                             tanh_,
                             sqrt_,
                             fill__Scalar,
                             zero_,
                             copy_,
                             masked_fill__Scalar,
                             masked_fill_Scalar,
                             clone,
                             empty_like,
                             zeros_like,
                             ones_like,
                             full_like,
                             _to_copy,
                             tanh_backward,
                             threshold_backward};
  return std::ranges::find(kOnes, id) != kOnes.end();
}

}  // namespace plumbline::optimized
