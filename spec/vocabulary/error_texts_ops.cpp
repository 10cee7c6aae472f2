// PyTorch's messages of single ops, transforms and torch.library, and its internal assertions, as PyTorch 1.13
// and 2.13 word them.
#include <array>

#include "spec/vocabulary/error_texts.h"
#include "spec/vocabulary/schema.h"

namespace plumbline {

namespace {

// Measured, like those in error_texts.cpp.
constexpr auto kOpTexts = std::to_array<ErrorText>({
    {ErrorClass::mapped_write, kShips, kRuntimeError,
     "vmap: {}(self, *extra_args) is not possible because there exists a Tensor `other` in extra_args that has more "
     "elements than `self`. This happened due to `other` being vmapped over but `self` not being vmapped over in a "
     "vmap. Please try to use out-of-place operators instead of {}. If said operator is being called inside the "
     "PyTorch framework, please file a bug report instead."},
    {ErrorClass::mapped_out, kShips, kRuntimeError,
     "Batching rule not implemented for {}; the fallback path doesn't work on out= or view ops."},
    {ErrorClass::mapped_out, kShips, kRuntimeError,
     "Batching rule not implemented for {}. We could not generate a fallback."},
    {ErrorClass::mapped_none, kShips, "ValueError",
     "vmap({}, ...): `{}` can not return a BatchedTensor when out_dim is None"},
    {ErrorClass::mapped_random, kShips, kRuntimeError,
     "vmap: called random operation while in randomness error mode. Please either use the 'same' or 'different' "
     "randomness flags on vmap or perform the randomness operation out of vmap"},
    {ErrorClass::mapped_sizes, kShips, "ValueError",
     "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes {} for the mapped dimension"},
    {ErrorClass::mapped_dim, kShips, "ValueError",
     "vmap({}, in_dims={}, ...)(<inputs>): Got in_dim={} for some input, but that input is a Tensor of dimensionality "
     "{} so expected in_dim to satisfy -{} <= in_dim < {}."},
    {ErrorClass::mapped_outside, kShips, kRuntimeError,
     "result = tensor.as_strided({}) can access memory outside of `tensor`. {} This is not supported inside of vmap, "
     "please try to rewrite the `as_strided` call as a sequence of PyTorch view operations"},
    {ErrorClass::mapped_nothing, kShips, "ValueError", "vmap: Expected at least one Tensor to vmap over"},
    {ErrorClass::mapped_nothing, kShips, "ValueError",
     "vmap({})(<inputs>): got no inputs. Maybe you forgot to add inputs, or you are trying to vmap over a function "
     "with "
     "no inputs. The latter is unsupported."},
    {ErrorClass::grad_scalar, kShips, kRuntimeError,
     "grad_and_value(f)(*args): Expected f(*args) to return a scalar Tensor, got tensor with {} dims. Maybe you wanted "
     "to use the vjp or jacrev APIs instead?"},
    {ErrorClass::grad_write, kShips, kRuntimeError,
     "During a grad (vjp, jvp, grad, etc) transform, the function provided attempted to call in-place operation ({}) "
     "that would mutate a captured Tensor. This is not supported; please rewrite the function being transformed to "
     "explicitly accept the mutated Tensor(s) as inputs."},
    {ErrorClass::grad_argnum, kShips, kRuntimeError, "Got argnum={}, but only {} positional inputs"},
    {ErrorClass::grad_argnums, kShips, kRuntimeError, "argnums elements must be unique, got {}"},
    {ErrorClass::device, kShips, kRuntimeError,
     "Expected all tensors to be on the same device, but found at least two devices, {} and {}!"},
    {ErrorClass::device, k213, kRuntimeError,
     "Expected all tensors to be on the same device, but got {} is on {}, different from other tensors on {} (when "
     "checking argument in method {})"},
    {ErrorClass::device, kShips, kRuntimeError,
     "Expected all tensors to be on the same device, but found at least two devices, {} and {}! (when checking "
     "argument "
     "for argument {} in method {})"},
    {ErrorClass::device, kShips, kRuntimeError,
     "expected self and mask to be on the same device, but got mask on {} and self on {}"},
    {ErrorClass::device, kShips, kRuntimeError, "Trying to pass too many CPU scalars to non-CPU kernel!"},
    {ErrorClass::device, kShips, kRuntimeError,
     "Attempted to set the storage of a tensor on device \"{}\" to a storage on different device \"{}\".  This is no "
     "longer allowed; the devices must match."},
    {ErrorClass::device, k213, kRuntimeError,
     "attempting to assign a gradient with device type '{}' to a tensor with device type '{}'. Please ensure that the "
     "gradient and the tensor are on the same device"},
    {ErrorClass::device, kShips, kRuntimeError, "invalid gradient at index {} - expected device {} but got {}"},
    {ErrorClass::device, kShips, kRuntimeError,
     "Function {} returned an invalid gradient at index {} - expected device {} but got {}"},
    {ErrorClass::view_stride, kShips, kRuntimeError,
     "self.dim() cannot be 0 to view {} as {} (different element sizes)"},
    {ErrorClass::view_stride, kShips, kRuntimeError,
     "self.size(-1) must be divisible by {} to view {} as {} (different element sizes), but got {}"},
    {ErrorClass::view_stride, kShips, kRuntimeError,
     "self.storage_offset() must be divisible by {} to view {} as {} (different element sizes), but got {}"},
    {ErrorClass::view_stride, kShips, kRuntimeError,
     "self.stride(-1) must be 1 to view {} as {} (different element sizes), but got {}"},
    {ErrorClass::view_stride, kShips, kRuntimeError,
     "self.stride({}) must be divisible by {} to view {} as {} (different element sizes), but got {}"},
    {ErrorClass::range, kShips, kRuntimeError,
     "split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes={}"},
    {ErrorClass::range, kShips, kRuntimeError,
     "split_with_sizes expects split_sizes to sum exactly to {} (input tensor's size at dimension {}), but got "
     "split_sizes={}"},
    {ErrorClass::range, kShips, kRuntimeError, "chunk expects `chunks` to be greater than 0, got: {}"},
    {ErrorClass::range, kShips, kRuntimeError, "flatten() has invalid args: start_dim cannot come after end_dim"},
    {ErrorClass::range, kShips, kRuntimeError, "stack expects a non-empty TensorList"},
    {ErrorClass::range, kShips, "ValueError", "torch.cat(): expected a non-empty list of Tensors"},
    {ErrorClass::dim_range, kShips, kRuntimeError, "chunk expects at least a 1-dimensional tensor"},
    {ErrorClass::dim_range, kShips, kRuntimeError,
     "Dimension is out of range (expected to be in range of [-1, 0], but got {}"},
    {ErrorClass::shape, kShips, kRuntimeError,
     "Tensor.as_strided(size, stride, ...): size and stride must have the same length! Got size {} and stride {}"},
    {ErrorClass::shape, kShips, kRuntimeError,
     "expand: the number of sizes provided ({}) must be greater or equal to the number of dimensions in the tensor "
     "({})"},
    {ErrorClass::shape, kShips, kRuntimeError, "Got wrong shapes for dot"},
    {ErrorClass::shape, kShips, kRuntimeError, "Shape mismatch: Got incorrect dims for {}"},
    {ErrorClass::shape, kShips, kIndexError, "index_select(): Index is supposed to be a vector"},
    {ErrorClass::shape, k213, kRuntimeError, "index_select(): Index to scalar can have only 1 value, got {} value(s)"},
    {ErrorClass::shape, kShips, kRuntimeError, "Index tensor must have the same number of dimensions as input tensor"},
    {ErrorClass::shape, k113, kRuntimeError,
     "Size does not match at dimension {} expected index {} to be smaller than self {} apart from dimension {}"},
    {ErrorClass::shape, kShips, kRuntimeError,
     "Size does not match at dimension {} expected index {} to be no larger than self {} apart from dimension {}"},
    {ErrorClass::shape, kShips, kRuntimeError, "Index has to be a vector/scalar"},
    {ErrorClass::shape, kShips, kRuntimeError, "zero-dimensional tensor (at position {}) cannot be concatenated"},
    {ErrorClass::shape, kShips, kRuntimeError, "Tensors must have same number of dimensions: got {} and {}"},
    {ErrorClass::shape, kShips, kRuntimeError,
     "Sizes of tensors must match except in dimension {}. Expected size {} but got size {} for tensor number {} in the "
     "list."},
    {ErrorClass::shape, kShips, kRuntimeError,
     "stack expects each tensor to be equal size, but got {} at entry {} and {} at entry {}"},
    {ErrorClass::dtype_mismatch, kShips, kRuntimeError, "index_select(): Expected dtype int32 or int64 for index"},
    {ErrorClass::dtype_mismatch, k213, kRuntimeError, "gather(): Expected dtype int32/int64 for index"},
    {ErrorClass::dtype_mismatch, k113, kRuntimeError, "gather(): Expected dtype int64 for index"},
    {ErrorClass::dtype_mismatch, kShips, kIndexError, "index_fill_(): Expected dtype int64 for index."},
    {ErrorClass::dtype_mismatch, kShips, kRuntimeError, "Found dtype {} but expected {}"},
    {ErrorClass::dtype_cast, kShips, kRuntimeError, "Expected out tensor to have dtype {}, but got {} instead"},
    {ErrorClass::dtype_cast, kShips, "TypeError",
     "torch.cat(): input types can't be cast to the desired output type {}"},
    {ErrorClass::index_range, kShips, kRuntimeError, "INDICES element is out of DATA bounds, id={} axis_dim={}"},
    {ErrorClass::index_range, kShips, kRuntimeError, "index_select(): self indexing axis dim should be positive"},
    {ErrorClass::index_range, kShips, kIndexError, "index {} is out of bounds for dimension {} with size {}"},
    {ErrorClass::dtype_mismatch, kShips, kRuntimeError,
     "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator "
     "instead."},
    {ErrorClass::dtype_mismatch, kShips, kRuntimeError,
     "where expected condition to be a boolean tensor, but got a tensor with dtype {}"},
    {ErrorClass::dtype_mismatch, k213, kRuntimeError,
     "masked_fill_ only supports boolean masks, but got mask with dtype {}"},
    {ErrorClass::dtype_mismatch, k113, kRuntimeError, "self and mat2 must have the same dtype"},
    {ErrorClass::dtype_mismatch, k113, kRuntimeError, "mat1 and mat2 must have the same dtype"},
    {ErrorClass::dtype_mismatch, k213, kRuntimeError, "self and mat2 must have the same dtype, but got {} and {}"},
    {ErrorClass::dtype_mismatch, k213, kRuntimeError, "mat1 and mat2 must have the same dtype, but got {} and {}"},
    {ErrorClass::dtype_mismatch, kShips, kRuntimeError, "expected scalar type {} but found {}"},
    {ErrorClass::dtype_mismatch, k213, kRuntimeError,
     "addmv input tensors must have the same dtype, but got {}, {}, and {}"},
    {ErrorClass::dtype_mismatch, kShips, kRuntimeError,
     "dot : expected both vectors to have same dtype, but found {} and {}"},
    {ErrorClass::shape, kShips, kRuntimeError, "mat1 must be a matrix, got {}-D tensor"},
    {ErrorClass::shape, kShips, kRuntimeError, "mat2 must be a matrix, got {}-D tensor"},
    {ErrorClass::shape, kShips, kRuntimeError, "batch1 must be a 3D tensor"},
    {ErrorClass::shape, kShips, kRuntimeError, "batch2 must be a 3D tensor"},
    {ErrorClass::shape, kShips, kRuntimeError,
     "Expected size for first two dimensions of batch2 tensor to be: {} but got: {}."},
    {ErrorClass::shape, kShips, kRuntimeError, "vector + matrix @ vector expected, got {}, {}, {}"},
    {ErrorClass::shape, kShips, kRuntimeError, "size mismatch, got input ({}), mat ({}), vec ({})"},
    {ErrorClass::shape, k113, kRuntimeError, "size mismatch, got {}, {}x{},{}"},
    {ErrorClass::shape, kShips, kRuntimeError, "1D tensors expected, but got {}D and {}D tensors"},
    {ErrorClass::shape, kShips, kRuntimeError,
     "inconsistent tensor size, expected tensor {} and src {} to have the same number of elements, but got {} and {} "
     "elements respectively"},
    {ErrorClass::shape, kShips, kRuntimeError,
     "both arguments to matmul need to be at least 1D, but they are {}D and {}D"},
    {ErrorClass::range, kShips, kRuntimeError,
     "max(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' "
     "argument."},
    {ErrorClass::range, kShips, kRuntimeError,
     "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity."},
    {ErrorClass::range, kShips, kIndexError,
     "argmax(): Expected reduction dim to be specified for input.numel() == 0."},
    {ErrorClass::range, kShips, kIndexError, "{}: Expected reduction dim {} to have non-zero size."},
    {ErrorClass::dtype_op, k213, kRuntimeError, "argmax(): does not support bool input"},
    {ErrorClass::dtype_op, kShips, kRuntimeError, "softmax with half to float conversion is not supported on CPU"},
    {ErrorClass::dtype_op, kShips, kRuntimeError,
     "mean(): could not infer output dtype. Optional dtype must be either a floating point or complex dtype. Got: {}"},
    {ErrorClass::inference_saved, k113, kRuntimeError,
     "Inference tensors cannot be saved for backward. To work around you can make a clone to get a normal tensor and "
     "use it in autograd."},
    {ErrorClass::grad_dtype, k113, kRuntimeError,
     "isDifferentiableType(variable.scalar_type()) INTERNAL ASSERT FAILED at {}, please report a bug to PyTorch. "},
    {ErrorClass::range, k113, kRuntimeError, "invalid shape dimension {}"},
    {ErrorClass::dtype_mismatch, k113, kRuntimeError,
     "source.dtype() == self.dtype() INTERNAL ASSERT FAILED at {}, please report a bug to PyTorch. "},
    {ErrorClass::internal, k113, kRuntimeError,
     "creation_meta == CreationMeta::DEFAULT INTERNAL ASSERT FAILED at {}, please report a bug to PyTorch. "},
    {ErrorClass::internal, k113, kRuntimeError,
     "saved_for INTERNAL ASSERT FAILED at {}, please report a bug to PyTorch. No grad_fn for non-leaf saved tensor"},
    {ErrorClass::internal, kShips, kRuntimeError,
     "!self.requires_grad() || self.is_contiguous() INTERNAL ASSERT FAILED at {}, please report a bug to PyTorch. "
     "as_strided_scatter is currently only supported for contiguous inputs"},
    {ErrorClass::internal, kShips, kRuntimeError,
     "0 INTERNAL ASSERT FAILED at {}, "
     "please report a bug to PyTorch. fallthrough_kernel was executed but it should have been short-circuited by the "
     "dispatcher. This could occur if you registered a fallthrough kernel as a override for a specific operator (as "
     "opposed to a backend fallback); this is NOT currently supported, and we do not intend to add support for it in "
     "the near future.  If you do find yourself in need of this, let us know in the bug tracker."},
    {ErrorClass::internal, kShips, kRuntimeError,
     "expected_k._equalsBoxedAndUnboxed(dispatchTable_[idx]) INTERNAL ASSERT FAILED at {}, please report a bug to "
     "PyTorch. Canonical state"},
    {ErrorClass::internal, k213, kRuntimeError,
     "nbytes % dtype_size == 0 INTERNAL ASSERT FAILED at {}, please report a bug to PyTorch. "},
    {ErrorClass::shape, kShips, kRuntimeError,
     "expected src to have a size equal to the slice of self. src size = {}, slice size = {}"},
    {ErrorClass::internal, k113, kRuntimeError,
     "!grad_fn INTERNAL ASSERT FAILED at {}, please report a bug to PyTorch. "},
    {ErrorClass::math_bit, kShips, kRuntimeError,
     "torch.Tensor.view is not supported for {} when converting to a different dtype."},
    {ErrorClass::math_bit, kShips, kRuntimeError,
     "view_as_real doesn't work on unresolved conjugated tensors.  To resolve the conjugate tensor so you can view it "
     "as "
     "real, use self.resolve_conj(); however, be warned that the resulting tensor will NOT alias the original."},
    {ErrorClass::no_kernel, kShips, "NotImplementedError",
     "Could not run '{}' with arguments from the '{}' backend. This could be because the operator doesn't exist for "
     "this backend, {}"},
    {ErrorClass::no_kernel, kShips, "NotImplementedError",
     "There were no tensor arguments to this function (e.g., you passed an empty list of Tensors), but no fallback "
     "function is registered for schema {}.  This usually means that this function requires a non-empty list of "
     "Tensors, or that you (the operator writer) forgot to register a fallback function.  Available functions are "
     "[{}]."},
    {ErrorClass::no_kernel, k213, "NotImplementedError",
     "{}: attempted to run this operator with Meta tensors, but there was no fake impl or Meta kernel registered. {}"},
    {ErrorClass::no_kernel, kShips, kRuntimeError, "no kernel for {} on {}"},
    {ErrorClass::unknown_operator, kShips, "AttributeError", "'_OpNamespace' '{}' object has no attribute '{}'"},
    {ErrorClass::unknown_operator, kShips, kRuntimeError, "operator {} does not exist"},
    {ErrorClass::defined_twice, kShips, kRuntimeError,
     "Tried to register an operator ({}) with the same name and overload name multiple times. Each overload's schema "
     "should only be registered with a single call to def(). Duplicate registration: {}. Original registration: {}"},
    {ErrorClass::defined_twice, kShips, kRuntimeError,
     "Only a single TORCH_LIBRARY can be used to register the namespace {}; please put all of your definitions in a "
     "single TORCH_LIBRARY block.  If you were trying to specify implementations, consider using TORCH_LIBRARY_IMPL "
     "(which can be duplicated).  {}"},
    {ErrorClass::library_kind, kShips, kRuntimeError,
     "{}Cannot define an operator inside of a TORCH_LIBRARY_IMPL block{}"},
    {ErrorClass::library_kind, kShips, kRuntimeError,
     "Fallback can only be registered using library fragment on the global namespace \"_\" but it is {}"},
    {ErrorClass::unknown_key, kShips, kRuntimeError, "could not parse dispatch key: {}"},
    {ErrorClass::fallback_twice, kShips, kRuntimeError,
     "Tried to register multiple backend fallbacks for the same dispatch key {}; previous registration {}, new "
     "registration {}"},
    {ErrorClass::alias_query, kShips, kRuntimeError, "Alias keys do not have runtime kernel registrations."},
    {ErrorClass::ambiguous_kernels, kShips, kRuntimeError,
     "0 INTERNAL ASSERT FAILED at {}, please report a bug to PyTorch. {} has kernels registered to both "
     "CompositeImplicitAutograd and a backend mapped to AutogradOther. This makes the backend kernel unreachable; {}"},
});

}  // namespace

std::span<const ErrorText> op_error_texts() { return kOpTexts; }

std::string no_such_operator(std::string_view name) {
  return error_message(ErrorClass::unknown_operator, {space_of(name), own_name(name)});
}

}  // namespace plumbline
