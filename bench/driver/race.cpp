// Measuring one or two implementations in many processes, side by side.
#include "bench/driver/race.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <numeric>
#include <random>

#include "bench/driver/fleet.h"
#include "bench/driver/statistics.h"

namespace plumbline::bench {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kEnough = 14;  // rounds for a rank test of a hundred cases

/// A contender's runner, which is started again after it failed.
class Racer {
 public:
  explicit Racer(const Contender& contender) : contender_(contender) { start(); }

  /// Throws CaseFailed, also for a process that failed.
  double sample(const std::string& id, const RaceOptions& options) {
    if (runner_ == nullptr) start();
    try {
      Times times = runner_->time(id, {contender_.side}, options.repetitions, options.seconds);
      if (times[contender_.side].empty())
        throw CaseFailed(fmt::format("this case is not available on {}", contender_.side));
      return median(times[contender_.side]);
    } catch (const RunnerFailed& failed) {
      runner_.reset();
      throw CaseFailed(failed.what());
    }
  }

 private:
  void start() { runner_ = std::make_unique<Runner>(contender_.implementation.words); }

  const Contender& contender_;
  std::unique_ptr<Runner> runner_;
};

}  // namespace

Contender contender_of(const Implementation& implementation) {
  Contender contender{implementation, Runner(implementation.words).info(), implementation.side};
  if (contender.side.empty()) contender.side = contender.info.sides.front();
  if (std::ranges::find(contender.info.sides, contender.side) == contender.info.sides.end())
    throw std::runtime_error(fmt::format("{} has no side '{}', only {}", implementation.name, contender.side,
                                         fmt::join(contender.info.sides, ", ")));
  return contender;
}

namespace {

/// A sample of each racer, in random order. Throws as Racer::sample does.
std::vector<double> samples_of(const std::vector<std::unique_ptr<Racer>>& racers, const std::string& id,
                               const RaceOptions& options, std::mt19937_64& random) {
  std::vector<std::size_t> turns(racers.size());
  std::iota(turns.begin(), turns.end(), std::size_t{0});
  std::ranges::shuffle(turns, random);
  std::vector<double> samples(racers.size());
  for (const std::size_t turn : turns) samples[turn] = racers[turn]->sample(id, options);
  return samples;
}

}  // namespace

RaceResult race(const std::vector<Contender>& contenders, const std::vector<std::string>& ids,
                const RaceOptions& options, const std::function<void()>& step) {
  const auto begin = Clock::now();
  std::mt19937_64 random{std::random_device()()};
  RaceResult result;
  for (const std::string& id : ids) result.cases[id].ns.resize(contenders.size());
  std::vector<std::string> order = ids;
  for (int round = 0; round < options.rounds; ++round) {
    if (round >= kEnough && std::chrono::duration<double>(Clock::now() - begin).count() > options.limit_s) break;
    try {
      std::vector<std::unique_ptr<Racer>> racers;
      for (const Contender& contender : contenders) racers.push_back(std::make_unique<Racer>(contender));
      std::ranges::shuffle(order, random);
      for (const std::string& id : order) {
        Raced& one = result.cases[id];
        try {
          if (!one.error.empty()) continue;
          const std::vector<double> samples = samples_of(racers, id, options, random);
          for (std::size_t i = 0; i < samples.size(); ++i) one.ns[i].push_back(samples[i]);
        } catch (const CaseFailed& failed) {
          one.error = failed.what();
        }
        step();
      }
    } catch (const Interrupted&) {
      result.interrupted = true;
      break;
    }
  }
  return result;
}

std::map<std::string, double> count_instructions(const Contender& contender, const std::vector<std::string>& ids,
                                                 std::string& why_not, const std::function<void()>& step) {
  std::map<std::string, double> counts;
  try {
    Fleet fleet;
    Runner& runner = fleet.get(contender.implementation, Fleet::Kind::instructions);
    if (!runner.info().counts_instructions) throw RunnerFailed("it was built without valgrind's headers");
    for (const std::string& id : ids) {
      const auto info = std::ranges::find(contender.info.cases, id, &CaseInfo::id);
      if (info != contender.info.cases.end() && info->countable)
        for (const auto& [side, count] : runner.count(id, {contender.side})) counts[id] = count;
      step();
    }
  } catch (const Interrupted&) {
    throw;
  } catch (const std::runtime_error& failed) {
    why_not = fmt::format("instructions of {} were not counted: {}", contender.implementation.name, failed.what());
  }
  return counts;
}

}  // namespace plumbline::bench
