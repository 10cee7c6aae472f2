// The description of this LibTorch, and running one script on it.
#include "adapters/libtorch/session.h"

#include <fmt/format.h>

#include "adapters/libtorch/device.h"
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
  const auto ignore = [&](Field field) { d.fields[static_cast<std::size_t>(field)] = Strictness::ignore; };
  if (test_device().is_cpu()) return d;
  d.name = fmt::format("libtorch-{}", c10::DeviceTypeName(test_device().type(), true));
  ignore(Field::keys);  // they name the backend
  if (!test_device().is_meta()) return d;
  ignore(Field::values);
  ignore(Field::grad);
  return d;
}

std::variant<Trace, CannotRun> run(const Script& script) {
  if (has_two_devices(script) && test_device().is_cpu())
    return CannotRun{"the program names the CPU beside its device, which is the CPU here"};
  try {
    return run_script(script);
  } catch (Unsupported& unsupported) {
    return CannotRun{std::move(unsupported.why)};
  }
}

}  // namespace plumbline::libtorch
