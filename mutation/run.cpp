// Workers that take sites from the sample, build the mutants and test them.
#include "mutation/run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <thread>

#include "mutation/command_trial.h"
#include "mutation/material.h"
#include "mutation/sample.h"
#include "mutation/subject.h"
#include "mutation/test_trial.h"
#include "support/child.h"
#include "support/interrupt.h"

namespace plumbline::mutate {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// The folder in which mutants are built, for one run at a time. Removes what an earlier run left there.
class Workplace {
 public:
  explicit Workplace(const std::string& build) : path_(fs::path(build) / "mutants") {
    fs::create_directories(path_);
    const fs::path lock = path_ / ".lock";
    lock_ = Descriptor(open(lock.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644));
    if (lock_.get() < 0 || flock(lock_.get(), LOCK_EX | LOCK_NB) != 0)
      throw std::runtime_error(
          fmt::format("another run is building mutants in {}; wait until it ends", path_.string()));
    for (const auto& entry : fs::directory_iterator(path_))
      if (entry.path() != lock) fs::remove_all(entry.path());
  }
  fs::path folder(const std::string& name) const {
    fs::create_directories(path_ / name);
    return path_ / name;
  }

 private:
  fs::path path_;
  Descriptor lock_;
};

class Run {
 public:
  explicit Run(const Options& options)
      : options_(options),
        subject_(subject_named(options.what)),
        builder_(subject_, options.source, options.build, options.ninja),
        material_(material_of(options, builder_)),
        sample_(material_.sites, options.these.empty() && options.faults.empty() ? options.mutants : 0, options.seed,
                [this](const std::string& file) { return builder_.objects_with(file); }) {}

  const Sample& sample() const { return sample_; }
  const std::vector<std::string>& stale() const { return material_.stale; }

  Report run() {
    const auto start = Clock::now();
    report_.seed = options_.seed;
    if (!options_.faults.empty()) report_.least = 1;
    report_.wanted = sample_.wanted();
    report_.sites = material_.sites.size();
    report_.left_out_sites = material_.left_out;
    report_.notes = material_.notes;
    const Workplace workplace(options_.build);
    builder_.keep_parts_in(workplace.folder("parts"));
    first_round(workplace);
    const bool looked_at_again = !subject_.tests && subject_.commands.empty() && options_.names.empty();
    if (std::ranges::any_of(report_.mutants, is_survivor) && !stopped() && looked_at_again && !builder_.is_sanitized())
      or_end([&] { second_round(workplace); });
    report_.interrupted = cli::interrupted();
    finish();
    report_.seconds = since(start);
    return std::move(report_);
  }

 private:
  bool stopped() const { return failed_ || cli::interrupted(); }

  static bool is_survivor(const Mutant& mutant) { return mutant.outcome == Outcome::survived; }

  /// Does the work in one thread for each job.
  void in_parallel(const std::function<void()>& work) {
    std::vector<std::jthread> workers;
    for (unsigned i = 0; i < options_.jobs; ++i) workers.emplace_back([this, &work] { or_end(work); });
  }
  /// An exception ends the run; partial results are reported.
  void or_end(const std::function<void()>& work) {
    try {
      work();
    } catch (const std::exception& error) {
      const std::scoped_lock lock(mutex_);
      report_.failed.emplace_back(error.what());
      failed_ = true;
    }
    changed_.notify_all();
  }

  /// The trial for drivers, after it has run the driver without a mutant.
  std::unique_ptr<const Trial> trial_for(const std::string& driver, const fs::path& folder, bool sanitized) {
    if (subject_.tests) return std::make_unique<TestTrial>(options_.source, driver, stop_);
    if (!subject_.commands.empty())
      return std::make_unique<CommandTrial>(options_.source, options_.build + "/bin", subject_.commands, driver, stop_);
    auto hunter = std::make_unique<Hunter>(
        HuntOptions{options_.build + "/bin", options_.source + "/fuzz/corpus", options_.seconds, options_.programs,
                    options_.dispatcher, sanitized, stop_},
        driver, folder.string());
    for (const std::string& line : hunter->notes())
      report_.notes.push_back(sanitized ? "with sanitizers: " + line : line);
    return hunter;
  }

