// Shrinking the findings of a campaign, and replaying one program.
#include "fuzz/cases.h"

#include <fmt/format.h>

#include <utility>

#include "fuzz/builder.h"
#include "fuzz/commands.h"
#include "fuzz/plain_file.h"
#include "fuzz/reproducer_test.h"
#include "fuzz/shrink.h"
#include "language/print.h"
#include "reference/machine.h"
#include "support/progress.h"

namespace plumbline::fuzz {

namespace {

constexpr std::size_t kCostOfBreakdown = 10;
constexpr std::size_t kCostOfHang = 200;

/// If the reproducer will be a file: how to run it.
void add_how_to_run(std::vector<std::string>& header, const FuzzOptions& options, const std::string& stem,
                    const Description& d) {
  if (options.out.empty()) return;
  for (std::string& line : how_to_run(fmt::format("test_{}.py", stem), fmt::format("{} {}", d.name, d.version)))
    header.push_back(std::move(line));
}

}  // namespace

std::size_t cost_of(const std::string& signature) {
  return signature == "run/hang" ? kCostOfHang : signature.starts_with("run/") ? kCostOfBreakdown : 1;
}

std::string_view kind_option(const FuzzOptions& options) {
  return options.functionalize               ? " --functionalize"
         : options.transforms                ? " --transforms"
         : options.capture && options.unsafe ? " --capture --unsafe"
         : options.capture                   ? " --capture"
         : options.dispatcher                ? " --dispatcher"
         : options.devices && options.unsafe ? " --devices --unsafe"
         : options.devices                   ? " --devices"
         : options.unsafe                    ? " --unsafe"
                                             : "";
}

Case make_case(const Finding& finding, const Subject& subject, const FuzzOptions& options,
               std::unique_ptr<Adapter>& adapter) {
  Case one{finding, {}, 0, true, ""};
  if (finding.verdict != Verdict::divergent || options.first || options.shrink_runs == 0) {
    one.reproducer.note = fmt::format("see it with `--replay {}:{}`", options.campaign.seed, finding.index);
    return one;
  }
  if (adapter == nullptr) adapter = subject.make_adapter();
  std::size_t cost = 0;
  // Else what is left of an unexplained difference may be one of a known cause.
  const Waivers* waivers = finding.waiver.empty() ? subject.waivers.get() : nullptr;
  const Failing failing = [&](const Script& script) -> std::string {
    if (interrupted || cost >= options.shrink_runs) {
      one.shrink_complete = false;
      return "";
    }
    ++one.shrink_runs;
    std::string signature = signature_on(*adapter, subject.expected, script, waivers);
    cost += cost_of(signature);
    return signature;
  };
  const auto genes = genes_at(options.campaign.seed, finding.index);
  const Shrunk small =
      shrink(genes, recipe_for(genes.value(), subject), finding.signature, failing, options.shrink_runs);
  one.shrink_complete = one.shrink_complete && small.complete;
  const Description& d = adapter->describe();
  // Two signatures may differ in punctuation alone; the index tells them apart.
  const std::string stem = fmt::format("{}_{}", stem_of(finding.signature), finding.index);
  std::vector<std::string> header{fmt::format("{} {} against the profile {}: {}", d.name, d.version,
                                              name_of(subject.expected.profile), finding.signature),
                                  fmt::format("Found by `plumbline fuzz --on {}{} --replay {}:{}`.", options.found_on,
                                              kind_option(options), options.campaign.seed, finding.index)};
  add_how_to_run(header, options, stem, d);
  one.reproducer = reproduce(small.script, subject.expected, *adapter, {stem, {}, header});
  if (!options.out.empty() && !one.reproducer.text.empty()) {
    one.file = fmt::format("{}/test_{}.py", options.out, stem);
    write_reproducer(one.file, one.reproducer.text);
    one.plain = write_plain_file(one.file, small.script, subject.expected, *adapter);
  }
  return one;
}

std::vector<Shown> show_all(const Report& report, const Subject& subject, const FuzzOptions& options) {
  std::vector<Shown> all;
  if (report.sightings.empty()) return all;
  if (options.first || options.shrink_runs == 0) {
    for (const Sighting& sighting : report.sightings) {
      all.push_back({sighting, {}, ""});
      all.back().reproducer.note =
          options.first ? "not shrunk, because of --first" : "not shrunk, because of --shrink-runs 0";
    }
    return all;
  }
  const std::unique_ptr<Adapter> adapter = subject.make_adapter();
  const Description& d = adapter->describe();
  cli::Progress shrinking(options.quiet ? "" : "shrinking what the monitors saw", report.sightings.size());
  for (const Sighting& sighting : report.sightings) {
    shrinking.step();
    const std::string stem = "monitor_" + stem_of(sighting.key);
    std::vector<std::string> header{
        fmt::format("{} {} breaks an invariant (its own states show it): {}", d.name, d.version, sighting.key),
        fmt::format("Found by `plumbline fuzz --on {}{} --replay {}:{}`.", options.found_on, kind_option(options),
                    options.campaign.seed, sighting.index)};
    add_how_to_run(header, options, stem, d);
    const auto genes = genes_at(options.campaign.seed, sighting.index);
    Shown shown{sighting,
                show_breach(genes, recipe_for(genes.value(), subject), sighting, *adapter, *subject.waivers,
                            options.shrink_runs, {stem, {}, header}),
                ""};
    if (!options.out.empty() && !shown.reproducer.text.empty()) {
      shown.file = fmt::format("{}/test_{}.py", options.out, stem);
      write_reproducer(shown.file, shown.reproducer.text);
    }
    all.push_back(std::move(shown));
  }
  return all;
}

void replay(Tally& tally, const std::string& name, const FuzzOptions& options, const Subject& subject) {
  const auto [seed, index] = place_of(options.replay);
  const Genes genes = genes_at(seed, index).value();
  const auto show = [&](const Script& script, const Trace& trace) {
    program::Test test = whole_test(script, trace);
    test.name = fmt::format("program_{}_{}", seed, index);
    fmt::print("{}", program::print(program::raise(test)));
  };
  Script script;
  try {
    script = build(genes, recipe_for(genes, subject));
  } catch (ReferenceBroke& broken) {
    Trace trace = reference::run(subject.expected, broken.before);
    broken.before.statements.push_back(broken.last);
    trace.outcomes.emplace_back();
    show(broken.before, trace);
    fmt::print("\n{}: harness error: the reference itself failed on the last statement: {}\n", name, broken.what());
    return tally.add(Verdict::harness_error);
  }
  show(script, reference::run(subject.expected, script));
  const std::unique_ptr<Adapter> adapter = subject.make_adapter();
  Held held = hold(*adapter, subject.expected, script);
  const Waiver* waiver = excuse_of(*subject.waivers, script, held.comparison, adapter->describe());
  fmt::print("\n{}: {}{}{}\n", name, name_of(held.comparison.verdict), held.comparison.message.empty() ? "" : ": ",
             held.comparison.message);
  if (waiver == nullptr) {
    tally.add(held.comparison.verdict);
    if (options.out.empty() || held.comparison.verdict != Verdict::divergent) return;
    Finding finding{index, Verdict::divergent, signature_of(held.comparison), held.comparison.message, {}, 1, ""};
    std::unique_ptr<Adapter> again;
    FuzzOptions of_place = options;  // make_case builds the program again from the campaign's seed
    of_place.campaign.seed = seed;
    fmt::print("{}", to_text(make_case(finding, subject, of_place, again), seed));
    return;
  }
  fmt::print("waived by {}: {}\n", waiver->id, waiver->reason);
  ++tally.waived;
}

}  // namespace plumbline::fuzz
