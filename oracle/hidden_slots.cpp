// Taking the slots of forwards out of a snapshot.
#include "oracle/hidden_slots.h"

#include <algorithm>
#include <array>

#include "language/slots.h"

namespace plumbline {

namespace {

constexpr std::int64_t kNoSlotHoldsIt = -2;

const Reading& field_of(const TensorReading& tensor, Field field) {
  return tensor.fields.at(static_cast<std::size_t>(field));
}

std::int64_t number_of(Slot slot) { return static_cast<std::int64_t>(slot); }

bool names(const Reading& reading, Slot slot) {
  const auto* held = std::get_if<std::int64_t>(&reading);
  return held != nullptr && *held == number_of(slot);
}

/// Whether two variables hold one tensor, as far as its place in memory tells.
bool same_place(const TensorReading& a, const TensorReading& b) {
  const auto lists = [](const TensorReading& tensor, Field field) {
    const auto* list = std::get_if<std::vector<std::int64_t>>(&field_of(tensor, field));
    return list == nullptr ? std::vector<std::int64_t>() : *list;
  };
  const auto numbers = [](const TensorReading& tensor, Field field) {
    const auto* number = std::get_if<std::int64_t>(&field_of(tensor, field));
    return number == nullptr ? -1 : *number;
  };
  return std::ranges::all_of(std::array{Field::sizes, Field::strides},
                             [&](Field field) { return lists(a, field) == lists(b, field); }) &&
         std::ranges::all_of(std::array{Field::storage, Field::offset, Field::base, Field::version},
                             [&](Field field) { return numbers(a, field) == numbers(b, field); });
}

}  // namespace

std::set<Slot> slots_of_forwards(const Script& script) {
  std::set<Slot> slots;
  std::size_t open = 0;
  for (const Statement& statement : script.statements) {
    if (std::holds_alternative<EnterForward>(statement.kind)) ++open;
    if (std::holds_alternative<LeaveForward>(statement.kind)) --open;
    if (open > 0) visit_slots(statement.kind, [](Slot) {}, [&](Slot given) { slots.insert(given); });
  }
  return slots;
}

Outcome without_hidden(const Outcome& expected, const Outcome& got, const std::set<Slot>& may_lack) {
  const auto is_hidden = [&](const TensorReading& tensor) {
    return may_lack.contains(tensor.tensor) &&
           std::ranges::find(got.tensors, tensor.tensor, &TensorReading::tensor) == got.tensors.end();
  };
  Outcome shown = expected;
  std::erase_if(shown.tensors, is_hidden);
  for (const TensorReading& hidden : expected.tensors) {
    if (!is_hidden(hidden)) continue;
    const auto sharing = std::ranges::find_if(shown.tensors, [&](const TensorReading& tensor) {
      return names(field_of(tensor, Field::storage), hidden.tensor);
    });
    const auto same =
        std::ranges::find_if(shown.tensors, [&](const TensorReading& tensor) { return same_place(tensor, hidden); });
    const std::int64_t base = same == shown.tensors.end() ? kNoSlotHoldsIt : number_of(same->tensor);
    const std::int64_t lowest = sharing == shown.tensors.end() ? number_of(hidden.tensor) : number_of(sharing->tensor);
    for (TensorReading& tensor : shown.tensors) {
      Reading& storage = tensor.fields.at(static_cast<std::size_t>(Field::storage));
      if (names(storage, hidden.tensor)) storage = lowest;
      Reading& its_base = tensor.fields.at(static_cast<std::size_t>(Field::base));
      if (names(its_base, hidden.tensor)) its_base = base;
    }
  }
  return shown;
}

}  // namespace plumbline
