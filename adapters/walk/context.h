// A custom function's bodies, as a walk passes them to an implementation.
#pragma once

#include <functional>
#include <vector>

#include "spec/vocabulary/statement.h"

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

/// Marks tensors in the implementation's own context, whose functions have PyTorch's names.
template <class Marked, class Tensors>
void mark_by(Marked& context, ContextKind kind, const Tensors& tensors) {
  switch (kind) {
    case ContextKind::save_for_backward:
      return context.save_for_backward(tensors);
    case ContextKind::mark_dirty:
      return context.mark_dirty(tensors);
    case ContextKind::mark_non_differentiable:
      return context.mark_non_differentiable(tensors);
  }
}

/// The two bodies. `backward` may be called later, more than once, or never.
template <class Tensor>
struct Bodies {
  using Tensors = std::vector<Tensor>;
  std::function<Tensors(Context<Tensor>&)> forward;
  std::function<Tensors(Context<Tensor>&, const Tensors& gradients)> backward;  ///< an undefined result means None
};

}  // namespace plumbline::walk
