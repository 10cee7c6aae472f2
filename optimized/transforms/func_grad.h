// grad: the gradients of the number that a body returns.
#pragma once

#include <functional>
#include <vector>

#include "optimized/tensor/tensor.h"
#include "spec/ops/ops.h"
#include "spec/vocabulary/statement.h"

namespace plumbline::optimized {

/// Runs `body`, which returns one tensor without dimensions, and returns its gradients by the inputs that `how` says,
/// then what it returned, if `how` asks for the value [torch.func.grad, grad_and_value]. In the body those inputs are
/// leaves that require grad, and grad mode is on. After it, nothing has a history that leads to them alone. Raises
/// ErrorClass::grad_argnum and grad_argnums for argnums that do not fit, grad_scalar for a result with dimensions, and
/// what the body raises. Ops in it raise grad_write for a write in place of memory that the body neither made nor was
/// given.
std::vector<Tensor> func_grad(const std::function<std::vector<Tensor>(std::vector<Tensor>)>& body, const Grad& how,
                              const std::vector<Tensor>& inputs);

/// Raises ErrorClass::grad_write if a running body may not write `written` in place. Does nothing where the thread
/// excludes FuncTorchGradWrapper.
void check_captured_write(OpId op, const Tensor& written);
/// Raises out_requires_grad if one of the arguments of an op with out= to which gradients flow requires grad in a body
/// that sees the call before a mapped one refuses it.
void check_out(OpId op, const std::vector<Tensor>& arguments);
/// Whether one of them requires grad in a body, or outside if grad mode is on there.
bool records_out(const std::vector<Tensor>& arguments);
/// Whether the innermost running body of a transform is one of grad.
bool innermost_is_grad();

}  // namespace plumbline::optimized
