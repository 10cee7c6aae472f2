// The generator: numbered programs, which are well-formed for any genes, and have a form in Python.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "adapters/protocol/protocol.h"
#include "fuzz/builder.h"
#include "fuzz/hits.h"
#include "fuzz/reproducer_test.h"
#include "language/parse.h"
#include "language/print.h"
#include "language/slots.h"
#include "oracle/minimise.h"
#include "oracle/monitors.h"
#include "oracle/reading_text.h"
#include "reference/machine.h"

namespace plumbline::fuzz {

namespace {

reference::Judge judge_of(Profile profile) {
  reference::Judge judge;
  judge.profile = profile;
  return judge;
}

Script script_of(const Genes& genes, Profile profile = Profile::torch_2_13) { return build(genes, judge_of(profile)); }

/// The script without the parts that have no form in Python, and without places.
Script python_part(Script script) {
  std::erase_if(script.statements, [](const Statement& s) { return std::holds_alternative<Snapshot>(s.kind); });
  return without_lines(std::move(script));
}

TEST(Generator, a_program_is_determined_by_seed_and_index) {
  for (const std::uint64_t index : {0, 1, 77, 123456}) {
    EXPECT_EQ(genes_at(3, index).value(), genes_at(3, index).value());
    EXPECT_EQ(encode(script_of(genes_at(3, index).value())), encode(script_of(genes_at(3, index).value())));
  }
  EXPECT_NE(genes_at(3, 1).value(), genes_at(3, 2).value());
  EXPECT_NE(genes_at(3, 1).value(), genes_at(4, 1).value());
}

RC_GTEST_PROP(Generator, every_script_is_well_formed, ()) { RC_ASSERT(well_formed(script_of(*any_genes()))); }

RC_GTEST_PROP(Generator, every_script_runs_to_its_end_and_ends_with_a_snapshot, ()) {
  const Script script = script_of(*any_genes());
  RC_ASSERT(reference::run(judge_of(Profile::torch_2_13), script).completed);
  RC_ASSERT(std::holds_alternative<Snapshot>(script.statements.back().kind));
}

RC_GTEST_PROP(Generator, every_script_survives_being_written_as_python_and_read_back, ()) {
  const Script script = script_of(*any_genes());
  program::Test test = whole_test(script, reference::run(judge_of(Profile::torch_2_13), script));
  test.name = "round_trip";
  const std::string text = program::print(program::raise(test));
  const Script back = program::lower(program::parse(text, "round_trip.py")).at(0).script;
  RC_LOG() << text;
  RC_ASSERT(encode(python_part(back)) == encode(python_part(script)));
}

RC_GTEST_PROP(Generator, shrinking_keeps_programs_well_formed, ()) {
  const auto index = *rc::gen::inRange<std::uint64_t>(0, 1000000);
  rc::Seq<rc::Shrinkable<Genes>> shrinks = genes_at(1, index).shrinks();
  int looked_at = 0;
  for (auto smaller = shrinks.next(); smaller && looked_at < 20; smaller = shrinks.next(), ++looked_at) {
    const Script script = script_of(smaller->value());
    RC_ASSERT(well_formed(script));
    RC_ASSERT(reference::run(judge_of(Profile::torch_2_13), script).completed);
  }
  RC_ASSERT(looked_at > 0);
}

/// Half of the programs have unsafe statements.
constexpr std::uint64_t kHitPrograms = 14000;

Script functionalized_script(const Genes& genes) {
  Recipe recipe(judge_of(Profile::sound));
  recipe.functionalize = true;
  return build(genes, recipe);
}

RC_GTEST_PROP(Generator, every_script_with_functionalized_bodies_is_well_formed, ()) {
  RC_ASSERT(well_formed(functionalized_script(*any_genes())));
}

TEST(Generator, most_scripts_that_should_have_a_functionalized_body_have_one_and_nothing_is_observed_in_it) {
  int with = 0;
  for (std::uint64_t index = 0; index < 400; ++index) {
    bool inside = false;
    bool any = false;
    for (const Statement& s : functionalized_script(genes_at(1, index).value()).statements) {
      if (std::holds_alternative<EnterFunctionalize>(s.kind)) inside = any = true;
      if (std::holds_alternative<LeaveFunctionalize>(s.kind)) inside = false;
      EXPECT_FALSE(inside && (std::holds_alternative<Snapshot>(s.kind) || std::holds_alternative<Read>(s.kind)));
    }
    with += any ? 1 : 0;
  }
  EXPECT_GT(with, 280);
}

TEST(Generator, every_op_is_called) {
  Coverage coverage;
  const reference::Judge judge = judge_of(Profile::sound);
  for (std::uint64_t index = 0; index < kHitPrograms; ++index)
    build(genes_at(1, index).value(), Recipe(judge, index % 2 == 1), &coverage);
  Recipe two_devices(judge);
  two_devices.two_devices = true;
  for (std::uint64_t index = 0; index < kHitPrograms; ++index)
    build(genes_at(2, index).value(), two_devices, &coverage);
  for (std::size_t i = 0; i < op_table().size(); ++i) EXPECT_GT(coverage.ops[i], 20U) << qualified_name(op_table()[i]);
}

TEST(Generator, each_rule_is_hit) {
  for (const Hits& hits : measure_hits({kHitPrograms, 1, Profile::sound}))
    EXPECT_EQ(hits.hit > 0, out_of_reach(*hits.rule).empty())
        << hits.rule->id() << ": " << hits.hit << " hits; " << out_of_reach(*hits.rule);
}

TEST(Generator, safe_programs_have_no_unsafe_statement_and_unsafe_ones_have_each_kind) {
  std::set<std::string> kinds;
  for (std::uint64_t index = 0; index < 2000; ++index) {
    EXPECT_FALSE(is_unsafe(script_of(genes_at(1, index).value()))) << index;
    for (const Statement& s : build(genes_at(1, index).value(), Recipe({}, true)).statements)
      if (is_unsafe(s.kind)) kinds.insert(statement_name(s));
  }
  const std::set<std::string> all{
      "below_autograd", "below_ad_inplace_or_view", "exclude_key",  "include_key",         "data",
      "data=",          "set_.source_Tensor",       "_unsafe_view", "unsafe_split.Tensor", "custom operator"};
  EXPECT_EQ(kinds, all);
}

TEST(Generator, every_bit_of_a_seed_and_of_an_index_counts) {
  std::set<std::string> seen;
  const auto add = [&](std::uint64_t seed, std::uint64_t index) {
    std::string text;
    for (std::uint64_t i = 0; i < 4; ++i) text += encode(script_of(genes_at(seed, index + i).value()));
    seen.insert(text);
  };
  add(1, 1);
  for (int bit = 1; bit < 64; ++bit) {
    add(1 | (std::uint64_t{1} << bit), 1);
    if (bit >= 4) add(1, 1 | (std::uint64_t{1} << bit));
  }
  EXPECT_EQ(seen.size(), 1U + 63U + 60U);
}

TEST(Generator, slots_have_the_names_of_variables) {
  EXPECT_EQ(slot_name(0), "a");
  EXPECT_EQ(slot_name(25), "z");
  EXPECT_EQ(slot_name(26), "a1");
}

}  // namespace

}  // namespace plumbline::fuzz
