// Running dispatch scripts on an implementation.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "adapters/process/process.h"
#include "reference/dispatcher/machine.h"

namespace plumbline::dispatcher {

/// Runs dispatch scripts.
using DispatchRunner = std::function<std::vector<DispatchResult>(std::span<const DispatchScript>)>;

/// A runner on the reference under a judge, its breakdowns included.
DispatchRunner reference_runner(const reference::Judge& judge);

/// An implementation, with the profile that describes it.
struct ProfiledRunner {
  DispatchRunner run;
  Profile profile = Profile::sound;
};
/// A runner on the adapter that `make_adapter` makes; the thread that makes it must outlive it. Throws as
/// `make_adapter` does.
ProfiledRunner runner_of(const std::string& name, const AdapterOptions& options);

}  // namespace plumbline::dispatcher
