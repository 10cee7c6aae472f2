// Judging by the laws what was seen of an operator.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sweep/experiment.h"
#include "sweep/laws.h"

namespace plumbline::sweep {

/// What was seen of one choice of arguments.
struct Runs {
  Experiment normal;
  std::map<Setting, Observation> seen;  ///< with these arguments; at least in the normal setting
  std::optional<Observation> again;     ///< in the normal setting, a second time
  std::optional<Observation> reseeded;  ///< in the normal setting, with another seed of random numbers
  std::optional<Observation> strided;   ///< in the normal setting, with the tensors elsewhere in memory
  std::optional<Observation> twin;      ///< of the functional operator, in the normal setting
  std::optional<Observation> viewed;    ///< of the operator whose result this one copies, in the normal setting
  std::optional<Observation> reversed;  ///< in the normal setting, with the second example of the setting `batched`
  /// In the normal setting, with written tensors whose elements share memory; and of the functional operator.
  std::optional<Observation> overlapping, overlapping_twin;
  Experiment overlapping_call;
  /// In the setting `backward`, after a write to each argument and each result; nothing where that cannot be written.
  std::vector<std::optional<Observation>> disturbed;
};

/// One departure from a law.
struct Breach {
  std::string_view law;
  Setting setting;
  std::string what;                 ///< the same words for the same kind of departure: findings are grouped by them
  std::string detail;               ///< what was expected, and what was seen
  std::optional<Experiment> shown;  ///< the call that shows it, if it is not the normal one
};

/// The verdict of one law on one choice of arguments.
struct Judged {
  std::size_t cases = 0;    ///< how often it had something to say
  std::size_t told = 0;     ///< of these, how often its misreading would have said otherwise
  std::size_t refused = 0;  ///< how often an error that it allows left it nothing to compare
  std::vector<Breach> breaches;
};

/// Judges by every law, in the order of `laws()`.
std::vector<Judged> judge(const Operator& op, const Runs& runs);

/// OP-11, of a call that raised an error in the normal setting.
Judged judge_refusal(const Operator& op, const Experiment& experiment, const Observation& seen);

/// Results of an operator that are annotated as aliases of an argument.
struct Aliases {
  std::size_t shared = 0;  ///< they share memory with one
  std::size_t copied = 0;
};
/// Adds those of a call in the normal setting. What has no elements does not count.
void count_aliases(const Operator& op, const Observation& normal, Aliases& counts);
/// OP-23, of all that were counted.
Judged judge_aliases(const Aliases& counts);

}  // namespace plumbline::sweep
