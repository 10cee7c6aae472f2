// Bodies of transforms among the statements: `y, … = torch.vmap(body, in_dims=…, out_dims=…)(x, …)`,
// `g, … = torch.func.grad(body, argnums=…)(x, …)`, and functionalized ones among them.
#include <algorithm>

#include "fuzz/building.h"
#include "reference/functorch/functorch.h"
#include "reference/transforms/vmap.h"
#include "spec/ops/op_ids.h"

namespace plumbline::fuzz {

namespace {

/// The kinds of genes in a body, which has calls and factories only.
constexpr std::array<GeneKind, kGeneKinds> kInBody{
    GeneKind::make_tensor, GeneKind::factory,    GeneKind::functional, GeneKind::inplace, GeneKind::view,
    GeneKind::view,        GeneKind::functional, GeneKind::inplace,    GeneKind::view,    GeneKind::functional,
    GeneKind::inplace,     GeneKind::view,       GeneKind::factory};

constexpr std::size_t kDeepestTransform = 3;

/// The dimensions of `sizes` that have `size` elements, or any if `size` is −1.
std::vector<std::int64_t> dims_of_size(const Sizes& sizes, std::int64_t size) {
  std::vector<std::int64_t> dims;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (size < 0 ? sizes[i] > 0 : sizes[i] == size) dims.push_back(static_cast<std::int64_t>(i));
  return dims;
}

}  // namespace

void Builder::transformed(const Gene& gene, Choices& choices) {
  if (open_bodies_.empty()) {
    if (!live().empty() && bodies_ < 3 && gene.op % 3 == 1) return begin_transform(gene, choices);
    return safe(gene, choices);
  }
  if (gene.unwind % 4 == 1) return end_body(choices);
  if (gene.unwind % 8 == 2 && open_bodies_.size() < kDeepestTransform && !live().empty())
    return begin_transform(gene, choices);
  Gene made = gene;
  made.kind = static_cast<std::uint8_t>(kInBody[gene.kind % kGeneKinds]);
  safe(made, choices);
}

void Builder::begin_transform(const Gene& gene, Choices& choices) {
  // How PyTorch ships functionalized bodies inside others is not described.
  if (gene.twist % 7 == 3 && !reference::functorch::ships(judge_)) return begin_body(gene, choices);
  EnterTransform enter = gene.twist % 5 < 2 ? any_grad(choices) : any_map(choices);
  const std::vector<Slot> slots = live();
  Body body{script_.statements.size(), {slots.begin(), slots.end()}, !choices.one_in(3)};
  if (!perform(enter)) return end_names(static_cast<std::size_t>(enter.parameters.front()), slots_);
  ++inner_;
  bodies_ += open_bodies_.empty() ? 1 : 0;
  open_bodies_.push_back(std::move(body));
}

EnterTransform Builder::any_map(Choices& choices) {
  const std::vector<Slot> slots = live();
  Vmap how;
  EnterTransform enter;
  const std::size_t count = 1 + choices.below(3);
  const std::size_t first = choices.below(slots.size());
  std::int64_t examples = -1;
  for (std::size_t i = 0; i < count; ++i) {
    const Slot slot = slots[(slots.size() - 1 - first + i) % slots.size()];
    const Sizes sizes = reference::sizes_of(tensor_in(state_, slot).geometry);
    const std::vector<std::int64_t> dims = dims_of_size(sizes, examples);
    const std::size_t twist = choices.below(16);
    MappedDim dim;
    if (!dims.empty() && twist != 7) dim = dims[twist % 2 == 0 ? 0 : choices.below(dims.size())];
    if (dim && twist == 9) *dim -= std::ssize(sizes);                        // counted from the end
    if (twist == 11) dim = static_cast<std::int64_t>(choices.below(4)) - 2;  // perhaps one that does not fit
    if (dim && examples < 0 && *dim >= 0 && *dim < std::ssize(sizes)) examples = sizes[static_cast<std::size_t>(*dim)];
    how.in_dims.push_back(dim);
    enter.inputs.push_back(slot);
    enter.parameters.push_back(static_cast<Slot>(slots_++));
  }
  constexpr std::array kRandomness{Randomness::different, Randomness::same, Randomness::error, Randomness::different};
  how.randomness = kRandomness[choices.below(kRandomness.size())];
  enter.transform = std::move(how);
  return enter;
}

EnterTransform Builder::any_grad(Choices& choices) {
  const std::vector<Slot> slots = live(), floats = live_floats();
  EnterTransform enter;
  Grad how;
  const std::size_t count = 1 + choices.below(3);
  for (std::size_t i = 0; i < count; ++i) {
    const bool any = floats.empty() || choices.one_in(5);
    enter.inputs.push_back((any ? slots : floats)[choices.below(any ? slots.size() : floats.size())]);
    enter.parameters.push_back(static_cast<Slot>(slots_++));
  }
  how.value = choices.one_in(3);
  const std::size_t chosen = how.value ? 1 : 1 + choices.below(count);
  for (std::size_t i = 0; i < chosen; ++i) how.argnums.push_back(static_cast<std::int64_t>(i));
  if (choices.one_in(4)) how.argnums.front() = static_cast<std::int64_t>(choices.below(5)) - 2;  // perhaps out of range
  enter.transform = std::move(how);
  return enter;
}

std::vector<Slot> Builder::live_floats() const {
  std::vector<Slot> floats;
  for (const Slot slot : live())
    if (is_inexact(tensor_in(state_, slot).dtype) && !is_complex(tensor_in(state_, slot).dtype)) floats.push_back(slot);
  return floats;
}

/// What a differentiated body returns: mostly the sum of something that it computed.
Slot Builder::number_to_return(Choices& choices) {
  std::vector<Slot> own;
  for (const Slot slot : live_floats())
    if (!open_bodies_.back().outside.contains(slot)) own.push_back(slot);
  if (own.empty() || choices.one_in(12)) {
    const auto& enter = std::get<EnterTransform>(script_.statements[open_bodies_.back().begin].kind);
    return enter.parameters.front();
  }
  const Slot slot = own[own.size() - 1 - choices.below(std::min<std::size_t>(own.size(), 3))];
  const bool is_number = reference::sizes_of(tensor_in(state_, slot).geometry).empty();
  if (choices.one_in(is_number ? 2 : 12)) return slot;
  const auto sum = static_cast<Slot>(slots_);
  if (!perform(Call{.op = OpId::sum, .arguments = {slot, None{}}, .results = {sum}})) return slot;
  ++slots_;
  return sum;
}

LeaveTransform Builder::end_of_grad(const EnterTransform& enter, Slot returned) {
  LeaveTransform leave{.out_dims = {}, .returned = {returned}, .results = {}, .differentiates = true};
  const auto& grad = std::get<Grad>(enter.transform);
  for (std::size_t i = 0; i < grad.argnums.size() + (grad.value ? 1 : 0); ++i)
    leave.results.push_back(static_cast<Slot>(slots_++));
  return leave;
}

MappedDim Builder::any_out_dim(Slot returned, Choices& choices) const {
  const std::int64_t rank = std::ssize(reference::sizes_of(tensor_in(state_, returned).geometry));
  const bool batched = reference::transforms::is_batched(state_, state_.slots[static_cast<std::size_t>(returned)]);
  const std::size_t twist = choices.below(12);
  if (twist == 5) return std::nullopt;
  if (twist == 7 && batched) return static_cast<std::int64_t>(choices.below(8)) - 4;  // perhaps out of range
  if (twist % 3 == 1) return static_cast<std::int64_t>(choices.below(static_cast<std::size_t>(rank) + 1));
  return 0;
}

}  // namespace plumbline::fuzz
