// Judging programs about the dispatcher.
#include "oracle/dispatcher/fate.h"

#include "oracle/dispatcher/compare.h"
#include "reference/raise.h"

namespace plumbline::dispatcher {

Fate fate_of(const DispatchTest& test, const DispatchResult& result, const reference::Judge& own) {
  const std::string key = key_out_of_reach(layout_of(own.profile), test.script);
  if (!key.empty()) return {"unsupported", "this version has no key " + key};
  DispatchTrace right;
  try {
    right = reference::run(own, test.script);
  } catch (const reference::ReferenceLimit& limit) {
    return {"unsupported", limit.what()};
  }
  if (const auto* broken = std::get_if<Breakdown>(&result))
    return {broken->kind == Breakdown::Kind::unsupported ? "unsupported" : "divergent", broken->message};
  const DispatchTrace& trace = std::get<DispatchTrace>(result);
  if (const auto differs = compare(test.script, right, trace)) return {"divergent", differs->message};
  const auto failed = failures(test, trace);
  if (!failed.empty()) return {"departs", failed.front()};
  return {"pass", ""};
}

}  // namespace plumbline::dispatcher
