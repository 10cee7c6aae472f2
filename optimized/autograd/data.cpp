// `x.data`, read and set: memory that is exchanged without autograd's knowledge.
#include <algorithm>

#include "optimized/autograd/accumulate.h"
#include "optimized/autograd/variable.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

Tensor data_of(const Tensor& tensor) { return alias_of(tensor, tensor.sizes(), tensor.strides(), tensor.offset()); }

void set_data(const Tensor& tensor, const Tensor& data) {
  if (requires_grad(tensor) && !is_differentiable(data.dtype()))
    raise_saying(ErrorClass::grad_dtype,
                 "data set to a tensor that requires gradients must be floating point or complex dtype");
  TensorImpl& to = tensor.impl();
  const TensorImpl& from = data.impl();
  if (&to == &from) return;
  if (to.autograd != nullptr && (to.dtype != from.dtype || tensor.device() != data.device()))
    AccumulateGrad::forget(*to.autograd);
  to.set_dim(from.dim());
  std::copy(from.sizes(), from.sizes() + from.dim(), to.sizes());
  std::copy(from.strides(), from.strides() + from.dim(), to.strides());
  to.offset = from.offset;
  to.numel = from.numel;
  to.dtype = from.dtype;
  to.keys = from.keys;
  to.wrapped_number = from.wrapped_number;
  to.set_storage(from.storage());
}

}  // namespace plumbline::optimized
