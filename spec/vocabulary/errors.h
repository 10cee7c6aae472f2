// The closed list of error classes that a statement can end with, and PyTorch's message for each.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace plumbline {

/// What went wrong. `none` is success. An adapter maps its own errors to these; an error that fits no class is
/// `unclassified`, which never compares equal to any class.
enum class ErrorClass : std::uint8_t {
  none,
  inference_inplace,          ///< in-place update to an inference tensor outside InferenceMode
  inference_saved,            ///< an inference tensor saved for backward
  inference_requires_grad,    ///< requires_grad=True set on an inference tensor where it is forbidden
  inference_version,          ///< the version of an inference tensor was read
  view_inference_mode,        ///< a view made in inference mode is written while grad is recorded
  view_no_grad,               ///< a view made in no_grad mode is written while grad is recorded
  view_multi_output,          ///< a view among several results of one op is written while grad is recorded
  stale_view_inference_mode,  ///< such a view's base was written, and its history is asked for
  stale_view_no_grad,
  stale_view_multi_output,
  leaf_inplace,                ///< in-place on a leaf that requires grad
  view_of_leaf_inplace,        ///< in-place on a view of a leaf that requires grad
  not_a_leaf,                  ///< requires_grad set on a tensor that is not a leaf
  grad_dtype,                  ///< a tensor without a floating dtype would require grad
  overlap_internal,            ///< the written tensor's elements share memory with each other
  overlap_partial,             ///< the written tensor and an input overlap partly
  dim_range,                   ///< a dimension out of range, or any dimension of a tensor without dimensions
  index_range,                 ///< an index out of range (`select`)
  range,                       ///< a start, length, size or step that is not allowed
  shape,                       ///< sizes that do not fit each other or the number of elements
  view_stride,                 ///< `view` of sizes that the strides do not allow
  storage_bounds,              ///< `as_strided` outside the storage
  dtype_cast,                  ///< a result type that cannot be cast to the written tensor's
  dim_repeated,                ///< one dimension named twice (`permute`, `sum`, `diagonal`)
  dtype_mismatch,              ///< dtypes, or a number's kind, that the op does not accept together (`mm`, `alpha=`)
  number_cast,                 ///< a number beyond what the tensor's dtype can hold (`fill_`, `full`)
  option,                      ///< a memory format, device or pinned memory that is not supported here
  device,                      ///< tensors of two devices where one is needed
  memory,                      ///< more memory than there is
  unpack,                      ///< a list of results that does not match its targets
  inference_mixed,             ///< draft-1, draft-2: normal and inference tensors in one op outside inference mode
  inference_view,              ///< draft-1: a view op on an inference tensor outside inference mode
  inference_view_used,         ///< draft-1: an op outside inference mode on a view of a normal tensor made inside it
  saved_modified,              ///< backward needs a tensor that was written after it was saved
  no_graph,                    ///< backward from a tensor that does not require grad
  input_requires_no_grad,      ///< a gradient is asked for of a tensor that does not require grad
  input_unused,                ///< a gradient is asked for of a tensor that no gradient reaches
  hook_requires_no_grad,       ///< a hook is registered on a tensor that does not require grad
  hook_not_leaf,               ///< a hook after accumulation is registered on a tensor that is not a leaf
  hook_result,                 ///< a hook returns a gradient of other sizes or another dtype
  pack_writes,                 ///< a pack hook of saved tensors writes the tensor that it is given
  view_custom_function,        ///< a view made in a custom function is written while grad is recorded
  stale_view_custom_function,  ///< such a view's base was written, and its history is asked for
  custom_function,             ///< what a custom function marks or returns does not fit
  saved_detached,              ///< a saved tensor lost its history by detach_
  backward_twice,              ///< backward through a graph whose saved tensors were freed
  grad_not_scalar,             ///< backward() without a gradient from a tensor of several elements
  grad_shape,                  ///< a gradient whose sizes, dtype or number do not fit
  retain_grad,                 ///< retain_grad() of a tensor that does not require grad
  detach_view,                 ///< detach_() of a view
  out_requires_grad,           ///< an out= op whose arguments require grad, while grad mode is on
  resize_requires_grad,        ///< resize_ of a tensor that requires grad
  no_derivative,               ///< an op without a derivative on a tensor that requires grad
  leaf_moved,                  ///< backward to a leaf that got a grad_fn after the graph was recorded
  dtype_op,                    ///< an op that has no kernel for the dtype
  no_kernel,                   ///< an operator without a kernel for the call's keys
  unknown_operator,            ///< a call of an operator that is not defined
  defined_twice,               ///< a second definition of an operator, or a second DEF library of a namespace
  library_kind,       ///< an operator is defined in an IMPL library, or a fallback outside the IMPL ones of "_"
  unknown_key,        ///< no dispatch key has this name
  fallback_twice,     ///< a second fallback for a key
  alias_query,        ///< a query of the computed table for an alias key
  ambiguous_kernels,  ///< AutogradOther has two possible kernels
  captured_write,     ///< a functionalized body writes a tensor that is not one of its inputs
  not_functional,     ///< functionalization says that it does not support the program
  mapped_write,       ///< a mapped body writes a tensor without examples from one that has them
  mapped_out,         ///< it calls an op with out= on a tensor that has examples, or one that has no rule for it
  mapped_none,        ///< it returns a tensor that has examples where out_dims says None
  mapped_random,      ///< it calls a random op, and its randomness is "error"
  mapped_sizes,       ///< its inputs have different numbers of examples
  mapped_dim,         ///< in_dims says a dimension that the input does not have
  mapped_nothing,     ///< in_dims says that no input has examples
  mapped_outside,     ///< as_strided in a mapped body reaches beyond the memory of an example
  grad_scalar,        ///< the body of torch.func.grad returns a tensor that has dimensions
  grad_write,         ///< it writes a tensor that it was not given
  grad_argnum,        ///< argnums says an input that there is not
  grad_argnums,       ///< argnums says an input twice
  math_bit,           ///< an op refuses a conjugate or a negative view
  internal,           ///< an internal assertion of PyTorch fails instead of a proper error
  raised,             ///< the program raises an error of its own, with its own message
  by_schema,          ///< an op of which only the schema is known raises: the message is the implementation's own
  unclassified,
};

