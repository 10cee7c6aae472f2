// The slots among a call's arguments.
#pragma once

#include <vector>

#include "spec/vocabulary/statement.h"

namespace plumbline {

/// Calls `see` for each slot in a value, by reference: the slots of a value that is not const can be changed.
template <class SomeValue, class See>
void each_slot_of(SomeValue& value, const See& see) {
  if (auto* slot = std::get_if<Slot>(&value)) see(*slot);
  if (auto* slots = std::get_if<std::vector<Slot>>(&value))
    for (auto& slot : *slots) see(slot);
}

/// The same for all of a call's arguments, in order.
template <class SomeCall, class See>
void each_argument_slot(SomeCall& call, const See& see) {
  for (auto& value : call.arguments) each_slot_of(value, see);
}

}  // namespace plumbline
