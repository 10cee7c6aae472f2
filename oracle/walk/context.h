// A custom function's bodies, as a walk hands them to an implementation.
#pragma once

#include <functional>
#include <vector>

#include "spec/statement.h"

namespace plumbline::walk {

/// `ctx` inside a body.
template <class Tensor>
class Context {
 public:
  Context() = default;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  virtual ~Context() = default;
  virtual void mark(ContextKind kind, const std::vector<Tensor>& tensors) = 0;
  virtual std::vector<Tensor> saved() = 0;
};

/// The two bodies. `backward` may be called later, more than once, or never.
template <class Tensor>
struct Bodies {
  using Tensors = std::vector<Tensor>;
  std::function<Tensors(Context<Tensor>&)> forward;
  std::function<Tensors(Context<Tensor>&, const Tensors& gradients)> backward;  ///< an undefined result is None
};

}  // namespace plumbline::walk
