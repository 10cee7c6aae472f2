// `plumbline fuzz`: campaigns, their failures shrunk and written as pytest files; and `--replay`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "adapters/by_schema/plain_run.h"
#include "adapters/implementations.h"
#include "adapters/reference/reference.h"
#include "fuzz/cases.h"
#include "fuzz/commands.h"
#include "fuzz/one_screen.h"
#include "fuzz/report.h"
#include "support/progress.h"
#include "support/terminal.h"

namespace plumbline::fuzz {

namespace {

AdapterOptions adapter_options(const FuzzOptions& options, Profile profile) {
  return {std::string(name_of(profile)), "", options.timeout, options.memory_limit, level_named(options.level)};
}

Description description_of(const std::string& name, const FuzzOptions& options) {
  return make_adapter(name, adapter_options(options, Profile::sound))->describe();
}

/// The profile with which an implementation is compared.
Profile profile_for(const Description& description, const FuzzOptions& options) {
  return profile_or_throw(options.profile.empty() ? description.profile : options.profile);
}

/// The implementation called `name`, and the reference to compare it with; `built`: the profile under which programs
/// are built.
Subject subject_of(const std::string& name, const FuzzOptions& options, Profile profile, Profile built,
                   const Manifest& has) {
  const AdapterOptions adapter = adapter_options(options, profile);
  reference::Judge expected;
  expected.profile = profile;
  Recipe generated(expected, options.unsafe);
  generated.judge.profile = built;
  generated.observe_all = options.observe_all;
  generated.by_schema = options.by_schema;
  generated.functionalize = options.functionalize;
  generated.transforms = options.transforms;
  generated.captures = options.capture;
  generated.two_devices = options.devices;
  if (options.dispatcher) generated.dispatching = Dispatching::only;
  generated.profiles = options.profiles;
  generated.has = has;
  expected.flipped = rule_or_throw(options.flip);
  Subject subject{[name, adapter] { return make_adapter(name, adapter); }, generated, expected,
                  std::make_shared<Waivers>(load_waivers_or(options.waivers, PLUMBLINE_CORPUS, today()))};
  for (const std::string& stage : stages_of(name))
    subject.stages.push_back({stage, [stage, adapter] { return make_adapter(stage, adapter); }});
  return subject;
}

/// The ids of the waivers that a campaign needed.
std::set<std::string> waivers_needed(const Report& report) {
  std::set<std::string> ids;
  for (const Sighting& sighting : report.sightings)
    if (!sighting.waiver.empty()) ids.insert(sighting.waiver);
  for (const Finding& known : report.known) ids.insert(known.waiver);
  return ids;
}

/// A misread rule or another profile gives other programs, so they cannot tell whether a waiver is stale.
std::vector<std::string> stale_waivers(const Report& report, const Subject& subject, const FuzzOptions& options) {
  if (!options.flip.empty() || !options.profile.empty()) return {};
  const Generated generated = options.functionalize ? Generated::functionalized
                              : options.transforms  ? Generated::mapped
                              : options.dispatcher  ? Generated::about_the_dispatcher
                              : options.unsafe      ? Generated::unsafe
                                                    : Generated::plain;
  return subject.waivers->stale_of_generated(report.description, report.programs, waivers_needed(report), generated);
}

void add_up(Tally& sum, const Tally& part) {
  sum.passed += part.passed;
  sum.unsupported += part.unsupported;
  sum.unspecified += part.unspecified;
  sum.unknown += part.unknown;
  sum.divergent += part.divergent;
  sum.waived += part.waived;
  sum.harness_errors += part.harness_errors;
}

/// Everything that a campaign found, as text.
std::string whole_text(const Campaigned& one, const FuzzOptions& options) {
  std::string text;
  for (const Case& found : one.cases) text += to_text(found, options.campaign.seed);
  for (const Shown& found : one.shown) text += to_text(found, options.campaign.seed);
  text += fmt::format("{}{}", text.empty() ? "" : "\n", to_text(one.report));
  return options.profile_run ? text + profile_text(one.report) : text;
}

/// Prints the campaigns: everything, or what fits one screen, with everything in the report's files.
void print_campaigns(const std::vector<Campaigned>& all, const FuzzOptions& options, const nlohmann::ordered_json& json,
                     const std::string& stale, const std::string& ending) {
  std::FILE* const out = options.json == "-" ? stderr : stdout;  // JSON on stdout stands alone
  std::string whole;
  if (options.quiet) {
    for (const Campaigned& one : all)
      for (const Case& found : one.cases) whole += to_text(found, options.campaign.seed);
    fmt::print(out, "{}{}{}", whole, stale, ending);
    return;
  }
  for (const Campaigned& one : all) whole += whole_text(one, options);
  const bool itself = options.flip.empty() && options.profile.empty() &&
                      std::ranges::all_of(all, [](const Campaigned& one) { return one.name == "reference"; });
  const std::string note = itself ? "The reference was compared with itself, so a wrong rule cannot show: --on "
                                    "optimized,libtorch-2.13.0 compares others.\n"
                                  : "";
  const std::string next = std::ranges::all_of(all, [](const Campaigned& one) { return one.cases.empty(); })
                               ? ""
                               : "Next: plumbline fuzz --on ... --replay SEED:INDEX shows the whole program; --out DIR "
                                 "writes reproducers.\n";
  print_fitting(out, {"fuzz", whole + note + stale + ending, json.dump(1) + "\n", note + stale + next, ending},
                options.verbose || options.first, [&](std::size_t room, const Screen& screen) {
                  return screen_text(all, options.campaign.seed, room, screen);
                });
}

/// Generates the programs that an implementation is for, unless others are asked for.
void follow(Programs programs, FuzzOptions& options) {
  if (options.plain || options.transforms || options.functionalize || options.dispatcher || options.capture ||
      options.devices)
    return;
  options.capture = programs == Programs::captured;
  options.functionalize = programs == Programs::functionalized && !options.unsafe;
}

/// Whether programs call ops by schema too: they must be about nothing else, and the one implementation that runs them
/// must have a caller of the sweep, which computes such ops.
bool asks_by_schema(const std::vector<std::string>& names, const FuzzOptions& options) {
  if (names.size() != 1 || options.without_by_schema || options.dispatcher || options.transforms) return false;
  return !plain_caller_of(names.front()).empty();
}

int run_fuzz(FuzzOptions options) {
  nlohmann::ordered_json json{{"command", "fuzz"}, {"campaigns", nlohmann::ordered_json::array()}};
  nlohmann::ordered_json timing;
  Tally tally;
  const std::vector<std::string> names = adapter_names(options.on);
  const std::string folder = options.out;
  std::string lines, stale;
  std::vector<Campaigned> all;
  std::vector<Manifest> has;               // of each implementation
  std::optional<Profile> built;            // one profile, so that all implementations get the same programs
  for (const std::string& name : names) {  // a wrong name ends the command before anything runs
    const Description description = look_up([&] { return description_of(name, options); });
    const Profile profile = look_up([&] { return profile_for(description, options); });
    options.profiles.push_back(profile);
    has.push_back(description.has);
    follow(description.programs, options);
    if (built && (*built != Profile::sound || profile == Profile::sound)) continue;
    built = profile;
  }
  options.by_schema = asks_by_schema(names, options);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    options.on = {name};
    if (names.size() > 1 && !folder.empty()) options.out = fmt::format("{}/{}", folder, stem_of(name));
    const Subject subject = look_up([&] { return subject_of(name, options, options.profiles[i], *built, has[i]); });
    options.found_on = fmt::format("{}", fmt::join(names, " --on "));  // programs depend on what each of them has
    if (!options.replay.empty()) {
      replay(tally, name, options, subject);
      continue;
    }
    options.campaign.label = options.quiet ? "" : name;
    Campaigned one{name, run_campaign(subject, options.campaign), {}, {}};
    std::unique_ptr<Adapter> adapter;
    cli::Progress shrinking(options.first || options.quiet ? "" : name + ": shrinking", one.report.findings.size());
    for (const Finding& finding : one.report.findings) {
      shrinking.step();
      one.cases.push_back(make_case(finding, subject, options, adapter));
    }
    one.shown = show_all(one.report, subject, options);
    for (const std::string& line : stale_waivers(one.report, subject, options)) stale += line + "\n";
    json["campaigns"].push_back(to_json(one.report, one.cases, one.shown, options.campaign.seed));
    timing[name] = to_json(one.report.timing, one.report);
    add_up(tally, one.report.tally);
    lines += fmt::format("{}: {}\n", name, one.report.tally.line());
    all.push_back(std::move(one));
  }
  if (!options.replay.empty()) {
    fmt::print("{}\n", tally.line());
    return tally.exit_code(false);
  }
  json["timing"] = timing;
  if (!options.json.empty()) write_json(json, options.json);
  print_campaigns(all, options, json, stale,
                  fmt::format("{}{}\n", names.size() > 1 && !options.quiet ? lines : "", tally.line()));
  const int code = tally.exit_code(false);
  return code == 0 && !stale.empty() ? kExitDivergent : code;
}

/// Options that exclude each other, in words; empty if there are none.
std::string refused(const FuzzOptions& options) {
  if (options.functionalize && options.unsafe) return "--functionalize generates no unsafe statements; remove --unsafe";
  if (options.dispatcher && (options.functionalize || options.unsafe))
    return "--dispatcher generates neither bodies nor unsafe statements; remove --functionalize and --unsafe";
  if (options.capture && (options.functionalize || options.dispatcher || options.plain))
    return "--capture excludes --functionalize, --dispatcher and --plain; remove one of them";
  if (options.devices && (options.functionalize || options.dispatcher || options.capture))
    return "--devices excludes --functionalize, --dispatcher and --capture; remove one of them";
  if (options.transforms &&
      (options.functionalize || options.dispatcher || options.capture || options.devices || options.unsafe))
    return "--transforms excludes --functionalize, --dispatcher, --capture, --devices and --unsafe; remove one of them";
  return "";
}

void add_options(Command& command, FuzzOptions& options) {
  command
      .option(
          "--on IMPLEMENTATION", options.on,
          "implementations, separated by commas: reference, optimized, libtorch-2.13.0, python, …, process:CMD (CMD "
          "is the rest of the argument); see plumbline list implementations. Each is compared with its own profile. "
          "All run the same programs, built under "
          "the profile of the first PyTorch, or of the first implementation if there is no PyTorch")
      .required();
  options.programs_option = &command.option("--programs N", options.campaign.programs, "the number of programs");
  command.seconds(options.campaign.seconds, "without --programs, as many programs as fit");
  command.seed(options.campaign.seed);
  command.jobs(options.campaign.jobs);
  command.option("--max-failures N", options.campaign.max_failures, "stop after N distinct failures").positive();
  command.flag("--first", options.first, "stop at the first failure, and do not shrink it");
  command
      .option("--shrink-runs N", options.shrink_runs,
              "how many runs shrinking one failure may take; where a run takes seconds, find with 0 and shrink later "
              "with --replay; 0: failures are not shrunk")
      .range(0);
  command.flag("--unsafe", options.unsafe,
               "also generate statements that can break any invariant by design: .data, set_, the below-guards");
  command.flag("--functionalize", options.functionalize,
               "also generate functionalized bodies: torch.func.functionalize(body)(x)");
  command.flag("--transforms", options.transforms,
               "also generate mapped bodies, nested ones too: torch.vmap(body, in_dims=..., out_dims=...)(x)");
  command.flag(
      "--capture", options.capture,
      "generate programs aimed at graph capture: more views, writes and out= between two snapshots, and fewer "
      "guards and refused calls. It is on where an implementation says that it captures graphs, as --functionalize is "
      "where it runs bodies");
  command.flag(
      "--devices", options.devices,
      "generate programs of two devices, the CPU and that of the tests, for implementations whose tests do not "
      "run on the CPU: optimized-cuda-host, optimized-cuda, process:… --device cuda");
  command.flag("--plain", options.plain, "generate the programs for eager implementations in any case");
  command.flag("--dispatcher", options.dispatcher,
               "generate only what is about the dispatcher: libraries, kernels that log and redispatch, guards, calls, "
               "tables");
  command.flag("--without-by-schema", options.without_by_schema,
               "generate no ops of which only the schema is known (docs/BY_SCHEMA.md); they are generated for libtorch "
               "and python, if nothing else runs the programs");
  command.option("--profile PROFILE", options.profile, "compare with this profile")
      .shows_default("the implementation's own");
  command.option("--level LEVEL", options.level, std::string(kLevelHelp)).choices(level_names());
  command.option("--flip RULE", options.flip, "misread this rule in the reference, for example INF-03");
  command.out(options.out, kReproducers);
  command.json(options.json);
  const Option& verbose = command.verbose(options.verbose);
  command.quiet(options.quiet).excludes(verbose);
  command.option("--waivers FILE", options.waivers, "the file of known divergences")
      .shows_default("waivers.json and findings.json in fuzz/corpus");
  command.flag("--observe-all", options.observe_all, "take a snapshot after every step, not only after some");
  command.flag("--profile-run", options.profile_run, "print how long each part took");
  command.option("--replay SEED:INDEX", options.replay, "print and run this one program");
  command.option("--timeout S", options.timeout, "seconds for one program").positive();
  command
      .option("--memory-limit MIB", options.memory_limit,
              "MiB of memory for an adapter process and its descendants; a process that uses more is killed; 0: no "
              "limit")
      .range(0);
}

}  // namespace

