// The tensors that a body does not make: its inputs, and those that it captures.
#include <algorithm>

#include "reference/functionalize/storage.h"
#include "reference/memory.h"
#include "reference/raise.h"

namespace plumbline::reference::functionalize {

AliasRemoval::AliasRemoval(const Judge& judge, const Body& body)
    : FunctionalState(judge, body.names.size()), body_(body) {
  program_.core.reserve(4 * body.steps.size());
  program_.values.reserve(body.names.size() + 4 * body.steps.size());
  program_.names.reserve(body.names.size() + 4 * body.steps.size());
  program_.inputs = body.inputs;
  program_.captured = body.captured;
  for (const Facts& facts : body.outside) program_.values.push_back({facts.sizes, facts.dtype, false});
  program_.names.assign(body.names.begin(), body.names.begin() + static_cast<std::ptrdiff_t>(body.outside.size()));
  storages_.reserve(body.names.size() + body.storages.size());
}

void AliasRemoval::add_outside() {
  std::vector<std::vector<Slot>> storages;
  std::vector<std::optional<std::size_t>> first(body_.storages.size());  // by memory: the storage of its first tensor
  for (std::size_t i = 0; i < body_.outside.size(); ++i) {
    auto& shared = first[static_cast<std::size_t>(body_.outside[i].storage)];
    const std::size_t own = storages.size();
    const auto chosen = static_cast<std::size_t>(
        machine::open_input(world(), Num<Concrete>(shared.value_or(own)), Num<Concrete>(own)).v);
    if (chosen == own) storages.emplace_back();
    storages[chosen].push_back(static_cast<Slot>(i));
    if (!shared) shared = chosen;
  }
  for (const auto& owners : storages) add_outside(owners);
}

void AliasRemoval::add_outside(const std::vector<Slot>& owners) {
  const Facts& first = body_.outside[static_cast<std::size_t>(owners[0])];
  const auto number = static_cast<std::int32_t>(storages_.size());
  FunctionalStorage& made = storages_.emplace_back();
  made.stem = name(owners[0]);
  made.owners = owners;
  made.elements = made.had = body_.storages[static_cast<std::size_t>(first.storage)];
  const auto is_input = [&](Slot slot) { return std::ranges::find(body_.inputs, slot) != body_.inputs.end(); };
  if (const auto input = std::ranges::find_if(owners, is_input); input != owners.end()) made.input = *input;
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

}  // namespace plumbline::reference::functionalize
