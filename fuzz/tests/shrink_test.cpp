// Shrinking keeps the given failure: a smaller program with another failure is not taken.
#include "fuzz/shrink.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "fuzz/batches.h"
#include "fuzz/gene.h"
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
bool is_a_million(std::int64_t n) { return n > 900'000 && n < 1'200'000; }
bool makes_a_million(const Statement& s) {
  const auto* call = std::get_if<Call>(&s.kind);
  return call != nullptr && std::ranges::any_of(call->arguments, [](const Value& value) {
           const auto* sizes = std::get_if<std::vector<std::int64_t>>(&value);
           const auto* number = std::get_if<std::int64_t>(&value);
           return (number != nullptr && is_a_million(*number)) ||
                  (sizes != nullptr &&
                   is_a_million(std::accumulate(sizes->begin(), sizes->end(), std::int64_t{1}, std::multiplies<>())));
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

TEST(Shrink, ends_with_the_smallest_so_far_after_ctrl_c) {
  for (std::uint64_t index = 0; index < 40; ++index) {
    const auto genes = genes_at(1, index);
    if (failure(build(genes.value(), Recipe())) != "wanted") continue;
    interrupted = true;
    const Shrunk small = shrink(genes, Recipe(), "wanted", [](const Script&) { return ""; }, 4000);
    interrupted = false;
    EXPECT_EQ(failure(small.script), "wanted");
    EXPECT_FALSE(small.complete);
    return;
  }
  FAIL() << "no program has the failure that is searched for";
}

TEST(Shrink, leaves_out_tensors_of_a_million_elements_where_the_failure_does_not_need_them) {
  bool any = false;
  for (std::uint64_t index = 0; index < 40000 && !any; ++index) {
    const auto genes = genes_at(1, index);
    const bool may =
        std::ranges::any_of(genes.value(), [](const Gene& gene) { return Choices(gene).extent() == Extent::million; });
    if (!may) continue;
    const Script script = build(genes.value(), Recipe());
    if (failure(script) != "wanted" || std::ranges::none_of(script.statements, makes_a_million)) continue;
    any = true;
    const Failing small_ones = [](const Script& script) {
      EXPECT_TRUE(std::ranges::none_of(script.statements, makes_a_million));
      return failure(script);
    };
    EXPECT_EQ(failure(shrink(genes, Recipe(), "wanted", small_ones, 20).script), "wanted");
  }
  EXPECT_TRUE(any);
}

}  // namespace

}  // namespace plumbline::fuzz::shrink_test
