// What saving and comparing have in common: which cases, how often, with progress on stderr.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/driver/against.h"
#include "bench/driver/race.h"

namespace plumbline::bench {

/// Those that a regular expression finds; throws std::runtime_error where it is none.
std::vector<std::string> chosen(const std::vector<std::string>& ids, const std::string& filter);
/// Those that the options choose of a runner's cases.
std::vector<std::string> ids_of(const RunnerInfo& info, const AgainstOptions& options);

RaceResult race_with_progress(const std::vector<Contender>& contenders, const std::vector<std::string>& ids,
                              const AgainstOptions& options, const std::string& label);
/// What cannot be counted is told in `notes`.
std::map<std::string, double> count_with_progress(const Contender& contender, const std::vector<std::string>& ids,
                                                  std::vector<std::string>& notes);

}  // namespace plumbline::bench
