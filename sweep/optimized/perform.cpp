// Making the tensors, calling the operator in its setting, and reading what can be seen.
#include "sweep/optimized/perform.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <stdexcept>

#include "adapters/optimized/call.h"
#include "adapters/optimized/failure.h"
#include "optimized/autograd/variable.h"
#include "optimized/dispatcher/thread_state.h"
#include "optimized/functionalize/functionalize.h"
#include "optimized/ops.h"
#include "optimized/ops/random.h"
#include "sweep/optimized/arguments.h"
#include "sweep/optimized/facts.h"

namespace plumbline::sweep::optimized {

namespace runtime = plumbline::optimized;
using walk::Unsupported;

namespace {

using Tensors = std::vector<Tensor>;

Tensors made_for(const Experiment& experiment) {
  Tensors made;
  for (const Ingredient& one : experiment.tensors) made.push_back(make(one));
  return made;
}

Tensors called(const Experiment& experiment, const Call& call, const Tensors& tensors) {
  runtime::manual_seed(experiment.seed);
  Outcome untraced;
  return runtime::call(call, tensors, untraced);
}

bool are_listed(const Call& call) { return op(call.op).many_results; }

/// Notes the error that `call` raises.
void observe(Observation& seen, const std::function<void()>& call) {
  try {
    call();
  } catch (const std::exception&) {
    const Failure failure = runtime::current_failure();
    seen.error = failure.message.empty() ? "(no text)" : failure.message;
    seen.error_type = failure.exception;
  }
}

void call_plainly(const Experiment& experiment, Observation& seen) {
  const Setting setting = experiment.setting;
  const Call call = call_of(experiment);
  Tensors made;
  {
    std::optional<runtime::InferenceMode> mode;
    if (setting == Setting::inference_tensors || setting == Setting::escaped) mode.emplace();
    made = made_for(experiment);
  }
  Reader reader(made);
  seen.before = reader.read(made);
  observe(seen, [&] {
    std::optional<runtime::InferenceMode> mode;
    std::optional<runtime::GradMode> grad;
    if (setting == Setting::inference || setting == Setting::inference_tensors) mode.emplace();
    if (setting == Setting::no_grad) grad.emplace(false);
    seen.results = reader.results(called(experiment, call, made), are_listed(call));
  });
  seen.after = reader.read(made);
}

void call_functionalized(const Experiment& experiment, Observation& seen) {
  const Call call = call_of(experiment);
  const Tensors made = made_for(experiment);
  Reader reader(made);
  seen.before = reader.read(made);
  observe(seen, [&] {
    const auto body = [&](const Tensors& parameters) { return called(experiment, call, parameters); };
    seen.results = reader.results(runtime::functionalize(body, Remove::mutations, made), are_listed(call));
  });
  seen.after = reader.read(made);
}

/// Changes the elements and the version, whatever autograd would say of the tensor itself.
void disturb(const Tensor& t) {
  if (t.numel() == 0) throw Unsupported{"there is no element to write to"};
  const runtime::GradMode quiet(false);
  const Tensor alias = runtime::detach(t);
  try {
    if (is_floating(t.dtype()))
      runtime::add_(alias, runtime::ones({}, t.dtype()));
    else if (t.dtype() == Dtype::boolean)
      runtime::copy_(alias, runtime::eq(alias, runtime::Scalar(false)));
    else
      runtime::zero_(alias);
  } catch (const std::exception&) {
    throw Unsupported{"its elements share memory"};
  }
}

void call_with_backward(const Experiment& experiment, Observation& seen) {
  const Call call = call_of(experiment);
  const Tensors leaves = made_for(experiment);
  Tensors used, inputs;
  std::vector<std::size_t> wanted;  // the leaves that require grad
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const bool has_gradients = is_floating(leaves[i].dtype());
    if (has_gradients) {
      runtime::set_requires_grad(leaves[i], true);
      wanted.push_back(i);
      inputs.push_back(leaves[i]);
    }
    used.push_back(has_gradients ? runtime::clone(leaves[i]) : leaves[i]);
  }
  Reader reader(used);
  seen.before = reader.read(used);
  Tensors results, outputs, halves;
  observe(seen, [&] {
    results = called(experiment, call, used);
    seen.results = reader.results(results, are_listed(call));
  });
  seen.after = reader.read(used);
  if (!seen.error.empty()) return;
  for (const Tensor& t : results)
    if (is_floating(t.dtype()) && runtime::requires_grad(t)) outputs.push_back(t);
  if (outputs.empty()) throw Unsupported{"no result requires grad"};
  for (const Tensor& t : outputs) halves.push_back(runtime::full(t.sizes(), 0.5, t.dtype()));
  if (const auto place = static_cast<std::size_t>(experiment.disturbed); experiment.disturbed >= 0)
    disturb(place < used.size() ? used[place] : results.at(place - used.size()));
  observe(seen, [&] {
    const Tensors gradients = runtime::gradients(outputs, inputs, halves, /*retain_graph=*/false,
                                                 /*allow_unused=*/true);
    seen.gradients.resize(leaves.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) seen.gradients[wanted[i]] = reader.read(gradients[i]);
  });
  seen.after = reader.read(used);
}

}  // namespace

Observation perform(const Experiment& experiment) {
  if (std::ranges::find(kSettingsHere, experiment.setting) == kSettingsHere.end())
    throw std::runtime_error("the runtime has no setting " + std::string(name_of(experiment.setting)));
  Observation seen;
  try {
    if (experiment.setting == Setting::functionalized)
      call_functionalized(experiment, seen);
    else if (experiment.setting == Setting::backward)
      call_with_backward(experiment, seen);
    else
      call_plainly(experiment, seen);
  } catch (const Unsupported& unsupported) {
    throw std::runtime_error(unsupported.why);
  }
  return seen;
}

}  // namespace plumbline::sweep::optimized
