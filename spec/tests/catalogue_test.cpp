// The catalogue of rules is complete and in order, and every rule has its parts.
#include "spec/rules/catalogue.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include "spec/rules/inf.h"

namespace plumbline::catalogue_test {
namespace {

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
  for (const Rule* rule : kAllRules) listed.insert(rule->id());
  EXPECT_FALSE(defined.empty());
  EXPECT_EQ(defined, listed);
}

TEST(Catalogue, names_no_rule_twice_and_keeps_the_order) {
  const auto in_order = [](const auto& rules) {
    for (std::size_t i = 1; i < rules.size(); ++i)
      EXPECT_LT(rules[i - 1]->index(), rules[i]->index()) << rules[i]->id();
  };
  in_order(kRules);
  in_order(kDispatchRules);
  in_order(kFunctionalizeRules);
  in_order(kFunctionalizedCallRules);
}

TEST(Catalogue, each_rule_has_a_sentence_a_source_and_a_misreading) {
  for (const Rule* rule : kAllRules) {
    EXPECT_TRUE(rule->sentence.ends_with('.')) << rule->id();
    EXPECT_FALSE(rule->source.empty()) << rule->id();
    EXPECT_TRUE(rule->misreading.ends_with('.')) << rule->id();
  }
}

TEST(Catalogue, each_variant_cites_its_source) {
  for (const Rule* rule : kAllRules) {
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
}  // namespace plumbline::catalogue_test
