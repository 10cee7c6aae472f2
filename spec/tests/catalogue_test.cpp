// The catalogue of rules is complete and in order, and every rule has its parts.
#include "spec/rules/catalogue.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "spec/rules/inf.h"

namespace plumbline::catalogue_test {
namespace {

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Catalogue, has_every_rule_that_the_headers_define) {
  std::set<std::string> defined;
  const std::regex definition(R"(inline constexpr Rule ([A-Z]+)_([0-9]+)\{)");
  for (const auto& entry : std::filesystem::directory_iterator("spec/rules")) {
    const std::string source = read(entry.path());
    for (std::sregex_iterator at(source.begin(), source.end(), definition), end; at != end; ++at)
      defined.insert((*at)[1].str() + "-" + (*at)[2].str());
  }
  std::set<std::string> listed;
  for (const Rule* rule : kAllRules) listed.insert(rule->id());
  EXPECT_FALSE(defined.empty());
  for (const std::string& id : defined) EXPECT_TRUE(listed.contains(id)) << id << " is not in spec/rules/catalogue.cpp";
  for (const std::string& id : listed) EXPECT_TRUE(defined.contains(id)) << id << " has no definition in spec/rules/";
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
  in_order(kTransformRules);
  in_order(kLawRules);
}

TEST(Catalogue, each_rule_has_a_sentence_a_source_and_a_misreading) {
  for (const Rule* rule : kAllRules) {
    EXPECT_TRUE(rule->text().sentence.ends_with('.')) << rule->id();
    EXPECT_FALSE(rule->text().source.empty()) << rule->id();
    EXPECT_TRUE(rule->text().misreading.ends_with('.')) << rule->id();
  }
}

TEST(Catalogue, a_choice_is_one_of_a_text_or_of_a_release) {
  const std::set<std::string_view> known{"", "a text", "a release"};
  for (const Rule* rule : kAllRules) EXPECT_TRUE(known.contains(rule->text().choice)) << rule->id();
}

TEST(Catalogue, each_variant_cites_its_source) {
  for (const Rule* rule : kAllRules) {
    for (const Variant& variant : rule->text().variants) {
      EXPECT_EQ(variant.source.empty(), variant.sentence.empty()) << rule->id();
    }
  }
}

TEST(Catalogue, a_rule_that_is_not_in_the_catalogue_has_no_text) {
  EXPECT_THROW((void)(Rule{Family::FUN, 99}).text(), std::out_of_range);
}

TEST(Catalogue, judges_are_asked_for_all_rules_but_the_laws) {
  EXPECT_EQ(kAskedRules.size() + kLawRules.size(), kAllRules.size());
  for (const Rule* rule : kAskedRules) {
    EXPECT_NE(rule->family, Family::OP) << rule->id();
    EXPECT_EQ(&asked_rule(rule->id()), rule);
  }
  for (const Rule* rule : kLawRules) {
    EXPECT_EQ(rule->family, Family::OP) << rule->id();
    EXPECT_EQ(find_rule(rule->id()), rule);
  }
}

TEST(Catalogue, refuses_to_misread_a_law_and_says_what_judges_by_it) {
  const auto refused = [](std::string_view id) -> std::string {
    try {
      (void)asked_rule(id);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refused("OP-03").find("OP-03 is a law of the sweep"), std::string::npos);
  EXPECT_NE(refused("OP-03").find("`plumbline sweep` "), std::string::npos);
  EXPECT_NE(refused("OP-03").find("`plumbline selftest --sweep`"), std::string::npos);
  EXPECT_NE(refused("OP-99").find("unknown rule 'OP-99'"), std::string::npos);
}

TEST(Catalogue, finds_a_rule_by_its_id) {
  EXPECT_EQ(find_rule("INF-03"), &INF_03);
  EXPECT_EQ(find_rule("INF-99"), nullptr);
}

}  // namespace
}  // namespace plumbline::catalogue_test
