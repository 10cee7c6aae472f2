// The derivatives of ops that select by an index, and of ops that join and split tensors.
#include "optimized/autograd/derivatives.h"
#include "optimized/autograd/scatter.h"
#include "optimized/cpu/checks.h"

namespace plumbline::optimized {

namespace {

/// The gradients of all results, with zeros for missing ones.
Tensors all_of(const Node& call, const Tensors& gradients, Dtype dtype) {
  Tensors all = gradients;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!all[i].defined()) all[i] = zeros(call.outputs()[i].sizes, dtype);
  return all;
}

}  // namespace

Tensors index_select_backward(const RecordedCall<op::index_select>& call, const SavedTensors& saved,
                              const Tensors& gradients) {
  return {index_add(call.sizes<0>(), call.value<1>(), saved.argument[2], gradients[0])};
}

Tensors gather_backward(const RecordedCall<op::gather>& call, const SavedTensors& saved, const Tensors& gradients) {
  return {scatter_add(call.sizes<0>(), call.value<1>(), saved.argument[2], gradients[0])};
}

Tensors index_fill_backward(const RecordedCall<op::index_fill_int_Scalar>& call, const SavedTensors& saved,
                            const Tensors& gradients) {
  return {index_fill(gradients[0], call.value<1>(), saved.argument[2], 0)};
}

Tensors cat_backward(const RecordedCall<op::cat>& call, const SavedTensors&, const Tensors& gradients) {
  const Tensor& gradient = gradients[0];
  Tensors to;
  std::int64_t begin = 0;
  for (const KeptTensor& one : call.argument<0>().all) {
    const DimVector& sizes = one.layout.sizes;
    if (sizes.size() == 1 && sizes[0] == 0) {  // cat skips it, whatever the rank of the others
      to.push_back(zeros({0}, gradient.dtype()));
      continue;
    }
    const int dim = wrapped_dim(call.value<1>(), gradient.dim());
    const std::int64_t length = sizes[static_cast<std::size_t>(dim)];
    to.push_back(narrow(gradient, dim, begin, length));
    begin += length;
  }
  return to;
}

Tensors stack_backward(const RecordedCall<op::stack>& call, const SavedTensors&, const Tensors& gradients) {
  const int dim = wrapped_dim(call.value<1>(), gradients[0].dim());
  Tensors to;
  for (std::int64_t i = 0; i < gradients[0].size(dim); ++i) to.push_back(select(gradients[0], dim, i));
  return to;
}

Tensors split_backward(const RecordedCall<op::split_Tensor>& call, const SavedTensors&, const Tensors& gradients) {
  return {cat(all_of(call, gradients, call.argument<0>().dtype), call.value<2>())};
}

Tensors split_with_sizes_backward(const RecordedCall<op::split_with_sizes>& call, const SavedTensors&,
                                  const Tensors& gradients) {
  return {cat(all_of(call, gradients, call.argument<0>().dtype), call.value<2>())};
}

Tensors unbind_backward(const RecordedCall<op::unbind_int>& call, const SavedTensors&, const Tensors& gradients) {
  return {stack(all_of(call, gradients, call.argument<0>().dtype), call.value<1>())};
}

}  // namespace plumbline::optimized
