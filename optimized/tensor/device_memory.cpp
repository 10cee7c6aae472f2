// The memory of devices: the pool for the CPU, and what other backends bring.
#include "optimized/tensor/device_memory.h"

#include <array>
#include <cstring>
#include <string>
#include <string_view>

#include "optimized/tensor/error.h"
#include "optimized/tensor/pool.h"

namespace plumbline::optimized {

namespace {

void copy(std::byte* to, const std::byte* from, std::size_t bytes) { std::memcpy(to, from, bytes); }

constexpr DeviceMemory kOfTheCpu{
    [](std::size_t bytes) { return static_cast<std::byte*>(allocate(bytes)); },
    [](std::byte* memory, std::size_t bytes) noexcept { release(memory, bytes); },
    copy,
    copy,
    copy,
    [] { return pool_figures().live; },
};

/// Each backend as a type of device [c10/core/DeviceType.h].
struct DeviceType {
  std::int64_t number;
  std::string_view name;
};
constexpr std::array<DeviceType, kBackends> kDeviceTypes{{{0, "cpu"},
                                                          {1, "cuda"},
                                                          {6, "hip"},
                                                          {9, "xla"},
                                                          {13, "mps"},
                                                          {18, "ipu"},
                                                          {12, "xpu"},
                                                          {15, "hpu"},
                                                          {16, "ve"},
                                                          {17, "lazy"},
                                                          {19, "mtia"},
                                                          {8, "maia"},
                                                          {20, "privateuseone"},
                                                          {-1, "privateusetwo"},
                                                          {-1, "privateusethree"},
                                                          {14, "meta"}}};

std::array<const DeviceMemory*, kBackends>& memories() {
  static std::array<const DeviceMemory*, kBackends> all{&kOfTheCpu};
  return all;
}

}  // namespace

const DeviceMemory& memory_of(Backend device) {
  const auto at = static_cast<std::size_t>(device);
  const DeviceMemory* const memory = memories().at(at);
  if (memory == nullptr)
    raise_saying(ErrorClass::option, "there is no device " + std::string(kBackendNames.at(at)) + " here");
  return *memory;
}

std::int64_t device_number(Backend device) { return kDeviceTypes.at(static_cast<std::size_t>(device)).number; }

std::optional<Backend> device_numbered(std::int64_t number) {
  for (std::size_t i = 0; i < kDeviceTypes.size(); ++i)
    if (number >= 0 && kDeviceTypes.at(i).number == number) return static_cast<Backend>(i);
  return std::nullopt;
}

std::string device_type(Backend device) { return std::string(kDeviceTypes.at(static_cast<std::size_t>(device)).name); }
std::string printed(Backend device) { return device_type(device) + (device == Backend::CPU ? "" : ":0"); }

void set_memory(Backend device, const DeviceMemory& memory) {
  memories().at(static_cast<std::size_t>(device)) = &memory;
}

}  // namespace plumbline::optimized
