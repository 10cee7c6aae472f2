// A backend of buffers as a device of the runtime.
#pragma once

#include <memory>
#include <span>
#include <utility>

#include "optimized/elements/calls.h"
#include "optimized/ops/backends.h"
#include "optimized/removal/removing.h"

namespace plumbline::optimized {

/// The primitives and the memory of a device whose backend has buffers. Its random numbers are those of the CPU.
template <Backend kDevice>
class BufferBackend {
 public:
  /// What stands in front of the backend. Only after `register_with`.
  static Removing& removing() { return *removing_; }

  /// Gives the process's dispatcher this device; once, before any op runs on it.
  static void register_with(std::unique_ptr<BufferDevice> backend) {
    const std::span<const OpId> lacks = backend->lacks();
    removing_ = new Removing(kDevice, std::move(backend));  // NOLINT(*-owning-memory): static tensors may outlive it
    register_backend(kDevice, kPrimitives, kMemory, lacks);
  }

  static void handle(PrimitiveCall& call) { removing_->handle(call); }

 private:
  static inline Removing* removing_ = nullptr;
  static constexpr Primitives kPrimitives =
      calls_to<BufferBackend>([](std::uint64_t seed) { kCpuPrimitives.seed(seed); });
  static constexpr DeviceMemory kMemory{
      [](std::size_t bytes) { return removing_->allocate(bytes); },
      [](std::byte* memory, std::size_t) noexcept { removing_->release(memory); },
      [](std::byte* to, const std::byte* from, std::size_t bytes) { removing_->copy(to, from, bytes); },
      [](std::byte* to, const std::byte* from, std::size_t bytes) { removing_->copy_to_cpu(to, from, bytes); },
      [](std::byte* to, const std::byte* from, std::size_t bytes) { removing_->copy_from_cpu(to, from, bytes); },
      [] { return removing_->in_use(); },
  };
};

}  // namespace plumbline::optimized
