// plumbline-optimized: the optimized runtime as an adapter process (docs/PROTOCOL.md).
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/adapter.h"
#include "adapters/optimized/memory.h"
#include "adapters/optimized/run.h"
#include "adapters/optimized/test_device.h"
#include "adapters/protocol/serve.h"
#include "optimized/autograd/meta.h"
#include "optimized/cuda/device.h"
#include "optimized/cuda/host.h"
#include "optimized/lazy/lazy.h"
#include "optimized/ops/cpu_fallback.h"
#include "optimized/without_views/whole_buffers.h"
#include "support/command_line.h"
#include "support/sanitizers.h"

using namespace plumbline;

namespace {

/// Beyond this limit an allocation fails with ErrorClass::memory, before the parent process kills this one.
void limit_memory() {
  if constexpr (!kReservesAddresses) {
    constexpr rlim_t kMost = (kMemoryLimit_mib - 512) << 20U;
    const rlimit limit{kMost, kMost};
    setrlimit(RLIMIT_AS, &limit);
  }
}

/// The backends of whole buffers, by name, and what they can do.
struct OfBuffers {
  std::string_view name;
  optimized::Abilities can;
};
constexpr std::array kOfBuffers{
    OfBuffers{"without-views", {.views = false, .strides = false, .mutation = true}},
    OfBuffers{"without-mutation", {.views = true, .strides = true, .mutation = false}},
    OfBuffers{"without-views-or-mutation", {.views = false, .strides = false, .mutation = false}},
};

/// Evaluates what waits after every fourth call, or so, of the programs that run.
void sync_often() {
  optimized::do_after_calls([calls = std::minstd_rand()]() mutable {
    if (calls() % 4 == 0) optimized::lazy::sync();
  });
}

/// The ops of these names, separated by commas, or all that may fall back, for "all".
std::vector<OpId> ops_named(const std::string& names) {
  if (names == "all") {
    const auto all = optimized::all_that_may_fall_back();
    return {all.begin(), all.end()};
  }
  std::vector<OpId> ops;
  std::istringstream list(names);
  for (std::string name; std::getline(list, name, ',');) {
    const std::size_t dot = name.find('.');
    const auto op = find_op(name.substr(0, dot), dot == std::string::npos ? "" : name.substr(dot + 1));
    if (!op || !optimized::may_fall_back(*op))
      throw std::runtime_error("--lacks " + name + ": no op of this name can fall back; `all` is each that can");
    ops.push_back(*op);
  }
  return ops;
}

/// Gives the runtime the device of this name; why it cannot be used.
std::string start_device(const std::string& device, std::size_t most_bytes, bool graph, const std::string& lacks) {
  const bool of_cuda = device == "cuda" || device == "cuda-host";
  if (graph && !of_cuda) return "only --device cuda and --device cuda-host have --graph";
  const bool of_buffers_alone =
      device == "lazy" || std::ranges::find(kOfBuffers, device, &OfBuffers::name) != kOfBuffers.end();
  if (!lacks.empty() && !of_buffers_alone)
    return "only --device lazy and the backends without views or mutation have --lacks";
  if (device == "cpu") return {};
  if (const auto* const of_buffers = std::ranges::find(kOfBuffers, device, &OfBuffers::name);
      of_buffers != kOfBuffers.end()) {
    optimized::run_on_whole_buffers(of_buffers->can, ops_named(lacks));
    optimized::run_on(Backend::PrivateUse1, "optimized-" + device);
    return {};
  }
  if (device == "lazy") {
    optimized::lazy::run_lazily(ops_named(lacks));
    optimized::run_on(optimized::lazy::kDevice, "optimized-lazy");
    optimized::settle_by(optimized::lazy::sync);
    return {};
  }
  if (device == "cuda-host") {
    optimized::cuda::run_on_the_host();
  } else if (std::string why = optimized::cuda::run_on_a_gpu(most_bytes); !why.empty()) {
    return why;
  }
  if (graph)
    optimized::run_bodies_by(device == "cuda" ? optimized::cuda::record_on_a_gpu : optimized::cuda::record_on_the_host);
  optimized::run_on(Backend::CUDA, "optimized-" + device + (graph ? "-graph" : ""));
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  CommandLine line("plumbline-optimized",
                   "Runs programs on Plumbline's optimized runtime. It reads requests as JSON lines from standard "
                   "input, and writes answers to standard output. docs/PROTOCOL.md describes them.");
  line.footer("example:\n  echo '{\"cmd\":\"start\",\"protocol\":3}' | plumbline-optimized");
  line.version("plumbline-optimized " PLUMBLINE_VERSION);
  bool ideal = false;
  line.flag("--ideal", ideal,
            "run as the RFC's ideal end state: a tensor that does not require grad has no Autograd key");
  std::string device = "cpu";
  line.option(
          "--device", device,
          "the device on which programs run: cpu; cuda-host, that is, the kernels for CUDA block by block on the "
          "host; cuda, a GPU; without-views, a backend whose kernels take whole row-major buffers, so that views are "
          "removed; without-mutation, one that writes each buffer once; without-views-or-mutation; or "
          "lazy, which makes a graph and computes what is read")
      .choices({"cpu", "cuda-host", "cuda", "without-views", "without-mutation", "without-views-or-mutation", "lazy"});
  std::string lacks;
  line.option(
      "--lacks OPS", lacks,
      "with --device lazy and the devices without views or mutation: the ops, separated by commas, for which the "
      "device has no kernel, so that they run on the CPU; all: each op for which that is possible");
  std::size_t most_mib = 0;
  line.option("--device-memory", most_mib, "how much of a GPU's memory programs may use, in MiB; 0: all that is free");
  bool graph = false;
  line.flag("--graph", graph,
            "record functionalized bodies and run each as one graph, in which chains of pointwise kernels are one");
  bool barriers = false;
  line.flag("--sync-often", barriers,
            "with --device lazy: evaluate the graph after every fourth call, or so, at random. No program shows it");
  bool probe = false;
  line.flag("--probe", probe,
            "run nothing, and print which device there is; the exit code is 4 if it cannot be used, and why is "
            "printed");
  if (const auto code = line.parse(argc, argv)) return *code;
  std::string why;
  try {
    why = start_device(device, most_mib << 20U, graph, lacks);
  } catch (const std::exception& error) {
    std::cerr << "plumbline-optimized: " << error.what() << '\n';
    return 2;
  }
  if (probe) {
    std::cout << (!why.empty() ? why : device == "cuda" ? optimized::cuda::gpu_name() : device) << '\n';
    return why.empty() ? 0 : 4;
  }
  if (!why.empty()) {
    std::cerr << "plumbline-optimized: the device " << device << " cannot be used: " << why << '\n';
    return 4;
  }
  if (barriers && device != "lazy") {
    std::cerr << "plumbline-optimized: only --device lazy has --sync-often\n";
    return 2;
  }
  if (barriers) sync_often();
  std::ios::sync_with_stdio(false);
  if (device != "cuda") limit_memory();  // a GPU's driver reserves more addresses than there is memory
  optimized::ideal_end_state = ideal;
  const auto run = [](const Script& script) {
    optimized::cuda::start_again();
    return optimized::run(script);
  };
  try {
    return serve("plumbline-optimized", {optimized::description, run});
  } catch (const optimized::cuda::DeviceLost& lost) {
    std::cerr << "plumbline-optimized: " << lost.why << '\n';
    return 5;
  } catch (const optimized::MemoryKept& kept) {
    std::cerr << "plumbline-optimized: " << kept.why << '\n';
    return 4;
  }
}
