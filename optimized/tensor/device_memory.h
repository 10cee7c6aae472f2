// The memory of a device, in which storages keep their bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "spec/vocabulary/keys.h"

namespace plumbline::optimized {

/// What a device does with its memory. Copies in one stream are in the order of the calls. `bytes` is at least 1.
struct DeviceMemory {
  /// Aligned to 64 bytes; raises ErrorClass::memory if there is none.
  std::byte* (*allocate)(std::size_t bytes);
  /// Of as many bytes as were allocated.
  void (*release)(std::byte* memory, std::size_t bytes) noexcept;
  void (*copy)(std::byte* to, const std::byte* from, std::size_t bytes);
  void (*copy_to_cpu)(std::byte* to, const std::byte* from, std::size_t bytes);
  void (*copy_from_cpu)(std::byte* to, const std::byte* from, std::size_t bytes);
  /// Bytes in blocks that are in use.
  std::int64_t (*in_use)();
};

/// The memory of a device; the CPU's is the pool. Raises ErrorClass::option if the device has none here.
const DeviceMemory& memory_of(Backend device);

/// The number of a device in options, as in c10::DeviceType; -1 for a backend that is no type of device there.
std::int64_t device_number(Backend device);
/// The device of a number, if there is one.
std::optional<Backend> device_numbered(std::int64_t number);

/// "cpu" or "cuda:0", and without the number, in messages.
std::string printed(Backend device);
std::string device_type(Backend device);

/// Gives a device its memory, before any thread uses it.
void set_memory(Backend device, const DeviceMemory& memory);

}  // namespace plumbline::optimized
