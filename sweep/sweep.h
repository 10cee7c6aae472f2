// Sweeping over operators: finding arguments that each takes, and judging what is seen of them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sweep/caller.h"
#include "sweep/judge.h"
#include "sweep/samples.h"

namespace plumbline::sweep {

struct SweepOptions {
  std::vector<std::string> operators;  ///< globs of full names: "aten::add*"; empty: all
  std::uint64_t seed = 1;
  std::uint64_t tries = 300;  ///< candidates for one operator
  std::uint64_t wanted = 4;   ///< choices of arguments to judge for one operator
  unsigned jobs = 1;
  std::shared_ptr<const Samples> samples;  ///< tried before candidates; null: none
};

/// A breach, or a crash, with the call that shows it.
struct Finding {
  std::string op;
  std::string law;   ///< "OP-03"; "crash" or "hang"
  std::string what;  ///< findings with the same law and words are of one group
  std::string detail;
  Experiment experiment;
  bool is_private = false;  ///< the operator is
};

struct LawCount {
  std::size_t cases = 0;
  std::size_t told = 0;       ///< cases that tell it from its misreading
  std::size_t refused = 0;    ///< calls that raised an error which it allows, with nothing to compare
  std::size_t operators = 0;  ///< that it had something to say of
  std::size_t broken = 0;     ///< operators that break it
};

/// What became of an operator that was not judged.
struct NotJudged {
  std::string op;
  std::string why;
};

struct SweepReport {
  std::string version;
  std::vector<Operator> operators;  ///< all that are registered
  std::size_t known = 0;            ///< operators that are registered and fit the globs
  std::size_t callable = 0;         ///< of them, those that a call could be made up for
  std::size_t called = 0;           ///< of them, those that took some arguments
  std::size_t calls = 0;
  std::size_t by_samples = 0;     ///< of those that were called, the ones that took some of `SweepOptions::samples`
  Samples accepted;               ///< what the operators took, at most `wanted` for one
  std::vector<LawCount> laws;     ///< in the order of `laws()`
  std::vector<NotJudged> left;    ///< in the order of their names
  std::vector<Finding> findings;  ///< in the order of operators, one for each law and words of an operator
  bool interrupted = false;
};

/// Sweeps. `make_caller` is called on each worker's thread, but for the first. `step`: after each operator, with how
/// many are done of how many. Ends early if `stop` holds. The report does not depend on `jobs`. Throws what
/// `registered` throws.
SweepReport sweep(const std::function<std::unique_ptr<Caller>()>& make_caller, const SweepOptions& options,
                  const std::function<void(std::size_t, std::size_t)>& step, const std::function<bool()>& stop);

nlohmann::ordered_json to_json(const SweepReport& report, const SweepOptions& options,
                               const std::string& implementation);
/// `all`: every operator of a group, not only some.
std::string to_text(const SweepReport& report, const std::string& implementation, bool all);

}  // namespace plumbline::sweep
