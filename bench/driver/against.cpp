// `plumbline bench --against`: one implementation compared with an earlier one, or with another.
#include "bench/driver/against.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "bench/driver/base.h"
#include "bench/driver/measuring.h"

namespace plumbline::bench {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kApartGate = 0.10;   // two runs at different times differ by as much
constexpr double kSuspicious = 0.05;  // the p below which a case is measured once more

/// One comparison, step by step. After an interrupt it keeps what it has measured.
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
    Judgement lenient = comparison_.judgement;
    lenient.significant = kSuspicious;
    try {
      if (!comparison_.cases.empty()) {
        count();
        decide(comparison_.cases, lenient);
        confirm_instructions();
        time();
      }
    } catch (const Interrupted&) {
      comparison_.interrupted = true;
    }
    decide(comparison_.cases, lenient);
    if (!comparison_.interrupted) confirm_times();
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
        "cannot measure {} beside the new one ({}), so {}", options_.against, base_.why_not,
        judgement.times
            ? fmt::format("its saved times are compared, with a gate of {:g} % for time", 100 * judgement.time_gate)
            : fmt::format("only instructions are compared, since its times are from another CPU, {}",
                          base_.saved->cpu)));
  }

  void choose_cases() {
    std::vector<std::string> fresh = ids_of(fresh_.info, options_);
    std::vector<std::string> base;
    if (base_.contender) {
      base = ids_of(base_.contender->info, options_);
    } else {
      for (const auto& [id, one] : base_.saved->cases) base.push_back(id);
      base = chosen(base, options_.filter);
    }
    for (const std::string& id : fresh)
      if (std::ranges::find(base, id) == base.end()) comparison_.only_fresh.push_back(id);
    for (const std::string& id : base)
      if (std::ranges::find(fresh_.info.cases, id, &CaseInfo::id) == fresh_.info.cases.end())
        comparison_.only_base.push_back(id);
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
    auto raced = race_with_progress(contenders(), ids(), options_, "measuring");
    for (Compared& one : comparison_.cases) {
      take(one, raced.cases[one.id]);
      judge_times(one, comparison_.judgement);
    }
    comparison_.interrupted = raced.interrupted;
  }

  std::vector<std::string> suspects(Change Compared::* what) const {
    std::vector<std::string> ids;
    for (const Compared& one : comparison_.cases)
      if (one.error.empty() && one.*what == Change::slower) ids.push_back(one.id);
    return ids;
  }
  Compared& of(const std::string& id) { return *std::ranges::find(comparison_.cases, id, &Compared::id); }

  /// A case that seems slower is measured once more, and only the second measurement counts.
  void confirm_times() {
    const std::vector<std::string> ids = suspects(&Compared::time);
    if (ids.empty()) return;
    auto raced = race_with_progress(contenders(), ids, options_, "measuring again the cases that seem slower");
    comparison_.interrupted = raced.interrupted;
    std::vector<Compared> again;
    for (const std::string& id : ids) {
      Compared& one = again.emplace_back(of(id));
      take(one, raced.cases[id]);
      one.p = 1;
      judge_times(one, comparison_.judgement);
    }
    decide(again, comparison_.judgement);
    for (Compared& one : again) of(one.id) = std::move(one);
  }

  /// The same for instructions: the smaller difference of the two counts is used.
  void confirm_instructions() {
    const std::vector<std::string> ids = suspects(&Compared::instructions);
    if (ids.empty()) return;
    for (const auto& [id, count] : count_with_progress(fresh_, ids, comparison_.notes))
      of(id).fresh.instructions = std::min(*of(id).fresh.instructions, count);
    if (!base_.contender) return;
    for (const auto& [id, count] : count_with_progress(*base_.contender, ids, comparison_.notes))
      of(id).base.instructions = std::max(*of(id).base.instructions, count);
  }

  const AgainstOptions& options_;
  Contender fresh_;
  Base base_;
  Comparison comparison_;
};

}  // namespace

Comparison compare_against(const AgainstOptions& options) { return Against(options).run(); }

}  // namespace plumbline::bench
