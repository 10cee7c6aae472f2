// `plumbline fuzz`: campaigns, their failures shrunk and written as pytest files; and `--replay`.
#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <stdexcept>

#include "fuzz/builder.h"
#include "fuzz/commands.h"
#include "fuzz/report.h"
#include "fuzz/reproducer_test.h"
#include "fuzz/shrink.h"
#include "oracle/adapters/reference.h"
#include "oracle/program/print.h"
#include "reference/machine.h"

namespace plumbline::fuzz {

namespace {

/// Runs of a failing program while it is shrunk; a hang takes seconds each, so it gets fewer.
constexpr std::size_t kShrinkRuns = 4000;
constexpr std::size_t kShrinkRunsOfHang = 60;

struct FuzzOptions {
  std::vector<std::string> on;
  CampaignOptions campaign;
  std::string profile, flip, out, json, replay;
  double timeout = 10;
};

/// The implementation called `name`, and the reference that it is held against.
Subject subject_of(const std::string& name, const FuzzOptions& options, const Description& description) {
  const Profile profile = profile_or_throw(options.profile.empty() ? description.profile : options.profile);
  const AdapterOptions adapter{std::string(name_of(profile)), "", options.timeout};
  reference::Judge generated;
  generated.profile = profile;
  reference::Judge expected = generated;
  expected.flipped = rule_or_throw(options.flip);
  return {[name, adapter] { return make_adapter(name, adapter); }, generated, expected};
}

Case make_case(const Finding& finding, const Subject& subject, const FuzzOptions& options,
               std::unique_ptr<Adapter>& adapter) {
  Case one{finding, {}, 0, true, ""};
  if (finding.verdict != Verdict::divergent) {
    one.reproducer.note = fmt::format("`--replay {}:{}` shows the program", options.campaign.seed, finding.index);
    return one;
  }
  if (adapter == nullptr) adapter = subject.make_adapter();
  const Failing failing = [&](const Script& script) { return signature_on(*adapter, subject.expected, script); };
  const bool hang = finding.signature == "run/hang";
  Shrunk small = shrink(genes_at(options.campaign.seed, finding.index), subject.generated, finding.signature, failing,
                        hang ? kShrinkRunsOfHang : kShrinkRuns);
  one.shrink_runs = small.tried;
  one.shrink_complete = small.complete;
  const Description& d = adapter->describe();
  // Two signatures may differ in punctuation alone; the index tells them apart.
  const std::string stem = fmt::format("{}_{}", stem_of(finding.signature), finding.index);
  const std::vector<std::string> header{fmt::format("{} {} against the profile {}: {}", d.name, d.version,
                                                    name_of(subject.expected.profile), finding.signature),
                                        fmt::format("Found by `plumbline fuzz --on {} --replay {}:{}`.",
                                                    options.on.front(), options.campaign.seed, finding.index)};
  one.reproducer = reproduce(small.script, subject.expected, *adapter, {stem, {}, header});
  if (!options.out.empty() && !one.reproducer.text.empty()) {
    one.file = fmt::format("{}/test_{}.py", options.out, stem);
    write_file(one.file, one.reproducer.text);
  }
  return one;
}

void replay(const std::string& place, const Subject& subject, std::uint64_t& seed, std::uint64_t& index) {
  const char* const end = place.data() + place.size();
  const auto [colon, bad_seed] = std::from_chars(place.data(), end, seed);
  const bool two = bad_seed == std::errc() && colon != end && *colon == ':';
  const auto [stop, bad_index] = two ? std::from_chars(colon + 1, end, index) : std::from_chars_result{end, {}};
  if (!two || bad_index != std::errc() || stop != end)
    throw UsageError(fmt::format("--replay takes SEED:INDEX, as in 1:4711, not \"{}\"", place));
  const Script script = build(genes_at(seed, index).value(), subject.generated);
  program::Test test = whole_test(script, reference::run(subject.expected, script));
  test.name = fmt::format("program_{}_{}", seed, index);
  fmt::print("{}", program::print(program::raise(test)));
}

int run_replay(const FuzzOptions& options, const Subject& subject) {
  std::uint64_t seed = 0, index = 0;
  replay(options.replay, subject, seed, index);
  const std::unique_ptr<Adapter> adapter = subject.make_adapter();
  const Held held = hold(*adapter, subject.expected, build(genes_at(seed, index).value(), subject.generated));
  fmt::print("\n{}{}{}\n", name_of(held.comparison.verdict), held.comparison.message.empty() ? "" : ": ",
             held.comparison.message);
  Tally tally;
  tally.add(held.comparison.verdict);
  fmt::print("{}\n", tally.line());
  return tally.exit_code(false);
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

int run_fuzz(FuzzOptions options) {
  nlohmann::ordered_json json{{"command", "fuzz"}, {"campaigns", nlohmann::ordered_json::array()}};
  nlohmann::ordered_json timing;
  Tally tally;
  std::FILE* const out = options.json == "-" ? stderr : stdout;  // JSON on stdout stands alone
  const std::vector<std::string> names = adapter_names(options.on);
  const std::string folder = options.out;
  for (const std::string& name : names) {
    options.on = {name};
    if (names.size() > 1 && !folder.empty()) options.out = fmt::format("{}/{}", folder, stem_of(name));
    const Subject subject = look_up([&] {
      const std::string profile = options.profile.empty() ? "sound" : options.profile;
      return subject_of(name, options, make_adapter(name, {profile, "", options.timeout})->describe());
    });
    if (!options.replay.empty()) return run_replay(options, subject);
    options.campaign.label = name;
    const Report report = run_campaign(subject, options.campaign);
    std::vector<Case> cases;
    std::unique_ptr<Adapter> adapter;
    for (const Finding& finding : report.findings) {
      fmt::print(stderr, "shrinking {}\n", finding.signature);
      cases.push_back(make_case(finding, subject, options, adapter));
      fmt::print(out, "{}", to_text(cases.back(), options.campaign.seed));
    }
    fmt::print(out, "{}{}", cases.empty() ? "" : "\n", to_text(report));
    json["campaigns"].push_back(to_json(report, cases, options.campaign.seed));
    timing[name] = to_json(report.timing, report);
    add_up(tally, report.tally);
  }
  json["timing"] = timing;
  if (!options.json.empty()) write_json(json, options.json);
  fmt::print(out, "{}\n", tally.line());
  return tally.exit_code(false);
}

}  // namespace

std::function<int()> add_fuzz(CLI::App& app) {
  const auto options = std::make_shared<FuzzOptions>();
  CLI::App* command =
      app.add_subcommand("fuzz", "Generate programs, run them on an implementation and on the reference, and compare");
  command
      ->add_option("--on", options->on,
                   "Implementations, separated by commas: reference, libtorch-2.13.0, process:CMD (takes the rest)")
      ->required();
  CLI::Option* programs =
      command->add_option("--programs", options->campaign.programs, "How many programs")->capture_default_str();
  command->add_option("--seconds", options->campaign.seconds, "How long; without --programs as many as fit")
      ->check(CLI::PositiveNumber);
  command->add_option("--seed", options->campaign.seed, "Program i depends on the seed and i alone")
      ->capture_default_str();
  command->add_option("--jobs", options->campaign.jobs, "Workers; the result does not depend on it")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command->add_option("--max-failures", options->campaign.max_failures, "Stop behind so many distinct failures")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--profile", options->profile, "Hold against this profile, not the implementation's own");
  command->add_option("--flip", options->flip, "Misread this rule in the reference, as in INF-03");
  command->add_option("--out", options->out, "Write reproducers into this folder");
  command->add_option("--json", options->json, "Write the result to this file; - is stdout");
  command->add_option("--replay", options->replay, "Show and run one program, SEED:INDEX");
  command->add_option("--timeout", options->timeout, "Seconds for one program")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->footer(
      "Examples:\n  plumbline fuzz --on libtorch-2.13.0 --programs 100000 --seed 1 --jobs 2 --out found\n"
      "  plumbline fuzz --on libtorch-2.13.0 --replay 1:4711\n  plumbline fuzz --on reference --seconds 10");
  return [options, programs] {
    if (options->campaign.seconds > 0 && programs->count() == 0) options->campaign.programs = UINT64_MAX;
    return run_fuzz(*options);
  };
}

}  // namespace plumbline::fuzz
