// Functionalization: what a body does to its inputs' memory is invisible until the body has ended.
#pragma once

#include <functional>
#include <vector>

#include "optimized/dispatcher/thread_state.h"
#include "optimized/tensor/tensor.h"
#include "spec/vocabulary/statement.h"

namespace plumbline::optimized {

/// Runs `body` on functional tensors of `inputs` [torch.func.functionalize]. When it ends, its writes and its changes
/// to an input's sizes, strides and offset are applied to the inputs. A result that shares memory with an input is made
/// from that input, and a result whose memory no one else has is not a view. A body that raises has changed nothing.
/// Both `remove` give the same. Raises ErrorClass::captured_write if the body writes a tensor that was not passed to it
/// or to a body around it. Autograd records what the body does with inputs that require grad.
std::vector<Tensor> functionalize(const std::function<std::vector<Tensor>(std::vector<Tensor>)>& body, Remove remove,
                                  const std::vector<Tensor>& inputs);

/// Whether the calling thread runs a body of functionalize.
bool in_functionalized_body();

/// A node saved the functional tensor, which becomes plain when the innermost body ends.
void note_saved_functional(const Tensor& tensor);

/// Whether the innermost body of the calling thread may write the tensor, because it is an input or was made there.
/// Outside bodies: whether it is functional.
bool is_functional_here(const Tensor& tensor);

/// A functional tensor of `plain`: it has its sizes, strides, offset and dtype, and its memory until it is first
/// written, which `plain` does not see. Meanwhile no one may resize `plain`.
Tensor to_functional_tensor(const Tensor& plain);
inline bool is_functional_tensor(const Tensor& tensor) { return tensor.keys().has_any(Functionality::Functionalize); }
/// Applies pending updates, so that the tensor holds everything that was written to its memory. No update is ever
/// pending: each is applied at once to memory that belongs to the functional storage.
inline void sync(const Tensor& /*tensor*/) {}
/// A plain tensor of what `functional` holds now: no later write to it is seen there.
Tensor from_functional_tensor(const Tensor& functional);
/// `fresh`, which has memory of its own, as a functional tensor if the calling thread functionalizes; otherwise `fresh`
/// itself [at::lift_fresh].
Tensor lift_fresh(Tensor fresh);

/// While it lives, calls of the thread go through the kernels of Functionalize, as they do with a functional tensor.
class Functionalizing : IncludeKeys {
 public:
  Functionalizing() : IncludeKeys(Functionality::Functionalize) {}
};

}  // namespace plumbline::optimized
