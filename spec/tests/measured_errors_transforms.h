// Messages as PyTorch 2.13.0 gave them in mapped bodies, and about them.
#pragma once

#include "spec/tests/measured_errors.h"

namespace plumbline {

inline constexpr auto kMeasuredTransforms = std::to_array<Measured>({
    Measured{
        ErrorClass::mapped_write,
        "vmap: inplace arithmetic(self, *extra_args) is not possible because there exists a Tensor `other` in "
        "extra_args that has more elements than `self`. This happened due to `other` being vmapped over but `self` "
        "not being vmapped over in a vmap. Please try to use out-of-place operators instead of inplace arithmetic. "
        "If said operator is being called inside the PyTorch framework, please file a bug report instead."},
    Measured{ErrorClass::mapped_out,
             "Batching rule not implemented for aten::sum.IntList_out; the fallback path doesn't work on out= or view "
             "ops."},
    Measured{ErrorClass::mapped_out,
             "Batching rule not implemented for aten::cat.out. We could not generate a fallback."},
    Measured{ErrorClass::dim_range, "Dimension is out of range (expected to be in range of [-1, 0], but got [-1]"},
    Measured{ErrorClass::shape,
             "Tensor.as_strided(size, stride, ...): size and stride must have the same length! Got size [0] and stride "
             "[]"},
    Measured{ErrorClass::shape,
             "expand: the number of sizes provided (0) must be greater or equal to the number of dimensions in the "
             "tensor (1)"},
    Measured{ErrorClass::shape, "Got wrong shapes for dot"},
    Measured{ErrorClass::shape,
             "Shape mismatch: Got incorrect dims for mm(a, b). a has dim 0and b has dim 0but expected them to have dim "
             "2 and dim 2"},
    Measured{ErrorClass::grad_scalar,
             "grad_and_value(f)(*args): Expected f(*args) to return a scalar Tensor, got tensor with 1 dims. Maybe you "
             "wanted to use the vjp or jacrev APIs instead?"},
    Measured{
        ErrorClass::grad_write,
        "During a grad (vjp, jvp, grad, etc) transform, the function provided attempted to call in-place operation "
        "(aten::add_.Tensor) that would mutate a captured Tensor. This is not supported; please rewrite the "
        "function being transformed to explicitly accept the mutated Tensor(s) as inputs."},
    Measured{ErrorClass::grad_argnum, "Got argnum=5, but only 2 positional inputs"},
    Measured{ErrorClass::grad_argnums, "argnums elements must be unique, got (0, 0)"},
    Measured{ErrorClass::mapped_none,
             "vmap(<lambda>, ...): `<lambda>` can not return a BatchedTensor when out_dim is None"},
    Measured{
        ErrorClass::mapped_random,
        "vmap: called random operation while in randomness error mode. Please either use the 'same' or 'different' "
        "randomness flags on vmap or perform the randomness operation out of vmap"},
    Measured{
        ErrorClass::mapped_sizes,
        "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes [2, 3] for the mapped "
        "dimension"},
    Measured{ErrorClass::mapped_dim,
             "vmap(<lambda>, in_dims=2, ...)(<inputs>): Got in_dim=2 for some input, but that input is a Tensor of "
             "dimensionality 2 so expected in_dim to satisfy -2 <= in_dim < 2."},
    Measured{ErrorClass::mapped_outside,
             "result = tensor.as_strided([3], [1], 0) can access memory outside of `tensor`. `result` can access some "
             "memory in range [0, 3], but `tensor` can only access some memory in range [0, 1]. This is not supported "
             "inside of vmap, please try to rewrite the `as_strided` call as a sequence of PyTorch view operations"},
    Measured{ErrorClass::mapped_nothing, "vmap: Expected at least one Tensor to vmap over"},
    Measured{
        ErrorClass::mapped_nothing,
        "vmap(<lambda>)(<inputs>): got no inputs. Maybe you forgot to add inputs, or you are trying to vmap over a "
        "function with no inputs. The latter is unsupported."},
});

}  // namespace plumbline
