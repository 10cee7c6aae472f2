// The primitives of each device.
#include "optimized/elements/primitives.h"

#include <array>
#include <string>

#include "optimized/tensor/device_memory.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

constinit std::array<const Primitives*, kBackends> of_devices{&kCpuPrimitives};

}  // namespace

const Primitives& primitives() {
  const auto at = static_cast<std::size_t>(thread_state().device);
  if (of_devices[at] == nullptr)
    raise_saying(ErrorClass::option, "there is no device " + std::string(kBackendNames.at(at)) + " here");
  return *of_devices[at];
}

void for_each_primitives(const std::function<void(const Primitives&)>& visit) {
  for (const Primitives* const one : of_devices)
    if (one != nullptr) visit(*one);
}

bool has_primitives(std::int64_t device) {
  const std::optional<Backend> its = device_numbered(device);
  return its && of_devices[static_cast<std::size_t>(*its)] != nullptr;
}

void set_primitives(Backend device, const Primitives& all) { of_devices.at(static_cast<std::size_t>(device)) = &all; }

}  // namespace plumbline::optimized
