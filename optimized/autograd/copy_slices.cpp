// How a recorded write through a view changes its base's history and the histories of the other views.
#include "optimized/autograd/copy_slices.h"

#include <mutex>
#include <utility>

#include "optimized/autograd/history.h"
#include "optimized/autograd/locks.h"
#include "optimized/autograd/recorded.h"
#include "optimized/autograd/strided.h"
#include "optimized/ops.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

class CopySlices : public Node {
 public:
  CopySlices(const Tensor& base, const Tensor& written, Ref<Node> by)
      : base_(Layout::of(base)), view_(Layout::of(written)), shape_(OutputShape::of(base)), by_(std::move(by)) {
    outputs_ = std::span(&shape_, 1);
    to_.assign(by_->edges().begin(), by_->edges().end());
    to_.at(0) = gradient_edge(base);
    edges_ = to_;
  }

  std::string name() const override { return "CopySlices"; }

  Tensors apply(const Tensors& gradients, Backward& run) override {
    Tensors to(edges().size());
    if (!gradients[0].defined()) return to;
    if (thread_state().grad_mode) raise_unrecordable("a tensor that was written through a view");
    const Ref<Node> by = written_by();
    const DeviceGuard guard(gradients[0].device());
    const SharedMemory memory = shared_memory(base_, view_, gradients[0].dtype());
    Tensor whole = as_strided(memory.zeros, base_.sizes, base_.strides, memory.first);
    copy_(whole, gradients[0]);
    const Tensor slice = as_strided(memory.zeros, view_.sizes, view_.strides, memory.second);
    Tensors through = by->apply({clone(slice)}, run);
    for (std::size_t i = 0; i < through.size() && i < to.size(); ++i)
      if (needs(i)) to[i] = std::move(through[i]);
    if (to[0].defined()) {
      copy_(slice, to[0]);
      to[0] = std::move(whole);
    }
    return to;
  }

  void release_saved() override {
    Ref<Node> by;  // ends when no lock is held
    const std::lock_guard lock(node_locks.of(this));
    by = std::move(by_);
  }

 private:
  Ref<Node> written_by() const {
    const std::lock_guard lock(node_locks.of(this));
    if (!by_) raise(ErrorClass::backward_twice);
    return by_;
  }

  Layout base_;
  Layout view_;
  OutputShape shape_;
  std::vector<Edge> to_;
  Ref<Node> by_;
};

class AsStrided : public Node {
 public:
  AsStrided(const Tensor& base, const Tensor& view)
      : base_(Layout::of(base)), view_(Layout::of(view)), shape_(OutputShape::of(view)), to_(gradient_edge(base)) {
    outputs_ = std::span(&shape_, 1);
    edges_ = std::span(&to_, 1);
  }

  std::string name() const override { return "AsStridedBackward0"; }
  Tensors apply(const Tensors& gradients, Backward&) override {
    if (!gradients[0].defined() || !to_) return Tensors(1);
    if (thread_state().grad_mode) raise_unrecordable("a view whose base was written");
    const DeviceGuard guard(gradients[0].device());
    return {as_strided_gradient(gradients[0], base_, view_)};
  }

 private:
  Layout base_;
  Layout view_;
  OutputShape shape_;
  Edge to_;
};

}  // namespace

Ref<Node> copy_slices(const Tensor& base, const Tensor& written, const Ref<Node>& by) {
  return Ref<Node>::adopt(new CopySlices(base, written, by));
}

Ref<Node> as_strided_of_base(const Tensor& base, const Tensor& view) {
  return Ref<Node>::adopt(new AsStrided(base, view));
}

}  // namespace plumbline::optimized
