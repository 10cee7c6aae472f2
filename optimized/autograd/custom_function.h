// A custom autograd function, whose bodies are given as functions: what Python's torch.autograd.Function does.
#pragma once

#include <functional>

#include "optimized/autograd/node.h"

namespace plumbline::optimized {

/// `ctx` inside a body. In forward the marks are kept, and the last of a kind counts; in backward `saved` has the saved
/// tensors.
class FunctionContext {
 public:
  virtual ~FunctionContext() = default;
  virtual void save_for_backward(Tensors tensors) = 0;
  virtual void mark_dirty(Tensors tensors) = 0;
  virtual void mark_non_differentiable(Tensors tensors) = 0;
  /// `ctx.saved_tensors`, in backward.
  virtual Tensors saved() = 0;
};

/// The two bodies. `backward` may be called later, more than once, or never.
struct FunctionBodies {
  std::function<Tensors(FunctionContext&)> forward;
  /// A gradient that nothing reached is zeros; an undefined result is None.
  std::function<Tensors(FunctionContext&, const Tensors& gradients)> backward;
};

/// `F.apply(*inputs)` [torch/csrc/autograd/custom_function.cpp, python_function.cpp]. Raises what the forward body
/// raises, and custom_function if what it marks or returns does not fit.
Tensors apply_function(const FunctionBodies& bodies, const Tensors& inputs);

}  // namespace plumbline::optimized
