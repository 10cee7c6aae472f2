// The builder: backward and `.grad`, threads, custom functions.
#include "fuzz/building.h"

#include "reference/call.h"
#include "spec/op_ids.h"

namespace plumbline::fuzz {

void Builder::gradient(const Gene& gene, Choices& choices) {
  const std::vector<Slot> slots = live();
  if (slots.empty()) return make(choose_literal_sizes(choices), choices, 0);
  const Slot any = slots[choices.below(slots.size())];
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
    default:
      return backward(floating_slot(choices, true).value_or(any), gene, choices);
  }
}

void Builder::backward(Slot root, const Gene& gene, Choices& choices) {
  const bool retain_graph = choices.below(3) == 1;
  const Sizes sizes = sizes_of(tensor_in(state_, root));
  const bool floating = is_floating(tensor_in(state_, root).dtype);
  if (sizes.empty() || gene.twist % 16 == 15) return void(perform(Backward{root, std::nullopt, retain_graph}));
  if (floating && choices.below(3) == 2) {
    const Slot given = next_slot();
    if (!perform(Call{OpId::full, {sizes, std::int64_t{2}, tensor_in(state_, root).dtype, None{}, None{}, None{}}, {given}, false})) return;
    ++slots_;
    return void(perform(Backward{root, given, retain_graph}));
  }
  const Slot sum = next_slot();
  if (!perform(Call{OpId::sum, {root, None{}}, {sum}, false})) return;
  ++slots_;
  perform(Backward{sum, std::nullopt, retain_graph});
}

void Builder::thread(const Gene& gene, Choices& choices) {
  perform(StartThread{});
  ++inner_;
  unwind_ = 0;
  constexpr std::array<OpKind, 4> kinds{OpKind::Inplace, OpKind::View, OpKind::Functional, OpKind::Inplace};
  if (choices.one_in(3))
    make(choose_literal_sizes(choices), choices, 0);
  else
    call(kinds[choices.below(kinds.size())], gene, choices);
  --inner_;
  perform(JoinThread{});
}

void Builder::custom_function(const Gene& gene, Choices& choices) {
  const std::optional<Slot> input = floating_slot(choices, !choices.one_in(4));
  if (!input) return make(choose_literal_sizes(choices), choices, 0);
  const std::size_t kind = gene.op % 8;
  const Script script = script_;
  const reference::State state = state_;
  const std::size_t names = slots_;
  const Slot made = next_slot();
  const Slot result = static_cast<Slot>(slots_ + 1);
  const Slot given = static_cast<Slot>(slots_ + 2);
  const Slot saved = static_cast<Slot>(slots_ + 3);
  const Slot back = static_cast<Slot>(slots_ + 4);
  const bool saves = kind < 2 || choices.one_in(4);
  CustomBackward function{"F" + std::to_string(script_.functions.size() + 1), {given}, {}, {back}};
  if (saves) function.statements.push_back({LoadSaved{{saved}}, 0});
  const Value factor = saves ? Value(saved) : Value(std::int64_t{2});
  function.statements.push_back({Call{OpId::mul_Tensor, {given, factor}, {back}, false}, 0});
  if (kind == 6) function.returned.push_back(std::nullopt);
  if (kind == 7) function.statements.push_back({Call{OpId::sum, {back, None{}}, {back}, false}, 0});
  unwind_ = 0;
  script_.functions.push_back(function);
  state_.functions = script_.functions;
  slots_ += 5;
  const std::size_t begin = script_.statements.size();
  bool done = perform(EnterForward{static_cast<std::int32_t>(script_.functions.size()) - 1, {*input}});
  ++inner_;
  Slot returned = made;
  if (done && saves) done = perform(ContextCall{ContextKind::save_for_backward, {*input}});
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
  --inner_;
  if (!done) {  // an op in it raised, which other programs show: as if nothing had begun
    script_ = script;
    state_ = state;
    slots_ = names;
    return;
  }
  const Outcome outcome = reference::step(judge_, state_, {LeaveForward{{returned}, {result}}, 0});
  script_.statements.push_back({LeaveForward{{returned}, {result}}, 0});
  if (outcome.failure.error == ErrorClass::none) return;
  script_.statements.insert(script_.statements.begin() + static_cast<std::ptrdiff_t>(begin), Statement{Try{}, 0});
  script_.statements.push_back({EndTry{}, 0});
  reference::unwind(judge_, state_, entered_.size() + inner_);
}

}  // namespace plumbline::fuzz
