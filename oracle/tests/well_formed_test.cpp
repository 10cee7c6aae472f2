// Which scripts can be run.
#include <gtest/gtest.h>

#include "oracle/minimise.h"
#include "spec/ops/op_ids.h"

namespace plumbline::well_formed_test {
namespace {

constexpr Slot kX{0}, kY{1}, kZ{2};

Statement make(Slot slot, std::vector<std::int64_t> sizes, std::vector<double> values) {
  return {MakeTensor{slot, Dtype::float32, std::move(sizes), std::move(values)}};
}
Statement view(Slot from, Slot to) { return {Call{OpId::view, {from, std::vector<std::int64_t>{-1}}, {to}}}; }

/// A thread with `before`, then a wait in which its starter has `meanwhile`, then `after`.
bool waits(const std::vector<Statement>& before, const std::vector<Statement>& meanwhile,
           const std::vector<Statement>& after) {
  Script script{{make(kX, {}, {1}), {StartThread{}}}, {"x", "y", "z"}, {}};
  const auto add = [&](const std::vector<Statement>& statements) {
    script.statements.insert(script.statements.end(), statements.begin(), statements.end());
  };
  add(before);
  add({{PauseThread{}}});
  add(meanwhile);
  add({{ResumeThread{}}});
  add(after);
  add({{JoinThread{}}});
  return well_formed(script);
}

TEST(WellFormed, a_thread_waits_among_its_own_statements) {
  EXPECT_TRUE(waits({}, {}, {}));
  EXPECT_TRUE(waits({{Enter{GuardKind::no_grad}}}, {{Enter{GuardKind::no_grad}}, {Exit{}}}, {{Exit{}}}));
  EXPECT_FALSE(waits({{Try{}}}, {}, {{EndTry{}}})) << "it waits in a Try";
  EXPECT_FALSE(waits({}, {{Enter{GuardKind::no_grad}}}, {{Exit{}}})) << "the starter's guard is open when it goes on";
  EXPECT_FALSE(waits({}, {{PauseThread{}}, {ResumeThread{}}}, {})) << "it waits twice";
  Script outside{{{PauseThread{}}, {ResumeThread{}}}, {}, {}};
  EXPECT_FALSE(well_formed(outside));
}

TEST(WellFormed, a_starter_sees_no_names_of_the_thread_that_waits) {
  EXPECT_TRUE(waits({}, {view(kX, kY)}, {view(kY, kZ)})) << "the thread sees its starter's names";
  EXPECT_FALSE(waits({view(kX, kY)}, {view(kY, kZ)}, {}));
  EXPECT_TRUE(waits({view(kX, kY)}, {}, {view(kY, kZ)}));
}

/// `slot.add_(7)`.
Statement add_to(Slot slot) { return {Call{OpId::add__Tensor, {slot, std::int64_t{7}, std::int64_t{1}}, {}}}; }

TEST(WellFormed, accepts_scripts_that_can_run_and_refuses_others) {
  const auto of = [](std::vector<Statement> statements) {
    return well_formed(Script{std::move(statements), {"x", "y", "z"}});
  };
  EXPECT_TRUE(of({}));
  EXPECT_FALSE(of({add_to(kX)})) << "the slot is not bound";
  EXPECT_FALSE(of({{Read{kX, Field::dtype}, 0}}));
  EXPECT_FALSE(of({{SetRequiresGrad{kX, true}, 0}}));
  EXPECT_FALSE(of({{GetData{kY, kX}, 0}}));
  EXPECT_FALSE(of({{GetGrad{kY, kX}, 0}}));
  EXPECT_FALSE(of({{Backward{kX}, 0}}));
  EXPECT_FALSE(of({make(kX, {}, {1}), {SetData{kX, kY}, 0}}));
  EXPECT_FALSE(of({make(kX, {}, {1}), {SetData{kY, kX}, 0}}));
  EXPECT_TRUE(of({make(kX, {}, {1}), {GetData{kY, kX}, 0}, {GetGrad{kZ, kY}, 0}, {SetData{kY, kZ}, 0}, add_to(kZ)}));
  EXPECT_FALSE(of({make(kX, {}, {1}), {Try{}, 0}, {GetData{kY, kX}, 0}, {EndTry{}, 0}, add_to(kY)}))
      << "the statement in the Try may raise before it binds the slot";
  EXPECT_FALSE(of({{Enter{GuardKind::no_grad}, 0}})) << "the guard is not left";
  EXPECT_FALSE(of({{Exit{}, 0}}));
  EXPECT_FALSE(of({{Enter{GuardKind::no_grad}, 0}, {Try{}, 0}, {Exit{}, 0}, {EndTry{}, 0}})) << "the blocks cross";
  EXPECT_FALSE(of({make(kX, {2}, {1})})) << "values and sizes do not fit";
  EXPECT_FALSE(of({make(kX, {-1}, {})}));
  EXPECT_FALSE(of({make(kX, {}, {1}), {Call{OpId::add__Tensor, {kX, std::int64_t{1}}, {kX}}, 0}}))
      << "an argument is missing";
  EXPECT_FALSE(of({make(kX, {}, {1}), {Call{OpId::view, {kX, kX}, {kY}}, 0}})) << "a tensor in place of a list";
  EXPECT_FALSE(of({make(Slot{9}, {}, {1})})) << "a slot without a name";
  EXPECT_FALSE(of({make(kX, {}, {1}), {Try{}, 0}, view(kX, kY), {EndTry{}, 0}, add_to(kY)}))
      << "the statement in the Try may raise before it binds the slot";
  EXPECT_TRUE(of({make(kX, {}, {1}), {Try{}, 0}, view(kX, kY), add_to(kY), {EndTry{}, 0}, add_to(kY)}));
}

}  // namespace
}  // namespace plumbline::well_formed_test
