// `plumbline selftest`.
#include "fuzz/selftest.h"

#include <fmt/format.h>

#include <stdexcept>

#include "fuzz/commands.h"
#include "fuzz/report.h"
#include "fuzz/shrink.h"
#include "oracle/adapters/reference.h"
#include "oracle/siblings.h"

namespace plumbline::fuzz {

namespace {

constexpr std::size_t kShrinkRuns = 1500;

struct SelftestOptions {
  std::string on, json;
  CampaignOptions campaign;
};

std::string default_implementation() {
  const std::vector<std::string> versions = libtorch_versions(executable_folder());
  return versions.empty() ? "reference" : "libtorch-" + versions.front();
}

int run_selftest(SelftestOptions options) {
  if (options.on.empty()) options.on = default_implementation();
  const std::string profile = look_up([&] { return make_adapter(options.on, {})->describe().profile; });
  reference::Judge judge;
  judge.profile = profile_or_throw(profile);
  const std::string name = options.on;
  const Subject healthy{[name, profile] { return make_adapter(name, {profile, "", 10.0}); }, judge, judge};

  std::FILE* const out = options.json == "-" ? stderr : stdout;
  options.campaign.label = "no fault";
  const Report clean = run_campaign(healthy, options.campaign);
  const std::size_t false_alarms = clean.tally.divergent + clean.tally.harness_errors;
  fmt::print(out, "{} against the profile {}, without a fault: {} of {} programs diverge\n", name, profile,
             false_alarms, clean.programs);
  for (const Finding& finding : clean.findings)
    fmt::print(out, "  {}:{} {}: {}\n", options.campaign.seed, finding.index, finding.signature, finding.message);

  nlohmann::ordered_json json{{"command", "selftest"},
                              {"implementation", name},
                              {"programs", clean.programs},
                              {"divergent_without_a_fault", false_alarms}};
  std::size_t caught = 0;
  const std::vector<Fault> faults = planted_faults();
  fmt::print(out, "{:<22}{:>10}{:>12}  signature\n", "planted fault", "programs", "statements");
  for (const Fault& fault : faults) {
    options.campaign.label = std::string(fault.name);
    const Caught c = catch_fault(fault, healthy, options.campaign);
    caught += c.caught ? 1 : 0;
    if (c.caught)
      fmt::print(out, "{:<22}{:>10}{:>12}  {}\n", c.fault, c.programs, c.statements, c.signature);
    else
      fmt::print(out, "{:<22}{:>10}{:>12}  SURVIVED: {}\n", c.fault, c.programs, "", fault.sentence);
    json["faults"].push_back({{"name", c.fault},
                              {"sentence", fault.sentence},
                              {"caught", c.caught},
                              {"programs", c.programs},
                              {"statements", c.statements},
                              {"signature", c.signature},
                              {"program", c.text}});
    if (interrupted) break;
  }
  json["caught"] = caught;
  json["planted"] = faults.size();
  if (!options.json.empty()) write_json(json, options.json);
  fmt::print(out, "{} of {} planted faults caught\n", caught, faults.size());
  return caught == faults.size() && false_alarms == 0 ? 0 : 1;
}

}  // namespace

Caught catch_fault(const Fault& fault, const Subject& healthy, const CampaignOptions& options) {
  Subject subject = healthy;
  subject.expected.flipped = fault.flip;
  if (fault.edit)
    subject.make_adapter = [make = healthy.make_adapter, edit = fault.edit] {
      return std::make_unique<FaultyAdapter>(make(), edit);
    };
  CampaignOptions first = options;
  first.max_failures = 1;
  const Report report = run_campaign(subject, first);
  Caught caught{std::string(fault.name), false, report.programs, 0, "", ""};
  if (report.findings.empty() || report.findings.front().verdict != Verdict::divergent) return caught;
  const Finding& finding = report.findings.front();
  const std::unique_ptr<Adapter> adapter = subject.make_adapter();
  const Failing failing = [&](const Script& script) { return signature_on(*adapter, subject.expected, script); };
  const Shrunk small =
      shrink(genes_at(options.seed, finding.index), subject.generated, finding.signature, failing, kShrinkRuns);
  caught.caught = true;
  caught.programs = finding.index + 1;
  caught.statements = small.script.statements.size();
  caught.signature = finding.signature;
  caught.text = reproduce(small.script, subject.expected, *adapter,
                          {"planted_" + stem_of(caught.fault), {}, {std::string(fault.sentence)}})
                    .text;
  return caught;
}

std::function<int()> add_selftest(CLI::App& app) {
  const auto options = std::make_shared<SelftestOptions>();
  options->campaign.programs = 20000;
  CLI::App* command = app.add_subcommand("selftest", "Plant faults and see each of them caught by fuzzing alone");
  command->add_option("--on", options->on,
                      "The implementation to hold; by default the newest LibTorch that was built, else the reference");
  command->add_option("--programs", options->campaign.programs, "At most so many for each fault, and without one")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--seed", options->campaign.seed, "Where the programs come from")->capture_default_str();
  command->add_option("--jobs", options->campaign.jobs, "Workers")->check(CLI::Range(1, 256))->capture_default_str();
  command->add_option("--json", options->json, "Write the result to this file; - is stdout");
  command->footer("Examples:\n  plumbline selftest\n  plumbline selftest --on reference --programs 5000");
  return [options] { return run_selftest(*options); };
}

}  // namespace plumbline::fuzz
