// Running tests on implementations, by several workers.
#include "cli/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "adapters/reference/reference.h"
#include "oracle/compare.h"
#include "oracle/monitors.h"
#include "oracle/slice.h"
#include "support/interrupt.h"
#include "support/progress.h"

namespace plumbline::cli {

namespace {

constexpr std::string_view kReference = "reference";

/// One worker's adapters: one for each implementation, and the reference to compare it with.
class Bench {
 public:
  explicit Bench(const Plan& plan) {
    const Rule* flipped = rule_or_throw(plan.options.flip);
    for (const std::string& name : plan.on) {
      adapters_.push_back(plan.make(name, plan.options));
      references_.push_back(name == kReference ? nullptr
                                               : std::make_unique<ReferenceAdapter>(profile_of(name, plan), flipped));
    }
  }

  const Description& describe(std::size_t i) const { return adapters_[i]->describe(); }

  /// Adds what each implementation counted.
  void add_counts(std::vector<Implementation>& implementations) const {
    for (std::size_t i = 0; i < adapters_.size(); ++i)
      for (const auto& [name, count] : adapters_[i]->counts()) implementations[i].counts[name] += count;
    for (const auto& [i, count] : left_out_)
      implementations[i].counts["statements left out"] += static_cast<std::int64_t>(count);
  }

  /// Fills in `result` for its implementation. Any exception is a harness error.
  void run(const program::Test& test, TestResult& result) {
    try {
      hold(test, result);
    } catch (const std::exception& error) {
      harness_error(result, error.what());
    }
    result.ran = true;
  }

 private:
  /// The profile of the reference for the adapter that was made last.
  Profile profile_of(const std::string& name, const Plan& plan) const {
    if (!plan.compare_profile.empty()) return profile_or_throw(plan.compare_profile);
    try {
      return profile_or_throw(adapters_.back()->describe().profile);
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(
          fmt::format("{}: {}; name one of these in its description, or give --profile", name, error.what()));
    }
  }

  void hold(const program::Test& test, TestResult& result) {
    Adapter& adapter = *adapters_[result.implementation];
    ReferenceAdapter* reference = references_[result.implementation].get();
    if (reference != nullptr && adapter.describe().has.cuts()) return hold_a_slice(test, adapter, *reference, result);
    Script script = test.script;
    if (reference != nullptr) script.statements.push_back({Snapshot{}, 0});
    const RunResult got = adapter.run(script);
    const auto* broken = std::get_if<Breakdown>(&got);
    if (reference == nullptr && broken != nullptr && broken->kind != Breakdown::Kind::limit)
      return harness_error(result, broken->message);
    script_ = &script;
    implementation_ = &adapter.describe();
    take(check_expectations(test, got, adapter.describe()), "the program's expectations", Against::statement, result);
    if (broken == nullptr && !is_unsafe(test.script)) watch(test.script, adapter, result);
    if (reference == nullptr || broken != nullptr) return;
    const RunResult expected = reference->run(script);
    if (const auto* failed = std::get_if<Breakdown>(&expected)) {
      if (failed->kind != Breakdown::Kind::limit) return harness_error(result, failed->message);
      return take({Verdict::unsupported, failed->message, {}}, "the reference", Against::reference, result);
    }
    result.statements = 0;  // only the comparison below counts: it has all statements
    take(compare(script, std::get<Trace>(expected), got, adapter.describe()),
         fmt::format("the reference ({})", reference->describe().profile), Against::reference, result);
  }

  /// Compares the part of the program that the implementation has. Its expectations are about the whole, so they play
  /// no part, and the reference is all that it is compared with.
  void hold_a_slice(const program::Test& test, Adapter& adapter, ReferenceAdapter& reference, TestResult& result) {
    const Slice part = slice(reference.judge(), test.script, adapter.describe().has);
    left_out_[result.implementation] += part.left_out;
    script_ = &part.script;
    implementation_ = &adapter.describe();
    if (const auto nothing = nothing_left(part.script, adapter.describe()))
      return take(*nothing, "its level", Against::statement, result);
    const RunResult expected = reference.run(part.script);
    if (const auto* failed = std::get_if<Breakdown>(&expected)) return harness_error(result, failed->message);
    take(compare(part.script, std::get<Trace>(expected), adapter.run(part.script), adapter.describe()),
         fmt::format("the reference ({})", reference.describe().profile), Against::reference, result);
  }

