// The tensors that a script's variables hold.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "adapters/walk/unsupported.h"
#include "spec/vocabulary/observation.h"

namespace plumbline::walk {

/// An undefined tensor is not assigned yet, or None.
template <class Tensor>
using Slots = std::vector<Tensor>;

[[noreturn]] inline void throw_no_slot(std::size_t slot, std::size_t slots) {
  throw Unsupported{"slot " + std::to_string(slot) + " is used, but the script has " + std::to_string(slots) +
                    " slots"};
}

/// The tensor in `slot`. Throws Unsupported if the slot has no tensor.
template <class Tensor>
const Tensor& held(std::span<const Tensor> slots, Slot slot) {
  const auto i = static_cast<std::size_t>(slot);
  if (i >= slots.size()) throw_no_slot(i, slots.size());
  if (!slots[i].defined()) throw Unsupported{"slot " + std::to_string(i) + " is used and holds no tensor"};
  return slots[i];
}

/// The lowest slot whose tensor satisfies `same`, or `otherwise`.
template <class Tensor, class Same>
std::int64_t lowest(std::span<const Tensor> slots, std::int64_t otherwise, Same same) {
  for (std::size_t i = 0; i < slots.size(); ++i)
    if (slots[i].defined() && same(slots[i])) return static_cast<std::int64_t>(i);
  return otherwise;
}

/// Reads every field of the thread and of every tensor; an error becomes a reading. `Traits` as in
/// adapters/walk/walk.h.
template <class Traits>
void snapshot(std::span<const typename Traits::Tensor> slots, Outcome& outcome) {
  for (int f = 0; f < kThreadFields; ++f) outcome.thread.push_back(Traits::read(static_cast<ThreadField>(f)));
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (!slots[i].defined()) continue;
    auto& reading = outcome.tensors.emplace_back(TensorReading{static_cast<Slot>(i), {}});
    reading.fields.reserve(kFields);
    for (int f = 0; f < kFields; ++f) {
      try {
        reading.fields.push_back(Traits::read(slots, i, static_cast<Field>(f)));
      } catch (const std::exception&) {
        reading.fields.emplace_back(Traits::current_failure());
      }
    }
  }
}

}  // namespace plumbline::walk
