// Streams of CUDA, events that order their work, and copies between pinned memory and the device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "optimized/cuda/mark.h"

namespace plumbline::optimized {
class Tensor;
}

namespace plumbline::optimized::cuda {

/// Work in one stream is done in the order of the calls. Work in two streams is done in any order, except where an
/// event or a wait orders it; this is also true of the default stream, 0. A stream exists until the process ends.
struct Stream {
  std::uint32_t number = 0;

  bool operator==(const Stream&) const = default;
};

/// Another stream than all before, and than all recordings (recording.h).
Stream new_stream();

/// The stream of a thread. `handle` is the device's own name for it; null if no guard was there.
struct ThreadStream {
  std::uint32_t number = 0;
  void* handle = nullptr;
};
inline ThreadStream& thread_stream() {
  thread_local constinit ThreadStream stream;
  return stream;
}

/// In which the thread starts kernels and copies, and allocates memory; at first the default stream. Memory that is
/// released goes back to the stream in which it was allocated, and only work that is started there uses it again.
inline Stream current_stream() { return {thread_stream().number}; }

/// Works in a stream for a scope. While the thread records, it raises ErrorClass::unclassified if the stream is another
/// one; and a guard from before the recording must not end in it.
class StreamGuard {
 public:
  explicit StreamGuard(Stream stream);
  ~StreamGuard() { thread_stream() = before_; }
  StreamGuard(const StreamGuard&) = delete;
  StreamGuard& operator=(const StreamGuard&) = delete;

 private:
  ThreadStream before_ = thread_stream();
};

/// A place in the work of a stream. If it was never recorded, nothing waits for it. `record` and `make_wait` raise
/// ErrorClass::unclassified while the thread records. A copy stays what it was when the other one is recorded again.
class Event {
 public:
  /// From now on, it is the end of what has been started in the current stream.
  void record();
  /// What is started in the current stream from now on is done after it. Returns at once.
  void make_wait() const;
  /// Whether the work before it is done.
  bool query() const;
  /// Returns when that work is done.
  void synchronize() const;

 private:
  std::shared_ptr<const Mark> mark_;
};

/// Returns when all that was started in the stream is done.
void synchronize_stream(Stream stream);

/// The memory of the tensor is used in this stream, too: after it is released, it is not used again before all is done
/// that was started there until the release. Raises ErrorClass::unclassified while the thread records, and for a tensor
/// of another device.
void record_stream(const Tensor& tensor, Stream stream);

/// Memory of the CPU from which and into which the device copies while the CPU goes on. For one thread at a time.
class PinnedBytes {
 public:
  /// Not initialised; raises ErrorClass::memory if there is none.
  explicit PinnedBytes(std::size_t bytes);
  /// Waits for the copies that use it.
  ~PinnedBytes();
  PinnedBytes(const PinnedBytes&) = delete;
  PinnedBytes& operator=(const PinnedBytes&) = delete;

  std::byte* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  friend void copy_to_device_later(const Tensor& to, PinnedBytes& from);
  friend void copy_to_host_later(PinnedBytes& to, const Tensor& from);
  /// A copy that uses it was started in the current stream.
  void add_copy();

  std::byte* data_;
  std::size_t bytes_;
  std::vector<std::shared_ptr<const Mark>> copies_;
};

/// Starts a copy in the current stream, and returns at once: until it is done, the bytes must stay as they are. It
/// writes memory alone, and no version is counted. The tensor is row-major, and has as many bytes; else it raises
/// ErrorClass::unclassified.
void copy_to_device_later(const Tensor& to, PinnedBytes& from);
/// The same in the other direction: until it is done, the bytes may be the old ones.
void copy_to_host_later(PinnedBytes& to, const Tensor& from);

}  // namespace plumbline::optimized::cuda
