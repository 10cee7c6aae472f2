// How scripts about the dispatcher become small.
#include <gtest/gtest.h>

#include <algorithm>

#include "adapters/protocol/protocol.h"
#include "oracle/minimise.h"
#include "oracle/tests/dispatch_scripts.h"

namespace plumbline::minimise_kernels_test {
namespace {

using namespace dispatch_scripts;
using Kind = KeyStep::Kind;

template <class Wanted>
bool has(const std::vector<Statement>& statements) {
  return std::ranges::any_of(statements, [](const Statement& s) { return std::holds_alternative<Wanted>(s.kind); });
}

Script small(const std::function<bool(const Script&)>& holds, const Script& script = script_of_dispatch()) {
  Script made = minimise(script, holds, 10000).script;
  EXPECT_TRUE(well_formed(made)) << encode(made);
  return made;
}

TEST(MinimiseKernels, what_does_not_matter_goes) {
  Script script = script_of_dispatch();
  for (const StatementKind& kind : std::vector<StatementKind>{
           AppendToLog{"here"}, ClearLog{}, QueryKernel{"mine::f", "CPU"}, QueryThreadKey{"CPU"}, RaiseError{"no"}})
    script.statements.push_back({kind, 0});
  const Script made = small([](const Script& s) { return has<ReadLog>(s.statements); }, script);
  EXPECT_EQ(made.statements.size(), 1U) << encode(made);
  EXPECT_TRUE(made.kernels.empty() && made.operators.empty());
}

TEST(MinimiseKernels, a_fallback_keeps_its_kernel_and_the_called_operator) {
  const Script made = small([](const Script& s) {
    return std::ranges::any_of(s.kernels, [](const CustomKernel& kernel) {
      return kernel.name == "fallback" && has<Invoke>(kernel.statements);
    });
  });
  ASSERT_EQ(made.kernels.size(), 1U) << encode(made);
  EXPECT_EQ(std::get<Invoke>(made.kernels[0].statements[0].kind).op, kCalledOperator);
  EXPECT_FALSE(made.kernels[0].returns_passed) << "no operator is left that returns something";
}

TEST(MinimiseKernels, kernels_are_for_the_cpu_where_that_is_enough) {
  const Script made = small([](const Script& s) {
    return std::ranges::any_of(s.statements, [](const Statement& statement) {
      const auto* add = std::get_if<AddKernel>(&statement.kind);
      return add != nullptr && add->kernel == 0;
    });
  });
  for (const Statement& statement : made.statements)
    if (const auto* add = std::get_if<AddKernel>(&statement.kind)) {
      EXPECT_EQ(add->key, "CPU");
    }
}

TEST(MinimiseKernels, a_redispatch_keeps_the_keys_that_matter) {
  Script script = script_of_dispatch();
  script.statements[kCall].kind = redispatch_of(0, {{Kind::only, "CPU"}, {Kind::add, "CUDA"}, {Kind::remove, "CUDA"}});
  const Script made = small(
      [](const Script& s) {
        return std::ranges::any_of(s.statements, [](const Statement& statement) {
          const auto* invoke = std::get_if<Invoke>(&statement.kind);
          return invoke != nullptr && invoke->redispatch;
        });
      },
      script);
  EXPECT_EQ(std::get<Invoke>(made.statements.back().kind).redispatch, (std::vector<KeyStep>{{Kind::only, "CPU"}}));
}

TEST(MinimiseKernels, a_key_set_is_not_kept_for_the_log) {
  const Script made = small([](const Script& s) {
    return std::ranges::any_of(s.kernels, [](const CustomKernel& kernel) {
      return kernel.name == "above" && has<AppendToLog>(kernel.statements) && has<Invoke>(kernel.statements);
    });
  });
  const CustomKernel& above = made.kernels.at(0);
  EXPECT_EQ(std::get<AppendToLog>(above.statements.at(0).kind).text, "above");
}

}  // namespace
}  // namespace plumbline::minimise_kernels_test
