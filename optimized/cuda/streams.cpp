// Streams, events and pinned memory on whichever device there is.
#include "optimized/cuda/streams.h"

#include <algorithm>
#include <atomic>
#include <string>

#include "optimized/cuda/recording.h"
#include "optimized/cuda/stream_device.h"
#include "optimized/tensor/error.h"
#include "optimized/tensor/tensor.h"

namespace plumbline::optimized::cuda {

namespace {

const StreamDevice* stream_device = nullptr;

const StreamDevice& the_stream_device() {
  if (stream_device == nullptr) raise_saying(ErrorClass::option, "there is no device CUDA here");
  return *stream_device;
}

void refuse_while_recording(const std::string& what) {
  if (Recording::here() != nullptr)
    raise_saying(ErrorClass::unclassified,
                 "CUDA error: " + what + " while work is recorded; do it before or after the recording");
}

/// What is recorded is started before something waits for it.
void start_what_is_recorded() {
  if (Recording* const recording = Recording::here()) recording->observe();
}

std::byte* memory_for_copy(const Tensor& tensor, const PinnedBytes& pinned) {
  if (tensor.device() != Backend::CUDA)
    raise_saying(ErrorClass::unclassified, "only a tensor of CUDA is copied later; copy this one with copy_");
  if (!tensor.is_contiguous())
    raise_saying(ErrorClass::unclassified, "only a row-major tensor is copied later; call contiguous() first");
  const std::int64_t item = item_size(tensor.dtype());
  if (static_cast<std::size_t>(tensor.numel() * item) != pinned.bytes())
    raise_saying(ErrorClass::unclassified, "the tensor has " + std::to_string(tensor.numel() * item) +
                                               " bytes, and the pinned memory " + std::to_string(pinned.bytes()) +
                                               "; give both the same size");
  return tensor.storage()->data() + tensor.offset() * item;
}

}  // namespace

void set_stream_device(const StreamDevice& device) { stream_device = &device; }

Stream new_stream() {
  static std::atomic<std::uint32_t> next{1};
  return {next.fetch_add(1, std::memory_order_relaxed)};
}

StreamGuard::StreamGuard(Stream stream) {
  if (stream == current_stream()) return;
  refuse_while_recording("the stream cannot be changed");
  thread_stream() = {stream.number, the_stream_device().handle(stream.number)};
}

void Event::record() {
  refuse_while_recording("an event cannot be recorded");
  mark_ = the_stream_device().mark(current_stream().number);
}

void Event::make_wait() const {
  refuse_while_recording("a stream cannot wait for an event");
  if (mark_) mark_->make_wait();
}

bool Event::query() const { return !mark_ || mark_->reached(); }

void Event::synchronize() const {
  start_what_is_recorded();
  if (mark_) mark_->wait();
}

void synchronize_stream(Stream stream) {
  start_what_is_recorded();
  the_stream_device().synchronize(stream.number);
}

void record_stream(const Tensor& tensor, Stream stream) {
  refuse_while_recording("memory cannot be recorded for a stream");
  if (tensor.device() != Backend::CUDA)
    raise_saying(ErrorClass::unclassified, "only memory of CUDA is recorded for a stream; move the tensor there");
  the_stream_device().pool().use_in(tensor.storage()->data(), stream.number);
}

PinnedBytes::PinnedBytes(std::size_t bytes)
    : data_(the_stream_device().allocate_pinned(std::max<std::size_t>(bytes, 1))), bytes_(bytes) {}

PinnedBytes::~PinnedBytes() {
  try {
    for (const auto& copy : copies_) copy->wait();
  } catch (...) {  // NOLINT(bugprone-empty-catch): what is wrong is still wrong at the next call that can report it
  }
  the_stream_device().release_pinned(data_);
}

void PinnedBytes::add_copy() {
  std::erase_if(copies_, [](const auto& copy) { return copy->reached(); });
  copies_.push_back(the_stream_device().mark(current_stream().number));
}

void copy_to_device_later(const Tensor& to, PinnedBytes& from) {
  std::byte* const memory = memory_for_copy(to, from);
  start_what_is_recorded();
  if (from.bytes() == 0) return;
  the_stream_device().copy_to_device(memory, from.data(), from.bytes());
  from.add_copy();
}

void copy_to_host_later(PinnedBytes& to, const Tensor& from) {
  const std::byte* const memory = memory_for_copy(from, to);
  start_what_is_recorded();
  if (to.bytes() == 0) return;
  the_stream_device().copy_to_host(to.data(), memory, to.bytes());
  to.add_copy();
}

}  // namespace plumbline::optimized::cuda