/// PyTorch's message for a class. `{}` stands for a varying part.
struct ErrorText {
  ErrorClass error;
  std::string_view versions;   ///< the releases with this wording: "2.13", "1.13 2.13"; "draft": only a text
  std::string_view exception;  ///< Python's type: "RuntimeError", "IndexError"
  std::string_view pattern;    ///< the message with `{}` for each varying part; several entries may share a class
};

std::string_view name_of(ErrorClass error);
/// All messages, in the order of the classes. The first one of a class is its canonical message; no message of PyTorch
/// fits patterns of two classes.
std::span<const ErrorText> error_texts();
/// The canonical message of a class, as PyTorch 2.13 words it; null for `none`, `raised` and `unclassified`.
const ErrorText* canonical_text(ErrorClass error);
/// The canonical message of a class with its `{}` replaced by `parts` in order; a part that is missing is "…".
/// Empty where there is none.
std::string error_message(ErrorClass error, std::initializer_list<std::string> parts);
/// `pattern` with its `{}` replaced by `parts` in order; a part that is missing is "…".
std::string fill(std::string_view pattern, std::span<const std::string> parts);
/// Whether PyTorch `version` ("2.13" or "2.13.0") has this wording.
bool is_of(const ErrorText& text, std::string_view version);
/// The class whose message fits `message` (its first line, as PyTorch `version`, "2.13" or "2.13.0", words it), or
/// `unclassified`.
ErrorClass classify_error(std::string_view message, std::string_view version);
/// Whether `message` is an instance of `pattern`.
bool fits(std::string_view message, std::string_view pattern);
/// The class named `name`, or `unclassified`.
ErrorClass error_named(std::string_view name);

}  // namespace plumbline