  /// Runs the program once more with snapshots everywhere, and checks the invariants on them.
  void watch(const Script& script, Adapter& adapter, TestResult& result) {
    result.watched_every = watched_every(script);
    const Script with = watched(script);
    const RunResult got = adapter.run(with);
    const auto* trace = std::get_if<Trace>(&got);
    if (trace == nullptr) return take(breakdown(std::get<Breakdown>(got)), "the monitors", Against::statement, result);
    for (const Breach& breach : monitor(with, *trace, adapter.describe()))
      result.breaches.push_back({breach.difference,
                                 "the invariants (monitors)",
                                 {},
                                 occurrence_of(with, breach.difference, adapter.describe(), Against::statement)});
  }

  static void harness_error(TestResult& result, const std::string& message) {
    result.verdict = Verdict::harness_error;
    result.message = message;
  }

  void take(const Comparison& comparison, const std::string& against, Against kind, TestResult& result) {
    if (comparison.verdict > result.verdict) {
      result.verdict = comparison.verdict;
      result.message = comparison.message;
    }
    result.statements += comparison.statements;
    result.unspecified = std::max(result.unspecified, comparison.unspecified);
    for (const Difference& d : comparison.differences)
      result.findings.push_back({d, against, {}, occurrence_of(*script_, d, *implementation_, kind)});
  }

  std::map<std::size_t, std::size_t> left_out_;  ///< statements, by implementation
  const Script* script_ = nullptr;               ///< of the run that is being judged
  const Description* implementation_ = nullptr;
  std::vector<std::unique_ptr<Adapter>> adapters_;
  std::vector<std::unique_ptr<ReferenceAdapter>> references_;  ///< null for the reference itself
};

}  // namespace

RunReport run_tests(const std::vector<LoadedTest>& tests, const Plan& plan) {
  const auto start = std::chrono::steady_clock::now();
  RunReport report;
  report.profile = plan.options.profile;
  report.flip = plan.options.flip;
  report.jobs = plan.jobs;
  Bench own(plan);  // an adapter's process ends with the thread that started it, and this one waits for all
  for (std::size_t i = 0; i < plan.on.size(); ++i) report.implementations.push_back({plan.on[i], own.describe(i), {}});
  for (const LoadedTest& t : tests) {
    TestResult result;
    result.file = t.file;
    result.test = t.test.name;
    result.line = t.test.line;
    result.rules = t.test.rules;
    report.add_for_each_implementation(std::move(result));
  }

  Progress progress(plan.quiet ? "" : "running", report.results.size());
  std::atomic<std::size_t> next = 0;
  std::mutex counting;
  const auto work = [&](Bench& bench) {
    for (std::size_t t = next++; t < tests.size() && !interrupted(); t = next++)
      for (std::size_t i = 0; i < plan.on.size() && !interrupted(); ++i) {
        bench.run(tests[t].test, report.results[t * plan.on.size() + i]);
        progress.step();
      }
    const std::scoped_lock lock(counting);
    bench.add_counts(report.implementations);
  };
  std::vector<std::jthread> workers;
  for (std::size_t w = 1; w < std::min<std::size_t>(plan.jobs, tests.size()); ++w)
    workers.emplace_back([&plan, &work] {
      try {
        Bench bench(plan);
        work(bench);
      } catch (const std::exception& error) {  // the other workers do its share
        fmt::print(stderr, "a worker could not start: {}\n", error.what());
      }
    });
  work(own);
  workers.clear();
  report.interrupted = interrupted() && !report.not_run().empty();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace plumbline::cli
