// `plumbline selftest`.
#include "fuzz/selftest.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "adapters/reference/reference.h"
#include "fuzz/commands.h"
#include "fuzz/compile/selftest.h"
#include "fuzz/functionalize/selftest.h"
#include "fuzz/harness_selftest.h"
#include "fuzz/misreadings/selftest.h"
#include "fuzz/report.h"
#include "fuzz/shrink.h"
#include "support/siblings.h"
#include "sweep/selftest/selftest.h"

namespace plumbline::fuzz {

namespace {

constexpr std::size_t kShrinkRuns = 1500;
/// A fault has to survive this many generated programs while the field that shows it is not compared.
constexpr std::uint64_t kUnseenPrograms = 2000;

struct SelftestOptions {
  std::string on, json;
  std::string corpus = PLUMBLINE_CORPUS;
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
  const Subject healthy{[name, profile] { return make_adapter(name, {profile, "", 10.0}); }, judge, judge,
                        std::make_shared<Waivers>(load_waivers_or("", options.corpus, today()))};

  std::FILE* const out = options.json == "-" ? stderr : stdout;
  options.campaign.label = "no fault";
  const Report clean = run_campaign(healthy, options.campaign);
  const std::size_t false_alarms = clean.tally.divergent + clean.tally.harness_errors;
  fmt::print(out, "{} against the profile {}, without a planted fault: {} of {} programs diverge\n", name, profile,
             false_alarms, clean.programs);
  for (const Finding& finding : clean.findings)
    fmt::print(out, "  {}:{} {}: {}\n", options.campaign.seed, finding.index, finding.signature, finding.message);

