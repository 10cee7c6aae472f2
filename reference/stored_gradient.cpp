// What backward stores in `.grad`: of leaves, and of tensors for which retain_grad() was called.
#include <algorithm>
#include <array>

#include "reference/bits.h"
#include "reference/call.h"
#include "reference/engine.h"
#include "reference/passed_gradient.h"
#include "reference/raise.h"
#include "reference/world.h"
#include "spec/machine/backward.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/aut_backward.h"
#include "spec/rules/aut_grad.h"

namespace plumbline::reference {

using Elements = std::vector<Element>;

/// retain_grad(): `.grad` of a tensor that is not a leaf, in the sizes that the tensor had when it was recorded.
void Engine::retain(NodeId id, std::size_t output, const std::optional<Carried>& gradient) {
  if (!retained_.emplace(id, output).second) return;
  const auto& recorded = node_at(id).outputs[output];
  TensorId tensor = recorded.retained;
  if (tensor == kNoTensor && fills_grad<Concrete>(judge_, false).v) tensor = result_of(id, output);
  const bool missing = !gradient;
  if (tensor != kNoTensor && missing_gradient_fails<Concrete>(judge_, missing).v)
    throw ReferenceLimit("backward() that gives no gradient to a tensor with retain_grad()");
  if (tensor == kNoTensor || (missing && !missing_gradient_is_zero<Concrete>(judge_, missing).v)) return;
  const Restored device(state_.makes_on);
  state_.makes_on = recorded.device;
  const Sizes sizes = recorded.sizes;
  const Dtype dtype = recorded.dtype;
  const TensorId before = at(state_, tensor).grad;
  if (gradient && state_.tls.grad_mode.v) {
    const TensorId arrived = gradients_.tensor_of(*gradient, sizes, dtype);
    constexpr std::int64_t kContiguousFormat = 0;
    at(state_, tensor).grad =
        before == kNoTensor
            ? dispatch_on(judge_, state_, OpId::clone, {{arrived}}, {kContiguousFormat}).front()
            : dispatch_on(judge_, state_, OpId::add_Tensor, {{before, arrived}}, {std::int64_t{1}}).front();
    return;
  }
  if (gradient && gradient->tensor != kNoTensor && has_bits(at(state_, gradient->tensor)))
    throw ReferenceLimit("a retained gradient that is a conjugate or a negative view");
  Elements sum = gradient ? gradients_.elements(*gradient) : Elements(static_cast<std::size_t>(element_count(sizes)));
  if (before != kNoTensor) {
    if (sizes_of(at(state_, before).geometry) != sizes)
      throw ReferenceLimit("a retained gradient that is added to a gradient of other sizes");
    const Elements old = elements_of(state_, at(state_, before));
    const Arithmetic in(dtype);
    for (std::size_t i = 0; i < sum.size() && i < old.size(); ++i) sum[i] = in.add(old[i], sum[i]);
  }
  at(state_, tensor).grad = gradients_.fresh(sizes, dtype, std::move(sum));
}

TensorId Engine::result_of(NodeId id, std::size_t output) const {
  for (std::size_t i = 0; i < state_.tensors.size(); ++i)
    if (state_.tensors[i].node == id && state_.tensors[i].output == static_cast<std::int32_t>(output))
      return static_cast<TensorId>(i);
  return kNoTensor;
}

/// A gradient that has arrived at a leaf (machine::ArrivedGradient).
class Engine::Arrived {
 public:
  Arrived(Engine& engine, TensorId leaf, const Carried& gradient) : engine_(engine), leaf_(leaf), gradient_(gradient) {}

