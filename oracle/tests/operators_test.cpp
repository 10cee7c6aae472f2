// Scripts with operators of their own: which can be run, and how they become small.
#include <gtest/gtest.h>

#include <algorithm>

#include "adapters/protocol/protocol.h"
#include "oracle/minimise.h"
#include "spec/ops/op_ids.h"

namespace plumbline::operators_test {
namespace {

constexpr Slot kX{0}, kY{1}, kZ{2};

Statement make(Slot slot, std::vector<std::int64_t> sizes, std::vector<double> values) {
  return {MakeTensor{slot, Dtype::float32, std::move(sizes), std::move(values)}};
}
Statement view(Slot from, Slot to) { return {Call{OpId::view, {from, std::vector<std::int64_t>{-1}}, {to}}}; }

template <class Kind>
bool has(const Script& script) {
  return std::ranges::any_of(script.statements,
                             [](const Statement& s) { return std::holds_alternative<Kind>(s.kind); });
}

/// Two operators; the second, whose kernel calls the first one under a guard, is called.
Script script_of_operators() {
  const CustomKernel first{"first", {kY}, {view(kY, kZ)}, {kZ}};
  const CustomKernel second{"second",
                            {Slot{3}},
                            {{Enter{GuardKind::no_grad}, 0}, {Invoke{0, {Slot{3}}, {Slot{4}}}, 0}, {Exit{}, 0}},
                            {Slot{4}}};
  return {{make(kX, {2}, {1, 2}),
           {MakeLibrary{"lib", "mine", MakeLibrary::Kind::FRAGMENT}},
           {DefineOperator{"lib", 0}},
           {AddKernel{"lib", 0, "CPU", 0}},
           {DefineOperator{"lib", 1}},
           {AddKernel{"lib", 1, "CPU", 1}},
           {AddKernel{"lib", 1, "Autograd"}},
           {Invoke{1, {kX}, {Slot{5}}}, 0},
           {Snapshot{}, 0}},
          {"x", "y", "z", "p", "q", "r"},
          {},
          {{"mine::f", {{"x"}}, {{""}}}, {"mine::g", {{"x"}}, {{""}}}},
          {first, second}};
}

TEST(Minimise, keeps_only_the_operator_that_is_called) {
  const auto calls = [](const Script& s) { return has<Invoke>(s); };
  const Minimised m = minimise(script_of_operators(), calls, 10000);
  ASSERT_EQ(m.script.operators.size(), 1U) << encode(m.script);
  EXPECT_EQ(m.script.operators[0].name, "mine::g");
  EXPECT_TRUE(m.script.kernels.empty());
}

TEST(Minimise, keeps_what_a_kernel_does_that_matters) {
  const auto calls_another = [](const Script& s) {
    return s.kernels.size() == 1 && std::ranges::any_of(s.kernels[0].statements, [](const Statement& statement) {
             return std::holds_alternative<Invoke>(statement.kind);
           });
  };
  Script one = script_of_operators();
  one.statements.erase(one.statements.begin() + 3);  // the first operator has no kernel
  drop_unused_parts(one);
  const Minimised m = minimise(one, calls_another, 10000);
  ASSERT_EQ(m.script.operators.size(), 2U) << "the kernel still calls the first operator: " << encode(m.script);
  EXPECT_EQ(m.script.kernels[0].statements.size(), 1U);
}

/// The kernel of the second operator redispatches the first one.
Script script_of_redispatch() {
  Script script = script_of_operators();
  CustomKernel& kernel = script.kernels[1];
  kernel.with_keyset = true;
  auto& invoke = std::get<Invoke>(kernel.statements[1].kind);
  invoke.redispatch = std::vector<KeyStep>{{KeyStep::Kind::after_autograd, ""}, {KeyStep::Kind::remove, "CPU"}};
  return script;
}

TEST(Minimise, keeps_only_the_step_of_a_redispatch_that_matters) {
  const auto removes = [](const Script& s) {
    return std::ranges::any_of(s.kernels, [](const CustomKernel& kernel) {
      return std::ranges::any_of(kernel.statements, [](const Statement& statement) {
        const auto* invoke = std::get_if<Invoke>(&statement.kind);
        return invoke != nullptr && invoke->redispatch && !invoke->redispatch->empty() &&
               invoke->redispatch->back().kind == KeyStep::Kind::remove;
      });
    });
  };
  const Minimised m = minimise(script_of_redispatch(), removes, 10000);
  ASSERT_EQ(m.script.kernels.size(), 1U);
  EXPECT_EQ(std::get<Invoke>(m.script.kernels[0].statements[0].kind).redispatch->size(), 1U);
}

TEST(Minimise, a_kernel_that_does_not_redispatch_needs_no_key_set) {
  const auto two = [](const Script& s) { return s.kernels.size() == 2; };
  const Minimised m = minimise(script_of_redispatch(), two, 10000);
  EXPECT_FALSE(m.script.kernels.at(1).with_keyset);
}

TEST(WellFormed, only_a_kernel_with_a_key_set_redispatches) {
  EXPECT_TRUE(well_formed(script_of_redispatch()));
  Script without = script_of_redispatch();
  without.kernels[1].with_keyset = false;
  EXPECT_FALSE(well_formed(without));
  Script outside = script_of_operators();
  std::get<Invoke>(outside.statements[7].kind).redispatch.emplace();
  EXPECT_FALSE(well_formed(outside)) << "outside a kernel";
}

TEST(WellFormed, a_kernel_has_a_scope_of_its_own_and_fits_its_operator) {
  EXPECT_TRUE(well_formed(script_of_operators()));
  Script reads_outside = script_of_operators();
  reads_outside.kernels[0].returned = {kX};
  EXPECT_FALSE(well_formed(reads_outside));
  Script returns_nothing = script_of_operators();
  returns_nothing.kernels[0].returned.clear();
  EXPECT_FALSE(well_formed(returns_nothing));
  Script unknown = script_of_operators();
  std::get<Invoke>(unknown.statements[7].kind).op = 2;
  EXPECT_FALSE(well_formed(unknown));
}

TEST(WellFormed, libraries_are_made_in_the_test_before_they_are_used) {
  const auto changed = [](auto change) {
    Script script = script_of_operators();
    change(script.statements);
    return well_formed(script);
  };
  using All = std::vector<Statement>;
  EXPECT_FALSE(changed([](All& s) { s.erase(s.begin() + 1); }));
  EXPECT_FALSE(changed([](All& s) { s.insert(s.begin() + 1, s[1]); })) << "two of one name";
  EXPECT_FALSE(changed([](All& s) { s.insert(s.begin() + 3, Statement{DropLibrary{"lib"}}); })) << "it has ended";
  EXPECT_TRUE(changed([](All& s) { s.insert(s.begin() + 7, Statement{DropLibrary{"lib"}}); }));
  EXPECT_FALSE(changed([](All& s) { std::get<MakeLibrary>(s[1].kind).space = "others"; }));
  EXPECT_FALSE(changed([](All& s) { s.erase(s.begin() + 2); })) << "a kernel calls an operator that is not defined";
  EXPECT_FALSE(changed([](All& s) {
    s.insert(s.begin() + 2, Statement{EndTry{}});
    s.insert(s.begin() + 1, Statement{Try{}});
  })) << "if making it raises, there is no library after the Try";
  EXPECT_FALSE(changed([](All& s) {
    s.insert(s.begin() + 7, Statement{JoinThread{}});
    s.insert(s.begin() + 1, Statement{StartThread{}});
  }));
}

}  // namespace
}  // namespace plumbline::operators_test
