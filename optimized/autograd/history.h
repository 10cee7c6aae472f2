// A tensor's history: the node that it is an output of, how that is set, and how a view's follows its base.
#pragma once

#include <cstdint>

#include "optimized/autograd/node.h"

namespace plumbline::optimized {

/// The node, or null. Of a view whose base was written since, it is made anew from the base's, or stale_view_… raised
/// where the view's creation metadata forbids that [variable.cpp, VariableHooks::grad_fn].
Ref<Node> grad_fn_of(const Tensor& tensor);

/// Whether there is a history as it stands; a view's may be out of date.
inline bool has_history(const Tensor& tensor) {
  const AutogradMeta* meta = tensor.impl().autograd;
  return meta != nullptr && meta->grad_fn;
}

/// Where the gradient of `tensor` goes: to its node, or to the accumulator of a leaf. Raises as grad_fn_of.
Edge gradient_edge(const Tensor& tensor);

/// Raises where an in-place op that is recorded may not write: leaf_inplace, view_of_leaf_inplace, view_…
/// [VariableTypeUtils.h, check_inplace].
void check_inplace(const Tensor& written);

/// Makes `result` an output of `node`. Raises grad_dtype.
void set_history(const Tensor& result, const Ref<Node>& node, std::uint32_t output = 0);
/// Makes what `node` wrote its output. Of a tracked view it is the base that gets a new history, of which the view's
/// follows [variable.cpp, rebase_history].
void rebase_history(const Tensor& written, const Ref<Node>& node, std::uint32_t output = 0);
/// Takes history and requires_grad away; what was retained goes on until the tensor has another history.
void drop_history(const Tensor& tensor);

/// Where clone and _to_copy of an inference tensor met no Autograd kernel, the copy inside them does: records it,
/// outside inference mode, where the source requires grad [aten/src/ATen/native/TensorFactories.cpp, clone]. The CPU's
/// kernels of both call it with their result.
void record_inner_copy(const Tensor& result, const Tensor& source);

}  // namespace plumbline::optimized
