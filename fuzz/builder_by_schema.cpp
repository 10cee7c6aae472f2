// The builder: calls of ops of which only the schema is known.
#include <algorithm>
#include <array>

#include "fuzz/building.h"
#include "fuzz/by_schema/choices.h"
#include "fuzz/scene.h"
#include "reference/bits.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"
#include "spec/vocabulary/call_slots.h"

namespace plumbline::fuzz {

namespace {

/// The tensor of which `wanted` is the transpose in its last two dimensions.
MakeTensor transposed(const MakeTensor& wanted) {
  MakeTensor made = wanted;
  const std::size_t rank = wanted.sizes.size();
  const auto rows = static_cast<std::size_t>(wanted.sizes[rank - 2]);
  const auto columns = static_cast<std::size_t>(wanted.sizes[rank - 1]);
  std::swap(made.sizes[rank - 2], made.sizes[rank - 1]);
  const std::size_t numbers = numbers_in(wanted.dtype);
  for (std::size_t number = 0; number < wanted.values.size(); ++number) {
    const std::size_t at = number / numbers;
    const std::size_t block = at / (rows * columns);
    const std::size_t row = at / columns % rows;
    const std::size_t to = block * rows * columns + at % columns * rows + row;
    made.values[to * numbers + number % numbers] = wanted.values[number];
  }
  return made;
}

/// Two of them, one after the other.
MakeTensor twice(const MakeTensor& wanted) {
  MakeTensor made = wanted;
  made.sizes.insert(made.sizes.begin(), 2);
  made.values.insert(made.values.end(), wanted.values.begin(), wanted.values.end());
  return made;
}

/// The choice with complex tensors in place of floating ones, and sometimes a complex number in place of a Scalar. Ops
/// that do not take them raise an error.
SchemaChoice with_complex(SchemaChoice chosen, ManyChoices& choices) {
  for (MakeTensor& wanted : chosen.tensors) {
    if (!is_floating(wanted.dtype)) continue;
    wanted.dtype = wanted.dtype == Dtype::float64 ? Dtype::complex128 : Dtype::complex64;
    std::vector<double> parts;
    for (std::size_t i = 0; i < wanted.values.size(); ++i) {
      parts.push_back(wanted.values[i]);
      parts.push_back(static_cast<double>(i % 4) - 1);
    }
    wanted.values = std::move(parts);
  }
  for (std::size_t i = 0; i < chosen.arguments.size(); ++i)
    if (op(chosen.op).arguments[i].type == ArgType::Scalar && choices.one_in(4)) chosen.arguments[i] = Complex{0.5, -2};
  return chosen;
}

}  // namespace

std::optional<Slot> Builder::made_for_schema(MakeTensor wanted, ManyChoices& choices) {
  constexpr std::int64_t kEnoughToDouble = 32;
  const std::size_t guise = choices.below(8);
  const std::size_t rank = wanted.sizes.size();
  const auto add = [&](StatementKind kind) {
    if (!perform(std::move(kind))) return false;
    ++slots_;
    return true;
  };
  wanted.requires_grad = is_floating(wanted.dtype) && !functionalizes_ && open_bodies_.empty() && choices.one_in(4);
  wanted.result = next_slot();
  const bool outer_inference = state_.tls.inference_mode.v;
  if (guise == 7 && entered_.size() < 4 && open_bodies_.empty()) {  // made in the other mode; an error ends a body
    wanted.requires_grad = false;
    if (!perform(Enter{GuardKind::inference_mode, !outer_inference})) return std::nullopt;
    const bool made = add(wanted);
    perform(Exit{});
    return made ? std::optional(wanted.result) : std::nullopt;
  }
  const std::int64_t count = reference::element_count(wanted.sizes);
  if (guise == 6 && rank >= 2 && count > 0) {
    if (!add(transposed(wanted))) return std::nullopt;
    const Slot view = next_slot();
    if (!add(Call{OpId::transpose_int, {wanted.result, std::int64_t{-2}, std::int64_t{-1}}, {view}, false}))
      return std::nullopt;
    return view;
  }
  if (guise == 5 && count > 0 && count <= kEnoughToDouble) {
    if (!add(twice(wanted))) return std::nullopt;
    const Slot view = next_slot();
    if (!add(Call{OpId::select_int, {wanted.result, std::int64_t{0}, std::int64_t{1}}, {view}, false}))
      return std::nullopt;
    return view;
  }
  return add(wanted) ? std::optional(wanted.result) : std::nullopt;
}

std::optional<Slot> Builder::tensor_for_schema(const MakeTensor& wanted, ManyChoices& choices) {
  const std::vector<Slot> slots = live();
  const std::size_t pick = choices.below(16);
  if (pick == 15 && !slots.empty()) return choices.any(slots);  // mostly refused
  std::vector<Slot> fitting;
  for (const Slot slot : slots) {
    const reference::Tensor& tensor = tensor_in(state_, slot);
    if (tensor.dtype == wanted.dtype && reference::sizes_of(tensor.geometry) == wanted.sizes) fitting.push_back(slot);
  }
  if (pick % 2 == 1 && !fitting.empty()) return choices.any(fitting);
  return made_for_schema(wanted, choices);
}

std::size_t Builder::results_by_schema(const Call& call) const {
  const Op& called = op(call.op);
  if (!called.many_results) return called.results;
  reference::Judge unheard = judge_;
  unheard.decisions = nullptr;
  reference::State state = state_;
  std::vector<KernelRun> kernels;
  try {
    return reference::dispatch(unheard, state, call.op, call.arguments, kernels).size();
  } catch (const reference::Raise&) {
    return 0;
  } catch (const reference::ReferenceLimit&) {
    return 0;
  }
}

bool Builder::call_of_parts(OpKind kind, const Gene& gene) {
  if (functionalizes_ || !open_bodies_.empty()) return false;
  std::vector<Slot> slots = live();
  std::erase_if(slots, [&](Slot slot) {
    const reference::Tensor& tensor = tensor_in(state_, slot);
    return !is_complex(tensor.dtype) && !reference::has_bits(tensor);
  });
  if (slots.empty()) return false;
  ManyChoices choices(gene);
  using enum OpId;
  constexpr std::array kViews{conj, imag, conj, real, view_as_real, resolve_conj, resolve_neg, imag};
  const bool views = kind == OpKind::View;
  if (!views && kind != OpKind::Functional && kind != OpKind::Inplace) return false;
  const OpId id = views ? choices.any(kViews) : kind == OpKind::Inplace ? conj_physical_ : conj_physical;
  if (perform(Call{id, {choices.any(slots)}, {next_slot()}, false})) ++slots_;
  return true;
}

bool Builder::call_by_schema(OpKind kind, const Gene& gene) {
  constexpr std::size_t kMostKept = 8;  // results that get a name
  const std::vector<SchemaChoice>& all = schema_choices(kind);
  if (all.empty()) return false;
  ManyChoices choices(gene);
  SchemaChoice chosen = choices.any(all);
  const bool functional = functionalizes_ || !open_bodies_.empty();  // complex numbers stay outside of bodies
  if (functional && std::ranges::any_of(chosen.tensors, is_complex, &MakeTensor::dtype)) return true;
  if (!functional && choices.one_in(8)) chosen = with_complex(std::move(chosen), choices);
  Call call{chosen.op, chosen.arguments, {}, false};
  std::vector<Slot> tensors;
  // Offsets of bags that decrease leave memory unset.
  const bool own = op(call.op).name.find("embedding_bag") != std::string_view::npos;
  for (const MakeTensor& wanted : chosen.tensors) {
    const auto slot = own ? made_for_schema(wanted, choices) : tensor_for_schema(wanted, choices);
    if (!slot) return true;
    tensors.push_back(*slot);
  }
  each_argument_slot(call, [&](Slot& slot) { slot = tensors[static_cast<std::size_t>(slot)]; });
  const bool writes = written_argument(op(call.op)) >= 0;
  const std::size_t results = writes && !choices.one_in(8) ? 0 : results_by_schema(call);
  for (std::size_t i = 0; i < results && results <= kMostKept; ++i)
    call.results.push_back(static_cast<Slot>(slots_ + i));
  const std::size_t named = call.results.size();
  if (perform(std::move(call))) slots_ += named;
  return true;
}

}  // namespace plumbline::fuzz
