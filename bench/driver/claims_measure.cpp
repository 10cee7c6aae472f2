// Measuring the claims: every pair in every round, one row right after the other in one process.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <numeric>
#include <random>
#include <regex>
#include <set>

#include "bench/driver/claims_report.h"
#include "bench/driver/measuring.h"
#include "bench/driver/runner.h"
#include "support/progress.h"

namespace plumbline::bench {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kClaimRounds = 20;
constexpr int kQuickRounds = 10;
constexpr int kClaimRepetitions = 5;
constexpr double kRepetition_s = 0.004;
constexpr double kCheck_s = 0.0001;
constexpr std::string_view kFloor = "floor";

/// One runner, of which a new process is started for every round.
class MeasuredSide {
 public:
  MeasuredSide(std::string name, Implementation implementation)
      : name_(std::move(name)), implementation_(std::move(implementation)) {
    restart();
    if (implementation_.side.empty()) implementation_.side = runner_->info().sides.front();
  }

  const std::string& name() const { return name_; }
  const RunnerInfo& info() const { return runner_->info(); }
  void restart() { runner_ = std::make_unique<Runner>(implementation_.words); }

  /// Compares what the sides of each case come to, and learns which cases the side has. Throws Interrupted.
  void check(const std::set<std::string>& ids) {
    for (const std::string& id : ids) {
      if (std::ranges::find(info().cases, id, &CaseInfo::id) == info().cases.end()) continue;
      guarded(failures_[id], [&] {
        for (const auto& [side, ns] : runner_->time(id, info().sides, 1, kCheck_s)) cases_.emplace(id, side);
      });
    }
  }
  bool has(const ClaimPair& pair) const {
    const auto there = [&](const std::string& id, std::string_view side) {
      const auto failure = failures_.find(id);
      return cases_.contains({id, std::string(side)}) || (failure != failures_.end() && !failure->second.empty());
    };
    return there(pair.left, implementation_.side) && there(pair.right, right_side(pair));
  }

  /// A sample of each row of a pair, in random order. Throws Interrupted.
  void sample(const ClaimPair& pair, PairTimes& times, std::mt19937_64& random) {
    for (const std::string& id : {pair.left, pair.right})
      if (times.error.empty()) times.error = failures_[id];
    if (!times.error.empty()) return;
    double left = 0;
    double right = 0;
    guarded(times.error, [&] {
      const bool left_first = (random() & 1U) != 0;
      if (left_first) left = fastest(pair.left, implementation_.side);
      right = fastest(pair.right, right_side(pair));
      if (!left_first) left = fastest(pair.left, implementation_.side);
    });
    if (!times.error.empty()) return;
    times.left.push_back(left);
    times.right.push_back(right);
  }

 private:
  std::string right_side(const ClaimPair& pair) const {
    return pair.against_floor ? std::string(kFloor) : implementation_.side;
  }
  /// The fastest repetition, since whatever else the machine does adds to a time. The operands are new, so that a row
  /// beside itself differs as two rows do.
  double fastest(const std::string& id, const std::string& side) {
    runner_->drop();
    const Times times = runner_->time(id, {side}, kClaimRepetitions, kRepetition_s);
    const auto found = times.find(side);
    if (found == times.end()) throw CaseFailed(fmt::format("{} gave no times for {}", side, id));
    return std::ranges::min(found->second);
  }
  template <class Use>
  void guarded(std::string& error, const Use& use) {
    try {
      use();
    } catch (const CaseFailed& failed) {
      error = fmt::format("{}: {}", implementation_.name, failed.what());
    } catch (const RunnerFailed& failed) {
      error = failed.what();
      restart();
    }
  }

  std::string name_;
  Implementation implementation_;
  std::unique_ptr<Runner> runner_;
  std::set<std::pair<std::string, std::string>> cases_;  ///< with the side that has it
  std::map<std::string, std::string> failures_;          ///< by case: why it cannot be measured
};

bool is_chosen(const Claim& claim, const std::string& filter) {
  std::vector<std::string> texts{std::string(claim.name), std::string(claim.says)};
  texts.insert(texts.end(), claim.sentences.begin(), claim.sentences.end());
  return !chosen(texts, filter).empty();
}

class ClaimMeasurement {
 public:
  explicit ClaimMeasurement(const ClaimsOptions& options) : options_(options) {
    for (const Claim& claim : claims()) {
      if (!is_chosen(claim, options.filter)) continue;
      report_.claims.push_back({&claim, {}});
      for (const ClaimPair& pair : claim.pairs) report_.claims.back().pairs.push_back({pair, {}});
    }
    for (const std::string_view id : control_cases())
      report_.controls.push_back({{std::string(id), std::string(id), Relation::about}, {}});
  }

  ClaimsReport run() {
    if (report_.claims.empty()) return std::move(report_);
    try {
      start();
      rounds();
    } catch (const Interrupted&) {
      report_.interrupted = true;
    }
    report_.seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    return std::move(report_);
  }

 private:
  std::vector<MeasuredPair*> pairs() {
    std::vector<MeasuredPair*> all;
    for (MeasuredPair& control : report_.controls) all.push_back(&control);
    for (MeasuredClaim& claim : report_.claims)
      for (MeasuredPair& pair : claim.pairs) all.push_back(&pair);
    return all;
  }

  void start() {
    std::set<std::string> ids;
    for (const MeasuredPair* one : pairs()) ids.insert({one->pair.left, one->pair.right});
    for (const auto& [name, implementation] : options_.sides) {
      MeasuredSide& side = sides_.emplace_back(name, implementation);
      report_.sides.push_back(name);
      report_.cpu = side.info().cpu;
      report_.cpus = side.info().cpus;
      side.check(ids);
    }
  }

  void rounds() {
    const int rounds = options_.quick ? kQuickRounds : kClaimRounds;
    std::vector<MeasuredPair*> order = pairs();
    cli::Progress progress("measuring claims", order.size() * sides_.size() * static_cast<std::size_t>(rounds));
    for (int round = 0; round < rounds; ++round, ++report_.rounds)
      for (MeasuredSide& side : sides_) {
        side.restart();
        std::ranges::shuffle(order, random_);
        for (MeasuredPair* one : order) {
          if (side.has(one->pair)) side.sample(one->pair, one->sides[side.name()], random_);
          progress.step();
        }
      }
  }

  const ClaimsOptions& options_;
  Clock::time_point begin_ = Clock::now();
  ClaimsReport report_;
  std::vector<MeasuredSide> sides_;
  std::mt19937_64 random_{std::random_device()()};
};

}  // namespace

ClaimsReport measure_claims(const ClaimsOptions& options) { return ClaimMeasurement(options).run(); }

}  // namespace plumbline::bench
