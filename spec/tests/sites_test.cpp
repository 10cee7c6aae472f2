// The sites of rules, in a build with them: the mutant of each token changes the value as it says, and its line and
// column are the token's.
#include "spec/vocabulary/sites.h"

#include <gtest/gtest.h>

#include "spec/rules/rule.h"
#include "spec/rules/tls.h"
#include "spec/vocabulary/concrete.h"
#include "spec/vocabulary/keys.h"

namespace plumbline {
namespace {

using B = Bool<Concrete>;
using N = Num<Concrete>;
using K = KeySet<Concrete>;
enum class Colour : std::uint8_t { red, green, blue };
using C = Choice<Concrete, Colour>;

constexpr Rule kRule{Family::KEY, 61};

/// The sites that `body` executed.
template <class Body>
std::vector<std::pair<sites::Site, sites::Met>> met_by(Body body) {
  sites::Recorder recorder;
  sites::state().recorder = &recorder;
  body();
  sites::state().recorder = nullptr;
  std::vector<std::pair<sites::Site, sites::Met>> all;
  recorder.each([&](const sites::Site& site, const sites::Met& met) { all.emplace_back(site, met); });
  return all;
}

/// The value of `body` with the mutant of the only site of this token that it executes in this file. Fails the test if
/// there is no such site, or more than one.
template <class Body>
auto with_mutant(Token token, Body body) {
  std::vector<sites::Site> found;
  for (const auto& [site, met] : met_by(body))
    if (site.token == token && site.file == "spec/tests/sites_test.cpp") found.push_back(site);
  EXPECT_EQ(found.size(), 1U) << change_of(token);
  sites::Site site = found.empty() ? sites::Site{} : found.front();
  sites::state().mutant = &site;
  auto value = body().v;  // not const: the compiler would compute a constant without the mutant
  sites::state().mutant = nullptr;
  return value;
}

/// Values without a literal's site.
B truth(bool b) { return B::of(b); }
N number(std::int64_t i) { return N::of(i); }
K keys(std::uint64_t w) { return K::of(w); }

TEST(Sites, a_mutant_changes_connectives) {
  const B yes = truth(true);
  const B no = truth(false);
  EXPECT_TRUE(with_mutant(Token::both, [&] { return yes && no; }));
  EXPECT_FALSE(with_mutant(Token::both, [&] { return no && no; }));
  EXPECT_FALSE(with_mutant(Token::either, [&] { return yes || no; }));
  EXPECT_TRUE(with_mutant(Token::negate, [&] { return !yes; }));
  EXPECT_FALSE(with_mutant(Token::same, [&] { return yes == yes; }));
}

TEST(Sites, a_mutant_changes_comparisons) {
  const N two = number(2);
  const N three = number(3);
  EXPECT_TRUE(with_mutant(Token::less, [&] { return two < two; }));
  EXPECT_FALSE(with_mutant(Token::less, [&] { return three < two; }));
  EXPECT_FALSE(with_mutant(Token::at_most, [&] { return two <= two; }));
  EXPECT_TRUE(with_mutant(Token::at_most, [&] { return two <= three; }));
  EXPECT_TRUE(with_mutant(Token::greater, [&] { return two > two; }));
  EXPECT_FALSE(with_mutant(Token::at_least, [&] { return two >= two; }));
  EXPECT_TRUE(with_mutant(Token::at_least, [&] { return three >= two; }));
  EXPECT_TRUE(with_mutant(Token::same, [&] { return two == three; }));
}

TEST(Sites, a_mutant_changes_arithmetic) {
  const N six = number(6);
  const N two = number(2);
  EXPECT_EQ(with_mutant(Token::add, [&] { return six + two; }), 4);
  EXPECT_EQ(with_mutant(Token::subtract, [&] { return six - two; }), 8);
  EXPECT_EQ(with_mutant(Token::multiply, [&] { return six * two; }), 8);
  EXPECT_EQ(with_mutant(Token::divide, [&] { return six / two; }), 12);
  EXPECT_EQ(with_mutant(Token::remainder, [&] { return six % two; }), 12);
}

TEST(Sites, a_mutant_changes_key_sets) {
  EXPECT_EQ(with_mutant(Token::unite, [] { return keys(6) | keys(3); }), 2U);
  EXPECT_EQ(with_mutant(Token::intersect, [] { return keys(6) & keys(3); }), 7U);
  EXPECT_EQ(with_mutant(Token::difference, [] { return keys(6) - keys(3); }), 6U);
  EXPECT_FALSE(with_mutant(Token::has_any, [] { return keys(6).has_any(keys(3)); }));
  EXPECT_TRUE(with_mutant(Token::empty, [] { return keys(6).empty(); }));
  EXPECT_EQ(with_mutant(Token::key, [] { return K(Functionality::Dense); }), 0U);
  EXPECT_EQ(with_mutant(Token::key, [] { return K(Backend::CPU); }), 0U);
  EXPECT_EQ(with_mutant(Token::key, [] { return K::raw(5); }), 0U);
}

TEST(Sites, a_mutant_changes_literals) {
  EXPECT_FALSE(with_mutant(Token::truth, [] { return B(true); }));
  EXPECT_TRUE(with_mutant(Token::truth, [] { return B(false); }));
  EXPECT_EQ(with_mutant(Token::number, [] { return N(4); }), 5);
  EXPECT_EQ(with_mutant(Token::choice, [] { return C(Colour::blue); }), 1U);
  EXPECT_EQ(with_mutant(Token::choice, [] { return C(Colour::green); }), 0U);
}

TEST(Sites, a_mutant_changes_implicit_literals) {
  EXPECT_EQ(with_mutant(Token::key, [] { return keys(1) | Backend::CUDA; }), 1U);
  EXPECT_FALSE(with_mutant(Token::truth, [] { return truth(true) && true; }));
}

TEST(Sites, a_mutant_swaps_the_sides_of_select) {
  const B yes = truth(true);
  EXPECT_EQ(with_mutant(Token::select, [&] { return select(yes, number(1), number(2)); }), 2);
  EXPECT_FALSE(with_mutant(Token::select, [&] { return select(yes, truth(true), truth(false)); }));
  EXPECT_EQ(with_mutant(Token::select, [&] { return select(yes, keys(1), keys(2)); }), 2U);
  EXPECT_EQ(with_mutant(Token::select, [&] { return select(yes, C::of(1), C::of(2)); }), 2U);
}

TEST(Sites, a_mutant_takes_the_misreading) {
  const Judge<Concrete> judge;
  EXPECT_EQ(with_mutant(Token::misread, [&] { return judge(kRule, number(1), number(5)); }), 5);
  EXPECT_TRUE(with_mutant(Token::misread, [&] { return judge(kRule, truth(true), truth(true)); }));
  EXPECT_FALSE(with_mutant(Token::opposite, [&] { return judge(kRule, truth(true), truth(true)); }));
  EXPECT_FALSE(with_mutant(Token::opposite, [&] { return B::of(judge(kRule, true, true)); }));
}

TEST(Sites, only_truth_values_have_an_opposite) {
  const Judge<Concrete> judge;
  for (const auto& [site, met] : met_by([&] { return judge(kRule, number(1), number(5)); }))
    EXPECT_NE(site.token, Token::opposite);
}

TEST(Sites, a_judges_call_knows_its_rule) {
  const Judge<Concrete> judge;
  for (const auto& [site, met] : met_by([&] { return judge(kRule, number(1), number(5)); }))
    EXPECT_EQ(met.rule, kRule.index());
}

/// A template, like a rule.
template <Domain D>
constexpr Bool<D> line_of_columns(const Bool<D>& a, const Bool<D>& b) {
  return a && !b;  // columns: 12 is the first of "&&", 15 that of "!"
}
constexpr std::uint32_t kLineOfColumns = __LINE__ - 2;

TEST(Sites, line_and_column_are_those_of_the_token) {
  const auto met = met_by([] { return line_of_columns(truth(true), truth(false)); });
  EXPECT_EQ(met.size(), 2U);
  for (const auto& [site, found] : met) {
    EXPECT_EQ(site.file, "spec/tests/sites_test.cpp");
    EXPECT_EQ(site.line, kLineOfColumns);
    EXPECT_EQ(site.column, site.token == Token::both ? 12U : 15U);
  }
}

TEST(Sites, equal_tokens_on_one_line_have_different_sites) {
  const B a = truth(true);
  const auto body = [&] { return a && a && a; };
  std::vector<sites::Site> found;
  for (const auto& [site, met] : met_by(body)) found.push_back(site);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NE(found[0].column, found[1].column);
}

TEST(Sites, a_rules_function_is_named) {
  const Judge<Concrete> judge;
  bool found = false;
  for (const auto& [site, met] : met_by([&] { return enter_grad_mode(judge, default_tls(judge), truth(true)); }))
    if (met.rule == TLS_08.index() && site.token == Token::misread) {
      found = true;
      EXPECT_EQ(site.file, "spec/rules/tls.h");
      EXPECT_NE(met.function.find("enter_grad_mode"), std::string_view::npos);
    }
  EXPECT_TRUE(found);
}

TEST(Sites, a_selects_conditions_are_seen) {
  const auto body = [] { return select(truth(true), number(1), number(2)); };
  for (const auto& [site, met] : met_by(body)) {
    EXPECT_TRUE(met.seen[1]);
    EXPECT_FALSE(met.seen[0]);
  }
}

TEST(Sites, a_mutant_of_another_site_changes_nothing) {
  const sites::Site elsewhere{"spec/tests/sites_test.cpp", 1, 1, Token::both};
  sites::state().mutant = &elsewhere;
  const bool value = (truth(true) && truth(false)).v;
  sites::state().mutant = nullptr;
  EXPECT_FALSE(value);
}

TEST(Sites, nothing_is_recorded_without_a_recorder) {
  (void)(truth(true) && truth(false));
  EXPECT_TRUE(met_by([] {}).empty());
}

static_assert((B(true) && !B(false)).v, "rules are constant expressions with sites, too");

}  // namespace
}  // namespace plumbline