void add_fuzz(CommandLine& line) {
  const auto options = std::make_shared<FuzzOptions>();
  Command& command =
      line.command("fuzz", "generate programs, run them on an implementation and on the reference, and compare");
  add_options(command, *options);
  command.footer(
      "examples:\n  plumbline fuzz --on libtorch-2.13.0 --programs 100000 --seed 1 --jobs 2 --out found\n"
      "  plumbline fuzz --on libtorch-2.13.0,libtorch-1.13.1 --programs 50000 --jobs 2\n"
      "  plumbline fuzz --on libtorch-2.13.0 --dispatcher --programs 100000\n"
      "  plumbline fuzz --on optimized,libtorch-2.13.0 --functionalize --programs 20000\n"
      "  plumbline fuzz --on optimized,libtorch-2.13.0 --transforms --programs 20000\n"
      "  plumbline fuzz --on compile-aot_eager --programs 20000 --shrink-runs 0\n"
      "  plumbline fuzz --on libtorch-2.13.0 --replay 1:4711\n  plumbline fuzz --on reference --seconds 10");
  command.check([options] { return refused(*options); });
  command.runs([options] {
    if (options->campaign.seconds > 0 && !options->programs_option->given()) options->campaign.programs = UINT64_MAX;
    if (options->first) options->campaign.max_failures = 1;
    return run_fuzz(*options);
  });
}

}  // namespace plumbline::fuzz
