// Programs that show refutations: each premise of the refinement is needed, and with all of them there is no program.
#include <gtest/gtest.h>

#include <algorithm>

#include "prove/fallen.h"
#include "prove/programs.h"
#include "spec/proofs/search.h"
#include "spec/rules/catalogue.h"

namespace plumbline::prove {
namespace {

class RefinementPremise : public testing::TestWithParam<const char*> {};

TEST_P(RefinementPremise, is_shown_necessary_by_a_program_that_the_reference_runs) {
  proofs::Obligation obligation;
  obligation.name = std::string("refinement.premise.") + GetParam();
  const auto shown = program_of(obligation, {});
  ASSERT_TRUE(shown.has_value());
  EXPECT_TRUE(shown->confirmed) << shown->note << "\n" << shown->text;
  EXPECT_NE(shown->text.find("torch.inference_mode("), std::string::npos) << shown->text;
  EXPECT_NE(shown->text.find("_no_grad(device)"), std::string::npos) << shown->text;
}
INSTANTIATE_TEST_SUITE_P(, RefinementPremise,
                         testing::Values("requires_grad", "detach_", "resize_", "requires-grad-inside",
                                         "enable-grad-inside"));

TEST(Refinement, no_program_of_six_statements_distinguishes_the_modes_if_every_premise_holds) {
  proofs::SearchLimits limits;
  limits.length = 6;
  const proofs::Split split = proofs::shortest_parting({}, limits, "");
  EXPECT_FALSE(split.search.found) << split.what;
  EXPECT_GT(split.search.states, 1000U);
}

TEST(Refinement, a_misread_rule_distinguishes_the_modes) {
  reference::Judge judge;
  judge.flipped = find_rule("INF-03");  // a view takes the inference bit of the mode
  proofs::SearchLimits limits;
  limits.length = 5;
  EXPECT_TRUE(proofs::shortest_parting(judge, limits, "").search.found);
}

TEST(Fallen, no_curated_program_fails_if_no_rule_is_misread) {
  EXPECT_TRUE(fallen_programs({}, PLUMBLINE_SOURCE "/fuzz/corpus").empty());
}

TEST(Fallen, the_closest_program_names_the_rule_and_is_shown_unchanged) {
  const auto fallen = fallen_programs({.flipped = find_rule("DSP-02")}, PLUMBLINE_SOURCE "/fuzz/corpus");
  const FallenProgram* one = closest(fallen, std::vector<std::string>{"DSP-02"});
  ASSERT_NE(one, nullptr);
  EXPECT_NE(std::ranges::find(one->rules, "DSP-02"), one->rules.end());
  EXPECT_TRUE(one->source.starts_with("def " + one->name.substr(one->name.find("::") + 2) + "(device):"))
      << one->source;
  EXPECT_FALSE(one->failure.empty());
  EXPECT_EQ(closest(fallen, std::vector<std::string>{"GEO-99"}), nullptr);
}

}  // namespace
}  // namespace plumbline::prove
