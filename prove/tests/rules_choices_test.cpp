// A rule that decides between constants is a choice and says so; the others that do are listed here, with a reason.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "prove/rules_code.h"
#include "spec/rules/catalogue.h"

namespace plumbline::prove {
namespace {

/// Rules that have a condition, but are asked for it where it is known: the code that asks them has the condition. Each
/// is to be repaired: its function takes the condition, and its entry here goes.
const std::map<std::string, std::set<std::string>> kAskedOnCondition{
    {"the function that asks a judge for the rule has the condition",
     {"KEY-02", "KEY-03", "VIEW-04", "VIEW-05", "VIEW-12"}},
    {"the statement of spec/machine or reference that calls the rule's function has the condition",
     {"VER-04",  "VER-05", "VER-07", "VER-10", "VER-11", "VER-18", "VIEW-03", "VIEW-18", "VIEW-19",
      "VIEW-20", "AUT-07", "AUT-08", "AUT-17", "AUT-25", "AUT-28", "AUT-45",  "AUT-52",  "AUT-54",
      "AUT-56",  "AUT-57", "AUT-58", "AUT-61", "AUT-65", "AUT-66", "AUT-67",  "AUT-68",  "AUT-69",
      "AUT-73",  "AUT-74", "AUT-76", "AUT-77", "AUT-79", "AUT-80", "FUN-18",  "AUT-81",  "AUT-83",
      "AUT-84",  "AUT-87", "AUT-89", "AUT-95", "AUT-96", "SAV-01", "SAV-02",  "SAV-04"}},
    {"every caller raises an error, which is the condition", {"GEO-75"}},
};

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
  std::set<std::string> listed;
  for (const auto& [reason, rules] : kAskedOnCondition) listed.insert(rules.begin(), rules.end());
  for (const Rule* rule : kAskedRules) {
    const std::string id = rule->id();
    const bool constant = decides_by_constants(sources.code.at(id), id);
    const bool choice = !rule->text().choice.empty();
    EXPECT_TRUE(!choice || constant) << id << " has a condition; remove .choice from its text in spec/rules/text/";
    EXPECT_TRUE(!choice || !listed.contains(id)) << id << " is a choice; remove it from kAskedOnCondition";
    EXPECT_TRUE(constant || !listed.contains(id)) << id << " has its condition now; remove it from kAskedOnCondition";
    EXPECT_TRUE(!constant || choice || listed.contains(id))
        << id << " decides between constants. If its answer is the same in every case, its text needs "
        << ".choice; otherwise its function takes the condition that its callers have.";
    listed.erase(id);
  }
  for (const std::string& id : listed) ADD_FAILURE() << id << " in kAskedOnCondition is no rule";
}

}  // namespace
}  // namespace plumbline::prove
