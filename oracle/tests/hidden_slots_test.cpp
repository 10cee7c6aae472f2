// Snapshots that lack the slots of a custom function's forward.
#include "oracle/hidden_slots.h"

#include <gtest/gtest.h>

namespace plumbline::hidden_slots_test {
namespace {

constexpr Slot kX{0}, kInner{1}, kY{2};

/// x is made, a forward makes a tensor from it, and y is what it returns.
Script with_forward() {
  const auto made = [](Slot slot) { return Statement{MakeTensor{slot, Dtype::float32, {}, {0}, false}, 1}; };
  return {{made(kX), {EnterForward{0, {kX}}, 2}, made(kInner), {LeaveForward{{kInner}, {kY}}, 3}, {Snapshot{}, 4}},
          {"x", "inner", "y"}};
}

TensorReading tensor(Slot slot, std::int64_t storage, std::int64_t base) {
  TensorReading reading{slot, std::vector<Reading>(kFields)};
  reading.fields[static_cast<std::size_t>(Field::storage)] = storage;
  reading.fields[static_cast<std::size_t>(Field::base)] = base;
  reading.fields[static_cast<std::size_t>(Field::offset)] = std::int64_t{0};
  return reading;
}

Outcome snapshot(std::vector<TensorReading> tensors) {
  Outcome outcome;
  outcome.tensors = std::move(tensors);
  return outcome;
}

std::int64_t number(const Outcome& outcome, std::size_t at, Field field) {
  return std::get<std::int64_t>(outcome.tensors.at(at).fields.at(static_cast<std::size_t>(field)));
}

TEST(HiddenSlots, are_those_that_a_forward_assigns) {
  EXPECT_EQ(slots_of_forwards(with_forward()), (std::set<Slot>{kInner}));
}

TEST(HiddenSlots, a_tensor_that_the_implementation_shows_stays) {
  const Outcome both = snapshot({tensor(kX, 0, -1), tensor(kInner, 1, -1)});
  EXPECT_EQ(without_hidden(both, both, {kInner}).tensors.size(), 2U);
}

TEST(HiddenSlots, a_variable_that_is_no_forwards_own_is_never_hidden) {
  const Outcome expected = snapshot({tensor(kX, 0, -1), tensor(kInner, 1, -1)});
  EXPECT_EQ(without_hidden(expected, snapshot({tensor(kInner, 1, -1)}), {kInner}).tensors.size(), 2U);
}

TEST(HiddenSlots, storage_is_named_after_the_lowest_slot_that_is_shown) {
  const Outcome expected = snapshot({tensor(kX, 0, -1), tensor(kInner, 1, -1), tensor(kY, 1, -1)});
  const Outcome shown = without_hidden(expected, snapshot({tensor(kX, 0, -1), tensor(kY, 2, -1)}), {kInner});
  ASSERT_EQ(shown.tensors.size(), 2U);
  EXPECT_EQ(number(shown, 0, Field::storage), 0);
  EXPECT_EQ(number(shown, 1, Field::storage), 2);
}

TEST(HiddenSlots, a_base_that_is_hidden_is_one_that_no_variable_holds) {
  TensorReading view = tensor(kY, 1, 1);
  view.fields[static_cast<std::size_t>(Field::offset)] = std::int64_t{1};
  const Outcome expected = snapshot({tensor(kX, 0, -1), tensor(kInner, 1, -1), view});
  const Outcome shown = without_hidden(expected, snapshot({tensor(kX, 0, -1), tensor(kY, 2, -2)}), {kInner});
  EXPECT_EQ(number(shown, 1, Field::base), -2);
}

}  // namespace
}  // namespace plumbline::hidden_slots_test
