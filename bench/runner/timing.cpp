// Timing the sides of a case with Google Benchmark, in random order.
#include "bench/runner/timing.h"

#include <benchmark/benchmark.h>

#include <memory>
#include <mutex>
#include <stdexcept>

#include "bench/runner/cpus.h"

namespace plumbline::bench {

namespace {

using benchmark::BenchmarkReporter;
using benchmark::State;

constexpr int kThreads = 2;

/// Threads and pinning as the case has them, for a scope.
class Setting {
 public:
  Setting(const Suite& suite, Threads threads) : suite_(suite), threads_(threads) {
    if (threads == Threads::one) return;
    unpin();
    if (threads == Threads::inside) suite_.use_threads(kThreads);
  }
  ~Setting() {
    if (threads_ == Threads::one) return;
    suite_.use_threads(1);
    pin_to_one_cpu();
  }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  const Suite& suite_;
  Threads threads_;
};

void run(State& state, Workload& workload) {
  while (state.KeepRunningBatch(state.max_iterations)) workload.run(static_cast<std::uint64_t>(state.max_iterations));
}

/// Keeps the times of each side.
class Samples : public BenchmarkReporter {
 public:
  explicit Samples(const Entry& entry) : entry_(entry) {}

  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& one : runs) {
      if (one.run_type != Run::RT_Iteration) continue;
      const double ns = entry_.threads == Threads::inside ? one.GetAdjustedRealTime() : one.GetAdjustedCPUTime();
      times[one.run_name.function_name].push_back(ns / static_cast<double>(entry_.items));
    }
  }

  std::map<std::string, std::vector<double>> times;

 private:
  const Entry& entry_;
};

void set_threads(benchmark::internal::Benchmark& registered, const Entry& entry) {
  if (entry.threads == Threads::callers) registered.Threads(kThreads);
  if (entry.threads == Threads::inside) registered.UseRealTime();
  if (entry.process) registered.MeasureProcessCPUTime();
}

/// The case that Google Benchmark's own command line measures now; the one before it is dropped.
class Current {
 public:
  explicit Current(const Suite& suite) : suite_(suite) {}
  /// Throws as Prepared.
  Workload* get(const Entry& entry, const std::string& side) {
    const std::scoped_lock lock(mutex_);
    if (prepared_ == nullptr || &prepared_->entry() != &entry)
      prepared_ = std::make_unique<Prepared>(suite_, entry, suite_.sides);
    return prepared_->on(side);
  }

 private:
  const Suite& suite_;
  std::mutex mutex_;
  std::unique_ptr<Prepared> prepared_;
};

}  // namespace

std::map<std::string, std::vector<double>> time_sides(const Suite& suite, const Prepared& prepared, int repetitions,
                                                      double seconds) {
  const Entry& entry = prepared.entry();
  benchmark::ClearRegisteredBenchmarks();
  for (const std::string& side : prepared.sides()) {
    Workload* workload = prepared.on(side);
    if (workload == nullptr) continue;
    auto* registered = benchmark::RegisterBenchmark(side.c_str(), [workload](State& state) { run(state, *workload); });
    registered->Repetitions(repetitions)->MinTime(seconds);
    set_threads(*registered, entry);
  }
  const Setting setting(suite, entry.threads);
  Samples samples(entry);
  benchmark::RunSpecifiedBenchmarks(&samples, ".");
  return samples.times;
}

void register_all(const Suite& suite) {
  static Current current(suite);
  for (const Entry& entry : suite.entries)
    for (const std::string& side : suite.sides) {
      const auto measure = [&suite, &entry, side](State& state) {
        try {
          const Setting setting(suite, entry.threads);
          Workload* workload = current.get(entry, side);
          if (workload == nullptr) return state.SkipWithError("this case is not available on this side");
          run(state, *workload);
          if (state.thread_index() == 0) state.SetItemsProcessed(state.iterations() * entry.items);
        } catch (const std::runtime_error& error) {
          state.SkipWithError(error.what());
        }
      };
      set_threads(*benchmark::RegisterBenchmark((entry.id + "/" + side).c_str(), measure), entry);
    }
}

}  // namespace plumbline::bench
