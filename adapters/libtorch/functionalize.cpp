// functorch's functionalization layer: wrapping, unwrapping, and writing back into inputs.
#include "adapters/libtorch/functionalize.h"

#include <ATen/ATen.h>
#include <ATen/FunctionalTensorWrapper.h>
#include <ATen/functorch/DynamicLayer.h>

namespace plumbline::libtorch {

namespace {

namespace impl = at::functionalization::impl;

/// While it lives, calls are functionalized.
class Level {
 public:
  explicit Level(bool reapply_views)
      : level_(at::functorch::initAndPushDynamicLayer(at::functorch::TransformType::Functionalize, {}, {}, {}, {},
                                                      reapply_views)) {}
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;
  ~Level() { at::functorch::popDynamicLayerAndDeleteMetadata(); }

  at::Tensor wrapped(const at::Tensor& tensor) const {
    at::Tensor wrapper = impl::to_functional_tensor(tensor);
    impl::unsafeGetFunctionalWrapper(wrapper)->set_level(level_);
    return wrapper;
  }

 private:
  std::int64_t level_;
};

/// A result, which may be a captured tensor that was never wrapped.
at::Tensor unwrapped(const at::Tensor& result, bool reapply_views) {
  if (!impl::isFunctionalTensor(result)) return result;
  impl::sync(result);
  auto* wrapper = impl::unsafeGetFunctionalWrapper(result);
  const impl::FunctionalizationReapplyViewsGuard guard(reapply_views);
  if (wrapper->apply_updates()) wrapper->regenerate_from_base();
  return wrapper->value();
}

void write_back(const at::Tensor& input, const at::Tensor& parameter) {
  const at::Tensor& value = impl::unsafeGetFunctionalWrapper(parameter)->value();
  if (input.is_same(value)) return;
  if (input.nbytes() != value.nbytes()) input.resize_(value.sizes());
  if (input.sizes() != value.sizes()) input.as_strided_(value.sizes(), value.strides());
  input.copy_(value);
}

}  // namespace

std::vector<at::Tensor> functionalize(const std::function<std::vector<at::Tensor>(std::vector<at::Tensor>)>& body,
                                      Remove remove, const std::vector<at::Tensor>& inputs) {
  const bool reapply_views = remove == Remove::mutations;
  const Level level(reapply_views);
  std::vector<at::Tensor> parameters, results;
  for (const at::Tensor& input : inputs) parameters.push_back(level.wrapped(input));
  for (const at::Tensor& result : body(parameters)) results.push_back(unwrapped(result, reapply_views));
  for (const at::Tensor& parameter : parameters) impl::sync(parameter);
  for (std::size_t i = 0; i < inputs.size(); ++i) write_back(inputs[i], parameters[i]);
  return results;
}

at::Tensor lifted(at::Tensor made) {
  return at::functorch::maybeCurrentDynamicLayer() ? at::lift_fresh(made) : std::move(made);
}

}  // namespace plumbline::libtorch
