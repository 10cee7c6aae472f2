// The minimiser, on predicates whose smallest script is known.
#include "oracle/minimise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "adapters/protocol/protocol.h"
#include "spec/ops/op_ids.h"

namespace plumbline::minimise_test {
namespace {

constexpr Slot kX{0}, kY{1}, kZ{2};

Statement make(Slot slot, std::vector<std::int64_t> sizes, std::vector<double> values, bool requires_grad = false) {
  return {MakeTensor{slot, Dtype::float32, std::move(sizes), std::move(values), requires_grad}, 0};
}
Statement view(Slot from, Slot to) { return {Call{OpId::view, {from, std::vector<std::int64_t>{-1}}, {to}}, 0}; }
/// `slot.add_(7)`, or `slot = slot.add_(7)`.
Statement add_to(Slot slot, bool assigned = false) {
  Call call{OpId::add__Tensor, {slot, std::int64_t{7}, std::int64_t{1}}, {}};
  if (assigned) call.results = {slot};
  return {call, 0};
}

/// A long script: guards, a Try, a view of a view, a write through it, other tensors.
Script long_script() {
  return {{make(kX, {2, 3}, {5, 5, 5, 5, 5, 5}, true),
           make(kZ, {}, {1}),
           {Enter{GuardKind::no_grad}, 0},
           view(kX, kY),
           {Try{}, 0},
           add_to(kZ),
           {Enter{GuardKind::inference_mode}, 0},
           view(kY, kZ),
           {Exit{}, 0},
           {EndTry{}, 0},
           add_to(kY, true),
           {Exit{}, 0},
           {Snapshot{}, 0}},
          {"x", "y", "z"}};
}

bool adds(const Script& s) {
  return std::ranges::any_of(s.statements, [](const Statement& st) {
    const auto* call = std::get_if<Call>(&st.kind);
    return call != nullptr && call->op == OpId::add__Tensor;
  });
}

TEST(Minimise, reaches_the_smallest_script) {
  const Minimised m = minimise(long_script(), adds, 10000);
  EXPECT_TRUE(m.complete);
  EXPECT_TRUE(well_formed(m.script));
  ASSERT_EQ(m.script.statements.size(), 2U) << encode(m.script);
  const auto& made = std::get<MakeTensor>(m.script.statements[0].kind);
  EXPECT_LE(made.values.size(), 1U);
  EXPECT_FALSE(made.requires_grad);
  const Call& call = std::get<Call>(m.script.statements[1].kind);
  EXPECT_EQ(call.arguments[1], Value(std::int64_t{0}));
  EXPECT_TRUE(call.results.empty());
}

TEST(Minimise, keeps_a_guard_that_matters_and_unwraps_the_others) {
  const auto in_no_grad = [](const Script& s) {
    int depth = 0;
    for (const Statement& st : s.statements) {
      const auto* enter = std::get_if<Enter>(&st.kind);
      if (enter != nullptr && enter->kind == GuardKind::no_grad) ++depth;
      if (std::holds_alternative<Exit>(st.kind)) --depth;
      const auto* call = std::get_if<Call>(&st.kind);
      if (depth > 0 && call != nullptr && call->op == OpId::view) return true;
    }
    return false;
  };
  const Minimised m = minimise(long_script(), in_no_grad, 10000);
  EXPECT_EQ(m.script.statements.size(), 4U) << encode(m.script);
}

TEST(Minimise, bypasses_a_call_whose_result_is_used_twice) {
  const auto twice = [](const Script& s) {
    std::array<int, 3> adds{};
    for (const Statement& st : s.statements) {
      const auto* call = std::get_if<Call>(&st.kind);
      if (call == nullptr || call->op != OpId::add__Tensor) continue;
      if (++adds.at(static_cast<std::size_t>(std::get<Slot>(call->arguments[0]))) == 2) return true;
    }
    return false;
  };
  const Script script{{make(kX, {}, {1}), view(kX, kY), add_to(kY, true), add_to(kY)}, {"x", "y", "z"}};
  EXPECT_EQ(minimise(script, twice, 10000).script.statements.size(), 3U);
}

TEST(Minimise, removes_data_and_grad_that_do_not_matter) {
  const auto sets_data = [](const Script& s) {
    return std::ranges::any_of(s.statements, [](const Statement& st) {
      const auto* set = std::get_if<SetData>(&st.kind);
      return set != nullptr && set->tensor != set->data;
    });
  };
  for (const StatementKind& taken : {StatementKind(GetData{kY, kX}), StatementKind(GetGrad{kY, kX})}) {
    const Script script{{make(kX, {}, {1}), {taken, 0}, make(kZ, {}, {1}), {SetData{kZ, kY}, 0}, {Backward{kY}, 0}},
                        {"x", "y", "z"}};
    const Minimised m = minimise(script, sets_data, 10000);
    ASSERT_EQ(m.script.statements.size(), 3U) << encode(m.script);
    const auto& set = std::get<SetData>(m.script.statements[2].kind);
    EXPECT_EQ(set.tensor, kZ);
    EXPECT_EQ(set.data, kX) << "y was replaced by x";
  }
}

TEST(Minimise, is_deterministic_and_tries_only_well_formed_scripts) {
  const auto holds = [](const Script& s) {
    EXPECT_TRUE(well_formed(s)) << encode(s);
    return adds(s);
  };
  const Minimised a = minimise(long_script(), holds, 10000);
  const Minimised b = minimise(long_script(), holds, 10000);
  EXPECT_EQ(encode(a.script), encode(b.script));
  EXPECT_EQ(a.tried, b.tried);
}

TEST(Minimise, says_if_the_budget_ran_out) {
  std::size_t calls = 0;
  const auto count = [&](const Script& s) { return ++calls, adds(s); };
  const Minimised m = minimise(long_script(), count, 3);
  EXPECT_FALSE(m.complete);
  EXPECT_EQ(m.tried, 3U);
  EXPECT_EQ(calls, 3U);
}

/// x; F.apply(x) twice; a thread that writes to the second result.
Script script_of_blocks() {
  const Slot a{3}, b{4}, g{5}, h{6}, s{7};
  Script script{{make(kX, {}, {1}),
                 {EnterForward{0, {kX}}},
                 view(kX, a),
                 {ContextCall{ContextKind::save_for_backward, {kX}}},
                 {LeaveForward{{a}, {kY}}},
                 {EnterForward{1, {kY}}},
                 {LeaveForward{{kY}, {kZ}}},
                 {StartThread{}},
                 view(kZ, b),
                 add_to(b),
                 {JoinThread{}},
                 {Backward{kZ, kX, true}}},
                {"x", "y", "z", "a", "b", "g", "h", "s"},
                {}};
  script.functions = {{"F", {g}, {{LoadSaved{{s}}}, view(s, s)}, {s}}, {"F", {h}, {}, {h}}};
  return script;
}

template <class Kind>
bool has(const Script& script) {
  return std::ranges::any_of(script.statements,
                             [](const Statement& s) { return std::holds_alternative<Kind>(s.kind); });
}

TEST(Minimise, removes_whole_threads_and_forwards) {
  const auto goes_back = [](const Script& s) { return has<Backward>(s); };
  const Minimised m = minimise(script_of_blocks(), goes_back, 10000);
  EXPECT_EQ(m.script.statements.size(), 2U) << encode(m.script);
  EXPECT_TRUE(m.script.functions.empty());
  const auto& backward = std::get<Backward>(m.script.statements[1].kind);
  EXPECT_EQ(backward.tensor, kX);
  EXPECT_FALSE(backward.gradient || backward.retain_graph);
}

TEST(Minimise, leaves_out_inputs_of_backward_and_of_grad) {
  Script script{{make(kX, {}, {1}), make(kY, {}, {1}), {Backward{kX, kY, true, {kX, kY}}, 0}}, {"x", "y", "z"}};
  Minimised m = minimise(script, [](const Script& s) { return has<Backward>(s); }, 10000);
  EXPECT_TRUE(std::get<Backward>(m.script.statements.back().kind).inputs.empty()) << encode(m.script);
  script.statements.back().kind = Backward{kX, std::nullopt, false, {}, {{kY, kX}, {kX}}};
  m = minimise(script, [](const Script& s) { return has<Backward>(s); }, 10000);
  EXPECT_TRUE(std::get<Backward>(m.script.statements.back().kind).more.empty()) << encode(m.script);
  script.statements.back().kind = GetGradients{kX, {kX, kY}, {kY, kZ}, kY, true, true};
  m = minimise(script, [](const Script& s) { return has<GetGradients>(s); }, 10000);
  const auto& get = std::get<GetGradients>(m.script.statements.back().kind);
  EXPECT_EQ(get.inputs.size(), 1U) << encode(m.script);
  EXPECT_TRUE(get.results.empty() && !get.gradient && !get.retain_graph && !get.allow_unused) << encode(m.script);
}

TEST(Minimise, keeps_the_statements_of_a_thread_that_matter) {
  const auto writes_in_thread = [](const Script& s) { return adds(s) && has<StartThread>(s); };
  const Minimised m = minimise(script_of_blocks(), writes_in_thread, 10000);
  EXPECT_EQ(m.script.statements.size(), 4U) << encode(m.script);
}

TEST(Minimise, keeps_one_function_and_makes_its_backward_short) {
  const auto applies = [](const Script& s) { return has<EnterForward>(s); };
  const Minimised m = minimise(script_of_blocks(), applies, 10000);
  EXPECT_EQ(m.script.statements.size(), 3U) << encode(m.script);
  ASSERT_EQ(m.script.functions.size(), 1U);
  EXPECT_EQ(std::get<EnterForward>(m.script.statements[1].kind).function, 0);
  EXPECT_TRUE(m.script.functions[0].statements.empty());
  EXPECT_FALSE(m.script.functions[0].returned[0]);
}

/// x; a hook of x that reads y; a hook of y, which is removed; backward.
Script script_of_hooks() {
  const Slot g{3}, h{4}, s{5};
  Script script{{make(kX, {}, {1}),
                 make(kY, {}, {2}),
                 {RegisterHook{kX, 0}},
                 {RegisterHook{kY, 1}},
                 {RemoveHook{1}},
                 {Backward{kX}}},
                {"x", "y", "z", "g", "h", "s"},
                {}};
  script.functions = {{"f", {g}, {view(kY, s)}, {s}}, {"k", {h}, {}, {h}}};
  return script;
}

TEST(Minimise, keeps_one_hook_and_makes_it_short) {
  const auto hooks = [](const Script& s) { return has<RemoveHook>(s); };
  const Minimised m = minimise(script_of_hooks(), hooks, 10000);
  EXPECT_EQ(m.script.statements.size(), 3U) << encode(m.script);
  ASSERT_EQ(m.script.functions.size(), 1U);
  EXPECT_EQ(m.script.functions[0].name, "k");
  EXPECT_EQ(std::get<RemoveHook>(m.script.statements[2].kind).function, 0);
  EXPECT_FALSE(m.script.functions[0].returned[0]);
}

TEST(WellFormed, hooks_after_accumulation_use_grads_and_return_nothing) {
  Script script = script_of_hooks();
  script.functions[0].statements = {{GetGrad{Slot{5}, Slot{3}}}, {SetGrad{Slot{3}}}};
  script.functions[0].returned = {std::nullopt};
  EXPECT_FALSE(well_formed(script)) << "a hook before accumulation";
  std::get<RegisterHook>(script.statements[2].kind).after = true;
  EXPECT_TRUE(well_formed(script));
  script.functions[0].returned = {Slot{3}};
  EXPECT_FALSE(well_formed(script));
}

TEST(WellFormed, hooks_of_saved_tensors_return_tensors_and_end) {
  Script script = script_of_hooks();
  script.statements = {make(kX, {}, {1}), make(kY, {}, {2}), {EnterSavedTensorsHooks{0, 1}}, {Exit{}}};
  EXPECT_TRUE(well_formed(script));
  Script open = script;
  open.statements.pop_back();
  EXPECT_FALSE(well_formed(open));
  script.functions[1].returned = {std::nullopt};
  EXPECT_FALSE(well_formed(script));
}

TEST(WellFormed, hooks_see_what_is_around_them) {
  EXPECT_TRUE(well_formed(script_of_hooks()));
  const auto changed = [](auto change) {
    Script script = script_of_hooks();
    change(script);
    return well_formed(script);
  };
  EXPECT_FALSE(changed([](Script& s) { std::get<RemoveHook>(s.statements[4].kind).function = 2; }));
  EXPECT_FALSE(changed([](Script& s) { std::swap(s.statements[3], s.statements[4]); })) << "it has no handle yet";
  EXPECT_FALSE(changed([](Script& s) { std::swap(s.statements[1], s.statements[2]); })) << "y comes later";
  EXPECT_FALSE(changed([](Script& s) { std::get<RegisterHook>(s.statements[3].kind).function = 0; }));
  EXPECT_FALSE(changed([](Script& s) { s.functions[0].returned.emplace_back(); }));
  EXPECT_FALSE(changed([](Script& s) { s.functions[0].statements = {{LoadSaved{{Slot{5}}}}}; }));
  EXPECT_FALSE(changed([](Script& s) { s.statements[5].kind = Read{Slot{3}, Field::dtype}; }))
      << "the slot belongs to the hook";
  EXPECT_FALSE(changed([](Script& s) {
    s.statements.insert(s.statements.begin() + 3, Statement{Try{}});
    s.statements.insert(s.statements.begin() + 5, Statement{EndTry{}});
  })) << "the handle is lost if the registration raises";
}

TEST(WellFormed, blocks_nest_and_slots_belong_to_one_function) {
  EXPECT_TRUE(well_formed(long_script()));
  EXPECT_TRUE(well_formed(script_of_blocks()));
  const auto changed = [](auto change) {
    Script script = script_of_blocks();
    change(script);
    return well_formed(script);
  };
  auto kind = [](Script& s, std::size_t i) -> StatementKind& { return s.statements[i].kind; };
  EXPECT_FALSE(changed([&](Script& s) { std::get<EnterForward>(kind(s, 5)).function = 0; }))
      << "the function already has an apply";
  EXPECT_FALSE(changed([&](Script& s) { std::get<EnterForward>(kind(s, 5)).function = 2; }));
  EXPECT_FALSE(changed([&](Script& s) { s.functions.push_back(s.functions[0]); })) << "no apply uses it";
  EXPECT_FALSE(changed([&](Script& s) { std::get<EnterForward>(kind(s, 5)).inputs = {kX}; })) << "y is not an input";
  EXPECT_FALSE(changed([&](Script& s) { std::get<LeaveForward>(kind(s, 4)).results = {kY, kZ}; }));
  EXPECT_FALSE(changed([&](Script& s) { kind(s, 10) = Exit{}; })) << "the thread is not joined";
  EXPECT_FALSE(changed([&](Script& s) { kind(s, 11) = Read{Slot{3}, Field::dtype}; }))
      << "the slot belongs to the forward";
  EXPECT_FALSE(changed([&](Script& s) { kind(s, 11) = Read{Slot{4}, Field::dtype}; }))
      << "the slot belongs to the thread";
  EXPECT_FALSE(changed([&](Script& s) { s.statements[8] = view(kZ, kY); })) << "a thread assigns a slot of the test";
  EXPECT_FALSE(changed([&](Script& s) { s.statements[2] = view(kX, kX); })) << "a forward assigns a slot of the test";
  EXPECT_FALSE(changed([&](Script& s) { kind(s, 8) = ContextCall{ContextKind::mark_dirty, {kX}}; }));
  EXPECT_FALSE(changed([&](Script& s) { kind(s, 8) = LoadSaved{{kZ}}; })) << "it is outside a backward";
  EXPECT_FALSE(changed([&](Script& s) { s.functions[0].returned = {kX}; }))
      << "the slot does not belong to the backward";
  EXPECT_FALSE(changed([&](Script& s) { s.functions[0].gradients = {kX}; }));
  EXPECT_FALSE(changed([&](Script& s) { s.functions[0].statements.push_back({Snapshot{}}); }))
      << "a backward may not observe";
  EXPECT_FALSE(changed([&](Script& s) { s.functions[0].statements.push_back({Exit{}}); }));
  EXPECT_FALSE(changed([&](Script& s) { s.functions[1].statements.push_back({LoadSaved{{Slot{7}}}}); }))
      << "no tensor was saved";
}

}  // namespace
}  // namespace plumbline::minimise_test
