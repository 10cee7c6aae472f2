// Programs aimed at graph capture: more calls between two observations, and fewer statements that end a graph.
#include "fuzz/aim.h"

#include <gtest/gtest.h>

#include "fuzz/builder.h"

namespace plumbline::fuzz::aim_test {
namespace {

struct Count {
  std::size_t calls = 0, ends = 0, guards = 0, refused = 0;
};

Count counted(bool captures) {
  Recipe recipe{reference::Judge()};
  recipe.captures = captures;
  Count count;
  for (std::uint64_t index = 0; index < 1000; ++index)
    for (const Statement& statement : build(genes_at(1, index).value(), recipe).statements) {
      const StatementKind& kind = statement.kind;
      count.calls += std::holds_alternative<Call>(kind) ? 1 : 0;
      count.guards += std::holds_alternative<Enter>(kind) ? 1 : 0;
      count.refused += std::holds_alternative<Try>(kind) ? 1 : 0;
      count.ends += std::holds_alternative<Snapshot>(kind) || std::holds_alternative<Read>(kind) ||
                            std::holds_alternative<StartThread>(kind)
                        ? 1
                        : 0;
    }
  return count;
}

TEST(Aim, more_calls_stand_between_two_statements_that_end_a_graph) {
  const Count plain = counted(false), aimed = counted(true);
  EXPECT_GT(aimed.calls, plain.calls);
  EXPECT_GT(aimed.calls * plain.ends, 2 * plain.calls * aimed.ends) << "calls for each observation";
}

TEST(Aim, a_smaller_part_of_calls_is_refused_and_some_still_are) {
  const Count plain = counted(false), aimed = counted(true);
  EXPECT_LT(aimed.refused * plain.calls, plain.refused * aimed.calls);
  EXPECT_GT(aimed.refused, 100U);
}

TEST(Aim, a_call_that_raises_is_mostly_left_out_and_counted) {
  Recipe recipe{reference::Judge()};
  recipe.captures = true;
  Coverage coverage;
  for (std::uint64_t index = 0; index < 200; ++index) build(genes_at(1, index).value(), recipe, &coverage);
  EXPECT_GT(coverage.left_out[static_cast<std::size_t>(LeftOut::raises_in_graph)], 50U);
}

TEST(Aim, operators_have_a_fake_kernel_or_none_and_no_thread_starts) {
  Recipe recipe{reference::Judge()};
  recipe.captures = true;
  std::size_t calls = 0, with_fake = 0, defined = 0;
  for (std::uint64_t index = 0; index < 400; ++index)
    for (const Statement& statement : build(genes_at(1, index).value(), recipe).statements) {
      EXPECT_FALSE(std::holds_alternative<StartThread>(statement.kind));
      calls += std::holds_alternative<Invoke>(statement.kind) ? 1 : 0;
      defined += std::holds_alternative<DefineOperator>(statement.kind) ? 1 : 0;
      const auto* kernel = std::get_if<AddKernel>(&statement.kind);
      with_fake += kernel != nullptr && kernel->key == "Meta" ? 1 : 0;
    }
  EXPECT_GT(calls, 40U);
  EXPECT_GT(with_fake, 10U);
  EXPECT_GT(defined, with_fake + 10);
}

TEST(Aim, fewer_guards_are_entered_and_some_still_are) {
  const Count plain = counted(false), aimed = counted(true);
  EXPECT_LT(aimed.guards, plain.guards);
  EXPECT_GT(aimed.guards, 100U);
}

TEST(Aim, the_simplest_gene_stays) { EXPECT_EQ(aimed_at_capture(Gene()), Gene()); }

}  // namespace
}  // namespace plumbline::fuzz::aim_test
