// Measuring one or two implementations in many processes, one beside the other.
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
  int repetitions = 3;     ///< of which a process's sample is the median
  double seconds = 0.004;  ///< a repetition, at least
  double limit_s = 400;    ///< then no further round is begun, once there are enough for a rank test
};

/// What a case came to: for each contender one sample a process. Those at the same place were taken next to each other.
struct Raced {
  std::vector<std::vector<double>> ns;
  std::string error;  ///< why it was given up
};

/// Who is measured, by what it says of itself.
struct Contender {
  Implementation implementation;
  RunnerInfo info;
  std::string side;
};
/// Starts it once; throws RunnerFailed, and std::runtime_error where it has not the side.
Contender contender_of(const Implementation& implementation);

struct RaceResult {
  std::map<std::string, Raced> cases;
  bool interrupted = false;  ///< by Ctrl-C: what was measured until then is there
};

/// In each round a new process of each contender measures every case, the contenders in random order, close together.
/// Throws RunnerFailed where a process does not start; `step` is called for each case of each round.
RaceResult race(const std::vector<Contender>& contenders, const std::vector<std::string>& ids,
                const RaceOptions& options, const std::function<void()>& step);

/// Instructions of the cases that can be counted; `why_not` says why there are none or not all. Throws Interrupted.
std::map<std::string, double> count_instructions(const Contender& contender, const std::vector<std::string>& ids,
                                                 std::string& why_not, const std::function<void()>& step);

}  // namespace plumbline::bench
