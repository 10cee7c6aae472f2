// A backend whose memory is buffers: what it brings, and the calls that reach it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "optimized/elements/primitive_call.h"
#include "optimized/removal/abilities.h"
#include "spec/ops/op_ids.h"

namespace plumbline::optimized {

/// Memory of a backend, as only the backend knows it.
class Buffer {
 public:
  Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

 protected:
  ~Buffer() = default;
};

/// A call on buffers. The data of its operands is not set; their first elements are `offset` bytes after the begin of a
/// buffer. `move` takes elements out of a whole buffer or puts them into one, by any strides: a backend without views
/// or strides has it, too.
struct BufferCall {
  PrimitiveCall call;
  std::array<Buffer*, PrimitiveCall::kMost> buffers{};  ///< null for numbers
  std::array<std::int64_t, PrimitiveCall::kMost> offsets{};
  Buffer* before = nullptr;  ///< what the written buffer holds before; null if that does not count
};

/// A backend. Its functions are called by one thread at a time.
class BufferDevice {
 public:
  BufferDevice() = default;
  virtual ~BufferDevice() = default;
  BufferDevice(const BufferDevice&) = delete;
  BufferDevice& operator=(const BufferDevice&) = delete;

  virtual Abilities abilities() const = 0;
  /// The ops that it has no kernels for: they run on the CPU (optimized/ops/cpu_fallback.h).
  virtual std::span<const OpId> lacks() const { return {}; }
  /// Not initialised; raises ErrorClass::memory if there is no memory.
  virtual Buffer* make(std::size_t bytes) = 0;
  /// The caller needs it no more.
  virtual void drop(Buffer* buffer) noexcept = 0;
  /// Does the call, or promises to; it may take it over. Buffer 0 is written.
  virtual void run(BufferCall& call) = 0;
  /// Fills a buffer, which no call wrote, with bytes of the CPU.
  virtual void write(Buffer* to, const std::byte* from) = 0;
  /// Bytes of a buffer.
  virtual void read(std::byte* to, Buffer* from, std::int64_t offset, std::size_t bytes) = 0;
};

}  // namespace plumbline::optimized
