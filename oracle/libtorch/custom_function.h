// A custom torch.autograd.Function whose bodies are given as functions: what Python's `F.apply` does.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <vector>

#include "spec/statement.h"

namespace plumbline::libtorch {

using Tensors = std::vector<at::Tensor>;

/// `ctx` inside a body.
class Context {
 public:
  virtual ~Context() = default;
  virtual void mark(ContextKind kind, const Tensors& tensors) = 0;
  virtual Tensors saved() = 0;
};

/// The two bodies. `backward` may be called later, more than once, or never.
struct Bodies {
  std::function<Tensors(Context&)> forward;
  std::function<Tensors(Context&, const Tensors& gradients)> backward;  ///< an undefined result is None
};

/// `F.apply(*inputs)`. Throws what the forward body throws, and what PyTorch says of what it marks and returns.
Tensors apply(const Bodies& bodies, const Tensors& inputs);

}  // namespace plumbline::libtorch
