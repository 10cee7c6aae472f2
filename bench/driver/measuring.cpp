// Shared by saving and comparing: the choice of cases, the number of processes, progress on stderr.
#include "bench/driver/measuring.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <regex>

#include "support/progress.h"

namespace plumbline::bench {

namespace {

constexpr int kQuickRaces = 14;
constexpr double kQuick_s = 0.002;

RaceOptions race_options(const AgainstOptions& options) {
  RaceOptions race;
  if (options.quick) {
    race.rounds = kQuickRaces;
    race.seconds = kQuick_s;
  }
  return race;
}

}  // namespace

std::vector<std::string> chosen(const std::vector<std::string>& ids, const std::string& filter) {
  try {
    const std::regex wanted(filter, std::regex::icase);
    std::vector<std::string> some;
    std::ranges::copy_if(ids, std::back_inserter(some),
                         [&](const std::string& id) { return std::regex_search(id, wanted); });
    return some;
  } catch (const std::regex_error&) {
    throw std::runtime_error(
        fmt::format("--filter '{}' is not a regular expression; examples: add, ^view/, 'mm|mlp'", filter));
  }
}

/// The cases of a runner that the options choose.
std::vector<std::string> ids_of(const RunnerInfo& info, const AgainstOptions& options) {
  std::vector<std::string> ids;
  for (const CaseInfo& one : info.cases)
    if (!one.heavy || !options.filter.empty()) ids.push_back(one.id);
  return chosen(ids, options.filter);
}

RaceResult race_with_progress(const std::vector<Contender>& contenders, const std::vector<std::string>& ids,
                              const AgainstOptions& options, const std::string& label) {
  const RaceOptions racing = race_options(options);
  cli::Progress progress(label, ids.size() * static_cast<std::size_t>(racing.rounds));
  return race(contenders, ids, racing, [&] { progress.step(); });
}

std::map<std::string, double> count_with_progress(const Contender& contender, const std::vector<std::string>& ids,
                                                  std::vector<std::string>& notes) {
  cli::Progress progress(fmt::format("counting instructions of {}", contender.implementation.name), ids.size());
  std::string why_not;
  auto counts = count_instructions(contender, ids, why_not, [&] { progress.step(); });
  if (!why_not.empty()) notes.push_back(why_not);
  return counts;
}

}  // namespace plumbline::bench
