// Random bodies: when a value is brought up to date cannot be observed, reads at random points change nothing; and what
// ops they have.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "functionalization/validate/generate.h"
#include "functionalization/validate/text.h"
#include "functionalization/validate/validate.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/fun.h"
#include "spec/vocabulary/call_slots.h"

namespace plumbline::validate {
namespace {

/// A body again, with reads that nobody uses between its steps: each syncs the storage of what it reads.
class WithReads {
 public:
  explicit WithReads(Validator& validator) : maker_(validator) {}

  const passes::Body& of(const passes::Body& body, Random& random) {
    maker_.restart();
    reads_ = 0;
    now_.clear();
    for (const std::int64_t elements : body.storages) maker_.add_memory(elements);
    for (std::size_t i = 0; i < body.outside.size(); ++i) {
      const bool captured = std::ranges::find(body.captured, static_cast<Slot>(i)) != body.captured.end();
      now_.push_back(maker_.add_outside(body.outside[i], captured));
    }
    maker_.body().inputs = body.inputs;
    maker_.begin();
    for (const passes::Step& step : body.steps) {
      again(step);
      while (random.one_in(2)) read(random);
    }
    for (const Slot slot : body.returned) maker_.body().returned.push_back(now(slot));
    return maker_.body();
  }
  int reads() const { return reads_; }

 private:
  Slot now(Slot slot) const { return now_.at(static_cast<std::size_t>(slot)); }

  void again(const passes::Step& step) {
    Call call = step.call;
    each_argument_slot(call, [this](Slot& slot) { slot = now(slot); });
    const bool writes = written_argument(op(call.op)) >= 0 || op(call.op).kind == OpKind::InplaceView;
    const std::size_t results = writes ? 0 : call.results.size();
    const auto next = static_cast<Slot>(maker_.variables());
    call.results.clear();
    ASSERT_TRUE(maker_.perform(std::move(call), results, step.composite));
    for (std::size_t i = 0; i < results; ++i) now_.push_back(static_cast<Slot>(static_cast<std::size_t>(next) + i));
  }
  void read(Random& random) {
    const Slot slot = now_[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(now_.size())))];
    reads_ += maker_.perform({OpId::clone, {slot, None{}}, {}}, 1) ? 1 : 0;
  }

  BodyMaker maker_;
  std::vector<Slot> now_;  ///< by the body's variable
  int reads_ = 0;
};

/// The first difference between a body and its form, once reads stand at random points of it; nothing: there is none.
struct Observed {
  std::optional<std::string> difference;
  int reads = 0;
};
Observed observed(const reference::Judge& judge) {
  const reference::Judge sound;
  Validator made(sound), synced(sound);
  Generator generator(made);
  WithReads with_reads(synced);
  Random random(6);
  Observed all;
  for (std::uint64_t seed = 0; seed < 1500 && !all.difference; ++seed) {
    const passes::Body body = generator.next(seed, 10);
    for (int n = 0; n < 3 && !all.difference; ++n) {
      const passes::Body& read = with_reads.of(body, random);
      try {
        const passes::Program program = passes::functionalize(judge, read, passes::Passes::ab);
        all.difference = synced.validate_after_run(read, program).difference;
        all.reads += with_reads.reads();
      } catch (const passes::NotFunctional&) {      // NOLINT(bugprone-empty-catch): it writes what it captures
      } catch (const reference::ReferenceLimit&) {  // NOLINT(bugprone-empty-catch): the passes do not go so far
      }
    }
  }
  return all;
}

TEST(Sync, cannot_be_observed) {
  const Observed all = observed({});
  EXPECT_EQ(all.difference.value_or(""), "");
  EXPECT_GT(all.reads, 10000) << "as many reads as this should be there; a body without them shows nothing";
}

TEST(RandomBodies, call_copies_of_views_and_scatters_themselves) {
  const reference::Judge sound;
  Validator validator(sound);
  Generator generator(validator);
  std::map<std::string_view, int> calls;
  int steps = 0, all = 0;
  for (std::uint64_t seed = 0; seed < 5000; ++seed)
    for (const passes::Step& step : generator.next(seed, 10).steps) {
      ++steps;
      const std::string_view name = op(step.call.op).name;
      if (!view_of_copy(step.call.op) && !name.ends_with("_scatter")) continue;
      ++all;
      ++calls[name];
    }
  EXPECT_GT(all, steps / 25);
  EXPECT_LT(all, steps / 15);
  for (const char* name : {"view_copy", "select_copy", "slice_copy", "as_strided_copy", "diagonal_copy", "unbind_copy",
                           "slice_scatter", "select_scatter", "diagonal_scatter", "as_strided_scatter"})
    EXPECT_GT(calls[name], 10) << name;
}

TEST(Sync, is_observed_where_a_read_takes_what_is_old) { EXPECT_TRUE(observed({.flipped = &FUN_03}).difference); }

}  // namespace
}  // namespace plumbline::validate
