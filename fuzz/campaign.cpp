// A campaign of programs with tensors: generating, comparing, and adding up.
#include "fuzz/campaign.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <map>
#include <memory>

#include "adapters/protocol/cursor.h"
#include "fuzz/builder.h"
#include "fuzz/progress.h"
#include "oracle/slice.h"
#include "reference/machine.h"
#include "reference/raise.h"

namespace plumbline::fuzz {

std::atomic<bool> interrupted = false;

namespace {

const std::string kHarness = "harness: ";

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

double children_cpu() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// A finding of a program that the harness itself could not handle.
Finding harness_finding(std::uint64_t index, const std::string& message) {
  return {index, Verdict::harness_error, kHarness + message, message, std::nullopt, 1, ""};
}

void note(Report& report, Finding finding) {
  std::vector<Finding>& all = finding.waiver.empty() ? report.findings : report.known;
  const auto known = std::ranges::find_if(all, [&](const Finding& one) {
    return one.signature == finding.signature && one.waiver == finding.waiver && one.stage == finding.stage;
  });
  if (known == all.end())
    all.push_back(std::move(finding));
  else
    known->times += finding.times;
}

void add(std::map<std::string, Missed>& all, const std::string& why, const Missed& more) {
  const auto [missed, is_new] = all.try_emplace(why, more);
  if (is_new) return;
  missed->second.programs += more.programs;
  missed->second.first = std::min(missed->second.first, more.first);
}

class Worker {
 public:
  Worker(const Subject& subject, const CampaignOptions& options)
      : subject_(subject), options_(options), adapter_(subject.make_adapter()) {}

  Report run(std::uint64_t first, std::uint64_t last) {
    Report part;
    generate(part, first, last);
    compare_all(part);
    return part;
  }

 private:
  void generate(Report& part, std::uint64_t first, std::uint64_t last) {
    scripts_.clear();
    traces_.clear();
    indices_.clear();
    for (std::uint64_t index = first; index < last; ++index) {
      ++part.programs;
      try {
        generate_one(part, index);
      } catch (const reference::ReferenceLimit& limit) {
        part.tally.add(Verdict::unknown);
        add(part.unsupported, std::string("the reference: ") + limit.what(), {1, index});
      } catch (const std::exception& error) {
        part.tally.add(Verdict::harness_error);
        note(part, harness_finding(index, error.what()));
      }
    }
  }

  void generate_one(Report& part, std::uint64_t index) {
    const Clock::time_point start = Clock::now();
    const Genes genes = genes_at(options_.seed, index).value();
    Script script = build(genes, recipe_for(genes, subject_), &part.coverage);
    part.timing.generation += since(start);
    const Clock::time_point built = Clock::now();
    Decisions decisions;
    reference::Judge judge = subject_.expected;
    judge.decisions = &decisions;
    Trace trace = reference::run(judge, script);
    part.timing.reference += since(built);
    part.coverage.rules(decisions);
    using enum Coverage::Subject;
    part.coverage.subject = subject_.generated.dispatching == Dispatching::only ? dispatcher
                            : subject_.generated.transforms                     ? transforms
                                                                                : tensors;
    part.statements += script.statements.size();
    scripts_.push_back(std::move(script));
    traces_.push_back(std::move(trace));
    indices_.push_back(index);
  }

  void compare_all(Report& part) {
    const Clock::time_point start = Clock::now();
    const std::vector<RunResult> results = adapter_->run_all(scripts_);
    part.timing.adapter += since(start);
    const Clock::time_point ran = Clock::now();
    part.description = adapter_->describe();
    part.counts = new_counts();
    for (std::size_t i = 0; i < scripts_.size(); ++i) {
      const auto nothing = nothing_left(scripts_[i], part.description);
      Comparison comparison = nothing ? *nothing : compare(scripts_[i], traces_[i], results[i], part.description);
      const bool breached = watch(part, i, results[i]);
      const Waiver* waiver = excuse(i, results[i], comparison, part.description);
      if (waiver != nullptr && !breached)
        ++part.tally.waived;
      else
        part.tally.add(breached ? std::max(comparison.verdict, Verdict::divergent) : comparison.verdict);
      part.waived += waiver == nullptr ? 0 : comparison.differences.size();
      if (comparison.verdict == Verdict::unsupported) add(part.unsupported, comparison.message, {1, indices_[i]});
      part.compared += comparison.statements;
      part.unspecified += comparison.unspecified;
      part.readings.add(comparison.readings);
      if (comparison.verdict < Verdict::unknown) continue;
      Finding finding{indices_[i],
                      comparison.verdict,
                      signature_of(comparison),
                      comparison.message,
                      std::nullopt,
                      1,
                      waiver == nullptr ? "" : waiver->id};
      if (!comparison.differences.empty()) finding.difference = comparison.differences.front();
      if (waiver == nullptr && comparison.verdict == Verdict::divergent) finding.stage = stage_of(scripts_[i]);
      note(part, std::move(finding));
    }
    part.timing.comparison += since(ran);
  }

