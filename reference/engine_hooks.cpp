// One run of backward: where it calls hooks.
#include <algorithm>

#include "reference/call.h"
#include "reference/engine.h"
#include "reference/hooks.h"
#include "reference/raise.h"
#include "spec/rules/aut_hooks.h"

namespace plumbline::reference {

std::vector<std::int32_t> Engine::hooks_of(const Place& place, std::size_t output) const {
  if (place.first != kNoNode) return hooks_of_output(state_, place.first, static_cast<std::int32_t>(output));
  std::vector<std::int32_t> hooks = hooks_of_leaf(state_, place.second);
  if (!hooks.empty() && !leaf_calls_hooks<Concrete>(judge_, requires_grad_of(judge_, state_, place.second)).v)
    hooks.clear();
  return hooks;
}

/// [torch/csrc/autograd/engine.cpp, call_tensor_pre_hooks]
void Engine::call_hooks(const Place& place, std::vector<std::optional<Carried>>& gradients) {
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    std::vector<std::int32_t> hooks = hooks_of(place, i);
    if (hooks.empty()) continue;
    if (!gradients[i]) throw ReferenceLimit("a hook of a tensor that gets no gradient");
    if (place.first == kNoNode) check_sizes(place.second);
    if (!first_hook_is_first(judge_).v) std::ranges::reverse(hooks);
    Carried& gradient = *gradients[i];
    show(place, i, gradient);
    for (const std::int32_t hook : hooks) {
      if (place.first != kNoNode && !retained_comes_last(judge_).v) {
        const auto& before = node_at(place.first).outputs[i].before_retained;
        if (std::ranges::find(before, hook) == before.end()) retain(place.first, i, gradient);
      }
      const TensorId left = call_hook(judge_, state_, hook, gradient.tensor);
      gradient = {elements_of(state_, at(state_, left)), left};
    }
  }
}

/// [torch/csrc/autograd/functions/accumulate_grad.h, tensor_post_acc_grad_hooks]
void Engine::call_hooks_after(TensorId leaf, bool fills) {
  const auto found = state_.hooked_after.find(leaf);
  if (found == state_.hooked_after.end()) return;
  if (!leaf_calls_hooks_after<Concrete>(judge_, fills && requires_grad_of(judge_, state_, leaf)).v) return;
  std::vector<std::int32_t> hooks = found->second;
  if (!first_hook_after_is_first(judge_).v) std::ranges::reverse(hooks);
  for (const std::int32_t hook : hooks) call_hook_after(judge_, state_, hook, leaf);
}

bool Engine::hooked_without_gradient(TensorId leaf) const {
  return state_.hooked_after.contains(leaf) && leaf_calls_hooks_after<Concrete>(judge_, false).v;
}

}  // namespace plumbline::reference
