// The memory of devices: the pool for the CPU, and what other backends bring.
#include "optimized/tensor/device_memory.h"

#include <array>
#include <cstring>
#include <string>

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

std::string device_type(Backend device) { return device == Backend::CPU ? "cpu" : "cuda"; }
std::string printed(Backend device) { return device_type(device) + (device == Backend::CPU ? "" : ":0"); }

void set_memory(Backend device, const DeviceMemory& memory) {
  memories().at(static_cast<std::size_t>(device)) = &memory;
}

}  // namespace plumbline::optimized
