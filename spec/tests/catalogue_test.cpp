// The catalogue of rules: complete, in order, and every rule says what a rule must say.
#include "spec/rules/catalogue.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

namespace plumbline {
namespace {

/// Those of the dispatcher's programs, and of functionalization, stand in lists of their own.
std::vector<const Rule*> all_rules() {
  std::vector<const Rule*> all(kRules.begin(), kRules.end());
  all.insert(all.end(), kDispatchRules.begin(), kDispatchRules.end());
  all.insert(all.end(), kFunctionalizeRules.begin(), kFunctionalizeRules.end());
  return all;
}

TEST(Catalogue, has_every_rule_that_the_headers_define) {
  std::set<std::string> defined;
  const std::regex definition(R"(inline constexpr Rule ([A-Z]+)_([0-9]+)\{)");
  for (const auto& entry : std::filesystem::directory_iterator("spec/rules")) {
    std::ifstream file(entry.path());
    std::stringstream text;
    text << file.rdbuf();
    const std::string source = text.str();
    for (std::sregex_iterator at(source.begin(), source.end(), definition), end; at != end; ++at)
      defined.insert((*at)[1].str() + "-" + (*at)[2].str());
  }
  std::set<std::string> listed;
  for (const Rule* rule : all_rules()) listed.insert(rule->id());
  EXPECT_FALSE(defined.empty());
  EXPECT_EQ(defined, listed);
}

TEST(Catalogue, names_no_rule_twice_and_keeps_the_order) {
  for (std::size_t i = 1; i < kRules.size(); ++i)
    EXPECT_LT(kRules[i - 1]->index(), kRules[i]->index()) << kRules[i]->id();
  for (std::size_t i = 1; i < kDispatchRules.size(); ++i)
    EXPECT_LT(kDispatchRules[i - 1]->index(), kDispatchRules[i]->index()) << kDispatchRules[i]->id();
  for (std::size_t i = 1; i < kFunctionalizeRules.size(); ++i)
    EXPECT_LT(kFunctionalizeRules[i - 1]->index(), kFunctionalizeRules[i]->index()) << kFunctionalizeRules[i]->id();
}

TEST(Catalogue, each_rule_has_a_sentence_a_source_and_a_misreading) {
  for (const Rule* rule : all_rules()) {
    EXPECT_TRUE(rule->sentence.ends_with('.')) << rule->id();
    EXPECT_FALSE(rule->source.empty()) << rule->id();
    EXPECT_TRUE(rule->misreading.ends_with('.')) << rule->id();
  }
}

TEST(Catalogue, each_variant_cites_its_source) {
  for (const Rule* rule : all_rules()) {
    for (const Variant& variant : rule->variants) {
      EXPECT_EQ(variant.source.empty(), variant.sentence.empty()) << rule->id();
    }
  }
}

TEST(Catalogue, finds_a_rule_by_its_id) {
  EXPECT_EQ(find_rule("INF-03"), &INF_03);
  EXPECT_EQ(find_rule("INF-99"), nullptr);
}

}  // namespace
}  // namespace plumbline
