// The builder: statements that can break any invariant.
#include <algorithm>

#include "fuzz/building.h"
#include "reference/kernels.h"
#include "spec/ops/op_ids.h"

namespace plumbline::fuzz {

void Builder::unsafe(const Gene& gene, Choices& choices) {
  const std::array<Enter, 6> guards{{{GuardKind::below_autograd},
                                     {GuardKind::below_ad_inplace_or_view},
                                     {GuardKind::exclude_key, true, "ADInplaceOrView"},
                                     {GuardKind::exclude_key, true, "AutogradCPU"},
                                     {GuardKind::include_key, true, "AutogradCPU"},
                                     {GuardKind::include_key, true, "ADInplaceOrView"}}};
  const auto asked = static_cast<GeneKind>(gene.kind % kGeneKinds);
  if (asked == GeneKind::custom_function || asked == GeneKind::thread || asked == GeneKind::exit)
    return custom_operator(gene, choices);
  const std::vector<Slot> slots = live();
  const std::size_t kind = gene.op % 8;
  if (kind == 2 && !slots.empty() && choices.below(2) == 1) return hidden_write(slots, choices);
  if (kind < guards.size()) return enter(guards[kind], gene, choices);
  if (slots.empty()) return make(choose_literal_sizes(choices), choices, 0);
  const Slot x = slots[choices.below(slots.size())];
  const Slot y = slots[choices.below(slots.size())];
  if (kind == 7 && choices.below(2) == 1) return untracked_view(x, choices);
  if (kind == 7) return void(perform(Call{OpId::set__source_Tensor, {x, y}, {}, false}));
  if (choices.below(2) == 0) {
    if (perform(SetData{x, y}) && choices.below(2) == 1 && perform(Call{OpId::alias, {x}, {next_slot()}, false}))
      ++slots_;
  } else if (perform(GetData{next_slot(), x})) {
    ++slots_;
  }
}

void Builder::untracked_view(Slot x, Choices& choices) {
  const Sizes sizes = sizes_of(tensor_in(state_, x));
  if (sizes.empty() || choices.below(2) == 0) {
    const std::int64_t count = reference::element_count(sizes);
    if (perform(Call{OpId::_unsafe_view, {x, Sizes{count}}, {next_slot()}, false})) ++slots_;
    return;
  }
  Call call{
      OpId::unsafe_split_Tensor, {x, static_cast<std::int64_t>(1 + choices.below(2)), std::int64_t{0}}, {}, false};
  const std::size_t pieces = result_count(state_, op(call.op), call.arguments);
  for (std::size_t i = 0; i < pieces; ++i) call.results.push_back(static_cast<Slot>(slots_ + i));
  if (perform(call)) slots_ += pieces;
}

void Builder::hidden_write(const std::vector<Slot>& slots, Choices& choices) {
  const Slot x = slots[choices.below(slots.size())];
  const auto needs_grad = [&](Slot slot) {
    const reference::Tensor& tensor = tensor_in(state_, slot);
    return tensor.meta.requires_grad.v && tensor.dtype == tensor_in(state_, x).dtype;
  };
  const auto y = std::ranges::find_if(slots, needs_grad);
  const Slot view = next_slot();
  if (entered_.size() >= 4 || !perform(Call{OpId::alias, {x}, {view}, false})) return;
  ++slots_;
  entered_.push_back(script_.statements.size());
  perform(Enter{GuardKind::exclude_key, true, "ADInplaceOrView"});
  perform(Call{OpId::mul__Tensor, {view, y == slots.end() ? x : *y}, {}, false});
  leave();
}

}  // namespace plumbline::fuzz
