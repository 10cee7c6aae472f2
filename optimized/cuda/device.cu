// CUDA on a GPU: its memory, its graphs and its errors.
#include <algorithm>
#include <exception>
#include <memory>
#include <set>

#include "optimized/cuda/cublas.h"
#include "optimized/cuda/device.h"
#include "optimized/cuda/gpu_primitives.h"
#include "optimized/cuda/launch.cuh"
#include "optimized/cuda/streams.h"
#include "optimized/ops/backends.h"
#include "optimized/tensor/device_memory.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized::cuda {

namespace {

/// Set once, before the first kernel.
std::uint32_t all_multiprocessors = 1;

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

const MemorySource& gpu_source() {
  static const MemorySource source{
      [](std::size_t bytes) -> std::byte* {
        void* piece = nullptr;
        if (cudaMalloc(&piece, bytes) == cudaSuccess) return static_cast<std::byte*>(piece);
        static_cast<void>(cudaGetLastError());  // no more memory: the pool says so
        return nullptr;
      },
      // What is wrong with either call is still wrong at the next one that can report it.
      [](std::byte* piece, std::size_t /*bytes*/) noexcept { static_cast<void>(cudaFree(piece)); },
      []() noexcept { static_cast<void>(cudaDeviceSynchronize()); },
      mark_on_gpu,
  };
  return source;
}

/// Never destroyed: tensors of static storage may be used until the very end.
BlockPool* gpu_pool = nullptr;

void copy(std::byte* to, const std::byte* from, std::size_t bytes, cudaMemcpyKind kind) {
  check(cudaMemcpyAsync(to, from, bytes, kind, stream()));
}

/// What is recorded is done first.
void start_recorded() {
  if (Recording* const recording = Recording::here()) recording->observe();
}

const DeviceMemory& gpu_device_memory() {
  static const DeviceMemory memory{
      [](std::size_t bytes) {
        Recording* const recording = Recording::here();
        return recording == nullptr ? gpu_pool->allocate(bytes, current_stream().number) : recording->allocate(bytes);
      },
      [](std::byte* block, std::size_t /*bytes*/) noexcept {
        Recording* const recording = Recording::here();
        recording == nullptr ? gpu_pool->release(block) : recording->release(block);
      },
      [](std::byte* to, const std::byte* from, std::size_t bytes) {
        const auto copies = [=] { copy(to, from, bytes, cudaMemcpyDeviceToDevice); };
        Recording* const recording = Recording::here();
        recording == nullptr ? copies() : recording->add(copies);
      },
      [](std::byte* to, const std::byte* from, std::size_t bytes) {
        start_recorded();
        copy(to, from, bytes, cudaMemcpyDeviceToHost);
        check(cudaStreamSynchronize(stream()));
      },
      // From pageable memory, which CUDA has read when the call returns.
      [](std::byte* to, const std::byte* from, std::size_t bytes) {
        start_recorded();
        copy(to, from, bytes, cudaMemcpyHostToDevice);
      },
      [] { return static_cast<std::int64_t>(gpu_pool->counts().in_use); },
  };
  return memory;
}

/// Why no GPU can be used here; empty if one can.
std::string problem() {
  int driver = 0;
  if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0)
    return "there is no NVIDIA driver here (libcuda.so.1); on a machine with a GPU, install one for CUDA " +
           version_text(CUDART_VERSION) + " or newer";
  if (driver / 1000 < CUDART_VERSION / 1000)
    return "the NVIDIA driver is too old: it runs CUDA " + version_text(driver) + ", and this was built with CUDA " +
           version_text(CUDART_VERSION) + "; install a newer driver";
  int devices = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&devices); error != cudaSuccess)
    return std::string("no GPU can be used: ") + cudaGetErrorString(error) + "; nvidia-smi says which there are";
  if (devices == 0) return "there is a driver, but no GPU; nvidia-smi says which there are";
  cudaDeviceProp properties{};
  if (const cudaError_t error = cudaGetDeviceProperties(&properties, 0); error != cudaSuccess)
    return std::string("the GPU does not answer: ") + cudaGetErrorString(error);
  if (properties.major < 8)
    return std::string("the GPU is too old: ") + properties.name + " has compute capability " +
           std::to_string(properties.major) + "." + std::to_string(properties.minor) + ", and 8.0 or newer is needed";
  all_multiprocessors = static_cast<std::uint32_t>(properties.multiProcessorCount);
  if (const cudaError_t error = make_default_stream(); error != cudaSuccess)
    return std::string("the GPU does not start: ") + cudaGetErrorString(error);
  return cublas::load();
}

}  // namespace

