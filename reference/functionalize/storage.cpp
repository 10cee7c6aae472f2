// Functional storages: applying the pending writes, and reading after them.
#include "reference/functionalize/storage.h"

#include <algorithm>

#include "reference/memory.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"

namespace plumbline::reference::functionalize {

FunctionalTensor FunctionalState::owning(Slot value, const Facts& facts, const std::string& stem) {
  FunctionalTensor made;
  made.storage = static_cast<std::int32_t>(storages_.size());
  made.facts = facts;
  made.value = value;
  FunctionalStorage& storage = storages_.emplace_back();
  storage.base = value;
  storage.stem = stem;
  storage.facts = facts;
  storage.elements = element_count(facts.sizes);
  return made;
}

/// The memory as one dimension.
Slot FunctionalState::memory(FunctionalStorage& storage) {
  if (storage.flat) return storage.base;
  const auto memory = memory_of(storage.facts, storage.elements);
  if (!memory) throw ReferenceLimit("as_strided of a tensor that does not fill its memory");
  return flattened(writer_, *memory, storage.base, storage.stem);
}

/// One-dimensional memory as elements of another dtype.
Slot FunctionalState::seen_as(Slot flat, Dtype dtype, const std::string& stem) {
  const Value from = writer_.value(flat);
  if (from.dtype == dtype) return flat;
  const std::int64_t bytes = from.sizes[0] * item_size(from.dtype);
  if (bytes % item_size(dtype) != 0)
    throw ReferenceLimit("memory whose size is not a multiple of the viewing dtype's element size");
  const Value seen{{bytes / item_size(dtype)}, dtype, true};
  return writer_.call(OpId::view_copy_dtype, {flat, dtype}, stem, seen);
}
Slot FunctionalState::memory_as(FunctionalStorage& storage, Dtype dtype) {
  return seen_as(memory(storage), dtype, storage.stem);
}

void FunctionalState::add_update(Slot t, const Bool<Concrete>& places, Here here) {
  if (machine::is_dropped(here)) return;
  const FunctionalTensor& written = one(t);
  FunctionalStorage& to = storage(written);
  // A write to the same value: what waits names the value, which has changed in place.
  if (!to.waiting.empty() && to.waiting.back().written == written.value) return;
  to.waiting.push_back({written.storage, written.value, written.chain, written.of_memory || places.v, written.facts});
}

Slot FunctionalState::applied(const Num<Concrete>& number, const Update& update) {
  FunctionalStorage& to = numbered(number);
  if (!update.through_memory) return machine::write_back(*this, update, 0, to.base);
  const Slot changed = into_memory(writer_, memory_as(to, update.facts.dtype), update.facts, update.written, to.stem);
  const Slot flat = seen_as(changed, to.facts.dtype, to.stem);
  return to.flat ? flat : unflattened(writer_, *memory_of(to.facts, to.elements), flat, to.stem);
}

Slot FunctionalState::view_of(const Place& at, Slot source) {
  const Chain& chain = at.update->chain;
  const auto after = chain.begin() + static_cast<std::ptrdiff_t>(at.link) + 1;
  const bool wanted = std::any_of(after, chain.end(), [](const auto& link) { return needs_source(*link); });
  return wanted ? forward(writer_, *chain[at.link], source, std::string(at.stem)) : Slot{};
}
Slot FunctionalState::view_when_made(const Place& at) const {
  const Chain& chain = at.update->chain;
  return at.link + 1 < chain.size() ? chain[at.link + 1]->made_from : Slot{};
}
Slot FunctionalState::inverse(const Place& at, Slot source, Slot written) {
  return functionalize::inverse(judge_, writer_, *at.update->chain[at.link], source, written, std::string(at.stem));
}

Slot FunctionalState::through_chain(Slot t) {
  const FunctionalTensor& seen = one(t);
  FunctionalStorage& from = storage(seen);
  const std::string stem = writer_.name(seen.value);
  Slot value = from.base;
  if (seen.of_memory) value = from_memory(writer_, memory_as(from, seen.seen.dtype), seen.seen, stem);
  for (const auto& link : seen.chain) value = forward(writer_, *link, value, stem);
  return value;
}

void FunctionalState::lengthen_chain(Slot t, const std::shared_ptr<const Link>& link) {
  FunctionalTensor& changed = tensor(t);
  if (link != nullptr) {
    changed.chain.push_back(link);
    return;
  }
  changed.chain.clear();
  changed.of_memory = true;
  changed.seen = changed.facts;
}

void FunctionalState::bind_owner(Slot made, const std::shared_ptr<const Link>& link, Slot value) {
  tensor(made) = owning(value, link->to, writer_.name(value));
}

void FunctionalState::bind_view(Slot made, Slot source, const std::shared_ptr<const Link>& link, Slot value) {
  FunctionalTensor view = tensor(source);
  view.chain.push_back(link);
  view.value = value;
  view.facts = link->to;
  view.outside = false;
  tensor(made) = std::move(view);
}

Slot FunctionalState::longer_memory(FunctionalStorage& storage, std::int64_t elements, bool kept) {
  const Dtype dtype = storage.facts.dtype;
  const Sizes more{elements - storage.elements};
  const Slot behind = writer_.call(OpId::empty_memory_format, {more, dtype, None{}, None{}, None{}, None{}},
                                   storage.stem, {more, dtype, true});
  const Slot had = kept ? storage.base
                        : writer_.call(OpId::zeros_like, {storage.base, None{}, None{}, None{}, None{}, None{}},
                                       storage.stem, writer_.value(storage.base));
  storage.elements = elements;
  storage.facts.sizes = {elements};
  return writer_.call(OpId::cat, {std::vector<Slot>{had, behind}, std::int64_t{0}}, storage.stem,
                      {{elements}, dtype, true});
}

void FunctionalState::flatten(std::int32_t number) {
  FunctionalStorage& changed = storages_[static_cast<std::size_t>(number)];
  if (changed.flat) return;
  machine::sync(*this, Num<Concrete>(number));
  changed.base = memory(changed);
  changed.facts = {{changed.elements}, {1}, 0, changed.facts.dtype, changed.facts.storage};
  changed.flat = true;
  for (FunctionalTensor& one : tensors_) {
    if (one.storage != number) continue;
    one.chain.clear();
    one.of_memory = true;
    one.seen = one.facts;
  }
}

}  // namespace plumbline::reference::functionalize
