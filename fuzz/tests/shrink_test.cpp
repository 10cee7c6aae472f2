// Shrinking keeps the given failure: a smaller program with another failure is not taken.
#include "fuzz/shrink.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "oracle/minimise.h"

namespace plumbline::fuzz::shrink_test {

namespace {

bool writes(const Script& script) {
  return std::ranges::any_of(script.statements, [](const Statement& s) {
    const auto* call = std::get_if<Call>(&s.kind);
    return call != nullptr && op(call->op).kind == OpKind::Inplace;
  });
}
bool views(const Script& script) {
  return std::ranges::any_of(script.statements, [](const Statement& s) {
    const auto* call = std::get_if<Call>(&s.kind);
    return call != nullptr && op(call->op).kind == OpKind::View;
  });
}
/// Every program fails; programs that write and view fail in the way that is searched for.
std::string failure(const Script& script) { return writes(script) && views(script) ? "wanted" : "another"; }

TEST(Shrink, keeps_the_failure_that_it_was_given) {
  int shrunk = 0;
  for (std::uint64_t index = 0; index < 40; ++index) {
    const auto genes = genes_at(1, index);
    if (failure(build(genes.value(), Recipe())) != "wanted") continue;
    ++shrunk;
    const Shrunk small = shrink(genes, Recipe(), "wanted", failure, 4000);
    EXPECT_EQ(failure(small.script), "wanted") << index;
    EXPECT_TRUE(well_formed(small.script)) << index;
    EXPECT_LE(small.script.statements.size(), 4U) << "a tensor, a view, a write, and possibly a snapshot";
    EXPECT_TRUE(small.complete);
    EXPECT_GT(small.tried, 0U);
  }
  EXPECT_GT(shrunk, 3);
}

TEST(Shrink, runs_at_most_as_often_as_the_limit_and_reports_that_it_stopped) {
  for (std::uint64_t index = 0; index < 40; ++index) {
    const auto genes = genes_at(1, index);
    if (failure(build(genes.value(), Recipe())) != "wanted") continue;
    std::size_t asked = 0;
    const Failing counted = [&](const Script& script) {
      ++asked;
      return failure(script);
    };
    const Shrunk small = shrink(genes, Recipe(), "wanted", counted, 3);
    EXPECT_EQ(failure(small.script), "wanted");
    EXPECT_LE(asked, 6U) << "3 while genes are shrunk, and 3 afterwards";
    EXPECT_FALSE(small.complete);
    return;
  }
  FAIL() << "no program has the failure that is searched for";
}

}  // namespace

}  // namespace plumbline::fuzz::shrink_test
