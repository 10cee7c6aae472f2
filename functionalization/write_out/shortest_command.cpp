// `plumbline validate --shortest`: the shortest body that shows each fault of functionalization.
#include "functionalization/write_out/shortest_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "adapters/reference/reference.h"
#include "functionalization/validate/shortest.h"
#include "functionalization/write_out/shipped.h"
#include "oracle/verdict.h"
#include "spec/rules/catalogue.h"
#include "support/files.h"
#include "support/interrupt.h"
#include "support/workers.h"

namespace plumbline::functionalize {
namespace {

/// A misread rule, or (null) a kind of difference of a profile.
struct Fault {
  const Rule* rule = nullptr;
  validate::Shortest shortest;
};

std::vector<Fault> misreadings(const ShortestOptions& options) {
  std::vector<const Rule*> rules(kFunctionalizeRules.begin(), kFunctionalizeRules.end());
  if (!options.flip.empty()) rules = {rule_or_throw(options.flip)};
  std::vector<Fault> found(rules.size());
  cli::share_work(rules.size(), {.jobs = options.jobs}, [&](std::size_t i) {
    if (cli::interrupted()) return;
    validate::Options run;
    run.flipped = rules[i];
    run.most_findings = 1;
    const validate::Judged by_passes = [&](validate::Validator& validator, const passes::Body& body) {
      return wrong_by_passes(run, validator, body);
    };
    found[i] = {rules[i], shortest_body(by_passes, options.longest, cli::interrupted)};
    if (!options.quiet) fmt::print(stderr, "validate: {}: {} bodies\n", rules[i]->id(), found[i].shortest.bodies);
  });
  std::erase_if(found, [](const Fault& one) { return one.rule == nullptr; });  // not begun
  return found;
}

std::vector<Fault> differences(const ShortestOptions& options, Profile profile) {
  const validate::Judged as_shipped = [&](validate::Validator& /*of the passes*/, const passes::Body& body) {
    return wrong_as_shipped(profile, body);
  };
  validate::Kinds kinds = shortest_of_each_kind(as_shipped, options.longest, options.jobs, cli::interrupted);
  if (!options.quiet) fmt::print(stderr, "validate: {}: {} bodies\n", options.profile, kinds.bodies);
  std::vector<Fault> all;
  for (auto& [steps, finding] : kinds.found) all.push_back({nullptr, {kinds.bodies, std::move(finding), steps, false}});
  return all;
}

std::string title_of(const Fault& fault) {
  if (fault.rule == nullptr)
    return fmt::format("{}{}{}", fault.shortest.found->kind, fault.shortest.found->parts.empty() ? "" : ": ",
                       fmt::join(fault.shortest.found->parts, ", "));
  return fmt::format("{}: {}", fault.rule->id(), fault.rule->text().misreading);
}

std::string fault_text(const Fault& fault) {
  const validate::Shortest& one = fault.shortest;
  std::string text = title_of(fault) + "\n";
  if (!one.found)
    return text + fmt::format("  no body of up to {} steps differs ({} bodies{})\n\n", one.steps, one.bodies,
                              one.interrupted ? ", interrupted" : "");
  text += fmt::format("  {} step{}; {}\n", one.steps, one.steps == 1 ? "" : "s", one.found->difference);
  const std::string& program = one.found->program;
  for (std::size_t at = 0; at < program.size();) {
    const std::size_t end = std::min(program.find('\n', at), program.size());
    if (end > at) text += "    " + program.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return text + "\n";
}

nlohmann::ordered_json shortest_json(const ShortestOptions& options, const std::vector<Fault>& all) {
  nlohmann::ordered_json json{{"command", "validate --shortest"},
                              {"profile", options.profile},
                              {"longest", options.longest},
                              {"interrupted", cli::interrupted()},
                              {"faults", nlohmann::ordered_json::array()}};
  for (const auto& [rule, one] : all) {
    nlohmann::ordered_json fault{{"rule", rule == nullptr ? "" : rule->id()},
                                 {"bodies", one.bodies},
                                 {"found", one.found.has_value()},
                                 {"steps", one.steps}};
    if (one.found)
      fault.update({{"kind", one.found->kind},
                    {"parts", one.found->parts},
                    {"difference", one.found->difference},
                    {"program", one.found->program}});
    json["faults"].push_back(std::move(fault));
  }
  return json;
}

}  // namespace

int shortest_command(const ShortestOptions& options) {
  const bool shipped = !options.profile.empty();
  const Profile profile = shipped ? profile_or_throw(options.profile) : Profile::sound;
  if (!options.json.empty() && options.json != "-") write_file(options.json, "");  // fails before the work
  cli::catch_interrupt();
  const std::vector<Fault> all = shipped ? differences(options, profile) : misreadings(options);
  std::FILE* const out = options.json == "-" ? stderr : stdout;
  std::size_t shown = 0;
  for (const Fault& one : all) {
    shown += one.shortest.found ? 1 : 0;
    if (!options.quiet || !one.shortest.found) fmt::print(out, "{}", fault_text(one));
  }
  const char* const interrupted = cli::interrupted() ? "interrupted: " : "";
  if (shipped)
    fmt::print(out, "{}{}: {} kinds of differences in bodies of up to {} steps\n", interrupted, options.profile,
               all.size(), options.longest);
  else
    fmt::print(out, "{}{} of {} faults have a body of up to {} steps that shows them\n", interrupted, shown, all.size(),
               options.longest);
  const std::string text = shortest_json(options, all).dump(1) + "\n";
  if (options.json == "-") fmt::print("{}", text);
  if (!options.json.empty() && options.json != "-") write_file(options.json, text);
  if (cli::interrupted()) return kExitInterrupted;
  const bool right = shipped ? all.empty() : shown == all.size();
  return right ? 0 : kExitDivergent;
}

}  // namespace plumbline::functionalize
