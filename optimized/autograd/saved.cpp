// What a node saves for backward.
#include "optimized/autograd/saved.h"

#include <string>
#include <utility>

#include "optimized/autograd/history.h"
#include "optimized/autograd/recorded.h"
#include "optimized/cpu/checks.h"
#include "optimized/functionalize/functionalize.h"
#include "optimized/ops.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

[[noreturn]] void raise_modified(const Tensor& tensor, std::uint64_t expected) {
  raise(ErrorClass::saved_modified,
        {std::string("torch.") + scalar_name(tensor.dtype()) + "Tensor " + printed(tensor.sizes()),
         std::to_string(tensor.impl().version()), std::to_string(expected),
         "the backtrace further above shows the operation that failed to compute its gradient."});
}

/// A new tensor object that shares memory and version counter.
Tensor same_memory(const Tensor& tensor) {
  Tensor memory = alias_of(tensor, tensor.sizes(), tensor.strides(), tensor.offset());
  memory.impl().share_counter(tensor.impl());
  return memory;
}

}  // namespace

Saved::Saved(const Tensor& tensor, bool had_history)
    : tensor_(tensor), version_(tensor.impl().version()), state_(State::held), had_history_(had_history) {
  if (tensor.keys().has_any(Functionality::Functionalize)) [[unlikely]]
    note_saved_functional(tensor);
}

void Saved::check(const Tensor& tensor) {
  if (tensor.is_inference()) raise(ErrorClass::inference_saved);
  if (tensor.impl().uncounted) raise(ErrorClass::inference_version);
}

Saved Saved::packed(const Tensor& tensor) {
  const Tensor made = active_saved_hooks->pack(tensor);
  // A history could lead to the node that saves, and neither would ever end.
  Saved saved(has_history(made) ? same_memory(made) : made, false);
  saved.hooks_ = Ref<SavedHooks>::retain(active_saved_hooks);
  return saved;
}

Saved Saved::argument(const Tensor& tensor) {
  check(tensor);
  if (active_saved_hooks != nullptr && !tensor.impl().wrapped_number) [[unlikely]]  // a Python number is not packed
    return packed(tensor);
  return {tensor, has_history(tensor)};
}

Saved Saved::custom_argument(const Tensor& tensor) {
  check(tensor);
  if (active_saved_hooks != nullptr) [[unlikely]]
    return packed(tensor);
  return {tensor, false};
}

Saved Saved::result(const Tensor& tensor, std::size_t output) {
  check(tensor);
  if (active_saved_hooks != nullptr) [[unlikely]]
    return packed(tensor);
  Saved saved(same_memory(tensor), false);
  saved.output_ = static_cast<std::int32_t>(output);
  return saved;
}

Tensor Saved::unpack(Node* node) const {
  if (state_ == State::nothing) return {};
  if (state_ == State::freed) raise(ErrorClass::backward_twice);
  if (hooks_) {
    if (thread_state().grad_mode) raise_unrecordable("a tensor that hooks of saved tensors packed");
    return hooks_->unpack(tensor_);
  }
  if (!grad_fn_of(tensor_) && had_history_) raise(ErrorClass::saved_detached);
  if (tensor_.impl().version() != version_) raise_modified(tensor_, version_);
  if (output_ < 0 || !thread_state().grad_mode) return tensor_;
  Tensor result = same_memory(tensor_);
  set_history(result, Ref<Node>::retain(node), static_cast<std::uint32_t>(output_));
  return result;
}

Tensor Saved::release() {
  if (state_ == State::held) state_ = State::freed;
  return std::exchange(tensor_, {});
}

}  // namespace plumbline::optimized
