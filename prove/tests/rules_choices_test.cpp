// A rule that decides between constants is a choice and says so.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

#include "prove/rules_code.h"
#include "spec/rules/catalogue.h"

namespace plumbline::prove {
namespace {

/// The arguments of the call whose parenthesis opens at `open`, without the blanks in front of each.
std::vector<std::string> arguments_at(const std::string& code, std::size_t open) {
  std::vector<std::string> arguments(1);
  int depth = 0;
  for (std::size_t i = open; i < code.size(); ++i) {
    const char c = code[i];
    const bool closes = c == ')' || c == '}' || c == ']';
    if (closes && --depth == 0) break;
    if (c == ',' && depth == 1)
      arguments.emplace_back();
    else if (depth > 0 && (c != ' ' || !arguments.back().empty()))
      arguments.back() += c;
    if (c == '(' || c == '{' || c == '[') ++depth;
  }
  return arguments;
}

/// The arguments after the rule of each call of a judge for it.
std::vector<std::vector<std::string>> judge_calls(const std::string& code, const std::string& id) {
  std::string name = id;
  std::ranges::replace(name, '-', '_');
  const std::regex call(fmt::format(R"(\bjudge\(\s*{}\b)", name));
  std::vector<std::vector<std::string>> calls;
  for (std::sregex_iterator at(code.begin(), code.end(), call), end; at != end; ++at) {
    std::vector<std::string> arguments = arguments_at(code, code.find('(', static_cast<std::size_t>(at->position())));
    arguments.erase(arguments.begin());
    calls.push_back(std::move(arguments));
  }
  return calls;
}

/// Whether an argument has the same value in every case: it names no variable.
bool is_constant(const std::string& argument) {
  static const std::regex constant(R"(/\*.*?\*/|\w+(::\w+)+|\b(true|false)\b|\bk[A-Z]\w*)");
  static const std::regex variable(R"(\b[a-z]\w*)");
  return !std::regex_search(std::regex_replace(argument, constant, ""), variable);
}

/// Whether each call of a judge for the rule has only constants.
bool decides_by_constants(const RuleCode& code, const std::string& id) {
  std::size_t calls = 0;
  bool constant = true;
  for (const CodePiece& piece : code.pieces)
    for (const auto& arguments : judge_calls(piece.text, id)) {
      constant = constant && std::ranges::all_of(arguments, is_constant);
      ++calls;
    }
  EXPECT_GT(calls, 0U) << id << ": no function of spec/rules asks a judge for it";
  return constant;
}

TEST(RulesChoices, constants_and_conditions_are_told_apart) {
  const std::string code = "return judge(GEO_01, Bool<D>(true),\n Bool<D>(false), In{Profile::ideal, same && !copy});";
  const auto calls = judge_calls(code, "GEO-01");
  ASSERT_EQ(calls.size(), 1U);
  EXPECT_EQ(calls.front().back(), "In{Profile::ideal, same && !copy}");
  EXPECT_TRUE(judge_calls(code, "GEO-02").empty());
  for (const char* constant : {"Bool<D>(true)", "Num<D>(kTakes)", "Type(Dtype::float32)", "KeySet<D>()", "0",
                               "In{Profile::torch_1_13, Bool<D>(false)}", "/* right */ false"})
    EXPECT_TRUE(is_constant(constant)) << constant;
  for (const char* condition :
       {"same", "!same", "Bool<D>(wraps)", "In{Profile::ideal, same}", "kind_of(a) == Num<D>(2)"})
    EXPECT_FALSE(is_constant(condition)) << condition;
}

TEST(RulesChoices, a_rule_that_decides_between_constants_is_a_choice) {
  const PageSources sources = read_page_sources(".", "fuzz/corpus/waivers.json");
  for (const Rule* rule : kAskedRules) {
    const std::string id = rule->id();
    const bool constant = decides_by_constants(sources.code.at(id), id);
    const bool choice = !rule->text().choice.empty();
    EXPECT_TRUE(!choice || constant) << id << " has a condition; remove .choice from its text in spec/rules/text/";
    EXPECT_TRUE(!constant || choice)
        << id << " decides between constants. If its answer is the same in every case, its text needs "
        << ".choice; otherwise its function takes the condition that its callers have.";
  }
}

}  // namespace
}  // namespace plumbline::prove