  nlohmann::ordered_json json{{"command", "selftest"},
                              {"implementation", name},
                              {"programs", clean.programs},
                              {"divergent_without_a_fault", false_alarms}};
  const std::vector<CuratedTest> curated = look_up([&] { return load_curated(options.corpus); });
  std::size_t fuzzed = 0, by_programs = 0, unseen = 0, switchable = 0;
  const std::vector<Fault> faults = planted_faults();
  fmt::print(out, "{:<22}{:<15}{:<24}{:<22}{}\n", "planted fault", "shown by", "fuzzing alone", "curated alone",
             "not compared");
  for (const Fault& fault : faults) {
    options.campaign.label = std::string(fault.name);
    const Caught c = catch_fault(fault, healthy, options.campaign);
    const std::vector<std::string> red = red_with(fault, healthy, curated);
    CampaignOptions hidden = options.campaign;
    hidden.programs = std::min<std::uint64_t>(hidden.programs, kUnseenPrograms);
    const std::optional<std::size_t> still = caught_unseen(fault, healthy, curated, hidden);
    fuzzed += c.caught ? 1 : 0;
    by_programs += red.empty() ? 0 : 1;
    switchable += still ? 1 : 0;
    unseen += still && *still == 0 ? 1 : 0;
    fmt::print(out, "{:<22}{:<15}{:<24}{:<22}{}\n", fault.name, name_of(fault.shown_by),
               c.caught ? fmt::format("program {}", c.programs) : fmt::format("SURVIVED {}", c.programs),
               red.empty() ? std::string("SURVIVED") : fmt::format("{} of {} red", red.size(), curated.size()),
               !still        ? std::string("-")
               : *still == 0 ? std::string("survives")
                             : fmt::format("STILL CAUGHT by {}", *still));
    nlohmann::ordered_json one{
        {"name", c.fault},          {"sentence", fault.sentence}, {"shown_by", name_of(fault.shown_by)},
        {"caught", c.caught},       {"programs", c.programs},     {"statements", c.statements},
        {"signature", c.signature}, {"program", c.text},          {"curated_red", red}};
    if (still) one["caught_where_not_compared"] = *still;
    json["faults"].push_back(std::move(one));
    if (interrupted) break;
  }
  json["caught_by_fuzzing"] = fuzzed;
  json["caught_by_curated_programs"] = by_programs;
  json["survive_where_not_compared"] = unseen;
  json["planted"] = faults.size();
  if (!options.json.empty()) write_json(json, options.json);
  fmt::print(
      out,
      "{} of {} planted faults caught by fuzzing alone, {} of {} by the curated programs alone; {} of {} survive "
      "when the field that shows them is not compared\n",
      fuzzed, faults.size(), by_programs, faults.size(), unseen, switchable);
  const bool good = fuzzed == faults.size() && by_programs == faults.size() && unseen == switchable;
  return good && false_alarms == 0 ? 0 : 1;
}

/// `healthy` with a fault planted; with `hidden`, the field that shows the fault is not compared.
Subject planted(const Subject& healthy, const Fault& fault, bool hidden) {
  Subject subject = healthy;
  subject.make_adapter = [make = healthy.make_adapter, fault, hidden] {
    return std::make_unique<FaultyAdapter>(make(), fault, hidden);
  };
  return subject;
}

}  // namespace

Caught catch_fault(const Fault& fault, const Subject& healthy, const CampaignOptions& options) {
  const Subject subject = planted(healthy, fault, false);
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

std::vector<std::string> red_with(const Fault& fault, const Subject& healthy, const std::vector<CuratedTest>& curated) {
  const std::unique_ptr<Adapter> sick = planted(healthy, fault, false).make_adapter();
  const std::unique_ptr<Adapter> well = healthy.make_adapter();
  std::vector<std::string> red;
  for (const CuratedTest& one : curated)
    if (is_red(one.test, *sick, healthy.expected) && !is_red(one.test, *well, healthy.expected))
      red.push_back(one.file + "::" + one.test.name);
  return red;
}

std::optional<std::size_t> caught_unseen(const Fault& fault, const Subject& healthy,
                                         const std::vector<CuratedTest>& curated, const CampaignOptions& options) {
  if (std::holds_alternative<std::monostate>(fault.shown_by)) return std::nullopt;
  const Subject subject = planted(healthy, fault, true);
  std::size_t caught = run_campaign(subject, options).tally.divergent;
  const std::unique_ptr<Adapter> sick = subject.make_adapter();
  const std::unique_ptr<Adapter> well = healthy.make_adapter();
  for (const CuratedTest& one : curated)
    caught += is_red(one.test, *sick, healthy.expected) && !is_red(one.test, *well, healthy.expected) ? 1 : 0;
  return caught;
}

void add_selftest(CommandLine& line) {
  struct Which {
    bool functionalize = false, dispatcher = false, transforms = false, harness = false, hostile = false,
         compile = false, sweep = false;
  };
  const auto options = std::make_shared<SelftestOptions>();
  const auto which = std::make_shared<Which>();
  options->campaign.programs = 20000;
  Command& command = line.command(
      "selftest", "plant faults, and check that fuzzing alone and the curated programs alone catch each one");
  command
      .option("--on IMPLEMENTATION", options->on,
              "the implementation to plant faults in; see plumbline list implementations")
      .shows_default("the newest LibTorch that is built, or else the reference");
  command
      .option("--programs N", options->campaign.programs,
              "the most programs for each fault, and for the run without a fault")
      .positive();
  command.seed(options->campaign.seed);
  command.jobs(options->campaign.jobs);
  command.option("--corpus DIR", options->corpus, "the folder of the curated programs")
      .shows_default("fuzz/corpus")
      .completes("FILE");
  command.json(options->json);
  command.flag(
      "--functionalize", which->functionalize,
      "plant faults in a functionalizer: each misreads one FUN rule, and validation for all values must notice");
  command.flag("--dispatcher", which->dispatcher,
               "plant faults in a dispatcher: each misreads one DSP, KEY or TLS rule");
  command.flag("--transforms", which->transforms,
               "plant faults in the transforms of torch.func: each misreads one TRF rule");
  command.flag(
      "--compile", which->compile,
      "plant faults in a backend of torch.compile: each misplaces a write, an alias, a mode, a value or an error");
  command.flag("--sweep", which->sweep,
               "plant faults in kernels of PyTorch's operators: each breaks one OP law, and a sweep must say which");
  command.flag("--harness", which->harness,
               "plant faults in the harness itself: comparison, waivers, verdicts, monitors, shrinking, reports, "
               "seeds; harness_test is built with each fault and must fail");
  command.flag("--hostile", which->hostile,
               "plant the faults of a hostile reviewer in the optimized runtime, the reference, the rules, the "
               "comparison, the generator and the proofs");
  command.footer(
      "examples:\n  plumbline selftest\n  plumbline selftest --on reference --programs 5000\n  plumbline selftest "
      "--dispatcher\n  plumbline selftest --transforms\n  plumbline selftest --compile --programs 2000\n  plumbline "
      "selftest --functionalize\n  plumbline "
      "selftest --sweep\n  plumbline selftest --harness --jobs 2\n"
      "  plumbline selftest --hostile --jobs 2");
  command.check([which]() -> std::string {
    const int chosen = static_cast<int>(which->functionalize) + static_cast<int>(which->dispatcher) +
                       static_cast<int>(which->harness) + static_cast<int>(which->hostile) +
                       static_cast<int>(which->compile) + static_cast<int>(which->sweep) +
                       static_cast<int>(which->transforms);
    return chosen > 1
               ? "--functionalize, --dispatcher, --transforms, --compile, --sweep, --harness and --hostile are seven "
                 "self-tests; "
                 "choose one"
               : "";
  });
  command.runs([options, which] {
    if (which->sweep) return sweep::run_selftest({options->campaign.jobs, options->json});
    if (which->hostile) return run_hostile_selftest({options->campaign.jobs, options->json});
    if (which->harness) return run_harness_selftest({options->campaign.jobs, options->json});
    if (which->functionalize)
      return run_functionalize_selftest({options->campaign.programs, options->campaign.seed, options->json});
    if (which->compile)
      return run_compile_selftest(
          {options->campaign.programs, options->campaign.seed, options->campaign.jobs, options->json});
    if (which->dispatcher || which->transforms)
      return run_misreading_selftest(
          which->dispatcher ? misread_dispatcher() : misread_transforms(),
          {options->campaign.programs, options->campaign.seed, options->campaign.jobs, options->corpus, options->json});
    return run_selftest(*options);
  });
}

}  // namespace plumbline::fuzz
