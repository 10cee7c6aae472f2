// Each setting makes the tensors, calls the operator through the dispatcher, and reads what can be seen.
#include "sweep/libtorch/transforms.h"

#include <ATen/ATen.h>
#include <ATen/functorch/BatchedTensorImpl.h>
#include <ATen/functorch/DynamicLayer.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <optional>

#include "adapters/libtorch/functionalize.h"
#include "sweep/libtorch/arguments.h"
#include "sweep/libtorch/facts.h"
#include "sweep/libtorch/operators.h"

namespace plumbline::sweep::libtorch {

namespace {

std::vector<at::Tensor> made_for(const Experiment& experiment, bool on_meta = false) {
  std::vector<at::Tensor> made;
  for (const Ingredient& one : experiment.tensors) made.push_back(make(one, on_meta));
  return made;
}

/// The results of a call on these tensors. Throws Unsupported for arguments that cannot be made.
torch::jit::Stack called(const Experiment& experiment, const std::vector<at::Tensor>& tensors) {
  auto [handle, stack] = [&] {
    try {
      const c10::OperatorHandle named = handle_of(experiment.op);
      return std::pair(named, stack_of(named.schema(), experiment.arguments, tensors));
    } catch (const std::exception& error) {
      throw Unsupported(error.what());
    }
  }();
  at::manual_seed(experiment.seed);
  handle.callBoxed(stack);
  return std::move(stack);
}

void read_results(Reader& reader, const torch::jit::Stack& stack, Observation& seen) {
  for (std::size_t i = 0; i < stack.size(); ++i) reader.add_results(seen.results, stack[i], i);
}

/// What an operator returned, with each tensor replaced. Other results stay as they are.
void replace_tensors(torch::jit::Stack& stack, const std::function<at::Tensor(const at::Tensor&)>& other) {
  for (c10::IValue& value : stack) {
    if (value.isTensor()) {
      value = other(value.toTensor());
    } else if (value.isTensorList()) {
      c10::List<at::Tensor> list;
      for (const at::Tensor& t : value.toTensorVector()) list.push_back(other(t));
      value = list;
    }
  }
}

std::vector<at::Tensor> tensors_in(const torch::jit::Stack& stack) {
  std::vector<at::Tensor> all;
  for (const c10::IValue& value : stack) {
    if (value.isTensor()) all.push_back(value.toTensor());
    if (value.isTensorList())
      for (const at::Tensor& t : value.toTensorVector()) all.push_back(t);
  }
  return all;
}

/// A layer of vmap over two examples.
class VmapLayer {
 public:
  VmapLayer()
      : level_(at::functorch::initAndPushDynamicLayer(at::functorch::TransformType::Vmap, 2,
                                                      at::functorch::RandomnessType::Different)) {}
  VmapLayer(const VmapLayer&) = delete;
  VmapLayer& operator=(const VmapLayer&) = delete;
  ~VmapLayer() { at::functorch::popDynamicLayerAndDeleteMetadata(); }

  at::Tensor wrapped(const at::Tensor& t) const { return at::functorch::makeBatched(t, 0, level_); }

  /// With the examples in the first dimension; what does not depend on them is the same for both.
  at::Tensor unwrapped(const at::Tensor& t) const {
    if (!t.defined()) return t;
    const auto* batched = at::functorch::maybeGetBatchedImpl(t);
    if (batched == nullptr || batched->level() != level_) {
      std::vector<std::int64_t> sizes = t.sizes().vec();
      sizes.insert(sizes.begin(), 2);
      return t.expand(sizes);
    }
    return batched->value().movedim(batched->bdim(), 0);
  }

 private:
  std::int64_t level_;
};

bool has_gradients(const at::Tensor& t) {
  return t.defined() && t.layout() == c10::kStrided && (at::isFloatingType(t.scalar_type()) || t.is_complex());
}

/// The tensors that are to require grad, by number.
std::vector<std::size_t> required(const Experiment& experiment, const std::vector<at::Tensor>& tensors) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const auto asked = [&] {
      return std::ranges::find(*experiment.leaves, static_cast<std::int64_t>(i)) != experiment.leaves->end();
    };
    if (has_gradients(tensors[i]) && (!experiment.leaves || asked())) all.push_back(i);
  }
  return all;
}

/// The arguments of a backward.
struct Passed {
  std::vector<at::Tensor> outputs, gradients, inputs;

  std::vector<at::Tensor> back() const {
    return torch::autograd::grad(outputs, inputs, gradients, /*retain_graph=*/false, /*create_graph=*/false,
                                 /*allow_unused=*/true);
  }
};

/// The results with gradients, and these.
Passed gradients_of(const Experiment& experiment, const std::vector<at::Tensor>& results) {
  Passed passed;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const at::Tensor& t = results[i];
    if (!has_gradients(t) || !t.requires_grad()) continue;
    if (experiment.gradients && !experiment.gradients->at(i)) continue;
    passed.outputs.push_back(t);
    passed.gradients.push_back(experiment.gradients ? make(*(*experiment.gradients)[i], false)
                                                    : at::full(t.sizes(), 0.5, t.options()));
  }
  return passed;
}

