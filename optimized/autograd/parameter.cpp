// Where the gradient of a body's parameter arrives.
#include "optimized/autograd/parameter.h"

#include <optional>
#include <span>
#include <string>
#include <utility>

#include "optimized/autograd/history.h"
#include "optimized/autograd/variable.h"

namespace plumbline::optimized {

namespace {

/// It passes the gradient on to what the caller has.
class Parameter : public Node {
 public:
  Parameter(const Tensor& tensor, bool leaf, Edge to)
      : to_(std::move(to)), shape_(OutputShape::of(tensor)), leaf_(leaf) {
    if (to_ || to_.ends) edges_ = std::span(&to_, 1);
    outputs_ = std::span(&shape_, 1);
  }
  std::string name() const override { return "Parameter"; }
  std::optional<std::pair<std::uint32_t, std::string>> named(std::uint32_t /*output*/) const override {
    return to_ ? to_.node->named(to_.output) : std::nullopt;
  }
  Tensors apply(const Tensors& gradients, Backward& /*run*/) override {
    return edges().empty() ? Tensors{} : Tensors{gradients[0]};
  }
  bool stands_for_leaf() const override { return leaf_; }

 private:
  Edge to_;
  OutputShape shape_;
  bool leaf_;
};

}  // namespace

void begin_history(const Tensor& own, bool leaf, Edge to) {
  AutogradMeta& meta = meta_of(own.impl());
  meta.grad_fn = Ref<Node>::adopt(new Parameter(own, leaf, std::move(to)));
  meta.output = 0;
}

void lead_to(const Tensor& own, const Tensor& outer) {
  const AutogradMeta* const meta = outer.impl().autograd;
  const bool stale =
      is_view(outer) && meta->recorded_at != outer.impl().version() && (meta->grad_fn || requires_grad(meta->base));
  if (stale) {
    meta_of(own.impl()).grad_fn = meta->grad_fn;
    meta_of(own.impl()).output = meta->output;
    return;
  }
  const bool leaf = !has_history(outer) || meta->grad_fn->stands_for_leaf();
  begin_history(own, leaf, gradient_edge(outer));
  own.impl().autograd->recorded_at = own.impl().version();
}

void give_history_back(const Tensor& own, const Tensor& outer) {
  const AutogradMeta* const meta = own.impl().autograd;
  if (meta == nullptr || !meta->grad_fn || dynamic_cast<const Parameter*>(meta->grad_fn.get()) != nullptr) return;
  if (is_view(own)) return;
  set_history(outer, meta->grad_fn, meta->output);
}

}  // namespace plumbline::optimized
