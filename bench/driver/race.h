// Measuring one or two implementations in many processes, side by side.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "bench/driver/launch.h"
#include "bench/driver/runner.h"

namespace plumbline::bench {

struct RaceOptions {
  int rounds = 20;         ///< processes of each
  int repetitions = 3;     ///< a process's sample is the median of these
  double seconds = 0.004;  ///< a repetition, at least
  double limit_s = 400;    ///< after this time no further round begins, if there are enough for a rank test
};

/// The samples of a case, for each contender one for each process. Samples with the same index were taken next to each
/// other.
struct Raced {
  std::vector<std::vector<double>> ns;
  std::string error;  ///< why it was not measured to the end
};

/// An implementation that is measured, with its own description.
struct Contender {
  Implementation implementation;
  RunnerInfo info;
  std::string side;
};
/// Starts it once. Throws RunnerFailed, and std::runtime_error if it does not have the side.
Contender contender_of(const Implementation& implementation);

struct RaceResult {
  std::map<std::string, Raced> cases;
  bool interrupted = false;  ///< by Ctrl-C; the samples taken until then are there
};

/// In each round a new process of each contender measures every case, the contenders in random order, close together.
/// Throws RunnerFailed if a process does not start. Calls `step` for each case of each round.
RaceResult race(const std::vector<Contender>& contenders, const std::vector<std::string>& ids,
                const RaceOptions& options, const std::function<void()>& step);

/// Instructions of the countable cases; `why_not` says why some or all are missing. Throws Interrupted.
std::map<std::string, double> count_instructions(const Contender& contender, const std::vector<std::string>& ids,
                                                 std::string& why_not, const std::function<void()>& step);

}  // namespace plumbline::bench
