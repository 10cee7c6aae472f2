// plumbline-optimized: the optimized runtime as an adapter process (docs/PROTOCOL.md).
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <string>

#include "adapters/adapter.h"
#include "adapters/optimized/dispatcher_run.h"
#include "adapters/optimized/memory.h"
#include "adapters/optimized/run.h"
#include "adapters/protocol/serve.h"
#include "optimized/autograd/meta.h"
#include "optimized/tensor/pool.h"

using namespace plumbline;

namespace {

/// Beyond this limit an allocation fails with ErrorClass::memory, before the parent process kills this one. Not with a
/// sanitizer, which reserves far more.
void limit_memory() {
  if constexpr (optimized::kPooled) {
    constexpr rlim_t kMost = (kMemoryLimit_mib - 512) << 20U;
    const rlimit limit{kMost, kMost};
    setrlimit(RLIMIT_AS, &limit);
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Runs programs on Plumbline's optimized runtime. It reads requests as JSON lines from standard input, and writes "
      "answers to\nstandard output. docs/PROTOCOL.md describes them. Example:\n  echo "
      "'{\"cmd\":\"start\",\"protocol\":2}' | plumbline-optimized",
      "plumbline-optimized");
  app.set_version_flag("--version", std::string("plumbline-optimized " PLUMBLINE_VERSION));
  bool ideal = false;
  app.add_flag("--ideal", ideal,
               "Run as the RFC's ideal end state: a tensor that does not require grad has no Autograd key");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  std::ios::sync_with_stdio(false);
  limit_memory();
  optimized::ideal_end_state = ideal;
  const auto run = [](const Script& script) { return optimized::run(script); };
  try {
    return serve("plumbline-optimized", {optimized::description, run, optimized::run_dispatch});
  } catch (const optimized::MemoryKept& kept) {
    std::cerr << "plumbline-optimized: " << kept.why << '\n';
    return 4;
  }
}
