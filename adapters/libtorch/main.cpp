// plumbline-libtorch-VERSION: LibTorch as an adapter process (docs/PROTOCOL.md).
#include <ATen/Parallel.h>
#include <c10/util/Logging.h>

#include <iostream>
#include <string>

#include "adapters/libtorch/device.h"
#include "adapters/libtorch/dispatcher_dump.h"
#include "adapters/libtorch/session.h"
#include "adapters/protocol/serve.h"
#include "support/command_line.h"

using namespace plumbline;

int main(int argc, char** argv) {
  CommandLine line("plumbline-libtorch-" PLUMBLINE_LIBTORCH_VERSION,
                   "Runs programs on LibTorch " PLUMBLINE_LIBTORCH_VERSION
                   " for plumbline. It reads requests as JSON lines from standard input, and writes answers to "
                   "standard output. docs/PROTOCOL.md describes them.");
  line.footer("example:\n  echo '{\"cmd\":\"start\",\"protocol\":3}' | plumbline-libtorch-" PLUMBLINE_LIBTORCH_VERSION);
  line.version("plumbline-libtorch " PLUMBLINE_LIBTORCH_VERSION);
  bool dump = false;
  line.flag("--dispatcher", dump,
            "print LibTorch's dispatcher as JSON lines and exit: the layout of its keys, and the registrations and the "
            "table of every operator");
  std::string device = "cpu";
  line.option("--device DEVICE", device, "the device on which tests run, as PyTorch names it: cuda, meta, …");
  if (const auto code = line.parse(argc, argv)) return *code;
  if (const std::string why = libtorch::run_on(device); !why.empty()) {
    std::cerr << "plumbline-libtorch-" PLUMBLINE_LIBTORCH_VERSION ": --device " << device
              << ": this LibTorch makes no tensor there: " << why << "\n";
    return 3;
  }
  std::ios::sync_with_stdio(false);
  at::set_num_threads(1);
  // No one sees an error's stack trace, and symbolising it takes milliseconds.
  c10::SetStackTraceFetcher([]() -> std::string { return {}; });
  if (!dump) return serve("plumbline-libtorch", {libtorch::description, libtorch::run});
  bool heard = true;
  libtorch::dump_dispatcher([&](const std::string& line) { heard = heard && answer(line); });
  return heard ? 0 : 3;
}
