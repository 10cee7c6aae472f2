// `plumbline fuzz --dispatcher`.
#include "fuzz/dispatcher/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "adapters/protocol/dispatch.h"
#include "adapters/reference/reference.h"
#include "fuzz/commands.h"
#include "fuzz/dispatcher/minimise.h"
#include "fuzz/one_screen.h"
#include "fuzz/report.h"
#include "fuzz/reproduce.h"
#include "language/dispatcher/program.h"
#include "oracle/verdict.h"
#include "spec/rules/catalogue.h"
#include "support/progress.h"
#include "support/siblings.h"
#include "support/terminal.h"

namespace plumbline::fuzz {

namespace {

/// One implementation: how to run programs on it, and the profile to compare it with.
struct Target {
  std::string name;
  std::function<dispatcher::DispatchRunner()> make_runner;
  Profile profile = Profile::sound;
};

Target target_of(const std::string& name, const DispatchFuzzOptions& options) {
  const AdapterOptions adapter{options.profile.empty() ? "sound" : options.profile, "", options.timeout_s,
                               options.memory_limit_mib};
  const Profile own = dispatcher::runner_of(name, adapter).profile;
  return {name, [name, adapter] { return dispatcher::runner_of(name, adapter).run; },
          options.profile.empty() ? own : profile_or_throw(options.profile)};
}

/// How Python shows an error of this class.
dispatcher::ExpectedRaise raise_of(std::size_t statement, DispatchError error) {
  switch (error) {
    case DispatchError::missing_kernel:
      return {statement, "Exception", "Could not run|attempted to run this operator|no kernel for|There were no tensor",
              0};
    case DispatchError::ambiguous:
      return {statement, "RuntimeError", "has kernels registered to both", 0};
    case DispatchError::fallthrough:
      return {statement, "RuntimeError", "fallthrough_kernel was executed", 0};
    case DispatchError::kernel_raised:
      return {statement, "RuntimeError", "k[0-9]+ raised", 0};
    case DispatchError::unknown_key:
      return {statement, "RuntimeError", "could not parse dispatch key", 0};
    case DispatchError::inconsistent:
      return {statement, "RuntimeError", "Canonical state", 0};
    case DispatchError::recursion:
      return {statement, "RecursionError", "", 0};
    default:
      return {statement, "Exception", "", 0};
  }
}

/// The program as a test that asserts the reference's outcome of each statement.
dispatcher::DispatchTest test_of(const DispatchScript& script, const DispatchTrace& right, const std::string& name) {
  dispatcher::DispatchTest test;
  test.name = name;
  test.script = script;
  for (std::size_t i = 0; i < right.size(); ++i) {
    const DispatchOutcome& outcome = right[i];
    if (outcome.error != DispatchError::none) test.raises.push_back(raise_of(i, outcome.error));
    if (outcome.reading) test.readings.push_back({i, *outcome.reading, 0});
    const auto& statement = script.statements[i];
    const bool calls = std::holds_alternative<InvokeOp>(statement) || std::holds_alternative<RedispatchOp>(statement);
    if (calls && outcome.error != DispatchError::recursion)
      test.logs.push_back({i, dispatcher::log_lines(outcome.log), 0});
  }
  return test;
}

std::string rules_text(const Decisions& decisions) {
  std::size_t mattered = 0;
  std::string never;
  for (const Rule* rule : kDispatchRules) {
    const bool does = decisions.mattered.test(rule->index());
    mattered += does ? 1 : 0;
    if (!does) never += " " + rule->id();
  }
  return fmt::format("rules: {} of {} mattered{}{}", mattered, kDispatchRules.size(),
                     never.empty() ? "" : "; these never did:", never);
}

std::string report_text(const DispatchCampaignReport& report) {
  std::string text = fmt::format("{} programs, {} statements, {} calls, {} kernels run\nerrors:", report.programs,
                                 report.statements, report.calls, report.kernels);
  for (std::size_t i = 1; i < report.errors.size(); ++i)
    if (report.errors[i] > 0) text += fmt::format(" {} {}", name_of(static_cast<DispatchError>(i)), report.errors[i]);
  return text + fmt::format("\n{}\n{:.0f} programs/s\n", rules_text(report.decisions),
                            static_cast<double>(report.programs) / std::max(report.seconds, 0.001));
}

/// The shortest program that shows the finding, as the text of a file; `file`: its name, empty if it is not written.
std::string reproducer(const DispatchFinding& finding, const dispatcher::DispatchRunner& runner,
                       const reference::Judge& expected, const std::string& name, std::uint64_t seed,
                       const std::string& file) {
  const auto shows = [&](const DispatchScript& script) {
    const auto wrong = difference(runner, expected, script);
    return wrong && wrong->signature == finding.signature;
  };
  const DispatchScript small = minimised(finding.script, shows);
  const auto wrong = difference(runner, expected, small);
  std::vector<std::string> header{
      fmt::format("{} differs from the rules: {}", name, finding.signature), wrong ? wrong->message : finding.message,
      fmt::format("Found by `plumbline fuzz --dispatcher --on {} --replay {}:{}`.", name, seed, finding.index)};
  if (!file.empty())
    for (std::string& line : how_to_run(file, name)) header.push_back(std::move(line));
  return dispatcher::print_program(
      {test_of(small, reference::run(expected, small), "test_" + stem_of(finding.signature))}, header);
}

int replay(const Target& target, const DispatchFuzzOptions& options, const reference::Judge& built,
           std::span<const Profile> profiles, const reference::Judge& expected) {
  const auto [seed, index] = place_of(options.replay);
  const DispatchScript script = build_dispatch(genes_at(seed, index).value(), built, profiles);
  fmt::print("{}", dispatcher::print_program({test_of(script, reference::run(expected, script),
                                                      fmt::format("test_program_{}_{}", seed, index))},
                                             {fmt::format("Program {} of seed {}.", index, seed)}));
  const auto wrong = difference(target.make_runner(), expected, script);
  fmt::print("\n{}: {}\n", target.name, wrong ? "divergent: " + wrong->message : "pass");
  return wrong ? kExitDivergent : 0;
}

}  // namespace

int run_dispatch_fuzz(const DispatchFuzzOptions& options) {
  std::vector<Target> targets;
  for (const std::string& name : adapter_names(options.on))
    targets.push_back(look_up([&] { return target_of(name, options); }));
  const Rule* flipped = look_up([&] { return rule_or_throw(options.flip); });
  std::FILE* const out = options.json == "-" ? stderr : stdout;
  nlohmann::ordered_json json{{"command", "fuzz --dispatcher"}, {"campaigns", nlohmann::ordered_json::array()}};
  const Screen screen = screen_of_stdout();
  std::string last, whole, rows;
  std::vector<News> found;
  Tally tally;
  std::vector<Profile> profiles;
  for (const Target& target : targets) profiles.push_back(target.profile);
  for (const Target& target : targets) {
    const reference::Judge built{targets.front().profile};
    const reference::Judge expected{target.profile, flipped};
    if (!options.replay.empty()) return replay(target, options, built, profiles, expected);
    const DispatchCampaignReport report =
        run_campaign({target.make_runner, built, profiles, expected, options.programs, options.seconds, options.seed,
                      options.jobs, options.quiet ? "" : target.name, options.first});
    nlohmann::ordered_json one{{"implementation", target.name}, {"profile", name_of(target.profile)},
                               {"programs", report.programs},   {"statements", report.statements},
                               {"passed", report.passed},       {"unsupported", report.unsupported},
                               {"divergent", report.divergent}, {"findings", nlohmann::ordered_json::array()}};
    const auto runner = report.findings.empty() ? dispatcher::DispatchRunner() : target.make_runner();
    cli::Progress shrinking(options.first || options.quiet ? "" : target.name + ": shrinking", report.findings.size());
    for (const DispatchFinding& finding : report.findings) {
      shrinking.step();
      const std::string file =
          options.out.empty() ? "" : fmt::format("test_{}_{}.py", stem_of(finding.signature), finding.index);
      const std::string text = options.first ? finding.message + "\n"
                                             : reproducer(finding, runner, expected, target.name, options.seed, file);
      const std::string headline =
          fmt::format("{}: {} ({} program{}, first {}:{})", target.name, finding.signature, finding.times,
                      finding.times == 1 ? "" : "s", options.seed, finding.index);
      found.push_back({fmt::format("{}\n  {}\n", screen.paint(Colour::red, "New: " + headline),
                                   shortened(finding.message, screen.width - 2)),
                       finding.times, text, static_cast<std::size_t>(std::ranges::count(text, '\n'))});
      whole += fmt::format("\n{}\n{}", headline, text);
      if (!options.out.empty() && !options.first) write_reproducer(options.out + "/" + file, text);
      one["findings"].push_back({{"signature", finding.signature},
                                 {"index", finding.index},
                                 {"times", finding.times},
                                 {"message", finding.message},
                                 {"program", text}});
    }
    const std::string row = fmt::format("{}: {}", target.name, report_text(report));
    if (!options.quiet) whole += (report.findings.empty() ? "" : "\n") + row;
    rows += row;
    json["campaigns"].push_back(std::move(one));
    tally.passed += report.passed;
    tally.unsupported += report.unsupported;
    tally.divergent += report.divergent;
    last += fmt::format("{}: {} of {} passed, {} unsupported, {} divergent\n", target.name, report.passed,
                        report.programs, report.unsupported, report.divergent);
    if (report.interrupted) break;
  }
  if (!options.json.empty()) write_json(json, options.json);
  const std::string end = fmt::format("{}{}\n", targets.size() > 1 && !options.quiet ? last : "", tally.line());
  print_fitting(out, {"fuzz-dispatcher", whole + end, json.dump(1) + "\n", "", end},
                options.verbose || options.quiet || options.first, [&](std::size_t room, const Screen& on) {
                  add_news(rows, found, room, on);
                  return rows;
                });
  return tally.exit_code(false);
}

}  // namespace plumbline::fuzz
