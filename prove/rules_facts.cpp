// Building every obligation and running every curated program, for the table of rules.
#include "prove/rules_facts.h"

#include "adapters/reference/reference.h"
#include "oracle/compare.h"
#include "prove/command.h"
#include "prove/curated_programs.h"
#include "reference/machine.h"
#include "reference/raise.h"
#include "spec/proofs/prove.h"
#include "spec/rules/catalogue.h"

namespace plumbline::prove {

namespace {

ObligationFact fact_of(const proofs::Obligation& obligation) {
  Decisions decisions;
  obligation.build(proofs::judge_of({}, decisions));
  ObligationFact fact{obligation.name, rule_ids(decisions.consulted), {}};
  for (const ProfileInfo& info : kProfiles)
    fact.expected.at(static_cast<std::size_t>(info.profile)) = obligation.expected_of(info.profile);
  return fact;
}

Verdict verdict_of(const program::Test& test, Profile profile) {
  ReferenceAdapter reference(profile);
  return check_expectations(test, reference.run(test.script), reference.describe()).verdict;
}

/// Whether the program fails on the reference under this judge. A reference that reaches its limits shows nothing.
bool turns_red(const program::Test& test, const reference::Judge& judge) {
  static const Description description = ReferenceAdapter(Profile::sound).describe();
  return check_expectations(test, reference::run(judge, test.script), description).verdict == Verdict::divergent;
}

/// The rules whose misreading makes a program fail. Only a rule that the run asks can, or one of the passes, which run
/// only if one of their rules is misread.
std::vector<std::string> reddened_by(const CuratedProgram& program, const std::vector<const Rule*>& rules) {
  const auto fails = [&](const reference::Judge& judge) {
    try {
      return turns_red(program.test, judge);
    } catch (const std::exception&) {
      return false;
    }
  };
  Decisions decisions;
  std::vector<std::string> red;
  if (fails({.decisions = &decisions})) return red;
  const bool passes = program.name.starts_with("functionalize/");
  for (const Rule* rule : rules)
    if ((decisions.consulted.test(rule->index()) || (passes && rule->family == Family::FUN)) &&
        fails({.flipped = rule}))
      red.push_back(rule->id());
  return red;
}

}  // namespace

Facts gather_facts(const std::string& corpus) {
  Facts facts;
  facts.rules.assign(kAskedRules.begin(), kAskedRules.end());
  for (const proofs::Obligation& obligation : proofs::all_obligations())
    facts.obligations.push_back(fact_of(obligation));
  for (const CuratedProgram& one : load_programs(corpus)) {
    ProgramFact fact{one.name, one.test.rules, {}, reddened_by(one, facts.rules)};
    for (const ProfileInfo& info : kProfiles)
      fact.fared.at(static_cast<std::size_t>(info.profile)) = verdict_of(one.test, info.profile);
    facts.programs.push_back(std::move(fact));
  }
  return facts;
}

}  // namespace plumbline::prove