  /// The waiver that excuses program `i` of the batch; for a death that is not its own, that of a program before it.
  const Waiver* excuse(std::size_t i, const RunResult& result, Comparison& comparison, const Description& description) {
    const Waiver* waiver = excuse_of(*subject_.waivers, scripts_[i], comparison, description);
    if (const auto* breakdown = std::get_if<Breakdown>(&result))
      for (const Script& suspect : breakdown->suspects)
        if (waiver == nullptr) waiver = excuse_of(*subject_.waivers, suspect, comparison, description);
    return waiver;
  }

  /// What the adapter counted since the last batch.
  Counts new_counts() {
    Counts all = adapter_->counts(), added;
    for (const auto& [name, count] : all) added[name] = count - counted_[name];
    counted_ = std::move(all);
    return added;
  }

  /// The first stage on which the program differs too; empty: none.
  std::string stage_of(const Script& script) {
    stage_adapters_.resize(subject_.stages.size());
    for (std::size_t i = 0; i < subject_.stages.size(); ++i) {
      if (stage_adapters_[i] == nullptr) stage_adapters_[i] = subject_.stages[i].make_adapter();
      Held held = hold(*stage_adapters_[i], subject_.expected, script);
      if (held.comparison.verdict != Verdict::divergent) continue;
      if (excuse_of(*subject_.waivers, script, held.comparison, stage_adapters_[i]->describe()) == nullptr)
        return subject_.stages[i].name;
    }
    return "";
  }

  /// What the monitors see in program `i` of the batch; true: nothing explains some breach.
  bool watch(Report& part, std::size_t i, const RunResult& result) {
    bool breached = false;
    for (Sighting& one : sightings(scripts_[i], result, part.description, *subject_.waivers)) {
      breached = breached || !one.explained;
      part.waived += one.waiver.empty() ? 0 : 1;
      one.index = indices_[i];
      fuzz::note(part.sightings, std::move(one));
    }
    return breached;
  }

