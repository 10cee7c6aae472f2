// functorch's layer of grad: wrapping the inputs, differentiating, and unwrapping the results.
#include "adapters/libtorch/func_grad.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <ATen/functorch/DynamicLayer.h>
#include <ATen/functorch/TensorWrapper.h>
#include <c10/core/AutogradState.h>
#include <c10/core/InferenceMode.h>
#include <torch/version.h>

#include <set>
#include <sstream>

#include "adapters/libtorch/autograd.h"

namespace plumbline::libtorch {

namespace {

namespace functorch = at::functorch;

/// While it lives, calls are differentiated.
class GradLevel {
 public:
  GradLevel() : inference_mode_(c10::InferenceMode::is_enabled()), level_(begin()), enabled_(true) {}
  GradLevel(const GradLevel&) = delete;
  GradLevel& operator=(const GradLevel&) = delete;
  ~GradLevel() {
    functorch::popDynamicLayerAndDeleteMetadata();
    set_inference_mode(inference_mode_);
  }

  at::Tensor wrapped(const at::Tensor& tensor) const { return functorch::makeTensorWrapper(tensor, level_); }
  at::Tensor unwrapped(const at::Tensor& tensor) const {
    const auto* wrapper = functorch::maybeGetTensorWrapper(tensor);
    return wrapper != nullptr && wrapper->level() == level_ ? wrapper->value() : tensor;
  }

 private:
  /// Without grad mode, which the guard would change, too.
  static void set_inference_mode(bool on) {
    auto state = c10::AutogradState::get_tls_state();
    state.set_inference_mode(on);
    c10::AutogradState::set_tls_state(state);
  }
  static std::int64_t begin() {
    const bool grad_mode = c10::GradMode::is_enabled();
#if TORCH_VERSION_MAJOR >= 2
    const bool inference_mode = c10::InferenceMode::is_enabled();
    if (inference_mode) set_inference_mode(false);
    return functorch::initAndPushDynamicLayer(functorch::TransformType::Grad, {}, {}, grad_mode, {}, {},
                                              inference_mode);
#else
    return functorch::initAndPushDynamicLayer(functorch::TransformType::Grad, {}, {}, grad_mode);
#endif
  }

  bool inference_mode_;
  std::int64_t level_;
  c10::AutoGradMode enabled_;
};

/// The inputs that argnums says, from the front.
std::vector<std::size_t> chosen_of(const std::vector<std::int64_t>& argnums, std::size_t inputs) {
  const auto count = static_cast<std::int64_t>(inputs);
  std::vector<std::size_t> chosen;
  for (const std::int64_t argnum : argnums) {
    TORCH_CHECK(argnum >= -count && argnum < count, "Got argnum=", argnum, ", but only ", count, " positional inputs");
    chosen.push_back(static_cast<std::size_t>(argnum < 0 ? argnum + count : argnum));
  }
  std::ostringstream printed;
  for (const std::size_t one : chosen) printed << (printed.tellp() == 0 ? "(" : ", ") << one;
  TORCH_CHECK(std::set(chosen.begin(), chosen.end()).size() == chosen.size(), "argnums elements must be unique, got ",
              printed.str(), ")");
  return chosen;
}

/// The gradients of `output`, zeros where there are none [torch/_functorch/eager_transforms.py, _autograd_grad].
std::vector<at::Tensor> gradients_of(const at::Tensor& output, const std::vector<at::Tensor>& inputs) {
  std::vector<at::Tensor> gradients(inputs.size());
  if (output.requires_grad())
    gradients = get_gradients({output}, inputs, {at::Tensor()}, /*retain_graph=*/true, /*create_graph=*/true,
                              /*allow_unused=*/true);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (!gradients[i].defined()) gradients[i] = at::zeros_like(inputs[i]);
  return gradients;
}

}  // namespace

std::vector<at::Tensor> func_grad(const std::function<std::vector<at::Tensor>(std::vector<at::Tensor>)>& body,
                                  const Grad& how, const std::vector<at::Tensor>& inputs) {
  const GradLevel level;
  std::vector<at::Tensor> parameters, chosen;
  for (const at::Tensor& input : inputs) parameters.push_back(level.wrapped(input));
  for (const std::size_t one : chosen_of(how.argnums, inputs.size())) {
    chosen.push_back(parameters[one]);
    chosen.back().requires_grad_();
  }
  const at::Tensor output = body(parameters).at(0);
  TORCH_CHECK(output.dim() == 0,
              "grad_and_value(f)(*args): Expected f(*args) to return a scalar Tensor, got tensor with ", output.dim(),
              " dims. Maybe you wanted to use the vjp or jacrev APIs instead?");
  std::vector<at::Tensor> results = gradients_of(output, chosen);
  if (how.value) results.push_back(output);
  for (at::Tensor& result : results) result = level.unwrapped(result);
  return results;
}

}  // namespace plumbline::libtorch
