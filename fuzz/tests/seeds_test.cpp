// Seeds: a program's number gives the same choices on every machine and in every process, and generated programs are
// observed in between.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "fuzz/builder.h"

namespace plumbline::fuzz::seeds_test {

namespace {

std::string text_of(const Gene& gene) {
  std::ostringstream text;
  text << gene;
  return text.str();
}

TEST(Seeds, stand_for_the_same_genes_everywhere) {
  // The values when the test was written: a finding's number must lead to its program even years later.
  const Genes first = genes_at(1, 0).value();
  ASSERT_EQ(first.size(), 6U);
  EXPECT_EQ(text_of(first.front()), "(2 227 74 132 75 44 | 133 223 206 183 81 103 238 47)");
  const Genes later = genes_at(0x123456789, 0x123456789).value();
  ASSERT_EQ(later.size(), 10U);
  EXPECT_EQ(text_of(later.front()), "(4 5 215 227 62 158 | 54 11 27 226 10 55 28 194)");
}

TEST(Seeds, are_told_apart_by_each_of_their_bits) {
  for (int bit = 0; bit < 64; ++bit) {
    EXPECT_NE(genes_at(std::uint64_t{1} << bit, 5).value(), genes_at(0, 5).value()) << "seed, bit " << bit;
    EXPECT_NE(genes_at(5, std::uint64_t{1} << bit).value(), genes_at(5, 0).value()) << "number, bit " << bit;
  }
}

TEST(Seeds, kinds_of_statements_and_lengths_of_programs_are_drawn_as_often_as_they_should) {
  // Out of 256. The value of a campaign depends on these numbers, so change them only on purpose.
  constexpr std::array<int, kGeneKinds> kShares{12, 10, 34, 36, 46, 10, 12, 8, 40, 18, 18, 4, 8};
  std::array<int, kGeneKinds> kinds{};
  std::array<int, kMaxGenes + 1> lengths{};
  int genes = 0;
  constexpr int kPrograms = 4000;
  for (std::uint64_t index = 0; index < kPrograms; ++index) {
    const Genes drawn = genes_at(3, index).value();
    ASSERT_LE(drawn.size(), kMaxGenes);
    ++lengths.at(drawn.size());
    for (const Gene& gene : drawn) ++kinds.at(gene.kind);
    genes += static_cast<int>(drawn.size());
  }
  for (std::size_t kind = 0; kind < kinds.size(); ++kind)
    EXPECT_NEAR(kinds.at(kind) * 256.0 / genes, kShares.at(kind), 1.5) << "kind " << kind;
  EXPECT_EQ(lengths[0], 0);
  for (std::size_t length = 1; length <= kMaxGenes; ++length)
    EXPECT_NEAR(lengths.at(length), kPrograms / static_cast<double>(kMaxGenes), 60) << length << " genes";
}

bool is_snapshot(const Statement& statement) { return std::holds_alternative<Snapshot>(statement.kind); }

TEST(Observation, many_programs_have_snapshots_in_between) {
  std::size_t with = 0;
  std::size_t inside = 0;
  for (std::uint64_t index = 0; index < 1000; ++index) {
    const Script script = build(genes_at(1, index).value(), Recipe());
    const auto last = script.statements.end() - 1;
    EXPECT_TRUE(is_snapshot(*last)) << index;
    const auto count = static_cast<std::size_t>(std::count_if(script.statements.begin(), last, is_snapshot));
    with += count > 0 ? 1 : 0;
    inside += count;
  }
  EXPECT_GT(with, 800U);
  EXPECT_GT(inside, 3000U);
}

TEST(Observation, a_statement_that_raises_has_one_on_both_sides_in_many_programs) {
  std::size_t both = 0;
  for (std::uint64_t index = 0; index < 1000; ++index) {
    const std::vector<Statement> s = build(genes_at(1, index).value(), Recipe()).statements;
    for (std::size_t i = 1; i + 3 < s.size(); ++i)
      if (std::holds_alternative<Try>(s[i].kind) && is_snapshot(s[i - 1]))
        both += std::any_of(s.begin() + static_cast<std::ptrdiff_t>(i),
                            s.begin() + static_cast<std::ptrdiff_t>(std::min(i + 6, s.size())), is_snapshot)
                    ? 1
                    : 0;
  }
  EXPECT_GT(both, 150U);
}

TEST(Observation, of_all_has_one_for_each_gene) {
  Recipe recipe;
  recipe.observe_all = true;
  for (std::uint64_t index = 0; index < 200; ++index) {
    const Genes genes = genes_at(1, index).value();
    const Script script = build(genes, recipe);
    EXPECT_GE(static_cast<std::size_t>(std::ranges::count_if(script.statements, is_snapshot)), genes.size()) << index;
  }
}

}  // namespace

}  // namespace plumbline::fuzz::seeds_test
