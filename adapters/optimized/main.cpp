// plumbline-optimized: the optimized runtime as an adapter process (docs/PROTOCOL.md).
#include <sys/resource.h>

#include <iostream>
#include <string>

#include "adapters/adapter.h"
#include "adapters/optimized/memory.h"
#include "adapters/optimized/run.h"
#include "adapters/optimized/test_device.h"
#include "adapters/protocol/serve.h"
#include "optimized/autograd/meta.h"
#include "optimized/cuda/host.h"
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
      "the device on which programs run: cpu, or cuda-host, that is, the kernels for CUDA block by block on the "
      "host");
  if (const auto code = line.parse(argc, argv)) return *code;
  if (device == "cuda-host") {
    optimized::cuda::run_on_the_host();
    optimized::run_on(Backend::CUDA);
  } else if (device != "cpu") {
    std::cerr << "plumbline-optimized: unknown device '" << device << "'; it is cpu or cuda-host\n";
    return 2;
  }
  std::ios::sync_with_stdio(false);
  limit_memory();
  optimized::ideal_end_state = ideal;
  const auto run = [](const Script& script) {
    optimized::cuda::start_again();
    return optimized::run(script);
  };
  try {
    return serve("plumbline-optimized", {optimized::description, run});
  } catch (const optimized::MemoryKept& kept) {
    std::cerr << "plumbline-optimized: " << kept.why << '\n';
    return 4;
  }
}
