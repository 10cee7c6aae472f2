// Building every obligation and running every curated program, for the table of rules.
#include "oracle/prove/rules_facts.h"

#include "oracle/adapters/reference.h"
#include "oracle/compare.h"
#include "oracle/curated.h"
#include "oracle/dispatcher/check_programs.h"
#include "oracle/prove/command.h"
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

Verdict verdict_of(const dispatcher::CuratedDispatchTest& one, Profile profile) {
  if (!dispatcher::key_out_of_reach(layout_of(profile), one.test.script).empty()) return Verdict::unsupported;
  try {
    const DispatchTrace trace = reference::run(reference::Judge{.profile = profile}, one.test.script);
    return dispatcher::failures(one.test, trace).empty() ? Verdict::pass : Verdict::divergent;
  } catch (const reference::ReferenceLimit&) {
    return Verdict::unsupported;
  }
}

}  // namespace

Facts gather_facts(const std::string& corpus) {
  Facts facts;
  facts.rules.assign(kRules.begin(), kRules.end());
  facts.rules.insert(facts.rules.end(), kDispatchRules.begin(), kDispatchRules.end());
  for (const proofs::Obligation& obligation : proofs::all_obligations())
    facts.obligations.push_back(fact_of(obligation));
  std::vector<ReferenceAdapter> references;
  for (const ProfileInfo& info : kProfiles) references.emplace_back(info.profile);
  for (const CuratedTest& one : load_curated(corpus)) {
    ProgramFact fact{one.file + "::" + one.test.name, one.test.rules, {}};
    for (std::size_t p = 0; p < references.size(); ++p)
      fact.fared.at(p) =
          check_expectations(one.test, references[p].run(one.test.script), references[p].describe()).verdict;
    facts.programs.push_back(std::move(fact));
  }
  for (const auto& one : dispatcher::load_dispatch_programs(corpus + "/dispatcher")) {
    ProgramFact fact{"dispatcher/" + one.file + "::" + one.test.name, one.test.rules, {}};
    for (const ProfileInfo& info : kProfiles)
      fact.fared.at(static_cast<std::size_t>(info.profile)) = verdict_of(one, info.profile);
    facts.programs.push_back(std::move(fact));
  }
  return facts;
}

}  // namespace plumbline::prove
