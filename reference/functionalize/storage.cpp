// Functional storages: applying the pending writes, and reading after them.
#include "reference/functionalize/storage.h"

#include <algorithm>

#include "reference/memory.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"

namespace plumbline::reference::functionalize {

AliasRemoval::AliasRemoval(const Judge& judge, const Body& body)
    : judge_(judge), body_(body), writer_(program_), tensors_(body.names.size()), elements_(body.storages) {
  program_.core.reserve(4 * body.steps.size());
  program_.values.reserve(body.names.size() + 4 * body.steps.size());
  program_.names.reserve(body.names.size() + 4 * body.steps.size());
  program_.inputs = body.inputs;
  program_.captured = body.captured;
  for (const Facts& facts : body.outside) program_.values.push_back({facts.sizes, facts.dtype, false});
  program_.names.assign(body.names.begin(), body.names.begin() + static_cast<std::ptrdiff_t>(body.outside.size()));
  storages_.reserve(body.names.size() + body.storages.size());
}

/// Outside tensors that share memory share a storage.
void AliasRemoval::add_outside() {
  std::vector<std::vector<Slot>> owners(body_.storages.size());
  for (std::size_t i = 0; i < body_.outside.size(); ++i) {
    auto& of = owners[static_cast<std::size_t>(body_.outside[i].storage)];
    if (!of.empty() && !follows(judge_, FUN_21))
      add_outside({static_cast<Slot>(i)});
    else
      of.push_back(static_cast<Slot>(i));
  }
  for (const auto& of : owners)
    if (!of.empty()) add_outside(of);
}

void AliasRemoval::add_outside(const std::vector<Slot>& owners) {
  const Facts& first = body_.outside[static_cast<std::size_t>(owners[0])];
  const auto number = static_cast<std::int32_t>(storages_.size());
  FunctionalStorage& made = storages_.emplace_back();
  made.stem = name(owners[0]);
  made.owners = owners;
  made.elements = elements_[static_cast<std::size_t>(first.storage)];
  made.flat = owners.size() > 1 || !memory_of(first, made.elements);
  made.base = owners[0];
  made.facts = first;
  if (made.flat) {
    made.facts = {{made.elements}, {1}, 0, first.dtype, first.storage};
    made.base = from_memory(writer_, owners[0], made.facts, made.stem + "_memory");
  }
  program_.values[static_cast<std::size_t>(owners[0])].row_major =
      !made.flat && first.strides == row_major(first.sizes);
  for (const Slot owner : owners) {
    FunctionalTensor& one = tensor(owner);
    one.storage = number;
    one.facts = one.seen = body_.outside[static_cast<std::size_t>(owner)];
    if (one.facts.dtype != first.dtype) throw ReferenceLimit("inputs of different dtypes that share memory");
    one.of_memory = made.flat;
    one.value = owner;
    one.root = owner;
    one.outside = true;
  }
}

FunctionalTensor AliasRemoval::owning(Slot value, const Facts& facts, const std::string& stem) {
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
Slot AliasRemoval::memory(FunctionalStorage& storage) {
  if (storage.flat) return storage.base;
  const auto memory = memory_of(storage.facts, storage.elements);
  if (!memory) throw ReferenceLimit("as_strided of a tensor that does not fill its memory");
  return flattened(writer_, *memory, storage.base, storage.stem);
}

/// One-dimensional memory as elements of another dtype.
Slot AliasRemoval::seen_as(Slot flat, Dtype dtype, const std::string& stem) {
  const Value from = writer_.value(flat);
  if (from.dtype == dtype) return flat;
  const std::int64_t bytes = from.sizes[0] * item_size(from.dtype);
  if (bytes % item_size(dtype) != 0)
    throw ReferenceLimit("memory whose size is not a multiple of the viewing dtype's element size");
  const Value seen{{bytes / item_size(dtype)}, dtype, true};
  return writer_.call(OpId::view_copy_dtype, {flat, dtype}, stem, seen);
}
Slot AliasRemoval::memory_as(FunctionalStorage& storage, Dtype dtype) {
  return seen_as(memory(storage), dtype, storage.stem);
}

void AliasRemoval::apply(FunctionalStorage& storage, const Update& update) {
  if (update.through_memory) {
    const Slot changed =
        into_memory(writer_, memory_as(storage, update.facts.dtype), update.facts, update.written, storage.stem);
    const Slot flat = seen_as(changed, storage.facts.dtype, storage.stem);
    storage.base =
        storage.flat ? flat : unflattened(writer_, *memory_of(storage.facts, storage.elements), flat, storage.stem);
    return;
  }
  const auto& chain = update.chain;
  std::size_t needed = chain.size();  // the first link from which the source's own value is needed
  while (needed > 0 && !needs_source(*chain[needed - 1])) --needed;
  std::vector<Slot> sources{storage.base};
  const bool again = follows(judge_, FUN_05);
  for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
    const bool wanted = i + 1 < needed;
    sources.push_back(!wanted ? Slot{}
                      : again ? forward(writer_, *chain[i], sources[i], storage.stem)
                              : chain[i + 1]->made_from);
  }
  Slot value = update.written;
  for (std::size_t i = chain.size(); i-- > 0;)
    value = inverse(judge_, writer_, *chain[i], sources[i], value, storage.stem);
  storage.base = value;
}

void AliasRemoval::apply_updates(FunctionalStorage& storage) {
  const std::vector<Update> waiting = std::move(storage.waiting);
  storage.waiting.clear();
  const bool all = follows(judge_, FUN_04);
  for (std::size_t i = 0; i < waiting.size(); ++i)
    if (all || i + 1 == waiting.size()) apply(storage, waiting[i]);
}

Slot AliasRemoval::regenerated(FunctionalTensor& tensor) {
  FunctionalStorage& from = storage(tensor);
  const std::string stem = writer_.name(tensor.value);
  Slot value = from.base;
  if (tensor.of_memory) value = from_memory(writer_, memory_as(from, tensor.seen.dtype), tensor.seen, stem);
  for (const auto& link : tensor.chain) value = forward(writer_, *link, value, stem);
  return value;
}

Slot AliasRemoval::read(Slot variable) {
  FunctionalTensor& one = tensor(variable);
  FunctionalStorage& from = storage(one);
  if (one.generation == from.generation || !follows(judge_, FUN_03)) return one.value;
  apply_updates(from);
  one.value = regenerated(one);
  one.generation = from.generation;
  return one.value;
}

void AliasRemoval::wrote(Slot variable) {
  FunctionalTensor& one = tensor(variable);
  FunctionalStorage& to = storage(one);
  if (one.chain.empty() && !one.of_memory) {
    apply_updates(to);
    to.base = one.value;
  } else if (element_count(one.facts.sizes) > 0) {  // otherwise nothing changes
    const bool lens =
        std::ranges::all_of(one.chain, [](const auto& link) { return link->one_to_one; }) || !follows(judge_, FUN_14);
    Update update{one.value, one.chain, one.of_memory || !lens, one.facts};
    const bool waits = !to.waiting.empty() && to.waiting.back().written == one.value;
    if (!waits) to.waiting.push_back(std::move(update));
  }
  if (follows(judge_, FUN_02)) ++to.generation;
  one.generation = to.generation;
}

void AliasRemoval::flatten(std::int32_t number) {
  FunctionalStorage& changed = storages_[static_cast<std::size_t>(number)];
  if (changed.flat) return;
  apply_updates(changed);
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
