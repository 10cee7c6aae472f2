// One run of backward: a place that gradients have reached (machine::ReachedPlace), and where hooks are called.
#include <algorithm>

#include "reference/call.h"
#include "reference/engine.h"
#include "reference/hooks.h"
#include "reference/raise.h"
#include "reference/world.h"
#include "spec/machine/reached.h"

namespace plumbline::reference {

/// `gradients`: by output; a leaf has one.
class Engine::Reached {
 public:
  Reached(Engine& engine, Place place, std::vector<std::optional<Carried>>* gradients)
      : engine_(engine), place_(std::move(place)), gradients_(gradients) {}

  bool is_leaf() const { return place_.first == kNoNode; }
  TensorId leaf() const { return place_.second; }
  Bool<Concrete> is_chosen() const { return engine_.is_chosen(place_); }
  Bool<Concrete> leads() { return !is_leaf() && engine_.leads_on(place_.first); }
  Bool<Concrete> arrived() const {
    return std::ranges::any_of(*gradients_, [](const auto& one) { return one.has_value(); });
  }
  Bool<Concrete> is_hooked() const {
    for (std::size_t i = 0; i < gradients_->size(); ++i)
      if (!engine_.hooks_of(place_, i).empty()) return true;
    return false;
  }
  Bool<Concrete> hooked_after() const { return engine_.state_.hooked_after.contains(leaf()); }
  void take() { engine_.take(place_, *gradients_); }
  void call_hooks() { engine_.call_hooks(place_, *gradients_); }
  void retain() {
    for (std::size_t i = 0; i < gradients_->size(); ++i) engine_.retain(place_.first, i, (*gradients_)[i]);
  }
  void run() {
    if (is_leaf())
      engine_.accumulate(leaf(), *gradients_->front());
    else
      engine_.apply(place_.first, *gradients_);
  }
  void call_hooks_after() {
    std::vector<std::int32_t> hooks = engine_.state_.hooked_after.at(leaf());
    if (!first_hook_after_is_first(engine_.judge_).v) std::ranges::reverse(hooks);
    for (const std::int32_t hook : hooks) call_hook_after(engine_.judge_, engine_.state_, hook, leaf());
  }

 private:
  Engine& engine_;
  Place place_;
  std::vector<std::optional<Carried>>* gradients_;
};

bool Engine::takes_part(const Place& place) {
  Reached reached(*this, place, nullptr);
  return machine::takes_part<Concrete>(judge_, reached, {chosen_.all, chosen_.returned}).v;
}

void Engine::reach(const Place& place, std::vector<std::optional<Carried>> gradients) {
  World world(judge_, state_);
  Reached reached(*this, place, &gradients);
  machine::reach(world, reached, {chosen_.all, chosen_.returned});
}

std::vector<std::int32_t> Engine::hooks_of(const Place& place, std::size_t output) const {
  if (place.first != kNoNode) return hooks_of_output(state_, place.first, static_cast<std::int32_t>(output));
  return hooks_of_leaf(state_, place.second);
}

/// [torch/csrc/autograd/engine.cpp, call_tensor_pre_hooks]
void Engine::call_hooks(const Place& place, std::vector<std::optional<Carried>>& gradients) {
  struct Hook {
    Engine& engine;
    const Place& place;
    std::size_t output;
    Carried& gradient;
    std::int32_t number;

    Bool<Concrete> is_later() const {
      if (place.first == kNoNode) return false;
      const auto& before = engine.node_at(place.first).outputs[output].before_retained;
      return std::ranges::find(before, number) == before.end();
    }
    void retain() { engine.retain(place.first, output, gradient); }
    void call() {
      const TensorId left = call_hook(engine.judge_, engine.state_, number, gradient.tensor);
      gradient = {elements_of(engine.state_, at(engine.state_, left)), left};
    }
  };
  World world(judge_, state_);
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    std::vector<std::int32_t> hooks = hooks_of(place, i);
    if (hooks.empty()) continue;
    if (!gradients[i]) throw ReferenceLimit("a hook of a tensor that gets no gradient");
    if (place.first == kNoNode) check_sizes(place.second);
    if (!first_hook_is_first(judge_).v) std::ranges::reverse(hooks);
    show(place, i, *gradients[i]);
    for (const std::int32_t number : hooks) {
      Hook hook{*this, place, i, *gradients[i], number};
      machine::call_hook(world, hook);
    }
  }
}

/// A leaf that gets no gradient is reached only for its hooks after accumulation.
bool Engine::hooked_without_gradient(TensorId leaf) const {
  return state_.hooked_after.contains(leaf) && leaf_calls_hooks_after<Concrete>(judge_, false).v;
}

}  // namespace plumbline::reference
