// The description of this LibTorch, and running one script on it.
#include "adapters/libtorch/session.h"

#include <fmt/format.h>

#include "adapters/libtorch/failure.h"
#include "adapters/libtorch/run.h"
#include "adapters/libtorch/version.h"

namespace plumbline::libtorch {

Description description() {
  Description d;
  d.name = "libtorch";
  d.version = PLUMBLINE_LIBTORCH_VERSION;
  d.profile = fmt::format("torch-{}", kTorchSeries);
  d.fields.fill(Strictness::exact);
  d.thread.fill(Strictness::exact);
  // The reference words errors like 2.13.
  if (kTorchSeries != "2.13") d.errors = Strictness::classes;
  return d;
}

std::variant<Trace, CannotRun> run(const Script& script) {
  try {
    return run_script(script);
  } catch (Unsupported& unsupported) {
    return CannotRun{std::move(unsupported.why)};
  }
}

}  // namespace plumbline::libtorch
