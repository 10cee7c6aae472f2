// The epilogue of pass (a): the caller's steps that make inputs and results as the body left them.
#include <algorithm>
#include <map>

#include "reference/functionalize/storage.h"
#include "reference/memory.h"
#include "spec/ops/op_ids.h"

namespace plumbline::reference::functionalize {

/// Copies the values that the body wrote into the input's memory.
void FunctionalState::copy_back(const Num<Concrete>& number, Here here) {
  if (machine::is_dropped(here)) return;
  FunctionalStorage& storage = numbered(number);
  if (!storage.flat) {
    if (storage.base != *storage.input) writer_.add({OpId::copy_, {*storage.input, storage.base, false}, {}});
    return;
  }
  const Slot whole = writer_.call(OpId::as_strided, {*storage.input, Sizes{storage.had}, Sizes{1}, std::int64_t{0}},
                                  storage.stem + "_memory", {{storage.had}, storage.facts.dtype, true});
  if (storage.elements > storage.had) writer_.add({OpId::resize_, {whole, Sizes{storage.elements}, None{}}, {}});
  writer_.add({OpId::copy_, {whole, storage.base, false}, {}});
}

/// Whether what the body does to its sizes and strides is not done to it.
bool AliasRemoval::keeps_layout(Slot variable) const {
  return std::ranges::find(body_.inputs, variable) != body_.inputs.end() && input_keeps_layout(judge_).v;
}

void AliasRemoval::replay_layouts(const FunctionalStorage& storage) {
  if (!input_gets_layout<Concrete>(judge_, true).v) return;
  for (const auto& [input, call] : layouts_)
    if (std::ranges::find(storage.owners, input) != storage.owners.end() &&
        (call.op == OpId::detach_ || !keeps_layout(input)))
      writer_.add(call);
}

/// A value with the strides of `facts`: made row-major in the core, and viewed with those strides in the epilogue.
Slot AliasRemoval::with_strides(Slot value, const Facts& facts, const std::string& stem) {
  if (!result_gets_strides<Concrete>(judge_, true).v) return value;
  const Value dense{facts.sizes, facts.dtype, true};
  if (facts.offset == 0 && facts.strides == row_major(facts.sizes)) {
    if (writer_.value(value).row_major) return value;
    return writer_.call(OpId::view_copy, {value, facts.sizes}, stem, dense);
  }
  Slot made{};
  if (const auto memory = memory_of(facts, element_count(facts.sizes))) {
    made = flattened(writer_, *memory, value, stem);
  } else {
    std::int64_t elements = facts.offset + 1;
    for (std::size_t i = 0; i < facts.sizes.size(); ++i) elements += (facts.sizes[i] - 1) * facts.strides[i];
    if (element_count(facts.sizes) == 0) elements = facts.offset;
    const Value whole{{elements}, facts.dtype, true};
    const Slot zeros = writer_.call(OpId::zeros, {Sizes{elements}, facts.dtype, None{}, None{}, None{}}, stem, whole);
    made =
        writer_.call(OpId::as_strided_scatter, {zeros, value, facts.sizes, facts.strides, facts.offset}, stem, whole);
  }
  with_strides_.emplace_back(made, facts);
  return made;
}

/// A tensor of a new storage whose views the results are.
Slot AliasRemoval::real_base(std::int32_t number) {
  auto& base = real_bases_[static_cast<std::size_t>(number)];
  FunctionalStorage& of = storages_[static_cast<std::size_t>(number)];
  if (!base) base = with_strides(of.base, of.facts, of.stem);
  return *base;
}

/// Applies a tensor's chain of views to the tensor whose memory is `base`.
Slot AliasRemoval::real_view(FunctionalTensor& tensor, Slot base, const std::string& stem) {
  Slot view = base;
  const auto like = [](const Facts& facts) { return Value{facts.sizes, facts.dtype, false}; };
  const auto strided = [&](const Facts& facts) {
    return writer_.call(OpId::as_strided, {base, facts.sizes, facts.strides, facts.offset}, stem, like(facts));
  };
  const bool relaid = std::ranges::any_of(layouts_, [&](const auto& layout) { return layout.first == base; });
  if (relaid || tensor.of_memory) {
    const Facts& seen = tensor.of_memory ? tensor.seen : body_.outside[static_cast<std::size_t>(base)];
    const Dtype dtype = writer_.value(base).dtype;
    if (seen.dtype == tensor.facts.dtype && seen.dtype == dtype) return strided(tensor.facts);
    if (seen.dtype == dtype) {
      view = strided(seen);
    } else {
      const std::int64_t item = std::max(item_size(dtype), item_size(seen.dtype));
      const std::int64_t bytes = storage(tensor).elements * item_size(dtype);
      const Facts whole{{bytes / item * item / item_size(dtype)}, {1}, 0, dtype, 0};
      const Slot memory = strided(whole);
      const Slot other = writer_.call(OpId::view_dtype, {memory, seen.dtype}, stem,
                                      {{bytes / item * item / item_size(seen.dtype)}, seen.dtype, false});
      view = writer_.call(OpId::as_strided, {other, seen.sizes, seen.strides, seen.offset}, stem, like(seen));
    }
  }
  for (const auto& link : tensor.chain) {
    std::vector<plumbline::Value> arguments{view};
    arguments.insert(arguments.end(), link->arguments.begin(), link->arguments.end());
    view = writer_.call(link->view, std::move(arguments), stem, like(link->to));
  }
  return view;
}

/// Whether the tensor, if it is a result, is the caller's own tensor.
bool AliasRemoval::is_caller_s(Slot variable) {
  if (is_moved(variable)) return true;
  const FunctionalTensor& one = tensor(variable);
  if (!one.outside) return false;
  const bool same = one.facts == body_.outside[static_cast<std::size_t>(*one.root)];
  if (!same && keeps_layout(*one.root)) return false;
  const auto relaid = [&](const auto& layout) { return layout.first == *one.root; };
  const bool changed = std::ranges::any_of(layouts_, relaid) || storage(one).generation != 0 || !same;
  return !changed || is_made_from_input<Concrete>(judge_, true).v;
}

/// The core's values of the wanted tensors, with their strides; nothing for a view of an input, or of a base that other
/// wanted tensors share.
std::vector<std::optional<Slot>> AliasRemoval::values_of_results(const std::vector<Slot>& wanted) {
  std::vector<std::optional<Slot>> values(wanted.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Slot variable = wanted[i];
    FunctionalTensor& one = tensor(variable);
    if (is_made_from_input<Concrete>(judge_, one.root && !storage(one).owners.empty()).v) continue;
    const auto shares = [&](Slot other) { return other != variable && tensor(other).storage == one.storage; };
    const auto before = std::find(wanted.begin(), wanted.begin() + static_cast<std::ptrdiff_t>(i), variable);
    const auto first = static_cast<std::size_t>(before - wanted.begin());
    if (first < i) {  // wanted twice
      values[i] = values[first];
      continue;
    }
    const bool shared = std::ranges::any_of(wanted, shares);
    if ((one.chain.empty() && !one.of_memory && !shared) || !is_made_from_one<Concrete>(judge_, true).v)
      values[i] = with_strides(read(variable), one.facts, name(variable));
    else
      real_base(one.storage);
  }
  return values;
}

/// The results that are views of an input, or of a base that others share, made in the epilogue.
Slot AliasRemoval::real_result(Slot variable) {
  FunctionalTensor& one = tensor(variable);
  if (const auto& base = real_bases_[static_cast<std::size_t>(one.storage)])
    return one.chain.empty() && !one.of_memory ? *base : real_view(one, *base, name(variable));
  return real_view(one, *one.root, name(variable));
}

void AliasRemoval::results() {
  for (std::size_t i = 0; i < storages_.size(); ++i) machine::sync(world(), Num<Concrete>(i));
  real_bases_.assign(storages_.size(), std::nullopt);
  std::vector<Slot> wanted = input_gets_layout<Concrete>(judge_, true).v ? moved_ : std::vector<Slot>{};
  const std::size_t moved = wanted.size();
  for (const Slot variable : body_.returned)
    if (!is_caller_s(variable)) wanted.push_back(variable);
  // The core comes first: values with the results' strides.
  std::vector<std::optional<Slot>> values = values_of_results(wanted);
  writer_.begin_epilogue();
  for (std::size_t i = 0; i < storages_.size(); ++i) {
    if (storages_[i].input) machine::close_input(world(), Num<Concrete>(i), Bool<Concrete>(false));
    replay_layouts(storages_[i]);
  }
  for (auto& [made, facts] : with_strides_) {
    const Slot seen = writer_.call(OpId::as_strided, {made, facts.sizes, facts.strides, facts.offset},
                                   writer_.name(made), {facts.sizes, facts.dtype, false});
    for (auto* slots : {&values, &real_bases_})
      for (auto& slot : *slots)
        if (slot == made) slot = seen;
  }
  std::map<Slot, Slot> real;  // by variable: returned twice, it is one tensor
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (!real.contains(wanted[i])) real.emplace(wanted[i], values[i] ? *values[i] : real_result(wanted[i]));
  for (std::size_t i = 0; i < moved; ++i) writer_.add({OpId::set__source_Tensor, {wanted[i], real.at(wanted[i])}, {}});
  for (const Slot variable : body_.returned)
    program_.returned.push_back(is_caller_s(variable) ? variable : real.at(variable));
}

}  // namespace plumbline::reference::functionalize