/// Changes the elements and the version, whatever autograd would say of the tensor itself.
void disturb(const at::Tensor& t) {
  if (!t.defined() || t.layout() != c10::kStrided || t.numel() == 0)
    throw Unsupported("there is no element to write to");
  const at::NoGradGuard quiet;
  const at::Tensor alias = t.detach();
  try {
    if (has_gradients(t))
      alias.add_(1);
    else if (t.scalar_type() == at::kBool)
      alias.logical_not_();
    else
      alias.zero_();
  } catch (const c10::Error&) {
    throw Unsupported("its elements share memory");
  }
}

}  // namespace

void call_plainly(const Experiment& experiment, Observation& seen) {
  const Setting setting = experiment.setting;
  std::vector<at::Tensor> made;
  {
    std::optional<c10::InferenceMode> mode;
    if (setting == Setting::inference_tensors || setting == Setting::escaped) mode.emplace();
    made = made_for(experiment, setting == Setting::meta);
  }
  Reader reader(made);
  seen.before = reader.read(made);
  observe(seen, [&] {
    std::optional<c10::InferenceMode> mode;
    if (setting == Setting::inference || setting == Setting::inference_tensors) mode.emplace();
    const c10::AutoGradMode grad(setting != Setting::no_grad && c10::GradMode::is_enabled());
    read_results(reader, called(experiment, made), seen);
  });
  seen.after = reader.read(made);
}

void call_functionalized(const Experiment& experiment, Observation& seen) {
  const std::vector<at::Tensor> made = made_for(experiment);
  Reader reader(made);
  seen.before = reader.read(made);
  observe(seen, [&] {
    torch::jit::Stack stack;
    const auto body = [&](const std::vector<at::Tensor>& parameters) {
      stack = called(experiment, parameters);
      return tensors_in(stack);
    };
    const std::vector<at::Tensor> results = plumbline::libtorch::functionalize(body, Remove::mutations, made);
    auto next = results.begin();
    replace_tensors(stack, [&](const at::Tensor&) { return *next++; });
    read_results(reader, stack, seen);
  });
  seen.after = reader.read(made);
}

void call_batched(const Experiment& experiment, Observation& seen) {
  std::vector<at::Tensor> made;
  for (const Ingredient& one : experiment.tensors) {
    Ingredient other = one;
    std::ranges::reverse(other.values);
    made.push_back(at::stack({make(one, false), make(other, false)}));
  }
  Reader reader(made);
  seen.before = reader.read(made);
  observe(seen, [&] {
    torch::jit::Stack stack;
    {
      const VmapLayer layer;
      std::vector<at::Tensor> wrapped;
      for (const at::Tensor& t : made) wrapped.push_back(layer.wrapped(t));
      stack = called(experiment, wrapped);
      replace_tensors(stack, [&](const at::Tensor& t) { return layer.unwrapped(t); });
    }
    read_results(reader, stack, seen);
  });
  seen.after = reader.read(made);
}

void call_with_backward(const Experiment& experiment, Observation& seen) {
  const std::vector<at::Tensor> leaves = made_for(experiment);
  const std::vector<std::size_t> wanted = required(experiment, leaves);
  std::vector<at::Tensor> used = leaves;
  for (const std::size_t i : wanted) {
    leaves[i].requires_grad_();
    if (!experiment.bare) used[i] = leaves[i].clone();
  }
  Reader reader(used);
  seen.before = reader.read(used);
  std::vector<at::Tensor> results;
  observe(seen, [&] {
    const torch::jit::Stack stack = called(experiment, used);
    read_results(reader, stack, seen);
    results = tensors_in(stack);
  });
  if (!seen.error.empty()) return;
  if (!experiment.gradients || !experiment.gradients->empty()) {
    Passed passed = gradients_of(experiment, results);
    if (passed.outputs.empty()) throw Unsupported("no result requires grad");
    if (const auto at = static_cast<std::size_t>(experiment.disturbed); experiment.disturbed >= 0)
      disturb(at < used.size() ? used[at] : results.at(at - used.size()));
    for (const std::size_t i : wanted) passed.inputs.push_back(leaves[i]);
    seen.given = reader.read(passed.gradients);
    observe(seen, [&] {
      std::vector<at::Tensor> gradients = passed.back();
      if (experiment.twice) gradients = passed.back();
      seen.gradients.resize(leaves.size());
      for (std::size_t i = 0; i < wanted.size(); ++i) seen.gradients[wanted[i]] = reader.read(gradients[i]);
    });
  }
  seen.after = reader.read(used);
}

}  // namespace plumbline::sweep::libtorch
