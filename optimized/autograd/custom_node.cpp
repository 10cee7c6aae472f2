// The node of a custom function.
#include "optimized/autograd/custom_node.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "optimized/autograd/history.h"
#include "optimized/autograd/locks.h"
#include "optimized/ops.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

/// `ctx` in backward: marks no longer mean anything.
class BackwardContext : public FunctionContext {
 public:
  explicit BackwardContext(CustomNode& node) : node_(node) {}
  void save_for_backward(Tensors) override {}
  void mark_dirty(Tensors) override {}
  void mark_non_differentiable(Tensors) override {}
  Tensors saved() override { return node_.unpack(); }

 private:
  CustomNode& node_;
};

}  // namespace

CustomNode::CustomNode(std::function<Tensors(FunctionContext&, const Tensors&)> backward, const Tensors& inputs)
    : backward_(std::move(backward)) {
  for (const Tensor& input : inputs) to_.push_back(gradient_edge(input));
  edges_ = to_;
}

void CustomNode::set_results(const Tensors& results) {
  shapes_.resize(results.size());
  outputs_ = shapes_;
  for (std::size_t i = 0; i < results.size(); ++i)
    if (results[i].defined()) set_output(i, results[i]);
}

void CustomNode::save(const Tensors& tensors) {
  for (const Tensor& tensor : tensors) {
    const bool is_result = tensor.defined() && has_history(tensor) && tensor.impl().autograd->grad_fn.get() == this;
    if (tensor.defined())
      saved_.push_back(is_result ? Saved::result(tensor, tensor.impl().autograd->output)
                                 : Saved::custom_argument(tensor));
    else
      saved_.emplace_back();
  }
}

Tensors CustomNode::unpack() {
  std::vector<Saved> saved;  // hooks are called when no lock is held
  {
    const std::lock_guard lock(node_locks.of(this));
    if (freed_) raise(ErrorClass::backward_twice);
    saved = saved_;
  }
  Tensors tensors;
  for (const Saved& one : saved) tensors.push_back(one.unpack(this));
  return tensors;
}

Tensors CustomNode::apply(const Tensors& gradients, Backward&) {
  Tensors all = gradients;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!all[i].defined()) {
      const DeviceGuard guard(shapes_[i].device);
      all[i] = zeros(shapes_[i].sizes, shapes_[i].dtype);
    }
  BackwardContext context(*this);
  Tensors to = backward_(context, all);
  // Surplus gradients are accepted if they are None.
  const std::size_t inputs = edges().size();
  while (to.size() > inputs && !to.back().defined()) to.pop_back();
  if (to.size() != inputs)
    raise(ErrorClass::custom_function, {name(), std::to_string(inputs), std::to_string(to.size())});
  return to;
}

void CustomNode::release_saved() {
  Tensors released;  // end when no lock is held
  const std::lock_guard lock(node_locks.of(this));
  freed_ = true;
  for (Saved& one : saved_) released.push_back(one.release());
}

}  // namespace plumbline::optimized
