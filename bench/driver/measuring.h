// Shared by saving and comparing: the choice of cases, the number of processes, progress on stderr.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/driver/against.h"
#include "bench/driver/race.h"

namespace plumbline::bench {

/// The ids that a regular expression finds. Throws std::runtime_error if it is invalid.
std::vector<std::string> chosen(const std::vector<std::string>& ids, const std::string& filter);
/// The cases of a runner that the options choose.
std::vector<std::string> ids_of(const RunnerInfo& info, const AgainstOptions& options);

RaceResult race_with_progress(const std::vector<Contender>& contenders, const std::vector<std::string>& ids,
                              const AgainstOptions& options, const std::string& label);
/// Adds to `notes` why something could not be counted.
std::map<std::string, double> count_with_progress(const Contender& contender, const std::vector<std::string>& ids,
                                                  std::vector<std::string>& notes);

}  // namespace plumbline::bench
