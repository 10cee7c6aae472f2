// A runner's parts: sides are compared before they are timed, and timing gives as many repetitions as asked.
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

#include "bench/runner/counts.h"
#include "bench/runner/suite.h"
#include "bench/runner/timing.h"

namespace plumbline::bench {
namespace {

/// Counts its calls, and has this outcome.
class Counting final : public Workload {
 public:
  Counting(Outcome outcome, std::atomic<std::uint64_t>& calls) : outcome_(std::move(outcome)), calls_(calls) {}
  void run(std::uint64_t times) override { calls_ += times; }
  Outcome outcome() override { return outcome_; }

 private:
  Outcome outcome_;
  std::atomic<std::uint64_t>& calls_;
};

std::vector<std::byte> bytes(int last) { return {std::byte{1}, static_cast<std::byte>(last)}; }

/// Sides a and b with these outcomes, and a floor that has none.
Suite suite_of(Outcome a, Outcome b, std::atomic<std::uint64_t>& calls) {
  Suite suite;
  suite.name = "test";
  suite.entries = {{"case", Threads::one}, {"wide", Threads::callers}, {"other", Threads::one, 4}};
  suite.sides = {"a", "floor", "b"};
  suite.make = [a = std::move(a), b = std::move(b), &calls](const Entry& entry, const std::string& side) {
    if (entry.id == "other" && side == "b") return std::unique_ptr<Workload>();
    const Outcome outcome = side == "a" ? a : side == "b" ? b : Outcome{};
    return std::unique_ptr<Workload>(std::make_unique<Counting>(outcome, calls));
  };
  return suite;
}

std::string refusal(const Outcome& a, const Outcome& b) {
  std::atomic<std::uint64_t> calls = 0;
  const Suite suite = suite_of(a, b, calls);
  try {
    const Prepared prepared(suite, suite.entries[0], suite.sides);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "equal";
}

TEST(Prepared, sides_must_have_equal_outcomes_bit_for_bit) {
  EXPECT_EQ(refusal({"float32 [2,]", bytes(2)}, {"float32 [2,]", bytes(2)}), "equal");
  EXPECT_EQ(refusal({"float32 [2,]", bytes(2)}, {"float32 [2,]", bytes(3)}),
            "case: a and b have different outcomes: 'float32 [2,]' with 2 bytes, which differ at byte 1");
  EXPECT_EQ(refusal({"float32 [2,]", bytes(2)}, {"float32 [1,2,]", bytes(2)}),
            "case: a and b have different outcomes: 'float32 [2,]' with 2 bytes and 'float32 [1,2,]' with 2 bytes");
}

TEST(Time, has_as_many_repetitions_of_each_side_as_asked) {
  std::atomic<std::uint64_t> calls = 0;
  const Suite suite = suite_of({"x", {}}, {"x", {}}, calls);
  for (const Entry& entry : suite.entries) {
    const Prepared prepared(suite, entry, suite.sides);
    const auto times = time_sides(suite, prepared, 4, 0.0001);
    EXPECT_EQ(times.size(), entry.id == "other" ? 2U : 3U) << entry.id;
    for (const auto& [side, ns] : times) EXPECT_EQ(ns.size(), 4U) << side;
  }
  EXPECT_GT(calls.load(), 1000U);
}

TEST(Time, is_for_one_of_the_things_that_a_call_makes) {
  // A call of "other" makes four things. The calls take almost no time, so only the count is checked.
  std::atomic<std::uint64_t> calls = 0;
  const Suite suite = suite_of({"x", {}}, {"x", {}}, calls);
  EXPECT_EQ(suite.entries[2].items, 4);
}

TEST(Counts, need_their_library_and_their_simulator) {
  EXPECT_FALSE(counts_instructions(""));
  EXPECT_FALSE(counts_memory());
}

}  // namespace
}  // namespace plumbline::bench
