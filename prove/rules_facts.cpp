// Building every obligation and running every curated program, for the table of rules.
#include "prove/rules_facts.h"

#include "adapters/reference/reference.h"
#include "oracle/compare.h"
#include "prove/command.h"
#include "prove/curated_programs.h"
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
Verdict verdict_of(const dispatcher::DispatchTest& test, Profile profile) {
  if (!dispatcher::key_out_of_reach(layout_of(profile), test.script).empty()) return Verdict::unsupported;
  try {
    const DispatchTrace trace = reference::run(reference::Judge{.profile = profile}, test.script);
    return dispatcher::failures(test, trace).empty() ? Verdict::pass : Verdict::divergent;
  } catch (const reference::ReferenceLimit&) {
    return Verdict::unsupported;
  }
}

}  // namespace

Facts gather_facts(const std::string& corpus) {
  Facts facts;
  facts.rules.assign(kAllRules.begin(), kAllRules.end());
  for (const proofs::Obligation& obligation : proofs::all_obligations())
    facts.obligations.push_back(fact_of(obligation));
  for (const CuratedProgram& one : load_programs(corpus)) {
    ProgramFact fact{one.name, one.rules(), {}};
    for (const ProfileInfo& info : kProfiles)
      fact.fared.at(static_cast<std::size_t>(info.profile)) =
          std::visit([&](const auto& test) { return verdict_of(test, info.profile); }, one.test);
    facts.programs.push_back(std::move(fact));
  }
  return facts;
}

}  // namespace plumbline::prove
