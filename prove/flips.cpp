// Misreading each rule in turn, and asking Z3 the obligations that ask the rule.
#include "prove/flips.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "oracle/verdict.h"
#include "spec/rules/catalogue.h"
#include "support/files.h"
#include "support/interrupt.h"
#include "support/progress.h"
#include "support/workers.h"

namespace plumbline::prove {

std::map<std::string, Fallen> flip_each_rule(const std::string& only, std::uint64_t resource_limit, unsigned jobs) {
  std::vector<proofs::Obligation> obligations = proofs::all_obligations();
  std::erase_if(obligations, [&](const proofs::Obligation& o) { return o.name.find(only) == std::string::npos; });
  std::vector<std::bitset<Rule::kIndices>> asks;
  for (const proofs::Obligation& obligation : obligations) {
    Decisions decisions;
    obligation.build(proofs::judge_of({}, decisions));
    asks.push_back(decisions.consulted);
  }
  std::map<std::string, Fallen> all;
  cli::Progress progress("misreading", kAskedRules.size());
  for (const Rule* rule : kAskedRules) all[rule->id()];  // threads find their entry and add none
  cli::share_work(kAskedRules.size(), {.jobs = jobs}, [&](std::size_t r) {
    const Rule* const rule = kAskedRules[r];
    Fallen& fallen = all.at(rule->id());
    for (std::size_t i = 0; i < obligations.size() && !cli::interrupted(); ++i) {
      if (!asks[i].test(rule->index())) continue;
      ++fallen.asked;
      const proofs::Proof proof = proofs::prove(obligations[i], {.flipped = rule, .resource_limit = resource_limit});
      if (!proof.as_expected()) fallen.names.push_back(obligations[i].name);
    }
    progress.step();
  });
  return all;
}

int flip_all(const ProveCommand& command) {
  cli::catch_interrupt();
  nlohmann::ordered_json json{{"solver", proofs::solver_version()}, {"rules", nlohmann::ordered_json::object()}};
  std::string text;
  std::size_t asked = 0, noticed = 0;
  const auto all = flip_each_rule(command.only, command.resource_limit, command.jobs);
  for (const Rule* rule : kAskedRules) {
    const Fallen& fallen = all.at(rule->id());
    json["rules"][rule->id()] = {{"asked", fallen.asked}, {"fallen", fallen.names}};
    asked += fallen.asked > 0 ? 1U : 0U;
    noticed += fallen.names.empty() ? 0U : 1U;
    text += fmt::format("{:<8} {:>4} of {:>4} obligations that ask it fail\n", rule->id(), fallen.names.size(),
                        fallen.asked);
  }
  if (command.json != "-")
    fmt::print("{}{} rules misread one by one: obligations ask {} of them, and fail for {}; {}\n", text,
               kAskedRules.size(), asked, noticed, proofs::solver_version());
  if (command.json == "-")
    fmt::print("{}\n", json.dump(1));
  else if (!command.json.empty())
    write_file(command.json, json.dump(1) + "\n");
  return cli::interrupted() ? kExitInterrupted : 0;
}

}  // namespace plumbline::prove
