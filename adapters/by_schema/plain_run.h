// Running ops of which only the schema is known, on the implementation that is compared.
#pragma once

#include <string>
#include <vector>

#include "reference/by_schema.h"
#include "sweep/experiment.h"

namespace plumbline {

/// The call as the sweep's callers take it. Its limit is not empty if it has no such form: integers beyond 2^53.
struct AsExperiment {
  sweep::Experiment experiment;
  std::string limit;
};
AsExperiment experiment_of(const reference::PlainCall& call);

/// What an observation says of the call.
reference::PlainOutcome outcome_of(const reference::PlainCall& call, const sweep::Observation& observation);

/// Lets ops by schema compute on a process that calls operators for the sweep (docs/SWEEP.md), one for each thread that
/// runs the reference; it is started by the first call. `words`: its command line; `timeout_s`: for one call. Does
/// nothing if something computes them already.
void compute_by_schema_on(std::vector<std::string> words, double timeout_s);

/// The command line of the sweep's caller of an implementation, "libtorch-2.13.0" or "python"; empty: there is none
/// here.
std::vector<std::string> plain_caller_of(const std::string& implementation);

}  // namespace plumbline