std::uint32_t multiprocessors() { return all_multiprocessors; }

void check(cudaError_t error) {
  if (error == cudaSuccess) [[likely]]
    return;
  static_cast<void>(cudaGetLastError());
  const std::string why = std::string("CUDA error: ") + cudaGetErrorString(error);
  // After a kernel that crashed, each later call reports it again.
  if (is_gpu_lost()) throw DeviceLost{why + "; the GPU cannot be used in this process any more"};
  if (error == cudaErrorMemoryAllocation) raise_no_memory(0);
  raise_saying(ErrorClass::unclassified, why);
}

namespace {

/// A graph, and the streams in which it was started. It is destroyed when they have done it.
class ReadyGraph {
 public:
  explicit ReadyGraph(cudaGraph_t graph) { check(cudaGraphInstantiate(&made_, graph, 0)); }
  ~ReadyGraph() {
    for (const cudaStream_t one : streams_) static_cast<void>(cudaStreamSynchronize(one));
    static_cast<void>(cudaGraphExecDestroy(made_));
  }
  ReadyGraph(const ReadyGraph&) = delete;
  ReadyGraph& operator=(const ReadyGraph&) = delete;

  void start() {
    streams_.insert(stream());
    check(cudaGraphLaunch(made_, stream()));
  }

 private:
  cudaGraphExec_t made_ = nullptr;
  std::set<cudaStream_t> streams_;
};

struct DestroyGraph {
  void operator()(cudaGraph_t graph) const { static_cast<void>(cudaGraphDestroy(graph)); }
};

}  // namespace

Start start_as_graph(const Start& start_all) {
  check(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeThreadLocal));
  std::exception_ptr failed;
  try {
    start_all();
  } catch (...) {
    failed = std::current_exception();
  }
  cudaGraph_t graph = nullptr;
  const cudaError_t ended = cudaStreamEndCapture(stream(), &graph);  // also after an error
  const std::unique_ptr<CUgraph_st, DestroyGraph> captured(graph);
  if (failed) std::rethrow_exception(failed);
  check(ended);
  const auto ready = std::make_shared<ReadyGraph>(captured.get());
  ready->start();
  return [ready] { ready->start(); };
}

void record_on_a_gpu(const std::function<void()>& body) {
  if (Recording::here() != nullptr) return body();  // a part of the recording
  Recording recording(*gpu_pool, gpu_starter());
  body();
  recording.finish();
}

Graph graph_on_a_gpu(const std::function<void()>& body) { return {*gpu_pool, gpu_starter(), body}; }

std::string run_on_a_gpu(std::size_t most_bytes) {
  if (const std::string why = problem(); !why.empty()) return why;
  std::size_t free = 0;
  std::size_t all = 0;
  check(cudaMemGetInfo(&free, &all));
  gpu_pool = new BlockPool(gpu_source(), most_bytes == 0 ? free : std::min(free, most_bytes));
  register_backend(Backend::CUDA, gpu_primitives(), gpu_device_memory());
  static const StreamDevice streams = gpu_stream_device([]() -> BlockPool& { return *gpu_pool; });
  set_stream_device(streams);
  return {};
}

std::string gpu_name() {
  cudaDeviceProp properties{};
  int driver = 0;
  check(cudaGetDeviceProperties(&properties, 0));
  check(cudaDriverGetVersion(&driver));
  return std::string(properties.name) + ", driver " + version_text(driver) + ", CUDA " + version_text(CUDART_VERSION);
}

PoolCounts gpu_memory() { return gpu_pool == nullptr ? PoolCounts{} : gpu_pool->counts(); }

void wait_for_gpu() { check(cudaDeviceSynchronize()); }

}  // namespace plumbline::optimized::cuda
