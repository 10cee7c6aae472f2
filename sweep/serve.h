// The side of a caller in the exchange with the sweep (docs/SWEEP.md).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sweep/experiment.h"

namespace plumbline::sweep {

/// What a caller offers.
struct Offer {
  std::string name;  ///< of the executable
  std::string version;
  std::vector<Setting> settings;  ///< those that it can call in
  std::function<std::vector<Operator>()> operators;
  /// Throws std::exception for what it cannot make. An error of the operator is in the observation.
  std::function<Observation(const Experiment&)> perform;
};

/// The answer to one request that is not `stop`.
nlohmann::json answer_to(const nlohmann::json& request, const Offer& offer);

/// Answers the requests of standard input until one says `stop`. Returns the exit code.
int serve(const Offer& offer);

}  // namespace plumbline::sweep
