// `plumbline bench --save` and `--against`: measuring one implementation for later, or holding it against another.
#include "bench/driver/against.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <regex>

#include "oracle/cli/progress.h"
#include "oracle/program/refusal.h"

namespace plumbline::bench {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kApartGate = 0.10;   // what two runs at different times differ by anyway
constexpr double kSuspicious = 0.05;  // the p below which a case is measured once more
constexpr int kQuickRounds = 14;
constexpr double kQuick_s = 0.002;

std::vector<std::string> chosen(const std::vector<std::string>& ids, const std::string& filter) {
  try {
    const std::regex wanted(filter, std::regex::icase);
    std::vector<std::string> some;
    std::ranges::copy_if(ids, std::back_inserter(some),
                         [&](const std::string& id) { return std::regex_search(id, wanted); });
    return some;
  } catch (const std::regex_error&) {
    throw std::runtime_error(
        fmt::format("--filter '{}' is no regular expression; examples: add, ^view/, 'mm|mlp'", filter));
  }
}

std::vector<std::string> ids_of(const RunnerInfo& info) {
  std::vector<std::string> ids;
  for (const CaseInfo& one : info.cases) ids.push_back(one.id);
  return ids;
}

RaceOptions race_options(const AgainstOptions& options) {
  RaceOptions race;
  if (options.quick) {
    race.rounds = kQuickRounds;
    race.seconds = kQuick_s;
  }
  return race;
}

RaceResult race_with_progress(const std::vector<Contender>& contenders, const std::vector<std::string>& ids,
                              const RaceOptions& options, const std::string& label) {
  cli::Progress progress(label, ids.size() * static_cast<std::size_t>(options.rounds));
  return race(contenders, ids, options, [&] { progress.step(); });
}

std::map<std::string, double> count_with_progress(const Contender& contender, const std::vector<std::string>& ids,
                                                  std::vector<std::string>& notes) {
  cli::Progress progress(fmt::format("counting instructions of {}", contender.implementation.name), ids.size());
  std::string why_not;
  auto counts = count_instructions(contender, ids, why_not, [&] { progress.step(); });
  if (!why_not.empty()) notes.push_back(why_not);
  return counts;
}

/// What `--against` names.
struct Base {
  std::optional<Contender> contender;  ///< that can be measured beside the new one
  std::optional<Saved> saved;
  std::string what;     ///< in words
  std::string why_not;  ///< why it cannot be measured again
};

Saved load_named(const AgainstOptions& options) {
  namespace fs = std::filesystem;
  const std::string& name = options.against;
  if (const fs::path path = fs::path(options.store) / name; !name.empty() && fs::exists(path / "report.json"))
    return load(path);
  if (name.find('/') != std::string::npos || name.ends_with(".json") || fs::exists(name)) return load(name);
  std::vector<std::string> names = saved_names(options.store);
  const std::string there = names.empty() ? fmt::format("nothing is saved in {}", options.store)
                                          : fmt::format("saved are {}", fmt::join(names, ", "));
  throw SavedError(fmt::format("--against '{}': no such saved report, file or implementation; {}", name,
                               program::did_you_mean(name, names, there)));
}

Base base_of(const AgainstOptions& options, const Contender& fresh) {
  Base base;
  if (is_implementation(options.against)) {
    base.contender = contender_of(implementation_of(options.against));
    base.what = options.against;
    return base;
  }
  base.saved = load_named(options);
  base.what = fmt::format("{} ({}, {})", options.against, base.saved->implementation, base.saved->when);
  base.why_not = why_not_runnable(*base.saved);
  if (!base.why_not.empty()) return base;
  try {
    base.contender = contender_of({options.against, {base.saved->runner, "--serve"}, base.saved->side});
  } catch (const Interrupted&) {
    throw;
  } catch (const std::runtime_error& error) {
    base.why_not = error.what();
  }
  if (base.saved->cpu != fresh.info.cpu) base.what += fmt::format(", saved on {}", base.saved->cpu);
  return base;
}

/// One comparison, step by step: what is known when it is interrupted is kept.
class Against {
 public:
  explicit Against(const AgainstOptions& options)
      : options_(options), fresh_(contender_of(implementation_of(options.on))), base_(base_of(options, fresh_)) {
    comparison_.base = base_.what;
    comparison_.fresh = options.on;
    comparison_.cpu = fresh_.info.cpu;
    judge_how();
    choose_cases();
  }

  Comparison run() {
    const auto begin = Clock::now();
    try {
      if (!comparison_.cases.empty()) {
        count();
        time();
      }
    } catch (const Interrupted&) {
      comparison_.interrupted = true;
    }
    Judgement lenient = comparison_.judgement;
    lenient.significant = kSuspicious;
    decide(comparison_.cases, lenient);
    if (!comparison_.interrupted) confirm();
    comparison_.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    return std::move(comparison_);
  }

 private:
  void judge_how() {
    Judgement& judgement = comparison_.judgement;
    judgement.gate = judgement.time_gate = options_.gate;
    if (base_.contender) return;
    judgement.paired = false;
    judgement.time_gate = std::max(options_.gate, kApartGate);
    judgement.times = base_.saved->cpu == fresh_.info.cpu;
    comparison_.notes.push_back(fmt::format(
        "{} cannot be measured beside the new one ({}), so {}", options_.against, base_.why_not,
        judgement.times ? fmt::format("times of another hour are compared, and the gate for them is {:g} %",
                                      100 * judgement.time_gate)
                        : fmt::format("instructions alone are compared: its CPU was {}", base_.saved->cpu)));
  }

