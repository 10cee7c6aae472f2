// Streams of CUDA on a GPU, marks in them, and pinned memory.
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "optimized/cuda/launch.cuh"
#include "optimized/cuda/streams.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized::cuda {

namespace {

/// By number; a stream is never destroyed.
class GpuStreams {
 public:
  /// What CUDA says, and the stream, which is made if it is new.
  std::pair<cudaError_t, cudaStream_t> of(std::uint32_t number) {
    const std::scoped_lock lock(mutex_);
    const auto [found, is_new] = all_.try_emplace(number, nullptr);
    cudaError_t error = cudaSuccess;
    if (is_new) error = cudaStreamCreateWithFlags(&found->second, cudaStreamNonBlocking);
    const cudaStream_t stream = found->second;
    if (error != cudaSuccess) all_.erase(found);
    return {error, stream};
  }
  bool is_any_lost() {
    const std::scoped_lock lock(mutex_);
    bool lost = false;
    for (const auto& [number, stream] : all_) {
      const cudaError_t error = cudaStreamQuery(stream);
      lost = lost || (error != cudaSuccess && error != cudaErrorNotReady && error != cudaErrorStreamCaptureUnsupported);
    }
    static_cast<void>(cudaGetLastError());  // that a stream is still at work is no error of the next call
    return lost;
  }

 private:
  std::mutex mutex_;
  std::map<std::uint32_t, cudaStream_t> all_;
};

/// Never destroyed: tensors of static storage may be used until the very end.
GpuStreams& gpu_streams() {
  static auto* const made = new GpuStreams;
  return *made;
}

/// Set once, before the first kernel.
cudaStream_t default_stream = nullptr;

cudaStream_t gpu_stream(std::uint32_t number) {
  const auto [error, stream] = gpu_streams().of(number);
  check(error);
  return stream;
}

class GpuMark final : public Mark {
 public:
  explicit GpuMark(cudaStream_t in) {
    cudaEvent_t made = nullptr;
    check(cudaEventCreateWithFlags(&made, cudaEventDisableTiming));
    event_.reset(made);
    check(cudaEventRecord(made, in));
  }

  bool reached() const noexcept override {
    if (cudaEventQuery(event_.get()) != cudaErrorNotReady) return true;  // or nothing works any more
    static_cast<void>(cudaGetLastError());
    return false;
  }
  void wait() const override { check(cudaEventSynchronize(event_.get())); }
  void make_wait() const override { check(cudaStreamWaitEvent(stream(), event_.get(), 0)); }

 private:
  struct Destroy {
    void operator()(cudaEvent_t event) const { static_cast<void>(cudaEventDestroy(event)); }
  };
  std::unique_ptr<CUevent_st, Destroy> event_;
};

void copy_in_stream(std::byte* to, const std::byte* from, std::size_t bytes, cudaMemcpyKind kind) {
  check(cudaMemcpyAsync(to, from, bytes, kind, stream()));
}

}  // namespace

cudaStream_t stream() {
  void* const handle = thread_stream().handle;
  return handle == nullptr ? default_stream : static_cast<cudaStream_t>(handle);
}

cudaError_t make_default_stream() {
  const auto [error, stream] = gpu_streams().of(0);
  default_stream = stream;
  return error;
}

bool is_gpu_lost() { return gpu_streams().is_any_lost(); }

std::shared_ptr<const Mark> mark_on_gpu(std::uint32_t stream) { return std::make_shared<GpuMark>(gpu_stream(stream)); }

StreamDevice gpu_stream_device(BlockPool& (*pool)()) {
  return {
      .handle = [](std::uint32_t number) -> void* { return gpu_stream(number); },
      .mark = mark_on_gpu,
      .synchronize = [](std::uint32_t number) { check(cudaStreamSynchronize(gpu_stream(number))); },
      .pool = pool,
      .allocate_pinned = [](std::size_t bytes) -> std::byte* {
        void* memory = nullptr;
        const cudaError_t error = cudaHostAlloc(&memory, bytes, cudaHostAllocDefault);
        if (error == cudaErrorMemoryAllocation) {
          static_cast<void>(cudaGetLastError());
          raise_no_memory(bytes);
        }
        check(error);
        return static_cast<std::byte*>(memory);
      },
      // What is wrong with it is still wrong at the next call that can report it.
      .release_pinned = [](std::byte* memory) noexcept { static_cast<void>(cudaFreeHost(memory)); },
      .copy_to_device = [](std::byte* to, const std::byte* from,
                           std::size_t bytes) { copy_in_stream(to, from, bytes, cudaMemcpyHostToDevice); },
      .copy_to_host = [](std::byte* to, const std::byte* from,
                         std::size_t bytes) { copy_in_stream(to, from, bytes, cudaMemcpyDeviceToHost); },
  };
}

}  // namespace plumbline::optimized::cuda
