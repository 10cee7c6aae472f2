// A tensor's history: the node that it is an output of, how that is set, and how a view's follows its base.
#pragma once

#include <cstdint>

#include "optimized/autograd/node.h"

namespace plumbline::optimized {

/// The node, or null. For a view whose base was written since, it is made again from the base's, or stale_view_… is
/// raised if the view's creation metadata forbids that [variable.cpp, VariableHooks::grad_fn].
Ref<Node> grad_fn_of(const Tensor& tensor);

/// Whether there is a history now; that of a view may be out of date.
inline bool has_history(const Tensor& tensor) {
  const AutogradMeta* meta = tensor.impl().autograd;
  return meta != nullptr && meta->grad_fn;
}

/// Where the gradient of `tensor` goes: to its node, or to the accumulator of a leaf. Raises as grad_fn_of.
Edge gradient_edge(const Tensor& tensor);

/// Raises if a recorded in-place op may not write: leaf_inplace, view_of_leaf_inplace, view_… [VariableTypeUtils.h,
/// check_inplace].
void check_inplace(const Tensor& written);

/// Makes `result` an output of `node`. Raises grad_dtype.
void set_history(const Tensor& result, const Ref<Node>& node, std::uint32_t output = 0);
/// Makes the tensor that `node` wrote its output. For a tracked view, the base gets a new history, and the view's
/// follows from it [variable.cpp, rebase_history].
void rebase_history(const Tensor& written, const Ref<Node>& node, std::uint32_t output = 0);
/// Removes history and requires_grad; a retained gradient stays until the tensor has another history.
void drop_history(const Tensor& tensor);

/// If clone or _to_copy of an inference tensor reached no Autograd kernel, the copy inside them does: records it,
/// outside inference mode, if the source requires grad [aten/src/ATen/native/TensorFactories.cpp, clone]. The CPU's
/// kernels of both call it with their result.
void record_inner_copy(const Tensor& result, const Tensor& source);

}  // namespace plumbline::optimized
