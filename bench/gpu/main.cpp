// plumbline-bench-gpu: measures our runtime on a GPU, and prints one JSON object. bench/gpu.sh runs it.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/driver/statistics.h"
#include "bench/gpu/rows.h"
#include "optimized/cuda/device.h"
#include "optimized/cuda/host.h"
#include "optimized/cuda/host_memory.h"
#include "optimized/cuda/host_stream.h"
#include "optimized/dispatcher/thread_state.h"
#include "optimized/tensor/error.h"
#include "support/command_line.h"

using namespace plumbline;

namespace {

using Json = nlohmann::ordered_json;

/// Seconds of `calls` units, until the device has done them.
double seconds_of(const std::function<void()>& unit, std::uint64_t calls, const bench::gpu::Device& device) {
  using Clock = std::chrono::steady_clock;
  device.wait();
  const auto begin = Clock::now();
  for (std::uint64_t i = 0; i < calls; ++i) unit();
  device.wait();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Repetitions of at least `least` seconds each; the first are not counted.
Json measured(const bench::gpu::Row& row, const bench::gpu::Device& device, double least, int repetitions) {
  const auto unit = row.prepare();
  std::uint64_t calls = 1;
  while (seconds_of(unit, calls, device) < least && calls < (std::uint64_t{1} << 30U)) calls *= 2;
  std::vector<double> times;
  for (int i = 0; i < repetitions; ++i) times.push_back(seconds_of(unit, calls, device) / static_cast<double>(calls));
  return {{"name", row.name},
          {"median_s", bench::median(times)},
          {"least_s", *std::ranges::min_element(times)},
          {"bytes", row.bytes},
          {"flops", row.flops},
          {"calls", calls}};
}

}  // namespace

int main(int argc, char** argv) {
  CommandLine line("plumbline-bench-gpu",
                   "Measures our runtime on a GPU, row by row, and prints the times as one JSON object. bench/gpu.sh "
                   "runs it beside PyTorch, and makes the table of ratios.");
  line.footer("example:\n  plumbline-bench-gpu > ours.json\n  plumbline-bench-gpu --device cuda-host --small");
  line.version("plumbline-bench-gpu " PLUMBLINE_VERSION);
  bench::gpu::Device device{"cuda", optimized::cuda::wait_for_gpu, optimized::cuda::graph_on_a_gpu,
                            optimized::cuda::gpu_memory, false};
  line.option("--device", device.name, "cuda, or cuda-host: the kernels on the host, whose times mean nothing")
      .choices({"cuda", "cuda-host"});
  line.flag("--small", device.small, "few elements, to see that every row runs");
  int repetitions = 11;
  line.option("--repetitions", repetitions, "how often each row is measured").range(1);
  double least = 0.02;
  line.option("--least", least, "how many seconds a repetition takes at least").positive();
  if (const auto code = line.parse(argc, argv)) return *code;
  if (device.name == "cuda-host") {
    optimized::cuda::run_on_the_host();
    device.wait = [] { optimized::cuda::synchronize(); };
    device.graph = optimized::cuda::graph_on_the_host;
    device.memory = [] { return optimized::cuda::host_pool().counts(); };
  } else if (const std::string why = optimized::cuda::run_on_a_gpu(0); !why.empty()) {
    std::cerr << "plumbline-bench-gpu: " << why << '\n';
    return 4;
  }
  const optimized::DeviceGuard guard(Backend::CUDA);
  const optimized::InferenceMode mode;
  Json report{{"implementation", "ours"},
              {"device", device.name == "cuda" ? optimized::cuda::gpu_name() : device.name},
              {"rows", Json::array()}};
  try {
    for (const bench::gpu::Row& row : bench::gpu::rows(device)) {
      std::cerr << row.name << '\n';
      report["rows"].push_back(measured(row, device, least, repetitions));
    }
  } catch (const optimized::cuda::DeviceLost& lost) {
    report["error"] = lost.why;
  } catch (const optimized::Error& error) {
    report["error"] = error.what();
  }
  if (report.contains("error")) std::cerr << "plumbline-bench-gpu: " << report["error"].get<std::string>() << '\n';
  report["most_bytes"] = device.memory().most_in_use;
  std::cout << report.dump(2) << '\n';
  return report.contains("error") ? 5 : 0;
}