  Bool<Concrete> finds_one() const {
    engine_.check_sizes(leaf_);
    return at(engine_.state_, leaf_).grad != kNoTensor;
  }
  Bool<Concrete> fits() const {
    return gradient_.tensor != kNoTensor &&
           obeys_layout_contract(at(engine_.state_, gradient_.tensor).geometry, leaf().geometry) &&
           !engine_.gradients_.is_held(gradient_.tensor);
  }
  Bool<Concrete> is_inference() const { return is_inference_tensor(engine_.judge_, engine_.state_, gradient_.tensor); }
  void make(const Bool<Concrete>& stored, const Bool<Concrete>& inference) {
    fill(engine_.made_for(leaf(), gradient_, stored.v, inference.v));
  }
  void copy() { fill(engine_.copied_for(leaf(), gradient_)); }
  void replace() {
    const std::array both{leaf().grad, engine_.tensor_for(leaf(), gradient_)};
    fill(dispatch_on(engine_.judge_, engine_.state_, OpId::add_Tensor, both, {std::int64_t{1}}).front());
  }
  void add() { engine_.add_in_place(leaf(), gradient_); }

 private:
  Tensor leaf() const { return at(engine_.state_, leaf_); }
  void fill(TensorId grad) { at(engine_.state_, leaf_).grad = grad; }

  Engine& engine_;
  TensorId leaf_;
  const Carried& gradient_;
};

void Engine::accumulate(TensorId leaf, const Carried& gradient) {
  const Restored device(state_.makes_on);
  state_.makes_on = at(state_, leaf).device;
  World world(judge_, state_);
  Arrived arrived(*this, leaf, gradient);
  machine::accumulate(world, leaf, arrived);
}

/// A new `.grad`: the gradient that arrives, if it is `stored`, or a copy of it.
TensorId Engine::made_for(const Tensor& leaf, const Carried& gradient, bool stored, bool inference) {
  if (stored && is_inference_tensor(judge_, state_, gradient.tensor) == inference)
    return dispatch_on(judge_, state_, OpId::detach, {{gradient.tensor}}).front();
  const Sizes sizes = sizes_of(leaf.geometry);
  const Sizes wanted = strides_of(leaf.geometry);
  Sizes strides = is_dense(sizes, wanted) ? wanted : Sizes{};
  if (gradient.tensor == kNoTensor && gradient.laid_out && gradient_is_stored<Concrete>(judge_, true).v) {
    const Sizes own = gradient.strides.empty() ? row_major(sizes) : gradient.strides;  // those of a size of 1 are free
    if (obeys_layout_contract(geometry_of(sizes, own), leaf.geometry)) strides = own;
  }
  const Restored tls(state_.tls);
  state_.tls.inference_mode = inference;
  const TensorId made = gradients_.fresh(sizes, leaf.dtype, gradients_.elements(gradient), strides);
  if (stored) {  // only one of the two rules holds
    at(state_, made).storage = at(state_, gradient.tensor).storage;
    at(state_, made).geometry = at(state_, gradient.tensor).geometry;
  }
  return made;
}

TensorId Engine::tensor_for(const Tensor& leaf, const Carried& gradient) {
  return gradients_.tensor_of(gradient, sizes_of(leaf.geometry), leaf.dtype);
}

/// A new `.grad` that is recorded as a copy [torch/csrc/autograd/utils/grad_layout_contract.h, clone_obey_contract].
TensorId Engine::copied_for(const Tensor& leaf, const Carried& gradient) {
  constexpr std::int64_t kContiguousFormat = 0;
  const TensorId arrived = tensor_for(leaf, gradient);
  const Sizes sizes = sizes_of(leaf.geometry);
  const Sizes strides = strides_of(leaf.geometry);
  if (!is_dense(sizes, strides))
    return dispatch_on(judge_, state_, OpId::clone, {{arrived}}, {kContiguousFormat}).front();
  Elements nothing(static_cast<std::size_t>(element_count(sizes)));
  const TensorId made = make_tensor(judge_, state_, {sizes, strides, leaf.dtype, std::move(nothing)}, false);
  return dispatch_on(judge_, state_, OpId::copy_, {{made, arrived}}, {false}).front();
}

/// An existing gradient is written in place, as `grad += new` with grad mode off.
void Engine::add_in_place(const Tensor& leaf, const Carried& gradient) {
  const Restored tls(state_.tls);
  const TensorId added = tensor_for(leaf, gradient);
  state_.tls.grad_mode = false;
  dispatch_on(judge_, state_, OpId::add__Tensor, {{leaf.grad, added}}, {std::int64_t{1}});
}

}  // namespace plumbline::reference
