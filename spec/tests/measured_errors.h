// PyTorch's messages as measured, with the class of each.
#pragma once

#include <array>
#include <string_view>

#include "spec/vocabulary/errors.h"

namespace plumbline {

// Messages as PyTorch 2.13.0 gave them, provoked one by one; one or more for each pattern.
struct Measured {
  ErrorClass error;
  std::string_view message;
};
inline constexpr auto kMeasured = std::to_array<Measured>({
    Measured{ErrorClass::inference_inplace,
             "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a "
             "normal tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details."},
    Measured{ErrorClass::inference_saved,
             "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in "
             "computation tracked by autograd. To work around this, you can make a clone to get a normal tensor and "
             "use it in autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`."},
    Measured{ErrorClass::inference_requires_grad,
             "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed."},
    Measured{ErrorClass::inference_version, "Inference tensors do not track version counter."},
    Measured{ErrorClass::view_inference_mode,
             "A view was created in inference mode and is being modified inplace in normal mode. Given that this use "
             "case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both the view "
             "and the inplace either both inside the inference_mode block (if you don't want the inplace to be "
             "tracked) or both outside (if you want the inplace to be tracked)."},
    Measured{ErrorClass::view_inference_mode,
             "Output 0 of View is a view of a view which was created in inference mode and is being modified inplace "
             "in normal mode. Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify "
             "your code by moving both the view and the inplace either both inside the inference_mode block (if you "
             "don't want the inplace to be tracked) or both outside (if you want the inplace to be tracked)."},
    Measured{ErrorClass::view_no_grad,
             "A view was created in no_grad mode and is being modified inplace with grad mode enabled. Given that this "
             "use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both the "
             "view and the inplace either both inside the no_grad block (if you don't want the inplace to be tracked) "
             "or both outside (if you want the inplace to be tracked)."},
    Measured{ErrorClass::view_no_grad,
             "Output 0 of View is a view of a view which was created in no_grad mode and is being modified inplace "
             "with grad mode enabled. Given that this use case is ambiguous and error-prone, it is forbidden. You can "
             "clarify your code by moving both the view and the inplace either both inside the no_grad block (if you "
             "don't want the inplace to be tracked) or both outside (if you want the inplace to be tracked)."},
    Measured{ErrorClass::view_multi_output,
             "Output 0 of Split is a view and is being modified inplace. This view is the output of a function that "
             "returns multiple views. Such functions do not allow the output views to be modified inplace. You should "
             "replace the inplace operation by an out-of-place one."},
    Measured{ErrorClass::view_multi_output,
             "A view was created in no_grad mode and is being modified inplace with grad mode enabled. This view is "
             "the output of a function that returns multiple views. Such functions do not allow the output views to be "
             "modified inplace. You should replace the inplace operation by an out-of-place one."},
    Measured{ErrorClass::stale_view_inference_mode,
             "A view was created in inference mode and its base or another view of its base has been modified inplace "
             "in normal mode. Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify "
             "your code by moving both the view and the inplace either both inside the inference_mode block (if you "
             "don't want the inplace to be tracked) or both outside (if you want the inplace to be tracked)."},
    Measured{ErrorClass::stale_view_inference_mode,
             "Output 0 of View is a view of a view which was created in inference mode and its base or another view of "
             "its base has been modified inplace in normal mode. Given that this use case is ambiguous and "
             "error-prone, it is forbidden. You can clarify your code by moving both the view and the inplace either "
             "both inside the inference_mode block (if you don't want the inplace to be tracked) or both outside (if "
             "you want the inplace to be tracked)."},
    Measured{ErrorClass::stale_view_no_grad,
             "A view was created in no_grad mode and its base or another view of its base has been modified inplace "
             "with grad mode enabled. Given that this use case is ambiguous and error-prone, it is forbidden. You can "
             "clarify your code by moving both the view and the inplace either both inside the no_grad block (if you "
             "don't want the inplace to be tracked) or both outside (if you want the inplace to be tracked)."},
    Measured{ErrorClass::stale_view_no_grad,
             "Output 0 of View is a view of a view which was created in no_grad mode and its base or another view of "
             "its base has been modified inplace with grad mode enabled. Given that this use case is ambiguous and "
             "error-prone, it is forbidden. You can clarify your code by moving both the view and the inplace either "
             "both inside the no_grad block (if you don't want the inplace to be tracked) or both outside (if you want "
             "the inplace to be tracked)."},
    Measured{ErrorClass::stale_view_multi_output,
             "Output 0 of Unbind is a view and its base or another view of its base has been modified inplace. This "
             "view is the output of a function that returns multiple views. Such functions do not allow the output "
             "views to be modified inplace. You should replace the inplace operation by an out-of-place one."},
    Measured{ErrorClass::stale_view_multi_output,
             "A view was created in no_grad mode and its base or another view of its base has been modified inplace "
             "with grad mode enabled. This view is the output of a function that returns multiple views. Such "
             "functions do not allow the output views to be modified inplace. You should replace the inplace operation "
             "by an out-of-place one."},
    Measured{ErrorClass::leaf_inplace, "a leaf Variable that requires grad is being used in an in-place operation."},
    Measured{ErrorClass::view_of_leaf_inplace,
             "a view of a leaf Variable that requires grad is being used in an in-place operation."},
    Measured{ErrorClass::not_a_leaf, "you can only change requires_grad flags of leaf variables."},
    Measured{ErrorClass::not_a_leaf,
             "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a "
             "subgraph that doesn't require differentiation use var_no_grad = var.detach()."},
    Measured{ErrorClass::grad_dtype, "only Tensors of floating point and complex dtype can require gradients"},
    Measured{ErrorClass::grad_dtype, "Only Tensors of floating point and complex dtype can require gradients"},
    Measured{ErrorClass::grad_dtype, "only Tensors of floating point dtype can require gradients"},
    Measured{ErrorClass::grad_dtype, "Autograd not support dtype: Long"},
    Measured{ErrorClass::overlap_internal,
             "unsupported operation: more than one element of the written-to tensor refers to a single memory "
             "location. Please clone() the tensor before performing the operation."},
    Measured{ErrorClass::overlap_partial,
             "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single "
             "memory location. Please clone() the tensor before performing the operation."},
    Measured{ErrorClass::dim_range, "Dimension out of range (expected to be in range of [-2, 1], but got 2)"},
    Measured{ErrorClass::dim_range, "Dimension specified as 0 but tensor has no dimensions"},
    Measured{ErrorClass::dim_range, "select() cannot be applied to a 0-dim tensor."},
    Measured{ErrorClass::dim_range, "slice() cannot be applied to a 0-dim tensor."},
    Measured{ErrorClass::dim_range, "narrow() cannot be applied to a 0-dim tensor."},
    Measured{ErrorClass::dim_range, "split expects at least a 1-dimensional tensor"},
    Measured{ErrorClass::index_range, "select(): index 2 out of range for tensor of size [2, 3] at dimension 0"},
    Measured{ErrorClass::range, "Trying to create tensor with negative dimension -1: [-1, 2]"},
    Measured{ErrorClass::range, "zeros: Dimension size must be non-negative."},
    Measured{ErrorClass::range, "Storage size calculation overflowed with sizes=[1099511627776, 1099511627776]"},
    Measured{ErrorClass::range, "Stride calculation overflowed"},
    Measured{ErrorClass::range, "numel: integer multiplication overflow"},
    Measured{ErrorClass::range, "upper bound and lower bound inconsistent with step sign"},
    Measured{ErrorClass::range, "unsupported range: 0 -> inf"},
    Measured{ErrorClass::range, "invalid size, possible overflow?"},
    Measured{ErrorClass::range, "slice step must be positive"},
    Measured{ErrorClass::range, "start out of range (expected to be in range of [-2, 2], but got 3)"},
    Measured{ErrorClass::range, "narrow(): length must be non-negative."},
    Measured{ErrorClass::range, "start (1) + length (2) exceeds dimension size (2)."},
    Measured{ErrorClass::range, "maximum size for tensor at dimension 1 is 3 but size is 4"},
    Measured{ErrorClass::range, "size is -1 but must be >= 0"},
    Measured{ErrorClass::range, "step is 0 but must be > 0"},
    Measured{ErrorClass::range,
             "as_strided: Negative strides are not supported at the moment, got strides: [-4611686018427387904, 1]"},
    Measured{ErrorClass::range, "Tensor: invalid storage offset -1"},
    Measured{ErrorClass::range, "split_size can only be 0 if dimension size is 0, but got dimension size of 2"},
    Measured{ErrorClass::range, "split expects split_size be non-negative, but got split_size=-1"},
    Measured{ErrorClass::range, "only one dimension can be inferred"},
    Measured{ErrorClass::range, "invalid shape dimension -2 at index 0 of shape [-2, 3]"},
    Measured{ErrorClass::range,
             "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension 0"},
    Measured{ErrorClass::shape,
             "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 1"},
    Measured{ErrorClass::shape, "output with shape [3] doesn't match the broadcast shape [2, 3]"},
    Measured{ErrorClass::shape, "shape '[5]' is invalid for input of size 6"},
    Measured{ErrorClass::shape,
             "cannot reshape tensor of 0 elements into shape [0, -1] because the unspecified dimension size -1 can be "
             "any value and is ambiguous"},
    Measured{ErrorClass::shape, "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)"},
    Measured{ErrorClass::shape, "self must be a matrix"},
    Measured{ErrorClass::shape, "mat2 must be a matrix"},
    Measured{ErrorClass::shape, "t() expects a tensor with <= 2 dimensions, but self is 3D"},
    Measured{ErrorClass::shape, "t_() expects a tensor with <= 2 dimensions, but self is 3D"},
    Measured{ErrorClass::shape,
             "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired "
             "ordering of dimensions i.e. input.dim() = 2 is not equal to len(dims) = 1"},
    Measured{ErrorClass::shape,
             "expand(torch.FloatTensor{[2, 3]}, size=[3]): the number of sizes provided (1) must be greater or equal "
             "to the number of dimensions in the tensor (2)"},
    Measured{ErrorClass::shape,
             "The expanded size of the tensor (4) must match the existing size (2) at non-singleton dimension 0.  "
             "Target sizes: [4, 3].  Tensor sizes: [2, 3]"},
    Measured{ErrorClass::shape, "mismatch in length of strides and shape"},
    Measured{ErrorClass::shape, "only tensors with up to 64 dims are supported"},
    Measured{ErrorClass::view_stride,
             "view size is not compatible with input tensor's size and stride (at least one dimension spans across two "
             "contiguous subspaces). Use .reshape(...) instead."},
    Measured{ErrorClass::storage_bounds,
             "setStorage: sizes [7], strides [1], storage offset 0, and itemsize 4 requiring a storage size of 28 are "
             "out of bounds for storage of size 24"},
    Measured{ErrorClass::dtype_cast, "result type Float can't be cast to the desired output type Long"},
    Measured{ErrorClass::dim_repeated, "permute(): duplicate dims are not allowed."},
    Measured{ErrorClass::dim_repeated, "dim 0 appears multiple times in the list of dims"},
    Measured{ErrorClass::dim_repeated, "diagonal dimensions cannot be identical 0, 0"},
    Measured{ErrorClass::dtype_mismatch, "expected m1 and m2 to have the same dtype, but got: float != long int"},
    Measured{ErrorClass::dtype_mismatch,
             "For integral input tensors, argument alpha must not be a floating point number."},
    Measured{ErrorClass::dtype_mismatch, "For non-complex input tensors, argument alpha must not be a complex number."},
    Measured{ErrorClass::dtype_mismatch, "Boolean alpha only supported for Boolean results."},
    Measured{ErrorClass::dtype_mismatch,
             "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, "
             "use the `~` or `logical_not()` operator instead."},
    Measured{ErrorClass::number_cast, "value cannot be converted to type int64_t without overflow"},
    Measured{ErrorClass::option, "required rank 4 tensor to use channels_last format"},
    Measured{ErrorClass::option, "unsupported memory format Preserve"},
    Measured{ErrorClass::option, "Unsupported memory formatPreserve"},
    Measured{ErrorClass::option, "preserve memory format is unsupported by the contiguous operator"},
    Measured{ErrorClass::option,
             "pin_memory=True requires a CUDA or other accelerator backend; no pinned memory allocator is available on "
             "this system."},
    Measured{ErrorClass::option, "Torch not compiled with CUDA enabled"},
    Measured{ErrorClass::memory,
             "[enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to "
             "allocate 4503599627370496 bytes. Error code 12 (Cannot allocate memory)"},
    Measured{ErrorClass::memory, "std::bad_alloc"},
    Measured{ErrorClass::memory, "cannot create std::vector larger than max_size()"},
    Measured{ErrorClass::saved_modified,
             "one of the variables needed for gradient computation has been modified by an inplace operation: "
             "[torch.FloatTensor [2]] is at version 1; expected version 0 instead. Hint: enable anomaly detection to "
             "find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True, "
             "check_nan=False)."},
    Measured{ErrorClass::no_graph, "element 0 of tensors does not require grad and does not have a grad_fn"},
    Measured{ErrorClass::no_graph, "element 1 of tensors does not require grad and does not have a grad_fn"},
    Measured{ErrorClass::input_requires_no_grad, "One of the differentiated Tensors does not require grad"},
    Measured{ErrorClass::input_requires_no_grad, "element 0 of the input tensors does not require grad"},
    Measured{ErrorClass::input_unused,
             "The differentiated Tensor at index 0 appears to not have been used in the graph. Set allow_unused=True "
             "if this is the desired behavior."},
    Measured{ErrorClass::input_unused,
             "element 0of the differentiated Tensors appears to not have been used in the graph. Set "
             "allow_unused=True if this is the desired behavior."},
    Measured{ErrorClass::grad_dtype,
             "data set to a tensor that requires gradients must be floating point or complex dtype"},
    Measured{ErrorClass::dtype_mismatch, "Could not set tensor of type long int to a tensor of type float"},
    Measured{ErrorClass::unpack, "too many values to unpack (expected 2)"},
    Measured{ErrorClass::unpack, "not enough values to unpack (expected 2, got 1)"},
    Measured{ErrorClass::dtype_mismatch,
             "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` "
             "operator instead."},
    Measured{ErrorClass::dtype_mismatch,
             "where expected condition to be a boolean tensor, but got a tensor with dtype Long"},
    Measured{ErrorClass::dtype_mismatch, "masked_fill_ only supports boolean masks, but got mask with dtype long int"},
    Measured{ErrorClass::dtype_mismatch, "self and mat2 must have the same dtype, but got Long and Float"},
    Measured{ErrorClass::dtype_mismatch, "mat1 and mat2 must have the same dtype, but got Long and Float"},
    Measured{ErrorClass::dtype_mismatch, "expected scalar type Float but found Double"},
    Measured{ErrorClass::dtype_mismatch,
             "addmv input tensors must have the same dtype, but got Double, Float, and Double"},
    Measured{ErrorClass::dtype_mismatch, "dot : expected both vectors to have same dtype, but found Float and Double"},
    Measured{ErrorClass::shape, "mat1 must be a matrix, got 1-D tensor"},
    Measured{ErrorClass::shape, "batch1 must be a 3D tensor"},
    Measured{ErrorClass::shape,
             "Expected size for first two dimensions of batch2 tensor to be: [2, 3] but got: [2, 2]."},
    Measured{ErrorClass::shape, "vector + matrix @ vector expected, got 1, 2, 2"},
    Measured{ErrorClass::shape, "size mismatch, got input (2), mat (2x2), vec (3)"},
    Measured{ErrorClass::shape, "1D tensors expected, but got 1D and 2D tensors"},
    Measured{ErrorClass::shape,
             "inconsistent tensor size, expected tensor [2] and src [3] to have the same number of elements, but got 2 "
             "and 3 elements respectively"},
    Measured{ErrorClass::shape, "both arguments to matmul need to be at least 1D, but they are 1D and 0D"},
    Measured{ErrorClass::range,
             "max(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the "
             "'dim' argument."},
    Measured{ErrorClass::range,
             "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity."},
    Measured{ErrorClass::range, "argmax(): Expected reduction dim to be specified for input.numel() == 0."},
    Measured{ErrorClass::range, "aminmax: Expected reduction dim 1 to have non-zero size."},
    Measured{ErrorClass::dtype_op, "argmax(): does not support bool input"},
    Measured{ErrorClass::dtype_op, "softmax with half to float conversion is not supported on CPU"},
    Measured{ErrorClass::dtype_op,
             "mean(): could not infer output dtype. Optional dtype must be either a floating point or complex dtype. "
             "Got: Long"},
    Measured{ErrorClass::dtype_op, "\"addmm_impl_cpu_\" not implemented for 'Bool'"},
    Measured{ErrorClass::saved_modified,
             "one of the variables needed for gradient computation has been modified by an inplace operation: "
             "[CPUDoubleType []], which is output 0 of Mul, is at version 1; expected version 0 instead. Hint: enable "
             "anomaly detection to find the operation that failed to compute its gradient, with "
             "torch.autograd.set_detect_anomaly(True, check_nan=False)."},
    Measured{ErrorClass::view_custom_function,
             "Output 0 of T is a view and is being modified inplace. This view was created inside a custom Function "
             "(or because an input was returned as-is) and the autograd logic to handle view+inplace would override "
             "the custom backward associated with the custom Function, leading to incorrect gradients. This behavior "
             "is forbidden. You can fix this by cloning the output of the custom Function."},
    Measured{
        ErrorClass::view_custom_function,
        "A view was created in no_grad mode and is being modified inplace with grad mode enabled. This view was "
        "created inside a custom Function (or because an input was returned as-is) and the autograd logic to handle "
        "view+inplace would override the custom backward associated with the custom Function, leading to incorrect "
        "gradients. This behavior is forbidden. You can fix this by cloning the output of the custom Function."},
    Measured{ErrorClass::stale_view_custom_function,
             "A view was created in no_grad mode and its base or another view of its base has been modified inplace "
             "with grad mode enabled. This view was created inside a custom Function (or because an input was returned "
             "as-is) and the autograd logic to handle view+inplace would override the custom backward associated with "
             "the custom Function, leading to incorrect gradients. This behavior is forbidden. You can fix this by "
             "cloning the output of the custom Function."},
    Measured{
        ErrorClass::stale_view_custom_function,
        "Output 0 of T is a view and its base or another view of its base has been modified inplace. This view was "
        "created inside a custom Function (or because an input was returned as-is) and the autograd logic to handle "
        "view+inplace would override the custom backward associated with the custom Function, leading to incorrect "
        "gradients. This behavior is forbidden. You can fix this by cloning the output of the custom Function."},
    Measured{ErrorClass::custom_function,
             "function torch::autograd::CppNode<plumbline::libtorch::(anonymous namespace)::Scripted> returned an "
             "incorrect number of gradients (expected 1, got 2)"},
    Measured{ErrorClass::leaf_inplace, "a leaf Variable that requires grad has been used in an in-place operation."},
    Measured{ErrorClass::saved_detached,
             "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_().This is not "
             "supported, please use out-of-place `.detach()` instead"},
    Measured{ErrorClass::backward_twice,
             "Trying to backward through the graph a second time (or directly access saved tensors after they have "
             "already been freed). Saved intermediate values of the graph are freed when you call .backward() or "
             "autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if "
             "you need to access saved tensors after calling backward."},
    Measured{ErrorClass::grad_not_scalar, "grad can be implicitly created only for scalar outputs"},
    Measured{ErrorClass::grad_shape,
             "Mismatch in shape: grad_output[0] has a shape of torch.Size([1]) and output[0] has a shape of "
             "torch.Size([2])."},
    Measured{ErrorClass::grad_shape,
             "Function torch::autograd::CppNode<plumbline::libtorch::(anonymous namespace)::Scripted> returned an "
             "invalid gradient at index 0 - got [] but expected shape compatible with [3]"},
    Measured{ErrorClass::grad_shape,
             "attempting to assign a gradient of size '[1]' to a tensor of size '[]'. Please ensure that the gradient "
             "and the tensor are the same size"},
    Measured{ErrorClass::grad_shape,
             "attempting to assign a gradient with dtype 'float' to a tensor with grad_dtype 'Int'. The gradient must "
             "match the tensor's grad_dtype (defaults to the tensor's dtype). You can set the tensor's grad_dtype "
             "attribute with a specific dtype, or None to allow any dtype. Set grad_dtype with caution. Diverging the "
             "dtypes of a tensor and its gradient may break downstream systems that assume they match."},
    Measured{ErrorClass::grad_shape, "can't assign Variable as its own grad"},
    Measured{ErrorClass::retain_grad, "can't retain_grad on Tensor that has requires_grad=False"},
    Measured{ErrorClass::detach_view,
             "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for "
             "training, and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence "
             "detach_() cannot be called on these gradients. To fix this error, please refer to the "
             "Optimizer.zero_grad() function in torch/optim/optimizer.py as the solution."},
    Measured{ErrorClass::out_requires_grad,
             "mm(): functions with out=... arguments don't support automatic differentiation, but one of the arguments "
             "requires grad."},
    Measured{ErrorClass::resize_requires_grad, "cannot resize variables that require grad"},
    Measured{ErrorClass::no_derivative, "derivative for aten::aminmax is not implemented"},
    Measured{ErrorClass::leaf_moved, "leaf variable has been moved into the graph interior"},
    Measured{ErrorClass::dtype_op,
             "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use "
             "the `~` or `logical_not()` operator instead."},
    Measured{ErrorClass::dtype_op, "Boolean inputs not supported for relu"},
    Measured{
        ErrorClass::dtype_op,
        "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: Int"},
    Measured{ErrorClass::index_range, "index out of range in self"},
    Measured{ErrorClass::index_range, "index 0 is out of bounds for dimension 0 with size 0"},
    Measured{ErrorClass::view_stride, "self.dim() cannot be 0 to view Bool as Int (different element sizes)"},
    Measured{ErrorClass::view_stride,
             "self.size(-1) must be divisible by 2 to view Int as Long (different element sizes), but got 1"},
    Measured{ErrorClass::view_stride,
             "self.storage_offset() must be divisible by 2 to view Int as Long (different element sizes), but got 1"},
    Measured{ErrorClass::view_stride,
             "self.stride(-1) must be 1 to view Int as Bool (different element sizes), but got 4"},
    Measured{ErrorClass::view_stride,
             "self.stride(0) must be divisible by 2 to view Int as Long (different element sizes), but got 1"},
    Measured{ErrorClass::range,
             "split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes=[-1]"},
    Measured{ErrorClass::range,
             "split_with_sizes expects split_sizes to sum exactly to 1 (input tensor's size at dimension 0), but got "
             "split_sizes=[]"},
    Measured{ErrorClass::range, "chunk expects `chunks` to be greater than 0, got: 0"},
    Measured{ErrorClass::range, "flatten() has invalid args: start_dim cannot come after end_dim"},
    Measured{ErrorClass::dim_range, "chunk expects at least a 1-dimensional tensor"},
    Measured{ErrorClass::shape, "index_select(): Index to scalar can have only 1 value, got 0 value(s)"},
    Measured{ErrorClass::shape,
             "Size does not match at dimension 0 expected index [3, 2] to be no larger than self [1, 2] apart from "
             "dimension 1"},
    Measured{ErrorClass::shape, "zero-dimensional tensor (at position 0) cannot be concatenated"},
    Measured{ErrorClass::shape,
             "Sizes of tensors must match except in dimension 1. Expected size 0 but got size 3 for tensor number 1 in "
             "the list."},
    Measured{ErrorClass::dtype_mismatch, "index_fill_(): Expected dtype int64 for index."},
    Measured{ErrorClass::dtype_mismatch, "Found dtype Long but expected Int"},
    Measured{ErrorClass::dtype_cast, "Expected out tensor to have dtype float, but got int instead"},
    Measured{ErrorClass::dtype_cast, "torch.cat(): input types can't be cast to the desired output type Bool"},
    Measured{ErrorClass::index_range, "INDICES element is out of DATA bounds, id=1 axis_dim=1"},
    Measured{ErrorClass::index_range, "index_select(): self indexing axis dim should be positive"},
    Measured{ErrorClass::index_range, "index 0 is out of bounds for dimension 0 with size 0"},
    Measured{ErrorClass::custom_function,
             "If your Function modifies inplace an input that is a view of another Tensor, your Function cannot return "
             "more than one Tensor. This is not supported by the current autograd engine. You should either make sure "
             "the input is not a view (using .clone() for example) or make your Function only return one Tensor "
             "(potentially splitting it into two Functions: one doing the inplace that returns a single Tensor and a "
             "second one that does the other operations). You can ask on the forum https://discuss.pytorch.org/ if you "
             "need help to do this change."},
    Measured{ErrorClass::custom_function,
             "Some elements marked as dirty during the forward method were not returned as output. The inputs that are "
             "modified inplace must all be outputs of the Function."},
    Measured{ErrorClass::grad_shape, "invalid gradient at index 0 - got [3] but expected shape compatible with [2]"},
    Measured{ErrorClass::range, "stack expects a non-empty TensorList"},
    Measured{ErrorClass::range, "torch.cat(): expected a non-empty list of Tensors"},
    Measured{ErrorClass::shape, "index_select(): Index is supposed to be a vector"},
    Measured{ErrorClass::shape, "Index tensor must have the same number of dimensions as input tensor"},
    Measured{ErrorClass::shape, "Index has to be a vector/scalar"},
    Measured{ErrorClass::shape, "Tensors must have same number of dimensions: got 1 and 2"},
    Measured{ErrorClass::shape,
             "stack expects each tensor to be equal size, but got [2] at entry 0 and [3] at entry 1"},
    Measured{ErrorClass::dtype_mismatch, "index_select(): Expected dtype int32 or int64 for index"},
    Measured{ErrorClass::dtype_mismatch, "gather(): Expected dtype int32/int64 for index"},
    Measured{ErrorClass::shape, "mat2 must be a matrix, got 1-D tensor"},
    Measured{ErrorClass::shape, "batch2 must be a 3D tensor"},
    Measured{ErrorClass::shape,
             "expected src to have a size equal to the slice of self. src size = [2, 2], slice size = [3, 4]"},
    Measured{ErrorClass::internal,
             "!self.requires_grad() || self.is_contiguous() INTERNAL ASSERT FAILED at "
             "\"/__w/pytorch/pytorch/aten/src/ATen/native/TensorShape.cpp\":4754, please report a bug to PyTorch. "
             "as_strided_scatter is currently only supported for contiguous inputs"},
    Measured{ErrorClass::internal,
             "nbytes % dtype_size == 0 INTERNAL ASSERT FAILED at "
             "\"/__w/pytorch/pytorch/aten/src/ATen/native/TensorShape.cpp\":4685, please report a bug to PyTorch. "},
    Measured{ErrorClass::no_derivative, "derivative for aten::detach_copy is not implemented"},
    Measured{ErrorClass::internal,
             "expected_k._equalsBoxedAndUnboxed(dispatchTable_[idx]) INTERNAL ASSERT FAILED at "
             "\"/__w/pytorch/pytorch/aten/src/ATen/core/dispatch/OperatorEntry.cpp\":565, please report a bug to "
             "PyTorch. Canonical state"},
});

}  // namespace plumbline