  void choose_cases() {
    std::vector<std::string> fresh = chosen(ids_of(fresh_.info), options_.filter);
    std::vector<std::string> base;
    if (base_.contender) {
      base = ids_of(base_.contender->info);
    } else {
      for (const auto& [id, one] : base_.saved->cases) base.push_back(id);
    }
    base = chosen(base, options_.filter);
    for (const std::string& id : fresh)
      if (std::ranges::find(base, id) == base.end()) comparison_.only_fresh.push_back(id);
    for (const std::string& id : base)
      if (std::ranges::find(fresh, id) == fresh.end()) comparison_.only_base.push_back(id);
    for (const std::string& id : fresh) {
      if (std::ranges::find(base, id) == base.end()) continue;
      Compared& one = comparison_.cases.emplace_back();
      one.id = id;
      if (!base_.contender) one.base = {base_.saved->cases.at(id).ns, base_.saved->cases.at(id).instructions};
    }
  }

  std::vector<std::string> ids() const {
    std::vector<std::string> all;
    for (const Compared& one : comparison_.cases) all.push_back(one.id);
    return all;
  }

  void count() {
    if (!options_.instructions) return;
    const auto fresh = count_with_progress(fresh_, ids(), comparison_.notes);
    std::map<std::string, double> base;
    if (base_.contender && !fresh.empty()) base = count_with_progress(*base_.contender, ids(), comparison_.notes);
    for (Compared& one : comparison_.cases) {
      if (const auto found = fresh.find(one.id); found != fresh.end()) one.fresh.instructions = found->second;
      if (const auto found = base.find(one.id); found != base.end()) one.base.instructions = found->second;
    }
  }

  std::vector<Contender> contenders() const {
    std::vector<Contender> all;
    if (base_.contender) all.push_back(*base_.contender);
    all.push_back(fresh_);
    return all;
  }

  static void take(Compared& one, Raced& raced) {
    if (!raced.error.empty()) one.error = raced.error;
    if (raced.ns.size() == 2) one.base.ns = std::move(raced.ns.front());
    one.fresh.ns = std::move(raced.ns.back());
  }

  void time() {
    if (!comparison_.judgement.times) return;
    auto raced = race_with_progress(contenders(), ids(), race_options(options_), "measuring");
    for (Compared& one : comparison_.cases) {
      take(one, raced.cases[one.id]);
      judge_times(one, comparison_.judgement);
    }
    comparison_.interrupted = raced.interrupted;
  }

  /// What seems to have changed is measured once more, and that alone counts: noise does not come twice.
  void confirm() {
    std::vector<Compared> again;
    for (const Compared& one : comparison_.cases)
      if (one.error.empty() && one.time == Change::slower) again.push_back(one);
    if (again.empty()) return;
    std::vector<std::string> suspects;
    for (const Compared& one : again) suspects.push_back(one.id);
    auto raced =
        race_with_progress(contenders(), suspects, race_options(options_), "measuring again what seems slower");
    for (Compared& one : again) {
      take(one, raced.cases[one.id]);
      one.p = 1;
      judge_times(one, comparison_.judgement);
    }
    comparison_.interrupted = raced.interrupted;
    decide(again, comparison_.judgement);
    for (const Compared& one : again) *std::ranges::find(comparison_.cases, one.id, &Compared::id) = one;
  }

  const AgainstOptions& options_;
  Contender fresh_;
  Base base_;
  Comparison comparison_;
};

std::string now() { return fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(std::time(nullptr))); }

}  // namespace

Measured measure_for_later(const AgainstOptions& options) {
  Measured measured;
  const Implementation implementation = implementation_of(options.on);
  const Contender contender = contender_of(implementation);
  measured.saved.implementation = options.on;
  measured.saved.side = contender.side;
  measured.saved.cpu = contender.info.cpu;
  measured.saved.when = now();
  measured.saved.libraries = contender.info.libraries;
  if (!options.on.starts_with("process:")) measured.runner = implementation.words.front();
  const std::vector<std::string> ids = chosen(ids_of(contender.info), options.filter);
  if (ids.empty()) return measured;
  try {
    std::map<std::string, double> instructions;
    if (options.instructions) instructions = count_with_progress(contender, ids, measured.notes);
    RaceResult result = race_with_progress({contender}, ids, race_options(options), "measuring");
    measured.interrupted = result.interrupted;
    for (auto& [id, raced] : result.cases) {
      if (!raced.error.empty()) {
        measured.errors[id] = raced.error;
        continue;
      }
      SavedCase& one = measured.saved.cases[id];
      one.ns = std::move(raced.ns.front());
      if (const auto found = instructions.find(id); found != instructions.end()) one.instructions = found->second;
    }
  } catch (const Interrupted&) {
    measured.interrupted = true;
  }
  return measured;
}

Comparison compare_against(const AgainstOptions& options) { return Against(options).run(); }

}  // namespace plumbline::bench