  /// Builds and tests every mutant of the sample, with the driver's own build options.
  void first_round(const Workplace& workplace) {
    fmt::print(stderr, "the driver without a mutant\n");
    const fs::path base = workplace.folder("base");
    const std::string driver = (base / subject_.target).string();
    fs::copy_file(builder_.driver(), driver, fs::copy_options::overwrite_existing);
    const auto trial = trial_for(driver, base, false);
    if (trial->has_steps()) in_parallel([&] { work(*trial, workplace); });
    fs::remove_all(base);
  }

  /// Builds survivors with sanitizers and tests them: this shows a read beyond the end of memory.
  void second_round(const Workplace& workplace) {
    fmt::print(stderr, "the driver without a mutant, with sanitizers\n");
    const fs::path base = workplace.folder("sanitized");
    std::atomic<std::size_t> next = 0;
    const auto built = [&](const Built& one) {
      if (one.how == Built::How::not_compiled)
        throw std::runtime_error(fmt::format("cannot build the driver with sanitizers: {}", one.why));
      return one.driver;
    };
    in_parallel([&] {
      for (std::size_t i = next++; i < builder_.sanitized_objects() && !stopped(); i = next++)
        built(builder_.compile_sanitized(i, base, stop_));
    });
    if (stopped()) return;
    const auto trial = trial_for(built(builder_.link_sanitized(base, stop_)), base, true);
    next = 0;
    in_parallel([&] {
      for (std::size_t i = next++; i < report_.mutants.size() && !stopped(); i = next++)
        if (is_survivor(report_.mutants[i])) look_again(report_.mutants[i], *trial, base);
    });
    fs::remove_all(base);
  }

  void look_again(Mutant& mutant, const Trial& trial, const fs::path& base) {
    const auto start = Clock::now();
    const fs::path folder = fs::path(mutant.driver).parent_path() / "sanitized";
    const Built built =
        builder_.build_sanitized(mutant.site, material_.texts.at(mutant.site.file), folder, base, stop_);
    if (built.how != Built::How::built) return;
    const Fate fate = trial.hunt(mutant.site.file, built.driver, folder.string());
    mutant.hunt_s += since(start);
    const std::scoped_lock lock(mutex_);
    mutant.fate = fate;
    if (fate.kill != Kill::none) mutant.outcome = Outcome::killed;
    if (!fate.failure.empty()) mutant.outcome = Outcome::undecided;
    fmt::print(stderr, "[with sanitizers] {}\n", told(mutant));
  }

  void work(const Trial& trial, const Workplace& workplace) {
    std::unique_lock lock(mutex_);
    while (!stopped() && !sample_.done()) {
      const auto next = sample_.next();
      if (!next) {
        changed_.wait_for(lock, std::chrono::milliseconds(200));
        continue;
      }
      lock.unlock();
      const fs::path folder = workplace.folder(std::to_string(*next));
      Mutant mutant = take(sample_.sites()[*next], trial, folder);
      if (mutant.driver.empty()) fs::remove_all(folder);
      lock.lock();
      sample_.tell(*next, mutant.outcome <= Outcome::undecided || mutant.outcome == Outcome::not_run);
      tell(mutant);
      report_.mutants.push_back(std::move(mutant));
      changed_.notify_all();
      builder_.check_sources();
    }
  }

