// The builder: hooks.
#include "fuzz/building.h"
#include "reference/call.h"
#include "spec/ops/op_ids.h"

namespace plumbline::fuzz {

std::vector<Slot> Builder::live_like(const reference::Tensor& tensor) const {
  const Sizes sizes = sizes_of(tensor);
  std::vector<Slot> alike;
  for (const Slot slot : live())
    if (sizes_of(tensor_in(state_, slot)) == sizes && tensor_in(state_, slot).dtype == tensor.dtype)
      alike.push_back(slot);
  return alike;
}

/// Most hooks compute a gradient or keep the one that they get. The others write it or another tensor, return another
/// tensor, use another mode, or return what does not fit.
CustomBackward Builder::made_hook(const reference::Tensor& tensor, ManyChoices& choices) {
  const std::vector<Slot> alike = live_like(tensor);
  const auto given = static_cast<Slot>(slots_++);
  const Slot other = alike.empty() ? given : choices.any(alike);
  CustomBackward hook{"hook" + std::to_string(script_.functions.size() + 1), {given}, {}, {std::nullopt}};
  const auto add = [&](StatementKind statement) { hook.statements.push_back({std::move(statement), 0}); };
  const auto compute = [&](OpId op, std::vector<Value> arguments) {
    const auto made = static_cast<Slot>(slots_++);
    add(Call{op, std::move(arguments), {made}, false});
    hook.returned = {made};
  };
  switch (choices.below(12)) {
    case 0:
      break;
    case 1:
      hook.returned = {given};
      break;
    case 2:
      add(Call{OpId::mul__Tensor, {given, std::int64_t{2}}, {}, false});
      break;
    case 3:
      hook.returned = {other};
      break;
    case 4:
      compute(OpId::add_Tensor, {given, other, std::int64_t{1}});
      break;
    case 5:
      compute(OpId::alias, {given});
      break;
    case 6:
      add(Call{OpId::add__Tensor, {other, given, std::int64_t{1}}, {}, false});
      break;
    case 7:
      compute(OpId::sum, {given, None{}});
      break;
    case 8:
    case 9:
      add(Enter{GuardKind::inference_mode, choices.below(2) == 1});
      compute(OpId::mul_Tensor, {given, std::int64_t{3}});
      add(Exit{});
      break;
    default:
      compute(OpId::mul_Tensor, {given, std::int64_t{2}});
  }
  return hook;
}

/// Most hooks after accumulation use the gradient as an optimizer does. The others write it, let it go, or do nothing.
CustomBackward Builder::made_hook_after(ManyChoices& choices) {
  const auto leaf = static_cast<Slot>(slots_++);
  CustomBackward hook{"after" + std::to_string(script_.functions.size() + 1), {leaf}, {}, {std::nullopt}};
  const auto add = [&](StatementKind statement) { hook.statements.push_back({std::move(statement), 0}); };
  const auto gradient = [&] {
    const auto made = static_cast<Slot>(slots_++);
    add(GetGrad{made, leaf});
    return made;
  };
  switch (choices.below(8)) {
    case 0:
      break;
    case 1:
      add(Call{OpId::mul__Tensor, {gradient(), std::int64_t{2}}, {}, false});
      break;
    case 2:
      add(Call{OpId::mul__Tensor, {leaf, std::int64_t{2}}, {}, false});
      break;
    case 3:
      add(SetGrad{leaf, std::nullopt});
      break;
    case 4:
      add(Enter{GuardKind::inference_mode, choices.below(2) == 1});
      add(Call{OpId::add__Tensor, {leaf, gradient(), std::int64_t{1}}, {}, false});
      add(Exit{});
      break;
    case 5:
    case 6:
      add(Call{OpId::add__Tensor, {leaf, gradient(), std::int64_t{-1}}, {}, false});
      add(SetGrad{leaf, std::nullopt});
      break;
    default:
      add(Call{OpId::add__Tensor, {leaf, gradient(), std::int64_t{2}}, {}, false});
  }
  return hook;
}

bool Builder::register_hook(Slot tensor, ManyChoices& choices, bool after) {
  const std::size_t own = slots_;
  const auto number = static_cast<std::int32_t>(script_.functions.size());
  script_.functions.push_back(after ? made_hook_after(choices) : made_hook(tensor_in(state_, tensor), choices));
  let_tell(script_.functions.back(), choices.one_in(3), unsafe_ && choices.one_in(24));
  state_.functions = script_.functions;
  end_names(own, slots_);
  const std::size_t before = script_.statements.size();
  unwind_ = 0;
  if (perform(RegisterHook{tensor, number, after})) {
    hooks_.push_back(number);
    return true;
  }
  if (script_.statements.size() == before) {  // it was left out
    script_.functions.pop_back();
    state_.functions = script_.functions;
  }
  return false;
}

void Builder::hook(const Gene& gene) {
  ManyChoices choices(gene);
  const std::vector<Slot> fitting = floating_slots(!choices.one_in(8));
  if (fitting.empty() || !is_light()) return;
  const Slot tensor = choices.any(fitting);
  const bool leaf = !tensor_in(state_, tensor).meta.has_grad_fn.v;
  const bool after = gene.twist % 3 == 2 && (leaf || choices.one_in(4));
  if (!register_hook(tensor, choices, after)) return;
  switch (choices.below(8)) {
    case 4:
    case 5:
      if (leaf) break;
      [[fallthrough]];
    case 0:
      if (leaf) return void(perform(SetRequiresGrad{tensor, false}));
      perform(Call{OpId::mul__Tensor, {tensor, std::int64_t{2}}, {}, false});  // the hook is of the value before
      register_hook(tensor, choices);
      break;
    case 1:
      perform(RetainGrad{tensor});
      register_hook(tensor, choices);
      break;
    case 2:
      register_hook(tensor, choices);
      perform(RemoveHook{choices.any(hooks_)});
      break;
    case 3:
      register_hook(tensor, choices, after);
      break;
    default:
      break;
  }
}

/// Most hooks of saved tensors keep what they get, as PyTorch's own do: a part of a graph must not own the graph, so
/// they keep an alias or a copy. The others change it, write a tensor, or use another mode.
CustomBackward Builder::made_saved_hook(const char* name, ManyChoices& choices) {
  const auto given = static_cast<Slot>(slots_++);
  const auto made = static_cast<Slot>(slots_++);
  CustomBackward hook{name + std::to_string(script_.functions.size() + 1), {given}, {}, {made}};
  const auto add = [&](StatementKind statement) { hook.statements.push_back({std::move(statement), 0}); };
  const std::vector<Slot> others = floating_slots(choices.one_in(4));
  const std::size_t kind = choices.below(12);
  const bool writes = kind >= 3 && kind < 6;
  switch (writes && !unsafe_ ? 11 : kind) {
    case 0:
    case 1:
      add(Call{OpId::clone, {given, None{}}, {made}, false});
      break;
    case 2:
      add(Call{OpId::mul_Tensor, {given, std::int64_t{2}}, {made}, false});
      break;
    case 3:
      add(Call{OpId::mul__Tensor, {given, std::int64_t{2}}, {}, false});
      add(Call{OpId::detach, {given}, {made}, false});
      break;
    case 4:
    case 5:
      if (!others.empty())
        add(Call{OpId::add__Tensor, {choices.any(others), std::int64_t{1}, std::int64_t{1}}, {}, false});
      add(Call{OpId::detach, {given}, {made}, false});
      break;
    case 6:
      add(Enter{GuardKind::inference_mode, choices.below(2) == 1});
      add(Call{OpId::clone, {given, None{}}, {made}, false});
      add(Exit{});
      break;
    default:
      add(Call{OpId::detach, {given}, {made}, false});
  }
  return hook;
}

void Builder::enter_saved_hooks(ManyChoices& choices) {
  const std::size_t own = slots_, place = script_.statements.size();
  const auto number = static_cast<std::int32_t>(script_.functions.size());
  script_.functions.push_back(made_saved_hook("pack", choices));
  script_.functions.push_back(made_saved_hook("unpack", choices));
  state_.functions = script_.functions;
  end_names(own, slots_);
  unwind_ = 0;
  perform(EnterSavedTensorsHooks{number, number + 1});
  entered_.push_back(place);
}

bool Builder::backward_of_sum(Slot tensor) {
  const Slot sum = next_slot();
  if (!perform(Call{OpId::sum, {tensor, None{}}, {sum}, false})) return false;
  ++slots_;
  return perform(Backward{sum});
}

void Builder::saved_hooks(const Gene& gene) {
  ManyChoices choices(gene);
  const std::vector<Slot> tensors = floating_slots(true);
  if (tensors.empty() || !is_light() || entered_.size() >= 3) return;
  const Slot x = choices.any(tensors);
  std::vector<Slot> alike = live_like(tensor_in(state_, x));
  alike.insert(alike.begin(), x);  // twice as often as the others
  const Slot other = choices.any(alike);
  const std::size_t outside = entered_.size();
  enter_saved_hooks(choices);
  if (choices.one_in(6)) enter_saved_hooks(choices);
  const bool in_thread = choices.one_in(6);
  const std::size_t own = slots_;
  if (in_thread) perform(StartThread{});
  inner_ += in_thread ? 1 : 0;
  const Slot made = next_slot();
  const bool saves = perform(choices.one_in(4) ? Call{OpId::exp, {x}, {made}, false}
                                               : Call{OpId::mul_Tensor, {x, other}, {made}, false});
  if (saves) ++slots_;
  if (saves && in_thread) backward_of_sum(made);
  inner_ -= in_thread ? 1 : 0;
  if (in_thread) {
    perform(JoinThread{});
    end_names(own, slots_);
  }
  if (choices.one_in(4)) return;  // the hooks stay in effect
  while (entered_.size() > outside) leave();
  if (!saves || in_thread) return;
  if (other != x && choices.one_in(2)) perform(Call{OpId::mul__Tensor, {other, std::int64_t{2}}, {}, false});
  backward_of_sum(made);
}

}  // namespace plumbline::fuzz
