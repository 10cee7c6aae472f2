// The builder: backward and `.grad`, threads, custom functions.
#include "fuzz/building.h"
#include "reference/call.h"
#include "spec/ops/op_ids.h"

namespace plumbline::fuzz {

void Builder::gradient(const Gene& gene, Choices& choices) {
  const std::vector<Slot> slots = live();
  if (slots.empty()) return make(choose_literal_sizes(choices), choices, 0);
  const Slot any = slots[choices.below(slots.size())];
  if (gene.twist % 2 == 1) hook(gene);
  switch (gene.op % 12) {
    case 6:
      return void(perform(RetainGrad{floating_slot(choices, true).value_or(any)}));
    case 7:
      return void(perform(SetGrad{any, choices.below(2) == 0 ? std::nullopt : floating_slot(choices, false)}));
    case 8:
      if (tensor_in(state_, any).grad == reference::kNoTensor) return read(choices);
      if (perform(GetGrad{next_slot(), any})) ++slots_;
      return;
    case 9:
      return void(perform(SetRequiresGrad{any, choices.below(3) != 0, true}));
    case 10:
      return void(perform(Call{OpId::detach_, {any}, {}, false}));
    case 5:
    case 11:
      return chosen_gradients(floating_slot(choices, true).value_or(any), gene, choices);
    default:
      return backward(floating_slot(choices, true).value_or(any), gene, choices);
  }
}

reference::GraphUse Builder::graph_use(Choices& choices) {
  const std::size_t how = choices.below(3);
  const bool creates = how == 2 && choices.last() % 2 == 0;
  return {how == 1 || (creates && choices.last() % 16 != 0), creates, false};
}

void Builder::backward(Slot root, const Gene& gene, Choices& choices) {
  const auto [retain_graph, create_graph, free_layout] = graph_use(choices);
  const auto start = start_of_backward(root, gene, choices);
  if (!start) return;
  std::vector<Root> more = more_roots(start->tensor, gene, choices);
  const bool looks = start->gradient || !more.empty();
  const Backward statement{start->tensor, start->gradient, retain_graph, {}, std::move(more), create_graph};
  if (!perform(statement)) return;
  if (create_graph && choices.last() % 4 == 2) perform(statement);  // adds to what is recorded (AUT-92)
  if (choices.one_in(looks ? 2 : 8)) look_at_grad(choices);
}

std::vector<Root> Builder::more_roots(Slot first, const Gene& gene, Choices& choices) {
  std::vector<Root> more;
  while (more.size() < 3 && choices.one_in(4)) {
    const Slot root = choices.one_in(4) ? first : floating_slot(choices, !choices.one_in(8)).value_or(first);
    const auto start = start_of_backward(root, gene, choices);
    if (!start) break;
    more.push_back(*start);
  }
  return more;
}

void Builder::chosen_gradients(Slot root, const Gene& gene, Choices& choices) {
  const auto [retain_graph, create_graph, free_layout] = graph_use(choices);
  const auto start = start_of_backward(root, gene, choices);
  if (!start) return;
  std::vector<Slot> inputs;
  for (const Slot slot : live())
    if (reference::requires_grad_of(judge_, state_, held(state_, slot))) inputs.push_back(slot);
  if (inputs.empty() || choices.one_in(8)) inputs = live();
  std::vector<Slot> chosen{inputs[choices.below(inputs.size())]};
  if (choices.below(2) == 1) chosen.push_back(inputs[choices.below(inputs.size())]);
  const std::size_t how = choices.below(4);
  std::vector<Root> more = more_roots(start->tensor, gene, choices);
  if (how == 3)
    return void(perform(
        Backward{start->tensor, start->gradient, retain_graph, std::move(chosen), std::move(more), create_graph}));
  GetGradients get{start->tensor, std::move(chosen), {},          start->gradient, retain_graph,
                   how == 2,      std::move(more),   create_graph};
  for (std::size_t i = 0; i < get.inputs.size(); ++i) get.results.push_back(static_cast<Slot>(slots_ + i));
  const std::size_t made = get.results.size();
  if (!perform(std::move(get))) return;
  slots_ += made;
  if (choices.last() % 4 == 1) perform(Backward{start->tensor, start->gradient});  // through what was freed (AUT-27)
}

std::optional<Root> Builder::start_of_backward(Slot root, const Gene& gene, Choices& choices) {
  const Sizes sizes = sizes_of(tensor_in(state_, root));
  const Dtype dtype = tensor_in(state_, root).dtype;
  if (is_complex(dtype)) {  // backward has no gradient of its own for complex numbers
    const std::optional<Slot> given = given_gradient(sizes, dtype, choices);
    return given ? std::optional(Root{root, given}) : std::nullopt;
  }
  const bool whole = sizes.empty() || gene.twist % 16 == 15;
  if (!whole && is_light() && is_floating(dtype) && choices.below(2) == 1) {
    // A view passes on a view of the gradient, which no one else holds (AUT-50, AUT-60).
    if (choices.one_in(4) && perform(Call{OpId::view, {root, sizes}, {next_slot()}, false})) {
      root = next_slot();
      ++slots_;
    }
    const std::optional<Slot> given = given_gradient(sizes, dtype, choices);
    return given ? std::optional(Root{root, given}) : std::nullopt;
  }
  if (whole) return Root{root, std::nullopt};
  const Slot made = next_slot();
  if (!perform(Call{OpId::sum, {root, None{}}, {made}, false})) return std::nullopt;
  ++slots_;
  return Root{made, std::nullopt};
}

void Builder::look_at_grad(Choices& choices) {
  std::vector<Slot> leaves;
  for (const Slot slot : live())
    if (tensor_in(state_, slot).grad != reference::kNoTensor) leaves.push_back(slot);
  if (!leaves.empty() && perform(GetGrad{next_slot(), leaves[choices.below(leaves.size())]})) ++slots_;
}

std::optional<Slot> Builder::given_gradient(const Sizes& sizes, Dtype dtype, Choices& choices) {
  std::vector<Slot> fitting;
  const bool any = choices.one_in(4);  // of other sizes, or of another dtype
  for (const Slot slot : live())
    if (any && is_floating(tensor_in(state_, slot).dtype)) {
      fitting.push_back(slot);
    } else if (sizes_of(tensor_in(state_, slot)) == sizes && tensor_in(state_, slot).dtype == dtype)
      fitting.push_back(slot);
  if (!fitting.empty() && choices.below(2) == 1) return fitting[choices.below(fitting.size())];
  const Slot made = next_slot();
  const Value number = is_complex(dtype) ? Value(Complex{0.5, -2}) : Value(std::int64_t{2});
  const Call full{OpId::full, {sizes, number, dtype, None{}, None{}, None{}}, {made}, false};
  const bool inference = state_.tls.inference_mode.v;
  const bool other_mode = choices.below(2) == 1;
  if (other_mode && !perform(Enter{GuardKind::inference_mode, !inference})) return std::nullopt;
  inner_ += other_mode ? 1 : 0;
  unwind_ = 0;
  const bool done = perform(full);
  inner_ -= other_mode ? 1 : 0;
  if (other_mode) perform(Exit{});
  if (!done) return std::nullopt;
  ++slots_;
  return made;
}

void Builder::in_thread(const Gene& gene, Choices& choices) {
  constexpr std::array<OpKind, 4> kinds{OpKind::Inplace, OpKind::View, OpKind::Functional, OpKind::Inplace};
  if (choices.one_in(3))
    make(choose_literal_sizes(choices), choices, 0);
  else
    call(kinds[choices.below(kinds.size())], gene, choices);
}

/// The innermost thread waits for a statement or two of its starter, which sees none of the thread's names.
void Builder::wait(const Gene& gene, Choices& choices, std::size_t own) {
  const std::size_t until = slots_;
  perform(PauseThread{});
  ++inner_;
  end_names(own, until);
  const bool guarded = choices.one_in(2);
  if (guarded) perform(choices.one_in(2) ? Enter{GuardKind::inference_mode, true} : Enter{GuardKind::no_grad, false});
  inner_ += guarded ? 1 : 0;
  in_thread(gene, choices);
  inner_ -= guarded ? 1 : 0;
  if (guarded) perform(Exit{});
  for (std::size_t slot = own; slot < until; ++slot) ended_.erase(static_cast<Slot>(slot));
  perform(ResumeThread{});
  --inner_;
}

void Builder::thread(const Gene& gene, Choices& choices) {
  const std::size_t outer = slots_;
  perform(StartThread{});
  ++inner_;
  unwind_ = 0;
  const bool waits = gene.twist % 4 == 3, guarded = waits && gene.twist % 8 == 7;
  if (guarded) perform(Enter{GuardKind::inference_mode, gene.twist % 16 == 15});
  inner_ += guarded ? 1 : 0;
  in_thread(gene, choices);
  const std::size_t own = slots_;
  std::size_t starters = slots_;
  if (waits) {
    wait(gene, choices, outer);
    starters = slots_;
    in_thread(gene, choices);
  }
  inner_ -= guarded ? 1 : 0;
  if (guarded) perform(Exit{});
  --inner_;
  perform(JoinThread{});
  end_names(outer, own);
  end_names(starters, slots_);
}

void Builder::custom_function(const Gene& gene, Choices& choices) {
  const std::optional<Slot> input = floating_slot(choices, !choices.one_in(4));
  if (!input) return make(choose_literal_sizes(choices), choices, 0);
  const std::size_t kind = gene.op % 8;
  const Script script = script_;
  const reference::State state = state_;
  const std::size_t names = slots_;
  const bool saves = kind < 2 || choices.one_in(4);
  const bool makes = kind != 3 && kind != 4;
  std::size_t next = slots_;
  const auto name = [&] { return static_cast<Slot>(next++); };
  const Slot made = makes ? name() : *input;
  const Slot result = name();
  const Slot given = name();
  const Slot saved = saves ? name() : given;
  // A gradient may be passed on unchanged or as a view, and for it the program may enter another mode.
  const bool hands_on = kind < 4 && !saves && choices.one_in(3);
  const bool as_it_is = hands_on && gene.twist % 2 == 0;
  const Slot back = as_it_is ? given : name();
  const std::size_t forward_mode = choices.below(6);
  const std::size_t backward_mode = choices.below(6);
  const auto guard = [](std::size_t mode) { return Enter{GuardKind::inference_mode, mode == 4}; };
  CustomBackward function{"F" + std::to_string(script_.functions.size() + 1), {given}, {}, {back}};
  const auto add = [&](StatementKind statement) { function.statements.push_back({std::move(statement), 0}); };
  if (saves) add(LoadSaved{{saved}});
  const Value factor = saves ? Value(saved) : Value(std::int64_t{2});
  if (backward_mode >= 4) add(guard(backward_mode));
  if (hands_on && !as_it_is)
    add(Call{OpId::alias, {given}, {back}, false});
  else if (!hands_on)
    add(Call{OpId::mul_Tensor, {given, factor}, {back}, false});
  if (backward_mode >= 4) add(Exit{});
  if (kind == 6) function.returned.push_back(gene.twist % 2 == 0 ? std::nullopt : std::optional(back));
  if (kind == 7 && gene.twist % 2 == 0) add(Call{OpId::sum, {back, None{}}, {back}, false});
  if (kind == 7 && gene.twist % 2 == 1) {  // larger than the input
    Sizes larger = sizes_of(tensor_in(state_, *input));
    larger.insert(larger.begin(), 2);
    add(Call{OpId::expand, {back, larger, false}, {back}, false});
  }
  // In Python a backward logs through an argument of apply, so a wrong number of gradients would be another one.
  const bool right_number = function.returned.size() == 1;
  let_tell(function, right_number && gene.unwind % 4 == 3, right_number && unsafe_ && gene.unwind % 32 == 31);
  unwind_ = 0;
  script_.functions.push_back(function);
  state_.functions = script_.functions;
  slots_ = next;
  const std::size_t begin = script_.statements.size();
  bool done = perform(EnterForward{static_cast<std::int32_t>(script_.functions.size()) - 1, {*input}});
  const std::size_t outer = inner_++;
  Slot returned = made;
  if (done && saves) done = perform(ContextCall{ContextKind::save_for_backward, {*input}});
  const bool moded = forward_mode >= 4;
  if (done && moded) done = perform(guard(forward_mode));
  inner_ += done && moded ? 1 : 0;
  if (done && kind == 3) {
    done = perform(ContextCall{ContextKind::mark_dirty, {*input}}) &&
           perform(Call{OpId::mul__Tensor, {*input, std::int64_t{2}}, {}, false});
    returned = *input;
  } else if (done && kind == 4) {
    returned = *input;
  } else if (done) {
    done = perform(kind == 5 ? Call{OpId::alias, {*input}, {made}, false}
                             : Call{OpId::mul_Tensor, {*input, std::int64_t{2}}, {made}, false});
  }
  if (done && makes && gene.twist % 4 == 3) done = perform(ContextCall{ContextKind::mark_non_differentiable, {made}});
  if (done && moded) done = perform(Exit{});
  inner_ = outer;
  if (!done) {  // an op in it raised, which other programs show: go on as if it had not begun
    leave_out(LeftOut::raises_in_function);
    script_ = script;
    state_ = state;
    slots_ = names;
    return;
  }
  for (std::size_t own = static_cast<std::size_t>(makes ? made : given); own < slots_; ++own)
    if (static_cast<Slot>(own) != result) ended_.insert(static_cast<Slot>(own));
  const Outcome outcome = reference::step(judge_, state_, {LeaveForward{{returned}, {result}}, 0});
  script_.statements.push_back({LeaveForward{{returned}, {result}}, 0});
  if (outcome.failure.error == ErrorClass::none) return;
  script_.statements.insert(script_.statements.begin() + static_cast<std::ptrdiff_t>(begin), Statement{Try{}, 0});
  script_.statements.push_back({EndTry{}, 0});
  reference::unwind(judge_, state_, entered_.size() + inner_);
}

}  // namespace plumbline::fuzz
