// Making the runners of dispatch scripts.
#include "oracle/dispatcher/runner.h"

#include <memory>

#include "adapters/reference/reference.h"
#include "reference/raise.h"

namespace plumbline::dispatcher {

DispatchRunner reference_runner(const reference::Judge& judge) {
  return [judge](std::span<const DispatchScript> scripts) {
    std::vector<DispatchResult> results;
    for (const DispatchScript& script : scripts) {
      try {
        results.emplace_back(reference::run(judge, script));
      } catch (const reference::ReferenceLimit& limit) {
        results.emplace_back(Breakdown{Breakdown::Kind::limit, limit.what()});
      }
    }
    return results;
  };
}

ProfiledRunner runner_of(const std::string& name, const AdapterOptions& options) {
  const std::shared_ptr<Adapter> adapter = make_adapter(name, options);
  const Profile profile = profile_or_throw(adapter->describe().profile);
  auto* process = dynamic_cast<ProcessAdapter*>(adapter.get());
  if (process == nullptr) return {reference_runner({profile, rule_or_throw(options.flip)}), profile};
  return {[adapter, process](std::span<const DispatchScript> scripts) { return process->run_dispatch(scripts); },
          profile};
}

}  // namespace plumbline::dispatcher
