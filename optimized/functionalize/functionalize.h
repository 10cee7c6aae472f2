// Functionalization: what a body does to its inputs' memory stays unseen until the body has ended.
#pragma once

#include <functional>
#include <vector>

#include "optimized/dispatcher/thread_state.h"
#include "optimized/tensor/tensor.h"
#include "spec/statement.h"

namespace plumbline::optimized {

/// Runs `body` on functional tensors of `inputs` [torch.func.functionalize]. What it wrote, and what it did to an
/// input's sizes, strides and offset, is done to the inputs when it ends; a result that shares memory with an input is
/// made from that input, and one whose memory nobody else has is no view. A body that raises has changed nothing.
/// Both `remove` give the same. Raises ErrorClass::captured_write where the body writes a tensor that it was not given,
/// or that a body around it was not given, and ErrorClass::unclassified for a tensor that requires grad.
std::vector<Tensor> functionalize(const std::function<std::vector<Tensor>(std::vector<Tensor>)>& body, Remove remove,
                                  const std::vector<Tensor>& inputs);

/// Whether the calling thread runs a body of functionalize.
bool in_functionalized_body();

/// Whether the innermost body that the calling thread runs was given the tensor, or made it: it may write it. Outside
/// of bodies, whether it is functional.
bool is_functional_here(const Tensor& tensor);

/// A functional tensor of `plain`: it has its sizes, strides, offset and dtype, and its memory until it is first
/// written, which `plain` does not see. Meanwhile nobody resizes `plain`.
Tensor to_functional_tensor(const Tensor& plain);
inline bool is_functional_tensor(const Tensor& tensor) { return tensor.keys().has_any(Functionality::Functionalize); }
/// Applies what waits, so that the tensor holds all that was written to its memory. Nothing ever waits: each update is
/// applied when it is made, to memory that is the functional storage's own.
inline void sync(const Tensor& /*tensor*/) {}
/// A plain tensor of what `functional` holds now: no later write to it is seen there.
Tensor from_functional_tensor(const Tensor& functional);
/// `fresh`, which has memory of its own, as a functional tensor where the calling thread functionalizes; itself
/// elsewhere [at::lift_fresh].
Tensor lift_fresh(Tensor fresh);

/// While it lives, calls of the thread go through the kernels of Functionalize, as they do with a functional tensor.
class Functionalizing : IncludeKeys {
 public:
  Functionalizing() : IncludeKeys(Functionality::Functionalize) {}
};

}  // namespace plumbline::optimized
