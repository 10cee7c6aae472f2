// Misreading each rule of functionalization, and checking that something notices.
#include "functionalization/write_out/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "adapters/reference/reference.h"
#include "functionalization/validate/selftest.h"
#include "oracle/compare.h"
#include "oracle/verdict.h"
#include "reference/raise.h"
#include "spec/rules/catalogue.h"
#include "spec/rules/fun.h"
#include "support/files.h"

namespace plumbline::functionalize {
namespace {

/// A program may not assert an unspecified result, so no program can show this rule.
constexpr const Rule* kFree = &FUN_34;

bool fails(const program::Test& test, const Rule* misread) {
  ReferenceAdapter reference(Profile::sound, misread);
  return check_expectations(test, reference.run(test.script), reference.describe()).verdict == Verdict::divergent;
}

bool falls_written_out(const program::Test& test, const Rule& misread, passes::Passes which) {
  reference::Judge judge;
  judge.flipped = &misread;
  try {
    return fails(transformed(judge, test, which).test, nullptr);
  } catch (const reference::ReferenceLimit&) {
    return false;  // the misreading leads to something that the reference does not support: no result
  }
}

std::string line_of(const RuleShown& one) {
  return fmt::format("{:<8} {:>8} {:>6} {:>8}  {}\n", one.rule->id(), one.programs.size(), one.fallen.size(),
                     one.out_of_reach.empty() ? fmt::format("{}", one.bodies) : "-", one.rule->text().misreading);
}

nlohmann::ordered_json json_of(const std::vector<RuleShown>& rules, const RulesOptions& options) {
  nlohmann::ordered_json json{{"command", "validate --rules"},
                              {"programs", options.bodies},
                              {"seed", options.seed},
                              {"rules", nlohmann::ordered_json::array()}};
  for (const RuleShown& one : rules)
    json["rules"].push_back({{"rule", one.rule->id()},
                             {"hit", one.bodies},
                             {"out_of_reach", one.out_of_reach},
                             {"programs", one.programs},
                             {"fallen", one.fallen}});
  return json;
}

}  // namespace

bool falls(const program::Test& test, const Rule& misread) {
  return fails(test, &misread) || falls_written_out(test, misread, passes::Passes::ab) ||
         falls_written_out(test, misread, passes::Passes::abc);
}

std::vector<RuleShown> rules_shown(const std::vector<CuratedTest>& programs, std::uint64_t bodies, std::uint64_t seed) {
  validate::Options options;
  options.programs = bodies;
  options.seed = seed;
  std::vector<RuleShown> shown;
  const auto add = [&](const Rule* rule) -> RuleShown& {
    RuleShown& one = shown.emplace_back();
    one.rule = rule;
    for (const CuratedTest& program : programs) {
      if (std::ranges::find(program.test.rules, rule->id()) == program.test.rules.end()) continue;
      one.programs.push_back(program.file + "::" + program.test.name);
      if (falls(program.test, *rule)) one.fallen.push_back(one.programs.back());
    }
    return one;
  };
  for (const Rule* rule : kFunctionalizeRules) add(rule).bodies = bodies_that_differ(*rule, options);
  for (const Rule* rule : kFunctionalizedCallRules)
    add(rule).out_of_reach =
        "The machine asks this rule around a body, but validation runs only what the passes make of the body.";
  return shown;
}

int rules_command(const RulesOptions& options) {
  const std::vector<RuleShown> rules = rules_shown(load_curated(options.corpus), options.bodies, options.seed);
  std::FILE* const out = options.json == "-" ? stderr : stdout;
  if (!options.quiet)
    fmt::print(out, "{:<8} {:>8} {:>6} {:>8}  {}\n", "rule", "programs", "fail", "bodies", "misreading");
  std::size_t by_program = 0, by_body = 0, can_by_body = 0;
  for (const RuleShown& one : rules) {
    const bool noticed = (!one.fallen.empty() || one.rule == kFree) && (one.bodies > 0 || !one.out_of_reach.empty());
    if (!options.quiet || !noticed) fmt::print(out, "{}", line_of(one));
    by_program += one.fallen.empty() ? 0 : 1;
    by_body += one.bodies > 0 ? 1 : 0;
    can_by_body += one.out_of_reach.empty() ? 1 : 0;
  }
  if (!options.quiet)
    fmt::print(
        out,
        "(programs: curated programs that name the rule; fail: those that fail if it is misread; bodies: how many "
        "of {} validated bodies differ)\n",
        options.bodies);
  fmt::print(out,
             "{} of {} misreadings are noticed by a curated program, {} of {} by validation; {} only says what is "
             "unspecified\n",
             by_program, rules.size(), by_body, can_by_body, kFree->id());
  const std::string text = json_of(rules, options).dump(1) + "\n";
  if (options.json == "-") fmt::print("{}", text);
  if (!options.json.empty() && options.json != "-") write_file(options.json, text);
  return by_program + 1 == rules.size() && by_body == can_by_body ? 0 : kExitDivergent;
}

}  // namespace plumbline::functionalize
