// How many elements generated tensors have, and what is left out while generating.
#include "fuzz/sizes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "fuzz/builder.h"

namespace plumbline::fuzz {

namespace {

constexpr std::uint64_t kPrograms = 6000;

Gene gene_of(std::uint8_t extent, std::uint8_t last = 0) {
  Gene gene;
  gene.extent = extent;
  gene.draws.back() = last;
  return gene;
}

Sizes chosen(const Gene& gene) {
  Choices choices(gene);
  return choose_sizes(choices);
}

TEST(Extents, are_few_in_seven_genes_of_eight_and_a_million_in_one_of_two_thousand) {
  std::array<int, 3> count{};
  for (int extent = 0; extent < 256; ++extent)
    for (int last = 0; last < 256; ++last) {
      const Gene gene = gene_of(static_cast<std::uint8_t>(extent), static_cast<std::uint8_t>(last));
      ++count.at(static_cast<std::size_t>(Choices(gene).extent()));
    }
  EXPECT_EQ(count, (std::array<int, 3>{224 * 256, 32 * 256 - 32, 32}));
}

TEST(ChosenSizes, of_thousands_have_one_to_five_dimensions_and_at_most_2048_elements) {
  std::set<std::size_t> ranks;
  std::set<std::int64_t> extents;
  for (std::uint64_t index = 0; index < kPrograms; ++index)
    for (Gene gene : genes_at(11, index).value()) {
      gene.extent = 224;
      const Sizes sizes = chosen(gene);
      EXPECT_LE(elements_in(sizes), 2048);
      ranks.insert(sizes.size());
      extents.insert(sizes.begin(), sizes.end());
    }
  EXPECT_EQ(ranks, (std::set<std::size_t>{1, 2, 3, 4, 5}));
  for (const std::int64_t extent : {7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 1023, 1025})
    EXPECT_TRUE(extents.contains(extent)) << extent;
}

TEST(ChosenSizes, of_a_million_can_be_read_back) {
  for (int draw = 0; draw < 4; ++draw) {
    Gene gene = gene_of(255, 7);
    gene.draws.front() = static_cast<std::uint8_t>(draw);
    EXPECT_GT(elements_in(chosen(gene)), 1'000'000 - 1);
    EXPECT_LE(elements_in(chosen(gene)), kMostReadable);
  }
}

TEST(Factors, have_the_number_as_their_product) {
  for (std::int64_t count = 0; count < 3000; ++count) {
    Gene gene;
    gene.draws = {static_cast<std::uint8_t>(count), 3, 1, 4, 1, 5, 9, 2};
    Choices choices(gene);
    const Sizes factors = factors_of(count, choices);
    EXPECT_EQ(std::accumulate(factors.begin(), factors.end(), std::int64_t{1}, std::multiplies<>()), count);
    EXPECT_LE(factors.size(), 5U);
  }
}

/// What programs of one seed exercised, and the scripts that have more than a few elements.
struct Generated {
  Coverage coverage;
  std::vector<Script> scripts;
};
const Generated& generated() {
  static const Generated all = [] {
    Generated made;
    for (std::uint64_t index = 0; index < kPrograms; ++index)
      made.scripts.push_back(build(genes_at(1, index).value(), Recipe(), &made.coverage));
    return made;
  }();
  return all;
}

TEST(GeneratedTensors, have_more_than_64_elements_in_a_seventh_of_the_programs_and_a_million_in_few) {
  const auto& extents = generated().coverage.extents;
  EXPECT_EQ(extents[0] + extents[1] + extents[2], kPrograms);
  EXPECT_GT(extents[1], kPrograms / 10);
  EXPECT_LT(extents[1], kPrograms / 5);
  EXPECT_GT(extents[2], 0U);
  EXPECT_LT(extents[2], kPrograms / 500);
}

TEST(GeneratedTensors, of_more_than_64_elements_are_counted_and_not_written_as_lists) {
  std::size_t most = 0;
  for (const Script& script : generated().scripts)
    for (const Statement& statement : script.statements)
      if (const auto* made = std::get_if<MakeTensor>(&statement.kind))
        most = std::max(most, made->values.size() / numbers_in(made->dtype));
  EXPECT_EQ(most, static_cast<std::size_t>(kMostInLiteral));
}

TEST(GeneratedTensors, have_few_rows_without_elements) {
  std::int64_t most = 0;
  for (const Script& script : generated().scripts)
    for (const Statement& statement : script.statements)
      if (const auto* made = std::get_if<MakeTensor>(&statement.kind); made != nullptr && !made->sizes.empty()) {
        const auto rows = std::span(made->sizes).first(made->sizes.size() - 1);
        most = std::max(most, std::accumulate(rows.begin(), rows.end(), std::int64_t{1}, std::multiplies<>()));
      }
  EXPECT_LE(most, static_cast<std::int64_t>(kMostInLiteral));
}

TEST(GeneratedTensors, give_calls_of_at_most_16_results) {
  std::size_t most = 0;
  for (const Script& script : generated().scripts)
    for (const Statement& statement : script.statements)
      if (const auto* call = std::get_if<Call>(&statement.kind)) most = std::max(most, call->results.size());
  EXPECT_GT(most, 8U);
  EXPECT_LE(most, 16U);
}

TEST(IllegalArguments, are_sometimes_numbers_of_more_than_32_bits) {
  const auto is_huge = [](std::int64_t number) { return number > (1LL << 31) || number < -(1LL << 31); };
  std::set<std::string> with_number, with_size;
  for (const Script& script : generated().scripts)
    for (const Statement& statement : script.statements)
      if (const auto* call = std::get_if<Call>(&statement.kind))
        for (const Value& value : call->arguments) {
          const auto* number = std::get_if<std::int64_t>(&value);
          const auto* list = std::get_if<Sizes>(&value);
          if (number != nullptr && is_huge(*number)) with_number.insert(qualified_name(op(call->op)));
          if (list != nullptr && std::ranges::any_of(*list, is_huge)) with_size.insert(qualified_name(op(call->op)));
        }
  EXPECT_GT(with_number.size(), 10U);
  EXPECT_GT(with_size.size(), 3U);
}

TEST(LeftOutStatements, are_counted_by_reason) {
  const auto& left_out = generated().coverage.left_out;
  for (const LeftOut why : {LeftOut::inexact, LeftOut::order_shows, LeftOut::open, LeftOut::too_large,
                            LeftOut::too_many_results, LeftOut::no_argument, LeftOut::raises_in_function})
    EXPECT_GT(left_out[static_cast<std::size_t>(why)], 0U) << kLeftOut[static_cast<std::size_t>(why)];
  EXPECT_EQ(left_out[static_cast<std::size_t>(LeftOut::seed_in_body)], 0U);
}

TEST(LeftOutStatements, are_those_that_raise_in_a_functionalized_body_too) {
  Recipe recipe;
  recipe.functionalize = true;
  Coverage coverage;
  for (std::uint64_t index = 0; index < 500; ++index) build(genes_at(1, index).value(), recipe, &coverage);
  EXPECT_GT(coverage.left_out[static_cast<std::size_t>(LeftOut::raises_in_body)], 0U);
}

TEST(LeftOutStatements, of_several_workers_add_up) {
  Coverage one, other;
  one.left_out[0] = 2;
  other.left_out[0] = 3;
  other.left_out[4] = 1;
  one.merge(other);
  EXPECT_EQ(one.left_out[0], 5U);
  EXPECT_EQ(one.left_out[4], 1U);
}

TEST(LeftOutStatements, are_printed_with_the_most_frequent_reason_first) {
  Coverage coverage;
  EXPECT_EQ(left_out_text(coverage), "");
  coverage.left_out[static_cast<std::size_t>(LeftOut::open)] = 2;
  coverage.left_out[static_cast<std::size_t>(LeftOut::too_large)] = 5;
  EXPECT_EQ(left_out_text(coverage),
            "7 statements were left out while generating: 5 too many elements, 2 the rules leave the result open");
}

}  // namespace

}  // namespace plumbline::fuzz