  Mutant take(const Site& site, const Trial& trial, const fs::path& folder) const {
    Mutant mutant;
    mutant.site = site;
    const auto start = Clock::now();
    const Built built = builder_.build(site, material_.texts.at(site.file), folder, stop_);
    mutant.build_s = since(start);
    mutant.why = built.why;
    if (built.how == Built::How::stopped) return mutant;
    if (built.how != Built::How::built) {
      mutant.outcome = built.how == Built::How::same_code ? Outcome::same_code : Outcome::not_compiled;
      return mutant;
    }
    mutant.fate = trial.hunt(site.file, built.driver, folder.string());
    mutant.hunt_s = since(start) - mutant.build_s;
    if (mutant.fate.stopped) return mutant;
    mutant.outcome = mutant.fate.kill != Kill::none ? Outcome::killed
                     : !mutant.fate.failure.empty() ? Outcome::undecided
                                                    : Outcome::survived;
    if (mutant.outcome == Outcome::survived) mutant.driver = built.driver;
    return mutant;
  }

  void explain(Mutant& mutant) const {
    for (const Entry& entry : material_.survivors) {
      if (!entry.fits(mutant.site)) continue;
      mutant.outcome = Outcome::explained;
      mutant.why = fmt::format("{} ({})", entry.reason, entry.by);
      return;
    }
  }

  /// The line of a mutant, with the reason of a survivor.
  std::string told(Mutant mutant) const {
    if (is_survivor(mutant)) explain(mutant);
    return line_of(mutant);
  }

  /// A line of progress.
  void tell(const Mutant& mutant) {
    const auto counts = report_.counts();
    const auto count = [&](Outcome outcome) {
      const auto found = counts.find(outcome);
      return (found == counts.end() ? 0 : found->second) + (mutant.outcome == outcome ? 1 : 0);
    };
    const std::size_t killed = count(Outcome::killed);
    const std::size_t survived = count(Outcome::survived);
    fmt::print(stderr, "[{} of {}: {} killed, {} survived] {}\n", killed + survived + count(Outcome::undecided),
               sample_.wanted(), killed, survived, told(mutant));
  }

  /// Sorts the results and compares them with the list of survivors.
  void finish() {
    std::ranges::sort(report_.mutants, {}, [](const Mutant& mutant) {
      return std::tuple(mutant.site.file, mutant.site.at, mutant.site.change);
    });
    report_.stale = material_.stale;
    for (Mutant& mutant : report_.mutants) {
      if (is_survivor(mutant)) explain(mutant);
      if (mutant.driver.empty() || is_survivor(mutant)) continue;
      fs::remove_all(fs::path(mutant.driver).parent_path());
      mutant.driver.clear();
    }
    for (const Entry& entry : material_.survivors) {
      std::size_t met = 0;
      std::size_t explained = 0;
      for (const Mutant& mutant : report_.mutants) {
        if (!entry.fits(mutant.site) || mutant.outcome == Outcome::not_run) continue;
        ++met;
        explained += mutant.outcome == Outcome::explained ? 1 : 0;
      }
      if (met > 0 && explained == 0)
        report_.stale.push_back(fmt::format("{}: {} explains nothing: remove it", options_.survivors, entry.name()));
    }
    const std::string& list = options_.faults.empty() ? options_.these : options_.faults;
    if (list.empty()) return;
    for (const Mutant& mutant : report_.mutants)
      if (mutant.outcome == Outcome::not_compiled || mutant.outcome == Outcome::same_code)
        report_.stale.push_back(fmt::format("{}: {} does not make a mutant ({}): choose another", list,
                                            mutant.site.name(), name_of(mutant.outcome)));
  }

  Options options_;
  const Subject& subject_;
  Builder builder_;
  Material material_;
  Sample sample_;
  Report report_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<bool> failed_ = false;
  const Stop stop_ = [this] { return stopped(); };
};

}  // namespace

Chosen chosen(const Options& options) {
  const Run run(options);
  Chosen all{{}, run.stale()};
  for (const std::size_t i : run.sample().first_choice()) all.sites.push_back(run.sample().sites()[i]);
  return all;
}

Report run(const Options& options) { return Run(options).run(); }

}  // namespace plumbline::mutate
