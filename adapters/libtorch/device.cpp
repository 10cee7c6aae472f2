// The device on which tests run.
#include "adapters/libtorch/device.h"

#include <ATen/ATen.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include "adapters/libtorch/version.h"

namespace plumbline::libtorch {

namespace {

c10::Device& device() {
  static c10::Device chosen(c10::kCPU);
  return chosen;
}

}  // namespace

std::string run_on(const std::string& name) {
  try {
    const c10::Device asked(name);
    (void)at::zeros({1}, at::TensorOptions().device(asked));
    device() = asked;
    return {};
  } catch (const std::exception& error) {
    const std::string what = error.what();
    const std::size_t named = what.find("backend");  // before it, names of ops have points
    return what.substr(0, what.find_first_of(".\n", named == std::string::npos ? 0 : named));
  }
}

c10::Device test_device() { return device(); }

void wait_for_device() {
#if TORCH_VERSION_MAJOR >= 2
  const c10::Device here = device();
  if (here.is_cpu() || here.is_meta()) return;
  const c10::impl::VirtualGuardImpl guard(here.type());
  guard.synchronizeDevice(here.has_index() ? here.index() : guard.getDevice().index());
#endif
}

}  // namespace plumbline::libtorch