  const Subject& subject_;
  const CampaignOptions& options_;
  std::unique_ptr<Adapter> adapter_;
  Counts counted_;                                        ///< by the adapter in all batches
  std::vector<std::unique_ptr<Adapter>> stage_adapters_;  ///< those that were needed
  std::vector<Script> scripts_;
  std::vector<Trace> traces_;
  std::vector<std::uint64_t> indices_;
};

void fold(Report& report, Report part) {
  report.description = part.description;
  report.programs += part.programs;
  report.statements += part.statements;
  report.compared += part.compared;
  report.unspecified += part.unspecified;
  report.readings.add(part.readings);
  report.tally.passed += part.tally.passed;
  report.tally.unsupported += part.tally.unsupported;
  report.tally.unspecified += part.tally.unspecified;
  report.tally.unknown += part.tally.unknown;
  report.tally.divergent += part.tally.divergent;
  report.tally.waived += part.tally.waived;
  report.tally.harness_errors += part.tally.harness_errors;
  for (const auto& [why, missed] : part.unsupported) add(report.unsupported, why, missed);
  report.coverage.merge(part.coverage);
  for (const auto& [name, count] : part.counts) report.counts[name] += count;
  for (Finding& finding : part.findings) note(report, std::move(finding));
  for (Finding& finding : part.known) note(report, std::move(finding));
  for (Sighting& one : part.sightings) note(report.sightings, std::move(one));
  report.waived += part.waived;
  report.timing.generation += part.timing.generation;
  report.timing.reference += part.timing.reference;
  report.timing.adapter += part.timing.adapter;
  report.timing.comparison += part.timing.comparison;
}

/// The numbers that a trace has read. A tensor that one profile makes small can stay large in another, and where one
/// raises, another goes on with more variables.
std::size_t numbers_in(const Trace& trace) {
  std::size_t numbers = 0;
  for (const Outcome& outcome : trace.outcomes)
    for (const TensorReading& tensor : outcome.tensors)
      for (const Reading& field : tensor.fields)
        if (const auto* values = std::get_if<Values>(&field))
          numbers += values->floats.size() + values->integers.size();
  return numbers;
}

bool lacks_a_variable(const Trace& trace) {
  return std::ranges::any_of(trace.outcomes,
                             [](const Outcome& outcome) { return outcome.failure.exception == "UnboundLocalError"; });
}

}  // namespace

void stop_on_interrupt() {
  struct sigaction action{};
  action.sa_handler = [](int) { interrupted = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
}

Recipe recipe_for(const Genes& genes, const Subject& subject) {
  constexpr std::size_t kMostNumbers = std::size_t{protocol::kMostValues} / 4 * 3;  // the rest of it needs room
  if (subject.generated.judge.profile == subject.expected.profile) return subject.generated;
  Recipe own = subject.generated;
  own.judge.profile = subject.expected.profile;
  try {
    const Trace trace = reference::run(own.judge, build(genes, subject.generated));
    return lacks_a_variable(trace) || numbers_in(trace) > kMostNumbers ? own : subject.generated;
  } catch (const std::logic_error&) {
    return own;
  } catch (const reference::ReferenceLimit&) {
    return own;
  }
}

std::string title_of(const Finding& finding) {
  return finding.stage.empty() ? finding.signature : finding.signature + ", as on " + finding.stage;
}

std::string signature_of(const Comparison& comparison) {
  if (!comparison.differences.empty()) return comparison.differences.front().signature;
  return comparison.verdict < Verdict::unknown ? "" : comparison.message;
}

const Waiver* excuse_of(const Waivers& waivers, const Script& script, Comparison& comparison,
                        const Description& implementation) {
  if (comparison.verdict != Verdict::divergent) return nullptr;
  const Waiver* first = nullptr;
  for (Difference& difference : comparison.differences) {
    const Waiver* waiver = waivers.find_generated(implementation, occurrence_of(script, difference, implementation));
    if (first == nullptr) first = waiver;
    if (waiver != nullptr) continue;
    std::swap(difference, comparison.differences.front());
    comparison.message = describe(comparison.differences.front());
    return nullptr;
  }
  return first;
}

std::string signature_on(Adapter& adapter, const reference::Judge& expected, const Script& script,
                         const Waivers* waivers) {
  try {
    Comparison comparison = hold(adapter, expected, script).comparison;
    const bool known = waivers != nullptr && excuse_of(*waivers, script, comparison, adapter.describe()) != nullptr;
    return known ? "" : signature_of(comparison);
  } catch (const std::exception& error) {
    return kHarness + error.what();
  }
}

std::optional<FirstDivergence> first_divergence(const Subject& subject, CampaignOptions options, std::uint64_t batch) {
  const std::uint64_t most = options.programs;
  options.max_failures = batch;
  for (std::uint64_t ran = 0; ran < most && !interrupted; ran += options.programs, ++options.seed) {
    options.programs = std::min(batch, most - ran);
    for (const Finding& finding : run_campaign(subject, options).findings)
      if (finding.verdict == Verdict::divergent) return FirstDivergence{ran + finding.index + 1, finding};
  }
  return std::nullopt;
}

Held hold(Adapter& adapter, const reference::Judge& expected, const Script& script) {
  Held held{reference::run(expected, script), adapter.run(script), {}};
  held.comparison = compare(script, held.expected, held.got, adapter.describe());
  return held;
}

Report run_campaign(const Subject& subject, const CampaignOptions& options) {
  Report report;
  Progress progress(options.label, options.programs, options.seconds);
  const Clock::time_point start = Clock::now();
  const double cpu = children_cpu();
  const std::uint64_t at_once =
      subject.generated.captures ? 8 : 64;  // a capture takes a thousand times as long as a call
  Batches<Report> batches({options.programs, options.seconds, options.jobs, at_once}, [&] {
    const auto worker = std::make_shared<Worker>(subject, options);
    return [worker](std::uint64_t first, std::uint64_t last) { return worker->run(first, last); };
  });
  batches.each([&](Report part) {
    fold(report, std::move(part));
    const auto unexplained = std::ranges::count(report.sightings, false, &Sighting::explained);
    report.stopped_early = report.findings.size() + static_cast<std::size_t>(unexplained) >= options.max_failures;
    progress.show(report.programs, report.findings.size());
    return !report.stopped_early;
  });
  progress.end();
  report.interrupted = interrupted;
  report.timing.wall = since(start);
  report.timing.child_cpu = children_cpu() - cpu;
  return report;
}

}  // namespace plumbline::fuzz
