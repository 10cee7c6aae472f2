// Calls on terms: ops that read and write memory.
#include "functionalization/validate/machine.h"

#include <algorithm>
#include <stdexcept>

#include "reference/kernels.h"
#include "reference/pointwise.h"
#include "reference/raise.h"
#include "reference/reshape.h"
#include "spec/ops/op_ids.h"

namespace plumbline::validate {

using namespace reference;

namespace {

/// The view op for a scatter op.
std::optional<OpId> view_of_scatter(OpId id) {
  static const std::vector<std::optional<OpId>> views = [] {
    std::vector<std::optional<OpId>> all(op_table().size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Op& view = op_table()[i];
      const auto scatter = view.kind == OpKind::View ? find_op(std::string(view.name) + "_scatter", "") : std::nullopt;
      if (scatter) all[static_cast<std::size_t>(*scatter)] = static_cast<OpId>(i);
    }
    return all;
  }();
  return views[static_cast<std::size_t>(id)];
}

bool is_view(OpId id) {
  return op(id).kind == OpKind::View || id == OpId::_unsafe_view || id == OpId::unsafe_split_Tensor;
}

/// A tensor with this view of a storage, without the fields that kernels on terms do not need.
Tensor seen_as(reference::Geometry geometry, Dtype dtype, std::int32_t storage) {
  Tensor seen;
  seen.geometry = std::move(geometry);
  seen.dtype = dtype;
  seen.storage = storage;
  return seen;
}

bool equal(const Dims<Concrete>& a, const Dims<Concrete>& b) {
  bool all = a.size() == b.size();
  for (std::size_t i = 0; i < a.size() && all; ++i) all = a[i].v == b[i].v;
  return all;
}

}  // namespace

std::optional<std::int64_t> run_of(const reference::Geometry& geometry) {
  std::int64_t count = 1;
  for (int d = geometry.rank(); d-- > 0;) {
    const std::int64_t size = geometry.sizes[d].v;
    if (size != 1 && geometry.strides[d].v != count) return std::nullopt;
    count *= size;
  }
  return count;
}

bool have_equal_sizes(const reference::Geometry& a, const reference::Geometry& b) { return equal(a.sizes, b.sizes); }

bool has_sizes(const reference::Geometry& geometry, const Sizes& sizes) {
  return std::ranges::equal(geometry.sizes, sizes, {}, &Num<Concrete>::v);
}

void Machine::clear() {
  state_.tensors.clear();
  state_.storages.clear();
  state_.slots.clear();
  memory_.clear();
  drawn_ = 0;
}

std::int32_t Machine::add_storage(std::int64_t elements, Dtype dtype) {
  const auto number = static_cast<std::int32_t>(memory_.size());
  std::vector<Term> memory;
  memory.reserve(static_cast<std::size_t>(elements));
  for (std::int64_t i = 0; i < elements; ++i) memory.push_back(terms_.variable(number, i, dtype));
  add_storage(std::move(memory), dtype);
  return number;
}

void Machine::add_storage(std::vector<Term> memory, Dtype dtype) {
  state_.storages.push_back({std::vector<Element>(memory.size()), dtype});
  memory_.push_back(std::move(memory));
}

void Machine::add_tensor(Slot slot, const Facts& facts) {
  bind(slot, seen_as(geometry_of(facts.sizes, facts.strides, facts.offset), facts.dtype, facts.storage));
}

void Machine::bind(Slot slot, Tensor tensor) {
  const auto i = static_cast<std::size_t>(slot);
  const auto number = static_cast<TensorId>(state_.tensors.size());
  if (i > state_.slots.size()) state_.slots.resize(i, kNoTensor);
  if (i == state_.slots.size())
    state_.slots.push_back(number);
  else
    state_.slots[i] = number;
  state_.tensors.push_back(std::move(tensor));
}

bool Machine::has(Slot slot) const {
  const auto i = static_cast<std::size_t>(slot);
  return i < state_.slots.size() && state_.slots[i] != kNoTensor;
}

const Tensor& Machine::tensor(Slot slot) const {
  if (!has(slot)) throw std::logic_error("a call on terms takes a tensor that was never made");
  return state_.tensors[static_cast<std::size_t>(state_.slots[static_cast<std::size_t>(slot)])];
}

Facts Machine::facts(Slot slot) const {
  const Tensor& one = tensor(slot);
  return {sizes_of(one.geometry), strides_of(one.geometry), one.geometry.offset.v, one.dtype, one.storage};
}

bool Machine::sees_alike(Slot slot, const Machine& other, Slot of_other) const {
  const Tensor& one = tensor(slot);
  const Tensor& two = other.tensor(of_other);
  return one.dtype == two.dtype && equal(one.geometry.sizes, two.geometry.sizes) &&
         equal(one.geometry.strides, two.geometry.strides) && one.geometry.offset.v == two.geometry.offset.v;
}

bool Machine::is_of(Slot slot, const Sizes& sizes, Dtype dtype) const {
  const Tensor& one = tensor(slot);
  return one.dtype == dtype && has_sizes(one.geometry, sizes);
}

std::int64_t Machine::capacity(Slot slot) const {
  const Tensor& one = tensor(slot);
  return reference::capacity(state_.storages[static_cast<std::size_t>(one.storage)], one.dtype);
}

Term Machine::element(const Tensor& tensor, std::int64_t place) const {
  const auto& memory = memory_[static_cast<std::size_t>(tensor.storage)];
  const Dtype stored = state_.storages[static_cast<std::size_t>(tensor.storage)].dtype;
  if (stored == tensor.dtype) return memory.at(static_cast<std::size_t>(place));
  const std::int64_t have = item_size(stored), want = item_size(tensor.dtype);
  if (want <= have) {
    const std::int64_t parts = have / want;
    return terms_.part(memory.at(static_cast<std::size_t>(place / parts)), static_cast<std::uint32_t>(place % parts),
                       static_cast<std::uint32_t>(parts), tensor.dtype);
  }
  const std::int64_t parts = want / have;
  std::vector<Term> all;
  for (std::int64_t i = 0; i < parts; ++i) all.push_back(memory.at(static_cast<std::size_t>(place * parts + i)));
  return terms_.joined(all, tensor.dtype);
}

void Machine::write(const Tensor& tensor, std::int64_t place, Term value) {
  auto& memory = memory_[static_cast<std::size_t>(tensor.storage)];
  const Dtype stored = state_.storages[static_cast<std::size_t>(tensor.storage)].dtype;
  if (stored == tensor.dtype) {
    memory.at(static_cast<std::size_t>(place)) = value;
    return;
  }
  const std::int64_t have = item_size(stored), want = item_size(tensor.dtype);
  if (want > have) {
    const std::int64_t parts = want / have;
    for (std::int64_t i = 0; i < parts; ++i)
      memory.at(static_cast<std::size_t>(place * parts + i)) =
          terms_.part(value, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(parts), stored);
    return;
  }
  const std::int64_t parts = have / want;
  Term& whole = memory.at(static_cast<std::size_t>(place / parts));
  std::vector<Term> all;
  for (std::int64_t i = 0; i < parts; ++i)
    all.push_back(i == place % parts ? value
                                     : terms_.part(whole, static_cast<std::uint32_t>(i),
                                                   static_cast<std::uint32_t>(parts), tensor.dtype));
  whole = terms_.joined(all, stored);
}

std::optional<std::int64_t> Machine::run_in_memory(const Tensor& tensor) const {
  const auto storage = static_cast<std::size_t>(tensor.storage);
  if (state_.storages[storage].dtype != tensor.dtype) return std::nullopt;
  const auto run = run_of(tensor.geometry);
  const bool inside = run && tensor.geometry.offset.v + *run <= static_cast<std::int64_t>(memory_[storage].size());
  return inside ? run : std::nullopt;
}

std::vector<Term> Machine::elements(const Tensor& tensor) const {
  const auto& memory = memory_[static_cast<std::size_t>(tensor.storage)];
  const std::int64_t first = tensor.geometry.offset.v;
  if (const auto run = run_in_memory(tensor)) return {memory.begin() + first, memory.begin() + first + *run};
  std::vector<Term> all;
  for (const std::int64_t place : places_of(tensor.geometry)) all.push_back(element(tensor, place));
  return all;
}
std::vector<Term> Machine::elements(Slot slot) const { return elements(tensor(slot)); }

void Machine::write(const Tensor& tensor, const std::vector<Term>& values) {
  if (const auto run = run_in_memory(tensor)) {
    auto at = memory_[static_cast<std::size_t>(tensor.storage)].begin() + tensor.geometry.offset.v;
    for (std::int64_t i = 0; i < *run; ++i, ++at)
      *at = terms_.converted(values.at(static_cast<std::size_t>(i)), tensor.dtype);
    return;
  }
  const std::vector<std::int64_t> places = places_of(tensor.geometry);
  for (std::size_t i = 0; i < places.size(); ++i)
    write(tensor, places[i], terms_.converted(values.at(i), tensor.dtype));
}

void Machine::fresh(Slot slot, const Sizes& sizes, const Sizes& strides, Dtype dtype, std::vector<Term> values,
                    std::int64_t offset) {
  reference::Geometry geometry = geometry_of(sizes, strides, offset);
  if (offset == 0 && run_of(geometry)) return fresh(slot, std::move(geometry), dtype, std::move(values));
  const std::vector<std::int64_t> places = places_of(geometry);
  const std::int64_t last = places.empty() ? -1 : *std::ranges::max_element(places);
  std::vector<Term> memory(static_cast<std::size_t>(last + 1), terms_.unspecified(dtype));
  for (std::size_t i = 0; i < places.size(); ++i) memory[static_cast<std::size_t>(places[i])] = values[i];
  fresh(slot, std::move(geometry), dtype, std::move(memory));
}

void Machine::fresh_row_major(Slot slot, Dims<Concrete> sizes, Dtype dtype, std::vector<Term> values) {
  Dims<Concrete> strides = contiguous_strides<Concrete>(sizes);
  fresh(slot, {std::move(sizes), std::move(strides), 0}, dtype, std::move(values));
}

void Machine::fresh(Slot slot, reference::Geometry geometry, Dtype dtype, std::vector<Term> memory) {
  const auto storage = static_cast<std::int32_t>(memory_.size());
  add_storage(std::move(memory), dtype);
  bind(slot, seen_as(std::move(geometry), dtype, storage));
}

Effect Machine::effect_of(OpId id, const std::vector<Value>& values) const {
  const Arguments arguments(state_, op(id), values);
  return reference::meaning({judge_, state_, id, arguments});
}

void Machine::run(const Statement& statement) {
  if (const auto* made = std::get_if<MakeTensor>(&statement.kind)) return run(*made);
  run(std::get<Call>(statement.kind));
}

void Machine::run(const MakeTensor& made) {
  if (is_complex(made.dtype)) throw reference::ReferenceLimit("complex numbers in a validated body");
  std::vector<Term> values;
  for (const double value : made.values) values.push_back(terms_.number(value, made.dtype));
  fresh(made.result, made.sizes, row_major(made.sizes), made.dtype, std::move(values));
}

void Machine::run(const Call& call) {
  if (std::ranges::any_of(call.arguments, [](const Value& value) { return std::holds_alternative<Complex>(value); }))
    throw reference::ReferenceLimit("complex numbers in a validated body");
  if (is_view(call.op)) return view(call);
  if (const auto of = view_of_copy(call.op)) return copy_of_view(call, *of);
  if (const auto of = view_of_scatter(call.op)) return scatter(call, *of);
  switch (op(call.op).kind) {
    case OpKind::Factory:
      return factory(call);
    case OpKind::Inplace:
      return in_place(call);
    case OpKind::InplaceView:
      return layout(call);
    case OpKind::Out:
      return out(call);
    default:
      return functional(call);
  }
}

void Machine::view(const Call& call) {
  if (call.op == OpId::reshape) {  // pass (c) writes it instead of view_copy: a view if possible
    const Tensor& self = tensor(std::get<Slot>(call.arguments[0]));
    const Sizes sizes = whole_sizes(judge_, std::get<std::vector<std::int64_t>>(call.arguments[1]),
                                    element_count(sizes_of(self.geometry)));
    if (view_strides(sizes_of(self.geometry), strides_of(self.geometry), sizes))
      return view({OpId::view, call.arguments, call.results});
    return fresh(call.results.at(0), sizes, row_major(sizes), self.dtype, elements(self));
  }
  OpId id = call.op;
  if (id == OpId::_unsafe_view) id = OpId::view;
  if (id == OpId::unsafe_split_Tensor) id = OpId::split_Tensor;
  Effect effect = effect_of(id, call.arguments);
  const Slot source = std::get<Slot>(call.arguments[0]);
  const Dtype dtype = tensor(source).dtype;
  const std::int32_t of = storage(source);
  for (std::size_t i = 0; i < effect.views.size() && i < call.results.size(); ++i) {
    if (effect.view_dtype == dtype && call.results[i] == source) continue;
    bind(call.results[i], seen_as(std::move(effect.views[i]), effect.view_dtype.value_or(dtype), of));
  }
}

void Machine::copy_of_view(const Call& call, OpId of) {
  const Tensor& source = tensor(std::get<Slot>(call.arguments[0]));
  if (of == OpId::view) {  // accepts any strides, unlike view
    const Sizes sizes = whole_sizes(judge_, std::get<std::vector<std::int64_t>>(call.arguments[1]),
                                    element_count(sizes_of(source.geometry)));
    return fresh_row_major(call.results.at(0), {sizes.begin(), sizes.end()}, source.dtype, elements(source));
  }
  Effect effect = effect_of(of, call.arguments);
  const Dtype dtype = effect.view_dtype.value_or(source.dtype);
  const std::int32_t storage = source.storage;
  for (std::size_t i = 0; i < effect.views.size() && i < call.results.size(); ++i) {
    const Tensor seen = seen_as(std::move(effect.views[i]), dtype, storage);
    fresh_row_major(call.results[i], seen.geometry.sizes, seen.dtype, elements(seen));
  }
}

void Machine::scatter(const Call& call, OpId of) {
  const Tensor& self = tensor(std::get<Slot>(call.arguments[0]));
  const Tensor& source = tensor(std::get<Slot>(call.arguments[1]));
  const std::vector<Term> written = elements(source);
  const Sizes sizes = sizes_of(source.geometry);
  bool repeats = false;
  for (int d = 0; d < self.geometry.rank(); ++d)
    repeats = repeats || (self.geometry.strides[d].v == 0 && self.geometry.sizes[d].v > 1);
  const Slot result = call.results.at(0);
  if (repeats) {
    const Sizes own = sizes_of(self.geometry);
    fresh(result, own, dense_strides(own, strides_of(self.geometry)), self.dtype, elements(self));
  } else {  // all of its memory as elements of its dtype
    const auto& storage = state_.storages[static_cast<std::size_t>(self.storage)];
    const std::int64_t count = reference::capacity(storage, self.dtype);
    const Tensor whole = seen_as(geometry_of({count}, {1}), self.dtype, self.storage);
    fresh(result, self.geometry, self.dtype, elements(whole));
  }
  std::vector<Value> arguments(call.arguments.begin() + 1, call.arguments.end());
  arguments[0] = result;
  const Tensor& made = tensor(result);
  const Tensor seen = seen_as(std::move(effect_of(of, arguments).views.at(0)), made.dtype, made.storage);
  if (sizes_of(seen.geometry) != sizes)
    raise(ErrorClass::shape, "expected src to have a size equal to the slice of self");
  if (repeats_places(seen.geometry)) {
    (void)judged_overlap(judge_, seen, {}, false);
    throw ReferenceLimit("a scatter whose result depends on the order of its writes");
  }
  write(seen, written);
}

void Machine::layout(const Call& call) {
  const Slot self = std::get<Slot>(call.arguments[0]);
  if (call.op == OpId::detach_) return;
  const Effect effect = effect_of(call.op, call.arguments);
  Tensor& changed = state_.tensors[static_cast<std::size_t>(state_.slots[static_cast<std::size_t>(self)])];
  if (effect.source != kNoTensor) {  // set_
    const Tensor& source = at(state_, effect.source);
    changed = seen_as(source.geometry, source.dtype, source.storage);
    return;
  }
  grow_memory(changed, effect.grown);
  if (effect.layout) changed.geometry = *effect.layout;
}

void Machine::grow_memory(const Tensor& tensor, std::int64_t count) {
  auto& storage = state_.storages[static_cast<std::size_t>(tensor.storage)];
  if (count <= reference::capacity(storage, tensor.dtype)) return;
  if (storage.dtype != tensor.dtype) throw ReferenceLimit("memory that grows through a view in another dtype");
  grow(storage, count, tensor.dtype);
  memory_[static_cast<std::size_t>(tensor.storage)].resize(storage.elements.size(), terms_.unspecified(storage.dtype));
}

}  // namespace plumbline::validate
