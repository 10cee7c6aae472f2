// PyTorch's message for each error class, as PyTorch 1.13 and 2.13 word it.
#include "spec/vocabulary/error_texts.h"

#include <array>
#include <vector>

namespace plumbline {

namespace {

// Measured: PyTorch 2.13.0 raised each of them; where Python's wrapper has its own wording, through the wrapper.
constexpr auto kTexts = std::to_array<ErrorText>({
    {ErrorClass::inference_inplace, kShips, kRuntimeError,
     "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal "
     "tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details."},
    {ErrorClass::inference_saved, k213, kRuntimeError,
     "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in "
     "computation tracked by autograd. To work around this, you can make a clone to get a normal tensor and use it in "
     "autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`."},
    {ErrorClass::inference_requires_grad, kShips, kRuntimeError,
     "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed."},
    {ErrorClass::inference_version, kShips, kRuntimeError, "Inference tensors do not track version counter."},
    {ErrorClass::view_inference_mode, kShips, kRuntimeError,
     "A view was created in inference mode and is being modified inplace in normal mode. Given that this use case is "
     "ambiguous and error-prone, it is forbidden. You can clarify your code by moving both the view and the inplace "
     "either both inside the inference_mode block (if you don't want the inplace to be tracked) or both outside (if "
     "you want the inplace to be tracked)."},
    {ErrorClass::view_inference_mode, k213, kRuntimeError,
     "Output {} of {} is a view of a view which was created in inference mode and is being modified inplace in normal "
     "mode. Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by "
     "moving both the view and the inplace either both inside the inference_mode block (if you don't want the inplace "
     "to be tracked) or both outside (if you want the inplace to be tracked)."},
    {ErrorClass::view_no_grad, kShips, kRuntimeError,
     "A view was created in no_grad mode and is being modified inplace with grad mode enabled. Given that this use "
     "case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both the view and the "
     "inplace either both inside the no_grad block (if you don't want the inplace to be tracked) or both outside (if "
     "you want the inplace to be tracked)."},
    {ErrorClass::view_no_grad, k213, kRuntimeError,
     "Output {} of {} is a view of a view which was created in no_grad mode and is being modified inplace with grad "
     "mode enabled. Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code "
     "by moving both the view and the inplace either both inside the no_grad block (if you don't want the inplace to "
     "be tracked) or both outside (if you want the inplace to be tracked)."},
    {ErrorClass::view_multi_output, kShips, kRuntimeError,
     "Output {} of {} is a view and is being modified inplace. This view is the output of a function that returns "
     "multiple views. Such functions do not allow the output views to be modified inplace. You should replace the "
     "inplace operation by an out-of-place one."},
    {ErrorClass::view_multi_output, kShips, kRuntimeError,
     "A view was created in no_grad mode and is being modified inplace with grad mode enabled. This view is the output "
     "of a function that returns multiple views. Such functions do not allow the output views to be modified inplace. "
     "You should replace the inplace operation by an out-of-place one."},
    {ErrorClass::stale_view_inference_mode, kShips, kRuntimeError,
     "A view was created in inference mode and its base or another view of its base has been modified inplace in "
     "normal mode. Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code "
     "by moving both the view and the inplace either both inside the inference_mode block (if you don't want the "
     "inplace to be tracked) or both outside (if you want the inplace to be tracked)."},
    {ErrorClass::stale_view_inference_mode, k213, kRuntimeError,
     "Output {} of {} is a view of a view which was created in inference mode and its base or another view of its base "
     "has been modified inplace in normal mode. Given that this use case is ambiguous and error-prone, it is "
     "forbidden. You can clarify your code by moving both the view and the inplace either both inside the "
     "inference_mode block (if you don't want the inplace to be tracked) or both outside (if you want the inplace to "
     "be tracked)."},
    {ErrorClass::stale_view_no_grad, kShips, kRuntimeError,
     "A view was created in no_grad mode and its base or another view of its base has been modified inplace with grad "
     "mode enabled. Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code "
     "by moving both the view and the inplace either both inside the no_grad block (if you don't want the inplace to "
     "be tracked) or both outside (if you want the inplace to be tracked)."},
    {ErrorClass::stale_view_no_grad, k213, kRuntimeError,
     "Output {} of {} is a view of a view which was created in no_grad mode and its base or another view of its base "
     "has been modified inplace with grad mode enabled. Given that this use case is ambiguous and error-prone, it is "
     "forbidden. You can clarify your code by moving both the view and the inplace either both inside the no_grad "
     "block (if you don't want the inplace to be tracked) or both outside (if you want the inplace to be tracked)."},
    {ErrorClass::stale_view_multi_output, kShips, kRuntimeError,
     "Output {} of {} is a view and its base or another view of its base has been modified inplace. This view is the "
     "output of a function that returns multiple views. Such functions do not allow the output views to be modified "
     "inplace. You should replace the inplace operation by an out-of-place one."},
    {ErrorClass::stale_view_multi_output, kShips, kRuntimeError,
     "A view was created in no_grad mode and its base or another view of its base has been modified inplace with grad "
     "mode enabled. This view is the output of a function that returns multiple views. Such functions do not allow the "
     "output views to be modified inplace. You should replace the inplace operation by an out-of-place one."},
    {ErrorClass::leaf_inplace, kShips, kRuntimeError,
     "a leaf Variable that requires grad is being used in an in-place operation."},
    {ErrorClass::view_of_leaf_inplace, kShips, kRuntimeError,
     "a view of a leaf Variable that requires grad is being used in an in-place operation."},
    {ErrorClass::not_a_leaf, kShips, kRuntimeError, "you can only change requires_grad flags of leaf variables."},
    {ErrorClass::not_a_leaf, kShips, kRuntimeError,
     "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a subgraph "
     "that doesn't require differentiation use var_no_grad = var.detach()."},
    {ErrorClass::pack_writes, k213, kRuntimeError,
     "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack hook cannot be "
     "modified by in-place operations as this can lead to unexpected side-effects. Please open an issue if you need to "
     "perform in-place operations on the input to a pack hook."},
    {ErrorClass::pack_writes, k113, kRuntimeError,
     "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack hook can not be "
     "modified by in-place operations as this can lead to unexpected side-effects. Please open an issue if you need to "
     "perform in-place operations on the input to a pack hook."},
    {ErrorClass::grad_dtype, kShips, kRuntimeError,
     "only Tensors of floating point and complex dtype can require gradients"},
    {ErrorClass::grad_dtype, kShips, kRuntimeError,
     "Only Tensors of floating point and complex dtype can require gradients"},
    {ErrorClass::grad_dtype, kShips, kRuntimeError, "only Tensors of floating point dtype can require gradients"},
    {ErrorClass::grad_dtype, k213, kRuntimeError, "Autograd not support dtype: {}"},
    {ErrorClass::overlap_internal, kShips, kRuntimeError,
     "unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please "
     "clone() the tensor before performing the operation."},
    {ErrorClass::overlap_partial, kShips, kRuntimeError,
     "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory "
     "location. Please clone() the tensor before performing the operation."},
    {ErrorClass::dim_range, kShips, kIndexError,
     "Dimension out of range (expected to be in range of [{}, {}], but got {})"},
    {ErrorClass::dim_range, kShips, kIndexError, "Dimension specified as {} but tensor has no dimensions"},
    {ErrorClass::dim_range, kShips, kIndexError, "select() cannot be applied to a 0-dim tensor."},
    {ErrorClass::dim_range, kShips, kIndexError, "slice() cannot be applied to a 0-dim tensor."},
    {ErrorClass::dim_range, kShips, kRuntimeError, "narrow() cannot be applied to a 0-dim tensor."},
    {ErrorClass::dim_range, kShips, kRuntimeError, "split expects at least a 1-dimensional tensor"},
    {ErrorClass::index_range, kShips, kIndexError,
     "select(): index {} out of range for tensor of size {} at dimension {}"},
    {ErrorClass::range, kShips, kRuntimeError, "Trying to create tensor with negative dimension {}: {}"},
    {ErrorClass::range, k213, kRuntimeError, "zeros: Dimension size must be non-negative."},
    {ErrorClass::range, kShips, kRuntimeError, "Storage size calculation overflowed with sizes={}"},
    {ErrorClass::range, k213, kRuntimeError, "Stride calculation overflowed"},
    {ErrorClass::range, kShips, kRuntimeError, "numel: integer multiplication overflow"},
    {ErrorClass::range, kShips, kRuntimeError, "upper bound and lower bound inconsistent with step sign"},
    {ErrorClass::range, kShips, kRuntimeError, "unsupported range: {} -> {}"},
    {ErrorClass::range, kShips, kRuntimeError, "invalid size, possible overflow?"},
    {ErrorClass::range, kShips, kRuntimeError, "slice step must be positive"},
    {ErrorClass::range, k213, kIndexError, "start out of range (expected to be in range of [{}, {}], but got {})"},
    {ErrorClass::range, k213, kRuntimeError, "narrow(): length must be non-negative."},
    {ErrorClass::range, kShips, kRuntimeError, "start ({}) + length ({}) exceeds dimension size ({})."},
    {ErrorClass::range, kShips, kRuntimeError, "maximum size for tensor at dimension {} is {} but size is {}"},
    {ErrorClass::range, kShips, kRuntimeError, "size is {} but must be >= 0"},
    {ErrorClass::range, kShips, kRuntimeError, "step is {} but must be > 0"},
    {ErrorClass::range, kShips, kRuntimeError,
     "as_strided: Negative strides are not supported at the moment, got strides: {}"},
    {ErrorClass::range, kShips, kRuntimeError, "Tensor: invalid storage offset {}"},
    {ErrorClass::range, kShips, kRuntimeError,
     "split_size can only be 0 if dimension size is 0, but got dimension size of {}"},
    {ErrorClass::range, kShips, kRuntimeError, "split expects split_size be non-negative, but got split_size={}"},
    {ErrorClass::range, kShips, kRuntimeError, "only one dimension can be inferred"},
    {ErrorClass::range, kShips, kRuntimeError, "invalid shape dimension {} at index {} of shape {}"},
    {ErrorClass::range, kShips, kRuntimeError,
     "The expanded size of the tensor ({}) isn't allowed in a leading, non-existing dimension {}"},
    {ErrorClass::shape, kShips, kRuntimeError,
     "The size of tensor a ({}) must match the size of tensor b ({}) at non-singleton dimension {}"},
    {ErrorClass::shape, kShips, kRuntimeError, "output with shape {} doesn't match the broadcast shape {}"},
    {ErrorClass::shape, kShips, kRuntimeError, "shape '{}' is invalid for input of size {}"},
    {ErrorClass::shape, kShips, kRuntimeError,
     "cannot reshape tensor of 0 elements into shape {} because the unspecified dimension size -1 can be any value and "
     "is ambiguous"},
    {ErrorClass::shape, kShips, kRuntimeError, "mat1 and mat2 shapes cannot be multiplied ({} and {})"},
    {ErrorClass::shape, kShips, kRuntimeError, "self must be a matrix"},
    {ErrorClass::shape, kShips, kRuntimeError, "mat2 must be a matrix"},
    {ErrorClass::shape, kShips, kRuntimeError, "t() expects a tensor with <= 2 dimensions, but self is {}D"},
    {ErrorClass::shape, kShips, kRuntimeError, "t_() expects a tensor with <= 2 dimensions, but self is {}D"},
    {ErrorClass::shape, kShips, kRuntimeError,
     "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired ordering "
     "of dimensions i.e. input.dim() = {} is not equal to len(dims) = {}"},
    {ErrorClass::shape, kShips, kRuntimeError,
     "expand({}, size={}): the number of sizes provided ({}) must be greater or equal to the number of dimensions in "
     "the tensor ({})"},
    {ErrorClass::shape, kShips, kRuntimeError,
     "The expanded size of the tensor ({}) must match the existing size ({}) at non-singleton dimension {}.  Target "
     "sizes: {}.  Tensor sizes: {}"},
    {ErrorClass::shape, kShips, kRuntimeError, "mismatch in length of strides and shape"},
    {ErrorClass::shape, k213, kRuntimeError, "only tensors with up to 64 dims are supported"},
    {ErrorClass::view_stride, kShips, kRuntimeError,
     "view size is not compatible with input tensor's size and stride (at least one dimension spans across two "
     "contiguous subspaces). Use .reshape(...) instead."},
    {ErrorClass::storage_bounds, kShips, kRuntimeError,
     "setStorage: sizes {}, strides {}, storage offset {}, and itemsize {} requiring a storage size of {} are out of "
     "bounds for storage of size {}"},
    {ErrorClass::dtype_cast, kShips, kRuntimeError, "result type {} can't be cast to the desired output type {}"},
    {ErrorClass::dim_repeated, kShips, kRuntimeError, "permute(): duplicate dims are not allowed."},
    {ErrorClass::dim_repeated, kShips, kRuntimeError, "dim {} appears multiple times in the list of dims"},
    {ErrorClass::dim_repeated, kShips, kRuntimeError, "diagonal dimensions cannot be identical {}, {}"},
    {ErrorClass::dtype_mismatch, k213, kRuntimeError, "expected m1 and m2 to have the same dtype, but got: {} != {}"},
    {ErrorClass::dtype_mismatch, kShips, kRuntimeError,
     "For integral input tensors, argument alpha must not be a floating point number."},
    {ErrorClass::dtype_mismatch, kShips, kRuntimeError,
     "For non-complex input tensors, argument alpha must not be a complex number."},
    {ErrorClass::dtype_mismatch, kShips, kRuntimeError, "Boolean alpha only supported for Boolean results."},
    {ErrorClass::dtype_mismatch, kShips, kRuntimeError,
     "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the "
     "`~` or `logical_not()` operator instead."},
    {ErrorClass::number_cast, kShips, kRuntimeError, "value cannot be converted to type {} without overflow"},
    {ErrorClass::option, kShips, kRuntimeError, "required rank {} tensor to use {} format"},
    {ErrorClass::option, kShips, kRuntimeError, "unsupported memory format {}"},
    {ErrorClass::option, kShips, kRuntimeError, "Unsupported memory format{}"},
    {ErrorClass::option, kShips, kRuntimeError, "preserve memory format is unsupported by the contiguous operator"},
    {ErrorClass::option, k213, kRuntimeError,
     "pin_memory=True requires a CUDA or other accelerator backend; no pinned memory allocator is available on this "
     "system."},
    {ErrorClass::option, kShips, "AssertionError", "Torch not compiled with {} enabled"},
    {ErrorClass::memory, kShips, kRuntimeError,
     "[enforce fail at alloc_cpu.cpp:{}] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to allocate "
     "{} bytes. Error code {} ({})"},
    {ErrorClass::memory, kShips, kRuntimeError, "std::bad_alloc"},
    {ErrorClass::memory, kShips, kRuntimeError, "cannot create std::vector larger than max_size()"},
    {ErrorClass::inference_mixed, kDraft, kRuntimeError,
     "An op outside InferenceMode cannot take inference tensors and normal tensors together."},
    {ErrorClass::inference_view, kDraft, kRuntimeError,
     "Calling inplace/view ops on inference tensor outside InferenceMode is not allowed, consider making a clone "
     "first."},
    {ErrorClass::inference_view_used, kDraft, kRuntimeError,
     "A view that was made in InferenceMode cannot be used outside it."},
    {ErrorClass::saved_modified, kShips, kRuntimeError,
     "one of the variables needed for gradient computation has been modified by an inplace operation: [{}] is at "
     "version {}; expected version {} instead. Hint: {}"},
    {ErrorClass::saved_modified, kShips, kRuntimeError,
     "one of the variables needed for gradient computation has been modified by an inplace operation: [{}], which is "
     "output {} of {}, is at version {}; expected version {} instead. Hint: {}"},
    {ErrorClass::no_graph, kShips, kRuntimeError,
     "element {} of tensors does not require grad and does not have a grad_fn"},
    {ErrorClass::input_requires_no_grad, kShips, kRuntimeError,
     "One of the differentiated Tensors does not require grad"},
    {ErrorClass::input_requires_no_grad, k213, kRuntimeError, "element {} of the input tensors does not require grad"},
    {ErrorClass::input_unused, k213, kRuntimeError,
     "The differentiated Tensor at index {} appears to not have been used in the graph. Set allow_unused=True if this "
     "is the desired behavior."},
    {ErrorClass::input_unused, k213, kRuntimeError,
     "element {}of the differentiated Tensors appears to not have been used in the graph. Set allow_unused=True if "
     "this is the desired behavior."},
    {ErrorClass::input_unused, k113, kRuntimeError,
     "One of the differentiated Tensors appears to not have been used in the graph. Set allow_unused=True if this is "
     "the desired behavior."},
    {ErrorClass::hook_requires_no_grad, kShips, kRuntimeError,
     "cannot register a hook on a tensor that doesn't require gradient"},
    {ErrorClass::hook_not_leaf, k213, kRuntimeError,
     "post accumulate grad hooks cannot be registered on non-leaf tensors"},
    {ErrorClass::hook_result, kShips, kRuntimeError, "hook '{}' has changed the size of value"},
    {ErrorClass::hook_result, kShips, kRuntimeError, "hook '{}' has changed the type of value (was {} got {})"},
    {ErrorClass::grad_dtype, kShips, kRuntimeError,
     "data set to a tensor that requires gradients must be floating point or complex dtype"},
    {ErrorClass::dtype_mismatch, k213, kRuntimeError, "Could not set tensor of type {} to a tensor of type {}"},
    {ErrorClass::unpack, kShips, "ValueError", "too many values to unpack (expected {})"},
    {ErrorClass::unpack, kShips, "ValueError", "not enough values to unpack (expected {}, got {})"},
    {ErrorClass::view_custom_function, kShips, kRuntimeError,
     "Output {} of {} is a view and is being modified inplace. This view was created inside a custom Function (or "
     "because an input was returned as-is) and the autograd logic to handle view+inplace would override the custom "
     "backward associated with the custom Function, leading to incorrect gradients. This behavior is forbidden. You "
     "can "
     "fix this by cloning the output of the custom Function."},
    {ErrorClass::view_custom_function, kShips, kRuntimeError,
     "A view was created in no_grad mode and is being modified inplace with grad mode enabled. This view was created "
     "inside a custom Function (or because an input was returned as-is) and the autograd logic to handle view+inplace "
     "would override the custom backward associated with the custom Function, leading to incorrect gradients. This "
     "behavior is forbidden. You can fix this by cloning the output of the custom Function."},
    {ErrorClass::stale_view_custom_function, kShips, kRuntimeError,
     "A view was created in no_grad mode and its base or another view of its base has been modified inplace with grad "
     "mode enabled. This view was created inside a custom Function (or because an input was returned as-is) and the "
     "autograd logic to handle view+inplace would override the custom backward associated with the custom Function, "
     "leading to incorrect gradients. This behavior is forbidden. You can fix this by cloning the output of the custom "
     "Function."},
    {ErrorClass::stale_view_custom_function, kShips, kRuntimeError,
     "Output {} of {} is a view and its base or another view of its base has been modified inplace. This view was "
     "created inside a custom Function (or because an input was returned as-is) and the autograd logic to handle "
     "view+inplace would override the custom backward associated with the custom Function, leading to incorrect "
     "gradients. This behavior is forbidden. You can fix this by cloning the output of the custom Function."},
    {ErrorClass::custom_function, kShips, kRuntimeError,
     "function {} returned an incorrect number of gradients (expected {}, got {})"},
    {ErrorClass::custom_function, kShips, kRuntimeError,
     "If your Function modifies inplace an input that is a view of another Tensor, your Function cannot return more "
     "than one Tensor. This is not supported by the current autograd engine. You should either make sure the input is "
     "not a view (using .clone() for example) or make your Function only return one Tensor (potentially splitting it "
     "into two Functions: one doing the inplace that returns a single Tensor and a second one that does the other "
     "operations). You can ask on the forum https://discuss.pytorch.org/ if you need help to do this change."},
    {ErrorClass::custom_function, kShips, kRuntimeError,
     "Some elements marked as dirty during the forward method were not returned as output. The inputs that are "
     "modified "
     "inplace must all be outputs of the Function."},
    {ErrorClass::leaf_inplace, kShips, kRuntimeError,
     "a leaf Variable that requires grad has been used in an in-place operation."},
    {ErrorClass::saved_detached, kShips, kRuntimeError,
     "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_().This is not supported, please "
     "use out-of-place `.detach()` instead"},
    {ErrorClass::backward_twice, kShips, kRuntimeError,
     "Trying to backward through the graph a second time (or directly access saved tensors after they have already "
     "been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). "
     "Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved "
     "tensors after calling backward."},
    {ErrorClass::grad_not_scalar, kShips, kRuntimeError, "grad can be implicitly created only for scalar outputs"},
    {ErrorClass::grad_shape, kShips, kRuntimeError,
     "Mismatch in shape: grad_output[{}] has a shape of {} and output[{}] has a shape of {}."},
    {ErrorClass::grad_shape, kShips, kRuntimeError,
     "Function {} returned an invalid gradient at index {} - got {} but expected shape compatible with {}"},
    {ErrorClass::grad_shape, kShips, kRuntimeError,
     "attempting to assign a gradient of size '{}' to a tensor of size '{}'. Please ensure that the gradient and the "
     "tensor are the same size"},
    {ErrorClass::grad_shape, kShips, kRuntimeError,
     "attempting to assign a gradient with dtype '{}' to a tensor with grad_dtype '{}'. The gradient must match the "
     "tensor's grad_dtype (defaults to the tensor's dtype). You can set the tensor's grad_dtype attribute with a "
     "specific dtype, or None to allow any dtype. Set grad_dtype with caution. Diverging the dtypes of a tensor and "
     "its "
     "gradient may break downstream systems that assume they match."},
    {ErrorClass::grad_shape, kShips, kRuntimeError,
     "invalid gradient at index {} - got {} but expected shape compatible with {}"},
    {ErrorClass::grad_shape, k113, kRuntimeError, "assigned grad has data of a different type"},
    {ErrorClass::grad_shape, k113, kRuntimeError, "assigned grad has data of a different size"},
    {ErrorClass::grad_shape, kShips, kRuntimeError, "can't assign Variable as its own grad"},
    {ErrorClass::retain_grad, kShips, kRuntimeError, "can't retain_grad on Tensor that has requires_grad=False"},
    {ErrorClass::detach_view, kShips, kRuntimeError,
     "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for training, "
     "and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence detach_() cannot be "
     "called on these gradients. To fix this error, please refer to the Optimizer.zero_grad() function in "
     "torch/optim/optimizer.py as the solution."},
    {ErrorClass::out_requires_grad, kShips, kRuntimeError,
     "{}(): functions with out=... arguments don't support automatic differentiation, but one of the arguments "
     "requires grad."},
    {ErrorClass::resize_requires_grad, kShips, kRuntimeError, "cannot resize variables that require grad"},
    {ErrorClass::no_derivative, kShips, kRuntimeError, "derivative for {} is not implemented"},
    {ErrorClass::leaf_moved, kShips, kRuntimeError, "leaf variable has been moved into the graph interior"},
    {ErrorClass::dtype_op, kShips, "NotImplementedError", "\"{}\" not implemented for '{}'"},
    {ErrorClass::dtype_op, kShips, kRuntimeError,
     "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` "
     "or "
     "`logical_not()` operator instead."},
    {ErrorClass::dtype_op, kShips, kRuntimeError, "Boolean inputs not supported for relu"},
    {ErrorClass::dtype_op, kShips, kRuntimeError,
     "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: {}"},
    {ErrorClass::captured_write, kShips, kRuntimeError,
     "false INTERNAL ASSERT FAILED at {}, please report a bug to PyTorch. mutating a non-functional tensor with a "
     "functional tensor is not allowed. Please ensure that all of your inputs are wrapped inside of a functionalize() "
     "call."},
    {ErrorClass::not_functional, k213, kRuntimeError,
     "During torch.compile, encountered a mutation on a view chain of length {}, where view {} was an as_strided() "
     "call. "
     "as_strided() is non-compositional, and therefore is not possible to functionalize properly today,so this "
     "behavior "
     "is banned in compile. As a workaround, you can either remove the mutation from the model code, or you can insert "
     "a "
     "graph break right before the mutation with torch._dynamo.graph_break(). If you would like this behavior to work "
     "properly, please comment on https://github.com/pytorch/pytorch/issues/104505."},
    {ErrorClass::not_functional, kShips, kRuntimeError,
     "Attempted to resize a view tensor to a larger size. This is not allowed in the functionalization pass"},
    {ErrorClass::not_functional, k213, kRuntimeError,
     "!value_.key_set().has(c10::DispatchKey::Functionalize) INTERNAL ASSERT FAILED at {}, please report a bug to "
     "PyTorch. "},
    {ErrorClass::not_functional, k213, kRuntimeError,
     "!at::functionalization::impl::isFunctionalTensor(base_) INTERNAL ASSERT FAILED at {}, please report a bug to "
     "PyTorch. "},
    {ErrorClass::not_functional, kShips, kRuntimeError,
     "!at::functionalization::impl::isFunctionalTensor(tensor) INTERNAL ASSERT FAILED at {}, please report a bug to "
     "PyTorch. "},
    {ErrorClass::not_functional, k113, kRuntimeError,
     "!at::functionalization::impl::isFunctionalTensor(base) INTERNAL ASSERT FAILED at {}, please report a bug to "
     "PyTorch. "},
    {ErrorClass::not_functional, k213, kRuntimeError,
     "While executing unfold, functionalization encountered a tensor being mutated that has internal overlap. When "
     "using torch.compile (or running functionalization directly), this is banned as the behavior is not well defined. "
     "Consider cloning the tensor before mutating it, or removing the mutation from your model."},
    {ErrorClass::not_functional, k213, kRuntimeError,
     "Found a custom (non-ATen) operator whose output has alias annotations: {}. We only support "
     "functionalizing operators whose outputs do not have alias annotations (e.g. 'Tensor(a)' is a Tensor with "
     "an alias annotation whereas 'Tensor' is a Tensor without. The '(a)' is the alias annotation). The alias "
     "annotation specifies that the output Tensor shares storage with an input that has the same annotation. "
     "Please check if (1) the output needs to be an output (if not, don't return it), (2) if the output "
     "doesn't share storage with any inputs, then delete the alias annotation. (3) if the output indeed shares "
     "storage with an input, then add a .clone() before returning it to prevent storage sharing and then "
     "delete the alias annotation. Otherwise, please file an issue on GitHub."},
    {ErrorClass::not_functional, k113, kRuntimeError,
     "!schema.hasAnyAliasInfo() INTERNAL ASSERT FAILED at {}, please report a bug to PyTorch. mutating and "
     "aliasing ops should all have codegen'd kernels"},
    {ErrorClass::not_functional, kDraft, kRuntimeError,
     "Tried to run the functionalization pass on an unsupported view: {}"},
    {ErrorClass::not_functional, kDraft, kRuntimeError, "you should never resize a functional tensor's storage"},
    {ErrorClass::not_functional, kDraft, kRuntimeError, "nested functionalize() calls aren't supported yet"},
    {ErrorClass::index_range, kShips, kIndexError, "index out of range in self"},
    {ErrorClass::index_range, kShips, kRuntimeError, "index {} is out of bounds for dimension {} with size {}"},
});

}  // namespace

std::span<const ErrorText> error_texts() {
  static const std::vector<ErrorText> all = [] {
    std::vector<ErrorText> texts(kTexts.begin(), kTexts.end());
    const auto of_ops = op_error_texts();
    texts.insert(texts.end(), of_ops.begin(), of_ops.end());
    return texts;
  }();
  return all;
}

}  // namespace plumbline
